// Lecture mode: the viewer fills the window without buttons and tabs, and keys control it.

const REMINDER_HIDDEN_KEY = "plyscope keys known";

export class Lecture {
  constructor(view) {
    this.view = view;
    this.on = false;
    this.onKeyDown = (event) => event.composedPath().includes(view.root) || view.pressKey(event); // keys work wherever the focus is
    view.part("hideReminder").addEventListener("click", () => this.hideReminder());
    view.part("leaveLecture").addEventListener("click", () => this.leave());
  }

  /** Fill the window first, then the screen. */
  expand() {
    if (!this.on) this.enter();
    else if (document.fullscreenElement) document.exitFullscreen();
    else this.enterFullScreen();
  }

  async enterFullScreen() {
    try {
      await document.documentElement.requestFullscreen();
      if (this.on) this.moveToTopLayer(); // the last element in the top layer lies on top
    } catch {
      this.view.note("Full screen is not available here");
    }
  }

  /** Show the viewer above everything else on the page. */
  moveToTopLayer() {
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
    root.classList.toggle("reminder-hidden", isReminderHidden());
    this.moveToTopLayer();
    document.addEventListener("keydown", this.onKeyDown);
    this.update();
  }

  leave() {
    if (!this.on) return;
    const { root } = this.view;
    this.on = false;
    if (document.fullscreenElement) document.exitFullscreen();
    document.removeEventListener("keydown", this.onKeyDown);
    root.removeAttribute("popover");
    root.classList.remove("lecture");
    this.update();
  }

  update() {
    const { view } = this;
    view.root.focus({ preventScroll: true });
    view.saveState();
    view.draw();
  }

  /** Hide the reminder of the keys for good. */
  hideReminder() {
    this.view.root.classList.add("reminder-hidden");
    this.view.root.focus({ preventScroll: true });
    try {
      localStorage.setItem(REMINDER_HIDDEN_KEY, "yes");
    } catch {
      // the browser stores nothing: the reminder is shown again
    }
    this.view.draw();
  }
}

function isReminderHidden() {
  try {
    return localStorage.getItem(REMINDER_HIDDEN_KEY) === "yes";
  } catch {
    return false;
  }
}
