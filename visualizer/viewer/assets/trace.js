// The steps of a search, computed from its tree and never stored: the browser's engine/tree/trace.py.
//
// Every node is entered, left with a value, and (but for the root) comes back to its parent: three steps.
//
//     enter(i) = 3 i - 2 depth(i)          leave(i) = 3 end(i) - 2 depth(i) - 2          back(i) = leave(i) + 1

import { firstAtLeast } from "./halving.js";
import { NONE, ROOT, Tree } from "./tree.js";

export { Tree };

const AS_TYPED = "as typed";
const FRESH_ROOT_WINDOWS = "fresh root windows";

export class Steps {
  #cutoffs = null; // step numbers of all cutoffs, made when first jumped to

  constructor(tree) {
    this.tree = tree;
    this.length = this.#count();
  }

  #count() {
    const { tree } = this;
    const last = tree.count - 1;
    let left = NONE; // the topmost node that was left after the last row
    for (let row = last; row !== NONE && !tree.isOpen(row); row = tree.parent(row)) left = row;
    if (left === NONE) return this.enterStep(last) + 1;
    return this.leaveStep(left) + (left === ROOT ? 1 : 2);
  }

  // ---- step numbers

  /** The number of the step that enters the node. */
  enterStep(i) {
    return 3 * i - 2 * this.tree.depth(i);
  }

  /** The number of the step that leaves it; Infinity if the search was stopped before. */
  leaveStep(i) {
    return this.tree.isOpen(i) ? Infinity : 3 * this.tree.end(i) - 2 * this.tree.depth(i) - 2;
  }

  /** The row that was entered last, at or before the step. */
  lastEntered(t) {
    return Math.max(0, firstAtLeast(this.tree.count, (row) => this.enterStep(row), t + 1) - 1);
  }

  /** How many nodes have been entered up to the step, those that are not here included. */
  expandedAt(t) {
    const row = this.lastEntered(t);
    return this.tree.number(row) + 1 + (t >= this.leaveStep(row) ? this.tree.hidden(row) : 0);
  }

  // ---- what happens in a step

  /** One step; `node` is where the search is, alpha and beta are its window and best its value after the step. */
  at(t) {
    if (!(Number.isInteger(t) && t >= 0 && t < this.length)) throw new RangeError(`no step ${t}: the search has ${this.length}`);
    const entered = this.lastEntered(t);
    const since = t - this.enterStep(entered);
    if (since === 0) return this.#enter(t, entered);
    let row = entered;
    for (let up = (since - 1) >> 1; up > 0; up--) row = this.tree.parent(row);
    return since % 2 === 0 ? this.#return(t, this.tree.parent(row), row) : this.#leave(t, row);
  }

  #enter(number, node) {
    return step({ number, kind: "enter", node, ...this.#window(node) });
  }

  #return(number, node, child) {
    const before = this.soFar(node, number - 1);
    const after = this.soFar(node, number);
    const narrows = after.alpha > before.alpha ? "alpha" : after.beta < before.beta ? "beta" : "";
    const improves = after.best !== before.best;
    const { tree } = this;
    const value = tree.value(child);
    return step({ number, kind: "return", node, child, ...after, value, bound: tree.bound(child), improves, narrows });
  }

  #leave(number, node) {
    const { tree } = this;
    const kind = tree.isLeaf(node) ? "evaluate" : tree.hidden(node) ? "hidden" : tree.isPruned(node) ? "cutoff" : "leave";
    const left = step({ number, kind, node, ...this.soFar(node, number), value: tree.value(node), bound: tree.bound(node) });
    if (kind === "cutoff") {
      left.skippedMoves = tree.skippedMoves(node);
      left.cause = this.#cause(node);
    }
    return left;
  }

  #window(i) {
    return { alpha: this.tree.alpha(i), beta: this.tree.beta(i), best: null };
  }

  /** Window and best value at a node after step t: those on entry, and what the children brought that have come back. */
  soFar(i, t) {
    const { tree } = this;
    const { quirk } = tree.meta;
    const maximizing = tree.maximizing(i);
    let { alpha, beta, best } = this.#window(i);
    if (tree.isLeaf(i) || tree.hidden(i)) return { alpha, beta, best: t >= this.leaveStep(i) ? tree.value(i) : null };
    const narrowing = tree.pruning && !(quirk === FRESH_ROOT_WINDOWS && i === ROOT);
    for (let child = i + 1; child < tree.end(i) && this.leaveStep(child) < t; child = tree.end(child)) {
      const score = tree.value(child);
      if (best === null || (maximizing ? score > best : score < best)) best = score;
      if (narrowing && maximizing) alpha = Math.max(alpha, score);
      else if (narrowing) beta = Math.min(beta, score);
    }
    if (quirk === AS_TYPED && !maximizing && best !== null) best = Math.min(0, best);
    return { alpha, beta, best };
  }

  /** What the best value at a node after step t proves of it: "lower" at MAX and "upper" at MIN if one of the moves that have come back
   *  is sure to bring it; the other way round if it is only the best that they let the side hope for. */
  boundSoFar(i, t) {
    const { tree } = this;
    const [sure, hoped] = tree.maximizing(i) ? ["lower", "upper"] : ["upper", "lower"];
    const { best } = this.soFar(i, t);
    if (tree.meta.quirk === AS_TYPED && !tree.maximizing(i) && best === 0) return sure;
    for (let child = i + 1; child < tree.end(i) && this.leaveStep(child) < t; child = tree.end(child)) {
      if (tree.value(child) === best && tree.proves(child, i)) return sure;
    }
    return hoped;
  }

  /** Why a cutoff was right: the nearest ancestor where the bound arose, and the move there; null: the root window did it. */
  #cause(node) {
    const { tree } = this;
    const field = tree.maximizing(node) ? "beta" : "alpha";
    const bound = tree[field](node);
    let below = node;
    for (let ancestor = tree.parent(node); ancestor !== NONE; ancestor = tree.parent(ancestor)) {
      if (tree[field](ancestor) !== bound) {
        const child = tree.children(ancestor).find((row) => tree.value(row) === bound);
        return child < below ? { ancestor, child, bound } : null;
      }
      below = ancestor;
    }
    return null;
  }

  // ---- what is seen of a node after step t

  /** "future" before it is entered, "path" until it is left, then "done", or "cut" if a cutoff happened there. */
  state(i, t) {
    if (t < this.enterStep(i)) return "future";
    if (t < this.leaveStep(i)) return "path";
    return this.tree.isPruned(i) ? "cut" : "done";
  }

  /** The value once the node has been left; null before. */
  valueShown(i, t) {
    return t >= this.leaveStep(i) ? this.tree.value(i) : null;
  }

  /** Whether the moves that a cutoff skipped at the node are known to be skipped. */
  stubVisible(i, t) {
    return this.tree.isPruned(i) && t >= this.leaveStep(i);
  }

  // ---- jumps: step numbers, null where there is none

  nextCutoff(t) {
    return this.#cutoffSteps()[this.#cutoffsUpTo(t)] ?? null;
  }

  previousCutoff(t) {
    return this.#cutoffSteps()[this.#cutoffsUpTo(t - 1) - 1] ?? null;
  }

  /** How many cutoffs have happened up to the step. */
  #cutoffsUpTo(t) {
    const numbers = this.#cutoffSteps();
    return firstAtLeast(numbers.length, (i) => numbers[i], t + 1);
  }

  #cutoffSteps() {
    this.#cutoffs ??= cutoffSteps(this.tree, this);
    return this.#cutoffs;
  }

  /** The next evaluation. From any row the way down along first children ends in a leaf, so it is near. */
  nextLeaf(t) {
    const { tree } = this;
    for (let row = this.lastEntered(t); row < tree.count; row++) {
      if (tree.isLeaf(row) && this.leaveStep(row) > t) return this.leaveStep(row);
    }
    return null;
  }

  /** The next return that gives the root a better value. */
  nextRootChange(t) {
    const { tree } = this;
    let best = null;
    for (const child of tree.children(ROOT)) {
      const back = this.leaveStep(child) + 1;
      if (back === Infinity) break;
      const after = this.#betterAtRoot(best, tree.value(child));
      if (after !== best && back > t) return back;
      best = after;
    }
    return null;
  }

  #betterAtRoot(best, score) {
    if (this.tree.maximizing(ROOT)) return best === null ? score : Math.max(best, score);
    const start = this.tree.meta.quirk === AS_TYPED ? 0 : Infinity;
    return Math.min(best ?? start, score);
  }

  /** From the step that enters a node to the one that leaves it; from any other step to the next. */
  stepOver(t) {
    const row = this.lastEntered(t);
    return Math.min(t === this.enterStep(row) ? this.leaveStep(row) : t + 1, this.length - 1);
  }

  /** To the return into the parent of the current node; at the root to the end. */
  stepOut(t) {
    const { node } = this.at(t);
    return Math.min(this.leaveStep(node) + 1, this.length - 1);
  }
}

/** A step with what it leaves out filled in. */
function step(known) {
  return {
    number: 0,
    kind: "",
    node: ROOT,
    child: null,
    alpha: -Infinity,
    beta: Infinity,
    best: null,
    value: null,
    bound: "",
    improves: false,
    narrows: "",
    skippedMoves: [],
    cause: null,
    ...known,
  };
}

/** The numbers of all cutoff steps, rising: nodes are left when a row comes that is no deeper, the deepest first. */
function cutoffSteps(tree, steps) {
  const numbers = [];
  const leaveDownTo = (row, depth) => {
    for (let node = row; node !== NONE && tree.depth(node) >= depth; node = tree.parent(node)) {
      if (tree.isPruned(node) && !tree.hidden(node)) numbers.push(steps.leaveStep(node));
    }
  };
  for (let row = 1; row < tree.count; row++) leaveDownTo(row - 1, tree.depth(row));
  leaveDownTo(tree.count - 1, 0);
  return Float64Array.from(numbers);
}
