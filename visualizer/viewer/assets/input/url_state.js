// What is seen stays in the address, without a history entry, and in the session for who comes back from another page.

import { NAMES, seenIn } from "./url_codec.js";
import { bookmarksText } from "./bookmarks.js";

const SESSION = "plyscope";
const STEP = /^\d{1,9}$/;

export class Memory {
  constructor(view) {
    this.view = view;
    this.waiting = null;
  }

  /** What the address says of the tree, or else what it said when the tree was looked at last. */
  read() {
    const inLink = new URL(window.location.href).searchParams;
    return ["step", "marks", ...NAMES].some((name) => inLink.has(name)) ? inLink : kept(this.view.name);
  }

  /** Not on every frame. */
  write() {
    this.waiting ??= setTimeout(() => this.writeNow(), 300);
  }

  writeNow() {
    this.forget();
    const { view } = this;
    const parts = { step: String(view.t), marks: bookmarksText(view.bookmarks), ...seenIn(view) };
    const url = new URL(window.location.href);
    for (const [name, text] of Object.entries(parts)) {
      if (text) url.searchParams.set(name, text);
      else url.searchParams.delete(name);
    }
    window.history.replaceState(window.history.state, "", url);
    keep(view.name, { ...parts, lecture: "" });
  }

  /** What was to be written is not. */
  forget() {
    clearTimeout(this.waiting);
    this.waiting = null;
  }
}

/** The step that parts of an address name; null if they name none of so many. */
export function stepIn(parameters, length) {
  const text = parameters.get("step") ?? "";
  return STEP.test(text) && Number(text) < length ? Number(text) : null;
}

function keep(name, parts) {
  try {
    sessionStorage.setItem(SESSION, JSON.stringify({ name, parts }));
  } catch {
    // a browser that keeps nothing: the link still does
  }
}

function kept(name) {
  try {
    const found = JSON.parse(sessionStorage.getItem(SESSION));
    if (found?.name === name) return new URLSearchParams(Object.entries(found.parts).filter(([, text]) => text));
  } catch {
    // nothing was kept, or nothing that can be read
  }
  return new URLSearchParams();
}
