// Where keys go: to the viewer when an example is chosen or another search is shown, but never away from who is typing.

const BUSY = "input, textarea, select, [contenteditable], [role=dialog], [data-testid=stPopoverBody]";
const EXAMPLES = "[data-testid=stButtonGroup]";
const LOOKS = 8; // a quarter of a second apart: a form that closes gives the focus back to its button, some time later
const LEADS = ["keydown", "pointerdown"]; // with these the user takes the lead

export class Keys {
  constructor(element) {
    this.element = element;
    this.leave = () => this.letGo();
    this.chosen = ({ target }) => {
      if (target.closest?.(EXAMPLES)) this.waiting = setTimeout(() => this.take()); // when the click has done what it does
    };
    document.addEventListener("click", this.chosen, true);
  }

  /** Give the element the focus, and again if what is closing takes it. */
  take() {
    this.letGo();
    this.looks = 0;
    for (const name of LEADS) document.addEventListener(name, this.leave, true);
    this.look();
  }

  look() {
    const { element } = this;
    const here = element.getRootNode().activeElement === element;
    if (!here && !document.activeElement?.closest(BUSY)) element.focus({ preventScroll: true });
    if (++this.looks < LOOKS) this.waiting = setTimeout(() => this.look(), 250);
    else this.letGo();
  }

  letGo() {
    clearTimeout(this.waiting);
    for (const name of LEADS) document.removeEventListener(name, this.leave, true);
  }

  end() {
    this.letGo();
    document.removeEventListener("click", this.chosen, true);
  }
}
