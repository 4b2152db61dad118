// What the viewer asks of the Streamlit page: the state is in the URL, and the server answers requests.

import { KeyboardFocus } from "./focus.js";
import { readState, saveState } from "./url_state.js";

export const BREAKDOWN_EVENT = "plyscope-reasons"; // from the component evaluation_breakdown

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

  takeFocus(root) {
    if (window.top !== window) return; // a frame does not take the focus from its page
    this.focus ??= new KeyboardFocus(root);
    this.focus.grab();
  }

  destroy() {
    window.removeEventListener(BREAKDOWN_EVENT, this.onBreakdown);
    this.focus?.destroy();
  }
}
