// The tree of steps.js with what only a picture needs.

import { Tree } from "./steps.js";

export class PictureTree extends Tree {
  constructor(decoded) {
    super(decoded);
    this.height = 0;
    this.leaves = 0;
    let low = Infinity;
    let high = -Infinity;
    for (let row = 0; row < this.count; row++) {
      this.height = Math.max(this.height, this.depth(row));
      if (this.end(row) === row + 1) this.leaves++;
      const value = this.value(row);
      if (Number.isFinite(value)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    this.range = low <= high ? [low, high] : [0, 0];
  }

  /** Moves that cutoffs have left untried up to step t. */
  skippedSoFar(steps, t) {
    this.cuts ??= cutsInOrder(this, steps);
    let low = 0;
    let high = this.cuts.at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.cuts.at[middle] <= t) low = middle + 1;
      else high = middle;
    }
    return low ? this.cuts.sums[low - 1] : 0;
  }
}

/** The steps of all cutoffs, and how many moves have been skipped with each. */
function cutsInOrder(tree, steps) {
  const rows = [];
  for (let row = 0; row < tree.count; row++) if (tree.isPruned(row)) rows.push(row);
  rows.sort((a, b) => steps.leaveStep(a) - steps.leaveStep(b));
  let total = 0;
  return { at: rows.map((row) => steps.leaveStep(row)), sums: rows.map((row) => (total += tree.columns.skipped[row])) };
}
