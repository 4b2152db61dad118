// The steps of a tree of which only a block of rows is loaded. Steps have their numbers in the whole search, so that links and bookmarks
// stay valid whichever rows are loaded.

import { firstAtLeast } from "./binary_search.js";
import { Steps } from "./trace.js";

export class LargeSteps extends Steps {
  #gaps; // by hidden row, in order: the steps that enter and leave it

  /** `length` is the number of all steps of the search. */
  constructor(tree, length) {
    super(tree);
    this.length = length;
  }

  enter(i) {
    return 3 * this.tree.number(i) - 2 * this.tree.depth(i);
  }

  leave(i) {
    return this.tree.isOpen(i) ? Infinity : 3 * this.tree.number(this.tree.end(i)) - 2 * this.tree.depth(i) - 2;
  }

  /** Whether the loaded rows are enough to show the step. */
  isLoaded(t) {
    return !this.tree.hidden(this.at(t).node);
  }

  /** The next or previous step of this kind ("next" or "previous") if the loaded rows prove it; undefined if rows between are missing. */
  find(direction, kind, t) {
    const found = this[direction](kind, t);
    if (found === null) return undefined;
    const [from, to] = direction === "next" ? [t, found] : [found, t];
    this.#gaps ??= listGaps(this);
    const gap = this.#gaps[firstAtLeast(this.#gaps.length, (i) => this.#gaps[i].leave, from + 1)];
    return gap && gap.enter < to ? undefined : found;
  }
}

function listGaps(steps) {
  const gaps = [];
  for (let row = 0; row < steps.tree.count; row++) if (steps.tree.hidden(row)) gaps.push({ enter: steps.enter(row), leave: steps.leave(row) });
  return gaps;
}
