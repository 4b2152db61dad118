// A recorded search, read-only: the browser's engine/tree.py. Nodes are rows in visiting order, row 0 is the root.

import { firstAtLeast } from "./halving.js";

const STATUS = ["open", "terminal", "horizon", "exhausted", "cutoff"];
const OPEN = 0;
const TERMINAL = 1;
const HORIZON = 2;
const CUTOFF = 4;
const STATUS_BITS = 7;
const MAXIMIZING = 8;

const BOUNDS = ["open", "exact", "lower", "upper"];
const UNSETTLED = 0;
const EXACT = 1;
const LOWER = 2;
const UPPER = 3;
const BOUNDS_SENT = ["exact", "lower", "upper", "open"]; // with a part of a tree, where children may be missing
const BY_CHILDREN = -1; // the node alone does not decide

// The ends of the int range stand for infinity in the searches that say so.
const LEAST_INT = -(2 ** 31);
const GREATEST_INT = 2 ** 31 - 1;

const BLOCK = 256; // rows between two entries of the index of skipped moves

export const ROOT = 0;
export const NONE = -1; // no parent, no move

export class Tree {
  #parents;
  #skippedBefore; // skipped moves before each block of rows
  #hiddenBefore; // nodes left out before each row; null if the tree is all here
  #outside = null; // bounds of all nodes, made when a value outside its window is first asked about

  /** From what `decode` gives. */
  constructor({ count, meta, columns }) {
    this.count = count;
    this.meta = meta;
    this.columns = columns;
    this.#parents = parents(columns.depth);
    this.#skippedBefore = sumsBefore(columns.skipped);
    this.#hiddenBefore = columns.hidden ? runningSum(columns.hidden) : null;
  }

  /** Value for MAX; of a pruned node a bound, of an open one the best so far. */
  value(i) {
    return this.#number(this.columns.value[i]);
  }

  /** What MAX was sure of when the node was entered. */
  alpha(i) {
    return this.columns.alpha ? this.#number(this.columns.alpha[i]) : -Infinity;
  }

  /** What MIN was sure of when the node was entered. */
  beta(i) {
    return this.columns.beta ? this.#number(this.columns.beta[i]) : Infinity;
  }

