// Lecture mode: the viewer fills the window, with nothing in it that is not looked at; keys do everything.

import { pressKey } from "./controls.js";

const REMINDED = "plyscope keys known";

export class Lecture {
  constructor(view) {
    this.view = view;
    this.on = false;
    this.hear = (event) => event.composedPath().includes(view.root) || pressKey(view, event); // wherever the focus is
    view.part("forget").addEventListener("click", () => this.forget());
    view.part("leaveLecture").addEventListener("click", () => this.leave());
  }

  /** The key for it: first the window, then the screen. */
  further() {
    if (!this.on) this.enter();
    else if (document.fullscreenElement) document.exitFullscreen();
    else this.fillTheScreen();
  }

  async fillTheScreen() {
    try {
      await document.documentElement.requestFullscreen();
      if (this.on) this.raise(); // what fills the screen last lies on top
    } catch {
      this.view.note("This browser gives no full screen here");
    }
  }

  /** Into the top layer: above whatever else the page has. */
  raise() {
    const { root } = this.view;
    if (!root.showPopover) return;
    root.removeAttribute("popover");
    root.setAttribute("popover", "manual");
    root.showPopover();
    root.focus({ preventScroll: true });
  }

  enter() {
    if (this.on) return;
    const { root } = this.view;
    this.on = true;
    root.classList.add("lecture");
    root.classList.toggle("reminded", known());
    this.raise();
    document.addEventListener("keydown", this.hear);
    this.changed();
  }

  leave() {
    if (!this.on) return;
    const { root } = this.view;
    this.on = false;
    if (document.fullscreenElement) document.exitFullscreen();
    document.removeEventListener("keydown", this.hear);
    root.removeAttribute("popover");
    root.classList.remove("lecture");
    this.changed();
  }

  changed() {
    const { view } = this;
    view.root.focus({ preventScroll: true });
    view.remember();
    view.draw();
  }

  /** The reminder of the keys goes, for good. */
  forget() {
    this.view.root.classList.add("reminded");
    this.view.root.focus({ preventScroll: true });
    try {
      localStorage.setItem(REMINDED, "yes");
    } catch {
      // a browser that keeps nothing reminds again
    }
    this.view.draw();
  }
}

function known() {
  try {
    return localStorage.getItem(REMINDED) === "yes";
  } catch {
    return false;
  }
}
