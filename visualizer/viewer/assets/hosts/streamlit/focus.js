// Keyboard focus: the viewer takes it when an example is chosen or another search is shown, but never from a user who is typing.

const TYPING = "input, textarea, select, [contenteditable], [role=dialog], [data-testid=stPopoverBody]";
const EXAMPLES = "[data-testid=stButtonGroup]";
const MAX_TRIES = 8; // a quarter of a second apart: a form that closes gives the focus back to its button a little later
const USER_EVENTS = ["keydown", "pointerdown"]; // after one of these the focus is the user's

export class KeyboardFocus {
  constructor(element) {
    this.element = element;
    this.onUserEvent = () => this.release();
    this.onClick = ({ target }) => {
      if (target.closest?.(EXAMPLES)) this.timer = setTimeout(() => this.grab()); // after the click has been handled
    };
    document.addEventListener("click", this.onClick, true);
  }

  /** Focus the element, and again if something that closes takes the focus. */
  grab() {
    this.release();
    this.tries = 0;
    for (const name of USER_EVENTS) document.addEventListener(name, this.onUserEvent, true);
    this.tryFocus();
  }

  tryFocus() {
    const { element } = this;
    const hasFocus = element.getRootNode().activeElement === element;
    if (!hasFocus && !document.activeElement?.closest(TYPING)) element.focus({ preventScroll: true });
    if (++this.tries < MAX_TRIES) this.timer = setTimeout(() => this.tryFocus(), 250);
    else this.release();
  }

  release() {
    clearTimeout(this.timer);
    for (const name of USER_EVENTS) document.removeEventListener(name, this.onUserEvent, true);
  }

  destroy() {
    this.release();
    document.removeEventListener("click", this.onClick, true);
  }
}
