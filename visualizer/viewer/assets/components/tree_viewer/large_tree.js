// A tree that is too large for the browser. The viewer holds a block of rows around the current step, and asks the server for another one
// when a step is not in it. Nothing waits: the old step is shown until the new one is there, and only the latest wish counts.

import { OverviewPictures } from "../../draw/overview_pictures.js";
import { LargeSteps } from "../../model/large_steps.js";
import { OverviewCells } from "../../model/overview_cells.js";
import { decode } from "../../model/payload.js";
import { PictureTree } from "../../model/picture_tree.js";

const ROWS_BEFORE = 1000; // of the current one, in a block
const ROWS_AFTER = 3000;
const MIN_STEPS_AHEAD = 3000; // with fewer steps ahead the next block is fetched while the search is played

export class LargeTree {
  /** `facts` has the rows, depths, steps and turns of the whole tree; `lasting` is what all its payloads have in common. */
  constructor(view, facts, lasting) {
    Object.assign(this, { view, facts, lasting });
    this.pictures = new OverviewPictures(facts, (query, parameters) => this.ask(query, parameters), () => view.drawPicture());
    this.wanted = this.asked = null; // steps
    this.timelines = new Map(); // by width; null while it is asked for
  }

  /** Ask the server. Return a promise of bytes; null: there is no answer, or another tree is shown. */
  async ask(query, parameters) {
    const bytes = await this.view.host.askTree(query, parameters);
    return this.view.largeTree === this ? bytes : null;
  }

  async askJson(query, parameters) {
    const bytes = await this.ask(query, parameters);
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  }

  /** The rows of an answer as a tree and its steps. */
  open(bytes) {
    const { count, meta, columns } = decode(bytes);
    return this.wrap({ count, meta: { ...this.lasting, ...meta }, columns });
  }

  wrap(decoded) {
    const { depths, steps, turns } = this.facts;
    const tree = Object.assign(new PictureTree(decoded), { height: depths - 1, turns, isLoadedOnDemand: true });
    return { tree, steps: new LargeSteps(tree, steps) };
  }

  // ---- steps

  /** Go to a step that is not loaded, as soon as it is. */
  async load(t) {
    this.wanted = t;
    if (this.asked !== null) return;
    while (this.wanted !== null) {
      const asked = (this.asked = this.wanted);
      const bytes = await this.ask("block", { step: asked, before: ROWS_BEFORE, after: ROWS_AFTER });
      this.asked = null;
      if (this.wanted === asked || !bytes) this.wanted = null;
      if (bytes) this.view.showBlock(this.open(bytes), asked);
    }
  }

  /** Fetch the next block before the playing step reaches the end of this one. */
  async loadAhead(t) {
    const { view } = this;
    const ahead = Math.min(t + MIN_STEPS_AHEAD, this.facts.steps - 1);
    if (this.asked !== null || this.fetching || !view.playing || view.steps.isLoaded(ahead)) return;
    this.fetching = true;
    const bytes = await this.ask("block", { step: t, before: ROWS_BEFORE, after: ROWS_AFTER });
    this.fetching = false;
    if (!bytes || !view.playing) return;
    const block = this.open(bytes);
    if (block.steps.isLoaded(view.t)) view.showBlock(block, view.t);
  }

  /** Return a promise of the next or previous step of a kind; null if there is none. */
  async findStep(direction, kind, t) {
    const found = this.view.steps.find(direction, kind, t);
    if (found !== undefined) return found;
    return (await this.askJson("step", { step: t, direction, kind }))?.step ?? null;
  }

  /** Return a promise of how many steps a breakpoint has, and the first of them: {count, first}. null: no answer. */
  findStop(kind, at) {
    return this.askJson("stops", { kind, at });
  }

  /** Find the first step of each breakpoint after step t, for `nextStop`. */
  async updateStops(stops, t) {
    await Promise.all(stops.map(async (stop) => {
      const next = await this.askJson("stops", { kind: stop.kind, at: stop.at, step: t });
      stop.steps = next === null ? [] : [next];
    }));
  }

  /** Return a promise of the tree and the steps around a node, given by its number, without showing them; null: no answer. */
  async peek(number) {
    const bytes = await this.ask("block", { row: number });
    return bytes && this.open(bytes);
  }

  // ---- counts and pictures

  /** Bars and cutoffs of the whole search for the timeline; null until they are there. */
  timeline(width) {
    if (this.timelines.has(width)) return this.timelines.get(width);
    this.timelines.set(width, null);
    this.ask("overview", { first: 0, last: this.facts.rows, pixels: width, colour: "how-left" }).then((bytes) => {
      if (bytes) this.timelines.set(width, { width, ...new OverviewCells(bytes).summarize() });
      this.view.drawPicture();
    });
    return null;
  }

  /** Return a promise of the breakdown of a leaf's value. */
  explain(number) {
    return this.askJson("why", { row: number });
  }
}
