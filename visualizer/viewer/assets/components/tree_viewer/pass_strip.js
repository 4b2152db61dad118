// The strip of passes: a row of buttons that shows all passes or a single one.

import { windowText } from "../../draw/formatting.js";
import { withKey } from "../../input/keys.js";

const MAX_REASON_CHARS = 14; // a longer reason is only in the tooltip

/** "All passes" and one button for each pass. If `view.singlePass` is true, only the pass of the current step is shown. */
export class PassStrip {
  constructor(view) {
    this.view = view;
    this.strip = view.part("passes");
    this.shown = null;
    this.strip.addEventListener("click", ({ target }) => {
      const { pass } = target.closest("button")?.dataset ?? {};
      if (pass !== undefined) view.showPass(pass === "" ? null : Number(pass));
    });
  }

  /** Mark the pass of the current row. */
  show(row) {
    const { tree, singlePass } = this.view;
    this.strip.hidden = !tree.hasDriver;
    if (!tree.hasDriver) return;
    if (this.shown !== tree) this.build(tree);
    const { first } = tree.passAt(row);
    for (const button of this.strip.children) {
      const mine = button.dataset.pass === String(first);
      button.setAttribute("aria-pressed", String(singlePass ? mine : button.dataset.pass === ""));
      if (button.classList.toggle("current", mine)) this.scrollTo(button);
    }
  }

  /** Show the current pass only, then the next one; after the last one show all. */
  next() {
    const { tree, singlePass, steps, t } = this.view;
    if (!tree.hasDriver) return;
    const { number } = tree.passAt(steps.at(t).node);
    this.view.showPass(tree.roots[singlePass ? number + 1 : number] ?? null);
  }

  build(tree) {
    this.shown = tree;
    const made = tree.meta.passes.map(({ first, number, why }) => button(String(number + 1), String(first), why, windowText(tree, first, { alpha: tree.alpha(first), beta: tree.beta(first) })));
    const all = button("All", "", withKey("Every pass, side by side", "nextPass"));
    all.append(Object.assign(document.createElement("span"), { textContent: " passes", className: "wide-only" }));
    this.strip.replaceChildren(all, ...made);
  }

  /** Scroll the strip, but never the page. */
  scrollTo(button) {
    const { strip } = this;
    const left = button.offsetLeft - strip.offsetLeft;
    if (left < strip.scrollLeft) strip.scrollLeft = left;
    else if (left + button.offsetWidth > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = left + button.offsetWidth - strip.clientWidth;
  }
}

/** A button with the number of a pass, and its reason if that is short, or else its window. They are inserted as text, never as markup. */
function button(words, pass, why, window = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.pass = pass;
  made.title = why;
  made.append(words);
  if (pass !== "" && why.length <= MAX_REASON_CHARS) made.append(Object.assign(document.createElement("span"), { textContent: ` ${why}` }));
  else if (pass !== "") made.append(Object.assign(document.createElement("span"), { textContent: ` ${window}`, className: "pass-window" }));
  if (pass !== "") made.setAttribute("aria-label", `Pass ${words} only: ${why}`);
  return made;
}