  #number(stored) {
    if (this.meta.infinite && stored === LEAST_INT) return -Infinity;
    if (this.meta.infinite && stored === GREATEST_INT) return Infinity;
    return stored;
  }

  /** Whether the search has windows: alpha-beta has, minimax has not. */
  get pruning() {
    return this.meta.algorithm !== "minimax";
  }

  depth(i) {
    return this.columns.depth[i];
  }

  /** The move that led here; -1 at the root. */
  move(i) {
    return this.columns.move[i];
  }

  /** What people call that move; empty at the root. */
  moveName(i) {
    if (i === ROOT) return "";
    return this.meta.rowNames?.[i] ?? this.meta.moveNames[this.move(i)];
  }

  /** Whether MAX is to move. */
  maximizing(i) {
    return (this.columns.flags[i] & MAXIMIZING) !== 0;
  }

  /** How the node was left: "open", "terminal", "horizon", "exhausted" or "cutoff". */
  status(i) {
    return STATUS[this.#status(i)];
  }

  #status(i) {
    return this.columns.flags[i] & STATUS_BITS;
  }

  isOpen(i) {
    return this.#status(i) === OPEN;
  }

  isLeaf(i) {
    const status = this.#status(i);
    return status === TERMINAL || status === HORIZON;
  }

  isPruned(i) {
    return this.#status(i) === CUTOFF;
  }

  /** One past the last row of the subtree. */
  end(i) {
    return this.columns.end[i];
  }

  /** Nodes of the subtree, this one included, whether they are here or were left out. */
  size(i) {
    return this.number(this.end(i)) - this.number(i);
  }

  /** Of a large tree only a part is sent: how many nodes below this one were left out. A node has all of its children, or none. */
  hidden(i) {
    return this.columns.hidden ? this.columns.hidden[i] : 0;
  }

  /** The row of a node of the whole search; -1 if it is not here. */
  rowOf(number) {
    const row = firstAtLeast(this.count, (i) => this.number(i), number);
    return row < this.count && this.number(row) === number ? row : NONE;
  }

  /** The number of the node in the whole search. */
  number(i) {
    return this.#hiddenBefore ? i + this.#hiddenBefore[i] : i;
  }

  /** Row of the parent; -1 at the root. */
  parent(i) {
    return this.#parents[i];
  }

  /** Rows of the children, in visiting order. */
  children(i) {
    const rows = [];
    for (let child = i + 1; child < this.end(i); child = this.end(child)) rows.push(child);
    return rows;
  }

  /** Rows from the root to this one. */
  path(i) {
    const rows = new Array(this.depth(i) + 1);
    for (let row = i; row !== NONE; row = this.parent(row)) rows[this.depth(row)] = row;
    return rows;
  }

  /** The legal moves a cutoff left untried, in child order. */
  skippedMoves(i) {
    const start = this.#firstSkipped(i);
    return Array.from(this.columns.skippedMoves.subarray(start, start + this.columns.skipped[i]));
  }

  /** What people call them. */
  skippedNames(i) {
    const start = this.#firstSkipped(i);
    return this.skippedMoves(i).map((move, k) => this.meta.skippedNames?.[start + k] ?? this.meta.moveNames[move]);
  }

  /** What minimax found them to be worth; null where that is not known. */
  skippedValues(i) {
    if (!this.columns.skippedValues) return null;
    const start = this.#firstSkipped(i);
    return Array.from(this.columns.skippedValues.subarray(start, start + this.columns.skipped[i]));
  }

  #firstSkipped(i) {
    const block = Math.floor(i / BLOCK);
    let place = this.#skippedBefore[block];
    for (let row = block * BLOCK; row < i; row++) place += this.columns.skipped[row];
    return place;
  }

  /** What the value says: "exact", "lower" (at least), "upper" (at most), "open" while nothing is settled. */
  bound(i) {
    if (this.columns.bound) return BOUNDS_SENT[this.columns.bound[i]];
    const bound = this.#boundAlone(i);
    if (bound !== BY_CHILDREN) return BOUNDS[bound];
    this.#outside ??= this.#allBounds();
    return BOUNDS[this.#outside[i]];
  }

  /** The bound as far as the node alone decides it: outside its window its children do. */
  #boundAlone(i) {
    const { value, alpha, beta } = this.columns;
    const status = this.#status(i);
    if (status === OPEN) return UNSETTLED;
    if (status === CUTOFF) return this.maximizing(i) ? LOWER : UPPER;
    const inside = !alpha || (alpha[i] < value[i] && value[i] < beta[i]);
    return inside || this.isLeaf(i) ? EXACT : BY_CHILDREN;
  }

  /** Bounds of all nodes, children before parents. A value outside the window knows what the children with that value know. */
  #allBounds() {
    const bounds = new Uint8Array(this.count);
    for (let i = this.count - 1; i >= 0; i--) {
      const alone = this.#boundAlone(i);
      bounds[i] = alone === BY_CHILDREN ? this.#boundByChildren(i, bounds) : alone;
    }
    return bounds;
  }

  /** At MAX one child is enough to be sure of at least the value, all are needed for at most; at MIN the other way round. */
  #boundByChildren(i, bounds) {
    const { value, end } = this.columns;
    const maximizing = this.maximizing(i);
    let lower = !maximizing;
    let upper = maximizing;
    for (let child = i + 1; child < end[i]; child = end[child]) {
      if (value[child] !== value[i]) continue;
      const atLeast = bounds[child] !== UPPER;
      const atMost = bounds[child] !== LOWER;
      lower = maximizing ? lower || atLeast : lower && atLeast;
      upper = maximizing ? upper && atMost : upper || atMost;
    }
    return lower === upper ? EXACT : lower ? LOWER : UPPER;
  }

  /** The first child with this node's value; null at a leaf. */
  bestChild(i) {
    const { value, end } = this.columns;
    for (let child = i + 1; child < end[i]; child = end[child]) {
      if (value[child] === value[i] && !this.isOpen(child)) return child;
    }
    return null;
  }

  /** Best play for both sides: the rows, root first. */
  principalVariation() {
    const rows = [];
    for (let row = ROOT; row !== null; row = this.bestChild(row)) rows.push(row);
    return rows;
  }
}

/** Row of the parent of each row; -1 at the root. */
function parents(depth) {
  const rows = new Int32Array(depth.length);
  const latest = new Int32Array(2 ** (8 * depth.BYTES_PER_ELEMENT) + 1); // the latest row at each depth, one place on
  latest[0] = NONE;
  for (let row = 0; row < depth.length; row++) {
    rows[row] = latest[depth[row]];
    latest[depth[row] + 1] = row;
  }
  return rows;
}

/** The sum of all entries before each place, and of all at the end. */
function runningSum(column) {
  const sums = new Float64Array(column.length + 1);
  for (let row = 0; row < column.length; row++) sums[row + 1] = sums[row] + column[row];
  return sums;
}

function sumsBefore(column) {
  const sums = new Float64Array(Math.floor(column.length / BLOCK) + 1);
  let sum = 0;
  for (let row = 0; row < column.length; row++) {
    if (row % BLOCK === 0) sums[row / BLOCK] = sum;
    sum += column[row];
  }
  return sums;
}
