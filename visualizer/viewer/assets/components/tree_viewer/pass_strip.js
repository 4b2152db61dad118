// Several whole searches, one after the other: a row of buttons that shows all of them, or one alone.

const SHORT = 14; // letters of a reason that stands beside its number; a longer one is there for who points at it

/** "All passes" and one button for each pass. `view` has `alone`, whether one is shown alone: the one that the time is in. */
export class Passes {
  constructor(view) {
    this.view = view;
    this.strip = view.part("passes");
    this.shown = null;
    this.strip.addEventListener("click", ({ target }) => {
      const { pass } = target.closest("button")?.dataset ?? {};
      if (pass !== undefined) view.showPass(pass === "" ? null : Number(pass));
    });
  }

  /** Show them for the row where the search is. */
  show(row) {
    const { tree, alone } = this.view;
    this.strip.hidden = !tree.hasDriver;
    if (!tree.hasDriver) return;
    if (this.shown !== tree) this.build(tree);
    const { first } = tree.passAt(row);
    for (const button of this.strip.children) {
      const mine = button.dataset.pass === String(first);
      button.setAttribute("aria-pressed", String(alone ? mine : button.dataset.pass === ""));
      if (button.classList.toggle("current", mine)) this.scrollTo(button);
    }
  }

  /** The pass of the time alone; then the one after it; after the last one all of them. */
  next() {
    const { tree, alone, steps, t } = this.view;
    if (!tree.hasDriver) return;
    const { number } = tree.passAt(steps.at(t).node);
    this.view.showPass(tree.roots[alone ? number + 1 : number] ?? null);
  }

  build(tree) {
    this.shown = tree;
    const made = tree.meta.passes.map(({ first, number, why }) => button(String(number + 1), String(first), why));
    this.strip.replaceChildren(button("All passes", "", "Every pass, side by side (T)"), ...made);
  }

  /** Only the strip moves, never the page. */
  scrollTo(button) {
    const { strip } = this;
    const left = button.offsetLeft - strip.offsetLeft;
    if (left < strip.scrollLeft) strip.scrollLeft = left;
    else if (left + button.offsetWidth > strip.scrollLeft + strip.clientWidth) strip.scrollLeft = left + button.offsetWidth - strip.clientWidth;
  }
}

/** A number with the reason beside it, if that is short. Reasons go in as text only. */
function button(words, pass, why) {
  const made = document.createElement("button");
  made.type = "button";
  made.dataset.pass = pass;
  made.title = why;
  made.append(words);
  if (pass !== "" && why.length <= SHORT) made.append(Object.assign(document.createElement("span"), { textContent: ` ${why}` }));
  if (pass !== "") made.setAttribute("aria-label", `Pass ${words} alone: ${why}`);
  return made;
}
