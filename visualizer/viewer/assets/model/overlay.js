// Two searches of one position over each other, path by path. The browser's engine/analysis/overlay.py.

import { PictureTree } from "./picture_tree.js";

/** The paths of both searches, with the subtree sizes of one of them. */
export class SideTree extends PictureTree {
  #before; // by row, the number of earlier paths that this search called

  constructor(decoded, calls) {
    super(decoded);
    this.#before = new Float64Array(this.count + 1);
    calls.forEach((often, row) => (this.#before[row + 1] = this.#before[row] + (often > 0)));
  }

  size(row) {
    return this.#before[this.end(row)] - this.#before[row];
  }
}

/** One of the two searches as drawWholeTree asks the steps of a tree. The time counts its calls: at time t the first t have been made.
 *  `paths` has the path of each call, `over` for each path how many calls have been made when its last one is left. */
export class OverlaySteps {
  #first; // by path, its first call; Infinity: none
  #visited; // by time, the number of paths called

  constructor(tree, calls, paths, doneAt) {
    this.tree = tree;
    this.calls = calls;
    this.paths = paths;
    this.doneAt = doneAt;
    this.selected = -1; // the way to it is drawn
    this.#first = new Float64Array(tree.count).fill(Infinity);
    this.#visited = new Uint32Array(paths.length + 1);
    paths.forEach((path, call) => {
      this.#visited[call + 1] = this.#visited[call] + (this.#first[path] === Infinity);
      this.#first[path] = Math.min(this.#first[path], call);
    });
  }

  /** Whether it has made all of its calls. */
  isDone(t) {
    return t >= this.paths.length;
  }

  /** The number of paths called by time t. */
  visitedAt(t) {
    return this.#visited[Math.min(t, this.paths.length)];
  }

  /** The path that is selected, or else that of the latest call; the root at the end. */
  at(t) {
    return { node: this.selected >= 0 ? this.selected : this.isDone(t) || t === 0 ? 0 : this.paths[t - 1] };
  }

  stateAt(row, t) {
    if (this.calls[row] === 0) return "skipped";
    if (this.#first[row] >= t) return "future";
    if (this.doneAt[row] <= t) return this.tree.isPruned(row) ? "cut" : "done";
    const latest = this.paths[Math.min(t, this.paths.length) - 1];
    return latest >= row && latest < this.tree.end(row) ? "path" : "done"; // left, and it will be called again
  }

  enter(row) {
    return this.calls[row] === 0 ? 0 : this.#first[row] + 1;
  }

  /** The result of the last call of the path, once it is done. */
  visibleValue(row, t) {
    return this.calls[row] === 0 || this.doneAt[row] > t ? null : this.tree.value(row);
  }

  windowAt() {
    return { alpha: -Infinity, beta: Infinity, best: null };
  }

  boundSoFar() {
    return "open";
  }

  areStubsVisible() {
    return false;
  }
}

/** Count the paths that only the left search called, both, and only the right one. */
export function countPaths(left, right) {
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
