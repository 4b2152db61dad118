// Two searches of one position over each other, path by path. The browser's engine/analysis/overlay.py.

import { PictureTree } from "./picture.js";

/** The paths of both as one of them sees them: a subtree is as large as what this search called of it. */
export class SideTree extends PictureTree {
  #before; // how many paths before each this search called

  constructor(decoded, calls) {
    super(decoded);
    this.#before = new Float64Array(this.count + 1);
    calls.forEach((often, row) => (this.#before[row + 1] = this.#before[row] + (often > 0)));
  }

  size(row) {
    return this.#before[this.end(row)] - this.#before[row];
  }
}

/** One of the two searches as drawWhole asks the steps of a tree: nothing moves, a path is there or it is not. */
export class Presence {
  constructor(tree, calls) {
    this.tree = tree;
    this.calls = calls;
    this.length = 1;
    this.selected = 0; // the way to it is drawn
  }

  at() {
    return { node: this.selected };
  }

  stateAt(row) {
    if (this.calls[row] === 0) return "spared";
    return this.tree.isPruned(row) ? "cut" : "done";
  }

  enter() {
    return 0;
  }

  valueShown(row) {
    return this.calls[row] === 0 ? null : this.tree.value(row);
  }

  soFar() {
    return { alpha: -Infinity, beta: Infinity, best: null };
  }

  boundSoFar() {
    return "open";
  }

  stubVisible() {
    return false;
  }
}

/** How many paths only the left search called, both, and only the right one. */
export function countSets(left, right) {
  const counts = { left: 0, both: 0, right: 0 };
  left.forEach((calls, row) => {
    if (calls && right[row]) counts.both++;
    else if (calls) counts.left++;
    else counts.right++;
  });
  return counts;
}

/** The topmost paths that only one of them called, in pre-order. */
export function topmostDifferences(tree, left, right) {
  const rows = [];
  for (let row = 0; row < tree.count; row++) {
    if ((left[row] > 0) === (right[row] > 0)) continue;
    rows.push(row);
    row = tree.end(row) - 1;
  }
  return rows;
}
