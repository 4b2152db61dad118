// The steps of a search, computed from its tree and never stored: the browser's engine/tree/trace.py.
//
// Each row makes three steps: it is entered, it is left with a value, and the value returns to its parent. The root of a pass returns
// to the driver of the passes. The viewer relies on `length`, `at`, `enter`, `leave`, `next` and `stateAt` only.
//
//     enter(i) = 3 i - 2 depth(i)          leave(i) = 3 end(i) - 2 depth(i) - 2          back(i) = leave(i) + 1

import { firstAtLeast } from "./binary_search.js";
import { NONE, ROOT, Tree } from "./tree.js";

export { Tree };

const AS_TYPED = "as typed";
const FRESH_ROOT_WINDOWS = "fresh root windows";

const LEFT_BY = { terminal: "evaluate", horizon: "evaluate", exhausted: "leave", cutoff: "cutoff", table: "table", probe: "leave" }; // by status

export class Steps {
  #left = new Map(); // by kind: the numbers of all steps that leave a row this way, computed at the first jump

  constructor(tree) {
    this.tree = tree;
    this.length = this.#count();
  }

  #count() {
    const { tree } = this;
    const last = tree.count - 1;
    let left = NONE; // the topmost node that was left after the last row
    for (let row = last; row !== NONE && !tree.isOpen(row); row = tree.parent(row)) left = row;
    if (left === NONE) return this.enter(last) + 1;
    const comesBack = tree.parent(left) !== NONE || tree.hasDriver;
    return this.leave(left) + (comesBack ? 2 : 1);
  }

  // ---- step numbers

  /** The number of the step that enters the node. */
  enter(i) {
    return 3 * i - 2 * this.tree.depth(i);
  }

  /** The number of the step that leaves the node; Infinity if the search was stopped before that. */
  leave(i) {
    return this.tree.isOpen(i) ? Infinity : 3 * this.tree.end(i) - 2 * this.tree.depth(i) - 2;
  }

  /** The row that was entered last, at or before the step. */
  lastEntered(t) {
    return Math.max(0, firstAtLeast(this.tree.count, (row) => this.enter(row), t + 1) - 1);
  }

  /** The number of nodes entered up to the step, including nodes that were not sent. */
  expandedAt(t) {
    const row = this.lastEntered(t);
    return this.tree.number(row) + 1 + (t >= this.leave(row) ? this.tree.hidden(row) : 0);
  }

  // ---- steps

  /** One step; `node` is where the search is, alpha and beta are its window and best its value after the step. */
  at(t) {
    if (!(Number.isInteger(t) && t >= 0 && t < this.length)) throw new RangeError(`no step ${t}: the search has ${this.length}`);
    const entered = this.lastEntered(t);
    if (t === this.enter(entered)) return this.#entering(t, entered);
    const since = t - this.leave(entered);
    if (since < 0) return step({ number: t, kind: "hidden", node: entered }); // below a node whose children are not loaded
    let row = entered;
    for (let up = since >> 1; up > 0; up--) row = this.tree.parent(row);
    if (since % 2 === 0) return this.#leaving(t, row);
    return this.tree.parent(row) === NONE ? this.#over(t, row) : this.#return(t, this.tree.parent(row), row);
  }

  #over(number, node) {
    const { tree } = this;
    return step({ number, kind: "driver", node, ...this.windowAt(node, number), value: tree.value(node), bound: tree.bound(node) });
  }

  #entering(number, node) {
    return step({ number, kind: "enter", node, ...this.windowAt(node, number) });
  }

  #return(number, node, child) {
    const before = this.windowAt(node, number - 1);
    const after = this.windowAt(node, number);
    const narrows = after.alpha > before.alpha ? "alpha" : after.beta < before.beta ? "beta" : "";
    const improves = after.best !== before.best;
    const { tree } = this;
    const value = tree.value(child);
    return step({ number, kind: "return", node, child, ...after, value, bound: tree.bound(child), improves, narrows, again: tree.reSearchOf(child) });
  }

  #leaving(number, node) {
    const { tree } = this;
    const kind = tree.hidden(node) ? "hidden" : LEFT_BY[tree.status(node)];
    const left = step({ number, kind, node, ...this.windowAt(node, number), value: tree.value(node), bound: tree.bound(node) });
    if (kind === "cutoff") {
      left.skippedMoves = tree.skippedMoves(node);
      Object.assign(left, this.#cause(node));
    }
    return left;
  }

  #window(i) {
    return { alpha: this.tree.alpha(i), beta: this.tree.beta(i), best: null };
  }

  /** The window and best value of a node after step t: those on entry, updated by the children that have returned. A probe that is
   *  searched again changes neither. A node that stands pat begins with its static value. */
  windowAt(i, t) {
    const { tree } = this;
    const { quirk } = tree.meta;
    const maximizing = tree.maximizing(i);
    let { alpha, beta, best } = this.#window(i);
    if (t < this.enter(i)) return { alpha, beta, best };
    if (tree.isLeaf(i) || tree.isAnswered(i) || tree.hidden(i)) return { alpha, beta, best: t >= this.leave(i) ? tree.value(i) : null };
    if (tree.isChance(i)) return { alpha, beta, best: this.#sumAt(i, t) };
    const narrowing = tree.pruning && !(quirk === FRESH_ROOT_WINDOWS && i === ROOT);
    const take = (score) => {
      if (best === null || (maximizing ? score > best : score < best)) best = score;
      if (narrowing && maximizing) alpha = Math.max(alpha, score);
      else if (narrowing) beta = Math.min(beta, score);
    };
    if (tree.static(i) !== null) take(tree.static(i));
    for (let child = i + 1; child < tree.end(i) && this.leave(child) < t; child = tree.end(child)) {
      if (!tree.isReSearched(child)) take(tree.value(child));
    }
    if (quirk === AS_TYPED && !maximizing && best !== null) best = Math.min(0, best);
    return { alpha, beta, best };
  }

  /** The sum of probability times value over the outcomes of a chance node that have returned; null if there are none. A probe counts only
   *  if it settled its outcome. */
  #sumAt(i, t) {
    const { tree } = this;
    if (t >= this.leave(i)) return tree.value(i); // it may count outcomes that were skipped
    let sum = null;
    for (let child = i + 1; child < tree.end(i) && this.leave(child) < t; child = tree.end(child)) {
      if (!tree.isReSearched(child)) sum = (sum ?? 0) + tree.weight(child) * tree.value(child);
    }
    return sum;
  }

  /** What the best value of a node after step t proves: "lower" at MAX and "upper" at MIN if a move that has returned guarantees it.
   *  The other way round if it is only the best that these moves can bring. */
  boundSoFar(i, t) {
    const { tree } = this;
    const [sure, hoped] = tree.maximizing(i) ? ["lower", "upper"] : ["upper", "lower"];
    const { best } = this.windowAt(i, t);
    if (tree.meta.quirk === AS_TYPED && !tree.maximizing(i) && best === 0) return sure;
    if (tree.static(i) !== null && best === tree.static(i)) return sure;
    for (let child = i + 1; child < tree.end(i) && this.leave(child) < t; child = tree.end(child)) {
      if (tree.value(child) === best && tree.proves(child, i)) return sure;
    }
    return hoped;
  }

  /** The reason for a cutoff: the nearest ancestor that set the bound, and its move (null: it stands pat). If no move set the bound, the
   *  probe that was called with it. Neither if the bound is that of the root window. */
  #cause(node) {
    const { tree } = this;
    const high = tree.failsHigh(node);
    const field = high ? "beta" : "alpha";
    const bound = tree[field](node);
    let below = node;
    for (let ancestor = tree.parent(node); ancestor !== NONE; ancestor = tree.parent(ancestor)) {
      if (tree.isChance(ancestor)) return { probe: below }; // its windows are its own
      if (tree[field](ancestor) !== bound) {
        const otherSide = tree.maximizing(ancestor) !== high; // the other side chooses there
        if (otherSide && tree.static(ancestor) === bound) return { cause: { ancestor, child: null, bound } };
        const earlier = tree.children(ancestor).filter((row) => otherSide && row < below && tree.value(row) === bound);
        const sure = earlier.filter((row) => tree.meta.quirk || tree.proves(row, ancestor));
        const child = sure.find((row) => tree.reSearchOf(row) === null || tree.reSearchOf(row) > below);
        if (child !== undefined) return { cause: { ancestor, child, bound } };
        return tree.meta.quirk ? {} : { probe: below };
      }
      below = ancestor;
    }
    return {};
  }

  // ---- how a node looks after step t

  /** "future" before it is entered, "path" until it is left, then "done", or "cut" if a cutoff happened there. */
  stateAt(i, t) {
    if (t < this.enter(i)) return "future";
    if (t < this.leave(i)) return "path";
    return this.tree.isPruned(i) ? "cut" : "done";
  }

  /** The value once the node has been left; null before. */
  visibleValue(i, t) {
    return t >= this.leave(i) ? this.tree.value(i) : null;
  }

  /** Whether a cutoff at the node has happened, so that its skipped moves are known. */
  areStubsVisible(i, t) {
    return this.tree.isPruned(i) && t >= this.leave(i);
  }

  // ---- jumps: each returns a step number, or null

  /** The first step of this kind after the step. */
  next(kind, t) {
    const { tree } = this;
    if (kind === "enter") {
      const row = this.lastEntered(t) + 1;
      return row < tree.count ? this.enter(row) : null;
    }
    if (kind === "driver") {
      const ends = tree.hasDriver ? tree.roots.map((root) => this.leave(root) + 1) : [];
      return ends.find((end) => end > t && end < this.length) ?? null;
    }
    if (kind === "return") {
      for (let number = t + 1; number < this.length; number++) if (this.at(number).kind === kind) return number;
      return null;
    }
    const numbers = this.#leftSteps(kind);
    return numbers[firstAtLeast(numbers.length, (i) => numbers[i], t + 1)] ?? null;
  }

  /** The last step of this kind before the step; only for kinds that leave a row. */
  previous(kind, t) {
    const numbers = this.#leftSteps(kind);
    return numbers[firstAtLeast(numbers.length, (i) => numbers[i], t) - 1] ?? null;
  }

  #leftSteps(kind) {
    if (!Object.values(LEFT_BY).includes(kind)) throw new Error(`there is no kind of step ${kind}`);
    if (!this.#left.has(kind)) this.#left.set(kind, leftSteps(this.tree, this, kind));
    return this.#left.get(kind);
  }

  /** The next evaluation. It is near: the first children of any row lead down to a leaf. */
  nextLeaf(t) {
    const { tree } = this;
    for (let row = this.lastEntered(t); row < tree.count; row++) {
      if (tree.isLeaf(row) && this.leave(row) > t) return this.leave(row);
    }
    return null;
  }

  /** The next return that gives a root a better value. */
  nextRootChange(t) {
    for (const root of this.tree.roots) {
      const change = this.#rootChange(root, t);
      if (change !== null) return change;
    }
    return null;
  }

  #rootChange(root, t) {
    const { tree } = this;
    let best = tree.static(root);
    for (const child of tree.children(root)) {
      const back = this.leave(child) + 1;
      if (back === Infinity) break;
      if (tree.isReSearched(child)) continue;
      const after = this.#better(root, best, tree.value(child));
      if (after !== best && back > t) return back;
      best = after;
    }
    return null;
  }

  #better(root, best, score) {
    if (this.tree.maximizing(root)) return best === null ? score : Math.max(best, score);
    const start = this.tree.meta.quirk === AS_TYPED ? 0 : Infinity;
    return Math.min(best ?? start, score);
  }

  /** From the step that enters a node to the one that leaves it; from any other step to the next. */
  stepOver(t) {
    const row = this.lastEntered(t);
    return Math.min(t === this.enter(row) ? this.leave(row) : t + 1, this.length - 1);
  }

  /** To the return into the parent of the current node; at the root to the end. */
  stepOut(t) {
    const { node } = this.at(t);
    return Math.min(this.leave(node) + 1, this.length - 1);
  }
}

/** A step with defaults for its missing fields. */
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
    probe: null,
    again: null,
    ...known,
  };
}

/** The numbers of all steps that leave a row this way, in ascending order. A row is left before the next row that is not deeper; of
 *  several rows, the deepest is left first. */
function leftSteps(tree, steps, kind) {
  const numbers = [];
  const leaveDownTo = (row, depth) => {
    for (let node = row; node !== NONE && tree.depth(node) >= depth; node = tree.parent(node)) {
      if (LEFT_BY[tree.status(node)] === kind && !tree.hidden(node)) numbers.push(steps.leave(node));
    }
  };
  for (let row = 1; row < tree.count; row++) leaveDownTo(row - 1, tree.depth(row));
  leaveDownTo(tree.count - 1, 0);
  return Float64Array.from(numbers);
}
