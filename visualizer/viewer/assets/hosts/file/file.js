// One HTML file as a host: it holds the data, and the fragment of its address holds the state, so that a link can name a step.

import { readBytes, readJson } from "./embedded_data.js";
import { followTheme } from "./page_theme.js";

/** Show the component that the file is about. */
export async function openPage({ showPayload }) {
  const element = document.querySelector("main");
  element.hidden = false;
  if (!globalThis.DecompressionStream) {
    element.textContent = "This browser is too old for this page: it needs one from 2023 or later.";
    return;
  }
  const [settings, payload, breakdowns] = [await readJson("settings"), await readBytes("payload"), await readJson("breakdowns")];
  const host = new FileHost(element, breakdowns ?? {});
  const viewer = showPayload(element, payload, settings, host);
  followTheme(() => viewer.updateTheme());
  document.addEventListener("keydown", (event) => event.target === document.body && viewer.pressKey(event)); // before any click
  window.addEventListener("hashchange", () => viewer.openState?.(host.readState()));
}

/** What the viewer asks of a file: no server answers, but values of leaves are broken down in the file. */
class FileHost {
  constructor(element, breakdowns) {
    this.element = element;
    this.breakdowns = breakdowns; // by node
  }

  offers(request, node) {
    return request === "why" && node in this.breakdowns;
  }

  request(request, node) {
    this.element.view.receiveBreakdown(this.breakdowns[node]);
  }

  readState() {
    return new URLSearchParams(window.location.hash.slice(1));
  }

  saveState(texts) {
    const state = new URLSearchParams(Object.entries(texts).filter(([, text]) => text));
    try {
      window.history.replaceState(null, "", `#${state}`);
    } catch {
      // a browser that allows no change of this address: the state is not saved
    }
  }

  takeFocus(root) {
    if (window.top === window) root.focus({ preventScroll: true }); // a frame does not take the focus from its page
  }
}
