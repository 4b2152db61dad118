// Keeps the state of the view in the URL, without a history entry, and in the session for users who come back from another page.

import { writeParams } from "./url_codec.js";

const SESSION = "plyscope";
const STEP = /^\d{1,9}$/;

export class UrlState {
  constructor(view) {
    this.view = view;
    this.timer = null;
  }

  /** Return the parameters of the URL, or else those that the same tree had last. */
  read() {
    const inUrl = new URL(window.location.href).searchParams;
    return this.view.tree.meta.urlParams.some(({ name }) => inUrl.has(name)) ? inUrl : readFromSession(this.view.name);
  }

  /** Write soon, but not on every frame. */
  write() {
    this.timer ??= setTimeout(() => this.writeNow(), 300);
  }

  writeNow() {
    this.cancelWrite();
    const { view } = this;
    const parameters = view.tree.meta.urlParams;
    const parts = writeParams(view.state(), parameters, view.tree);
    const url = new URL(window.location.href);
    if (!url.searchParams.has("game")) for (const [name, text] of Object.entries(view.settings.search ?? {})) url.searchParams.set(name, text);
    for (const [name, text] of Object.entries(parts)) {
      if (text) url.searchParams.set(name, text);
      else url.searchParams.delete(name);
    }
    window.history.replaceState(window.history.state, "", url);
    storeInSession(view.name, Object.fromEntries(parameters.filter(({ remembered }) => remembered).map(({ name }) => [name, parts[name]])));
  }

  cancelWrite() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}

/** Return the step of the parameters; null if it is missing or not below `length`. */
export function readStep(parameters, length) {
  const text = parameters.get("step") ?? "";
  return STEP.test(text) && Number(text) < length ? Number(text) : null;
}

function storeInSession(name, parts) {
  try {
    sessionStorage.setItem(SESSION, JSON.stringify({ name, parts }));
  } catch {
    // the browser stores nothing: the link still holds the state
  }
}

function readFromSession(name) {
  try {
    const found = JSON.parse(sessionStorage.getItem(SESSION));
    if (found?.name === name) return new URLSearchParams(Object.entries(found.parts).filter(([, text]) => text));
  } catch {
    // nothing was stored, or it cannot be read
  }
  return new URLSearchParams();
}
