// What the viewer asks of the Streamlit page: the state is in the URL, and the server answers requests.

import { appFolder } from "./app_folder.js";
import { KeyboardFocus } from "./focus.js";
import { readState, saveState } from "./url_state.js";

export const BREAKDOWN_EVENT = "plyscope-reasons"; // from the component evaluation_breakdown

const TREE_FOLDER = "plyscope-tree";
const RETRY_SECONDS = 1; // until the server has made a tree again

export class PageHost {
  constructor(element) {
    this.onBreakdown = ({ detail }) => element.view?.receiveBreakdown?.(detail);
    window.addEventListener(BREAKDOWN_EVENT, this.onBreakdown);
  }

  /** Take the settings and the function of the latest message. */
  update(settings, setTriggerValue) {
    this.settings = settings;
    this.request = setTriggerValue;
  }

  offers() {
    return true;
  }

  readState(declared) {
    return readState(this.settings.name, declared);
  }

  saveState(texts, declared) {
    saveState(this.settings.name, texts, declared, this.settings.search);
  }

  /** Return a promise of the answer to a query about a large tree, as bytes; null if the server has none. If it has dropped the tree, the
   *  page makes it again. */
  async askTree(query, parameters) {
    const address = `${appFolder()}${TREE_FOLDER}/${this.settings.whole.address}/${query}?${new URLSearchParams(parameters)}`;
    for (let attempt = 0; !this.isDestroyed; attempt++) {
      const answer = await fetch(address).catch(() => null); // null: no connection
      if (answer?.ok) return new Uint8Array(await answer.arrayBuffer());
      if (answer && answer.status !== 404) return null;
      if (answer && attempt === 0) this.request("lost", Date.now());
      await new Promise((resolve) => setTimeout(resolve, RETRY_SECONDS * 1000));
    }
    return null;
  }

  takeFocus(root) {
    if (this.settings.reveal) requestAnimationFrame(() => root.scrollIntoView({ block: "start" }));
    if (window.top !== window) return; // a frame does not take the focus from its page
    this.focus ??= new KeyboardFocus(root);
    this.focus.grab();
  }

  destroy() {
    this.isDestroyed = true;
    window.removeEventListener(BREAKDOWN_EVENT, this.onBreakdown);
    this.focus?.destroy();
  }
}
