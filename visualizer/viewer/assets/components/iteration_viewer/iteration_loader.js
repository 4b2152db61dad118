// Asks the server for iterations that are not loaded. Nothing waits: the old step is shown until the new one is there, and only the latest
// wish counts. A file and a notebook have no server: what they lack is said.

export class IterationLoader {
  constructor(view) {
    this.view = view;
    this.wanted = this.asked = null; // {step} or {iteration}
    this.isOpening = false; // nothing is shown until the step of a link is there
  }

  get hasServer() {
    return Boolean(this.view.settings.whole);
  }

  /** Ask the server. Return a promise of the answer; null: there is none, or another search is shown. */
  async ask(query, parameters) {
    const { view } = this;
    const asking = view.steps;
    const bytes = await view.host.askTree(query, parameters);
    return bytes && view.steps === asking ? JSON.parse(new TextDecoder().decode(bytes)) : null;
  }

  /** Fetch a block and its picture. Return it; null if there is no answer. */
  async fetchBlock(parameters) {
    const { steps } = this.view;
    const block = await this.ask("block", parameters);
    if (!block) return null;
    if (!steps.pictures.has(block.picture)) {
      const picture = await this.ask("picture", { iteration: block.picture });
      if (!picture) return null;
      steps.addPicture(picture);
    }
    steps.add(block);
    return block;
  }

  /** Fetch what a wish {step} or {iteration} needs, then call `arrive`. A later wish takes the place of an earlier one; `drop` ends them all. */
  async load(wish, arrive) {
    this.wanted = { wish, arrive };
    if (this.asked) return;
    while (this.wanted) {
      const now = (this.asked = this.wanted);
      const block = await this.fetchBlock(now.wish);
      const isDropped = !this.wanted;
      this.asked = null;
      if (this.wanted === now) this.wanted = null;
      if (!this.wanted) this.isOpening = false;
      if (block && !isDropped) now.arrive();
    }
    this.view.draw();
  }

  /** Forget what was asked for: the viewer goes elsewhere. */
  drop() {
    this.wanted = null;
    this.isOpening = false;
  }

  /** Fetch the block of a later iteration before it is shown. */
  async loadAhead(number) {
    const { view } = this;
    if (!this.hasServer || this.isAhead || number > view.steps.meta.iterations || view.steps.iteration(number)) return;
    this.isAhead = true;
    await this.fetchBlock({ iteration: number });
    this.isAhead = false;
  }
}
