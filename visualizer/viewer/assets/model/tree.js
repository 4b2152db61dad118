// A recorded search, read-only: the browser's engine/tree/tree.py. Nodes are rows in visiting order, row 0 is the root.

import { firstAtLeast } from "./binary_search.js";
import { BOUND_BITS, BOUND_NAMES, BOUND_SHIFT, CHANCE, CUTOFF, HORIZON, MAX, OPEN, PROBE, STANDS_PAT, STATUS_BITS, STATUS_NAMES, TABLE, TERMINAL, TURN_BITS, TURN_NAMES, TURN_SHIFT } from "./record_model.js";

// If the search says so, the ends of the int range stand for infinity, and their neighbours for the largest numbers.
const ENDS = new Map([[-(2 ** 31), -Infinity], [1 - 2 ** 31, -Number.MAX_VALUE], [2 ** 31 - 2, Number.MAX_VALUE], [2 ** 31 - 1, Infinity]]);
const NEAR_ENDS = 2 ** 31 - 2;

const BLOCK = 256; // rows between two entries of the index of skipped moves

export const ROOT = 0;
export const NONE = -1; // no parent, no move

export class Tree {
  #parents;
  #skippedBefore; // skipped moves before each block of rows
  #answers; // by node number: the rows that the table answered with its entry; computed when first needed
  #samePositions; // by position: its rows; computed when first needed
  #hiddenBefore; // nodes that were not sent before each row; null if all were sent

  /** Build it from the result of `decode`. */
  constructor({ count, meta, columns }) {
    this.count = count;
    this.meta = meta;
    this.columns = columns;
    checkFlags(columns.flags);
    this.#parents = parents(columns.depth);
    this.#skippedBefore = sumsBefore(columns.skipped);
    this.#hiddenBefore = columns.hidden ? runningSum(columns.hidden) : null;
  }

  /** The value for MAX: a bound at a pruned node, the best so far at an open one. */
  value(i) {
    return this.#number(this.columns.value[i]);
  }

  /** Alpha when the node was entered. */
  alpha(i) {
    return this.columns.alpha ? this.#number(this.columns.alpha[i]) : -Infinity;
  }

  /** Beta when the node was entered. */
  beta(i) {
    return this.columns.beta ? this.#number(this.columns.beta[i]) : Infinity;
  }

  #number(stored) {
    return this.meta.infinite && Math.abs(stored) >= NEAR_ENDS ? ENDS.get(stored) ?? stored : stored;
  }

  /** Whether the search passes alpha and beta down, so that cutoffs are possible. */
  get pruning() {
    return this.meta.windows;
  }

  /** The static value with which a node that stood pat began; null elsewhere. */
  static(i) {
    return this.columns.static && this.columns.flags[i] & STANDS_PAT ? this.columns.static[i] : null;
  }

  /** Whether the value is the static value: no noisy move is better than standing pat. */
  standsPat(i) {
    return this.static(i) !== null && this.static(i) === this.value(i);
  }

  depth(i) {
    return this.columns.depth[i];
  }

  /** The move that led here; -1 at the root. */
  move(i) {
    return this.columns.move[i];
  }

  /** The name of that move; empty at the root. */
  moveName(i) {
    if (this.depth(i) === 0) return "";
    return this.meta.rowNames?.[i] ?? this.meta.moveNames[this.move(i)];
  }

  /** The short name of a move; undefined if the game has none. */
  shortName(move) {
    return this.meta.shortNames?.[move];
  }

  /** The board cell of that move; null if it has none. */
  moveCell(i) {
    return lookUp(this.meta.rowCells, i, this.meta.moveCells, this.move(i));
  }

  /** The changes of that move on the board: [cell or heap, new content]. */
  changes(i) {
    const { changed, changeStart, changedCell, changedTo } = this.columns;
    const [start, end] = [changeStart[changed[i]], changeStart[changed[i] + 1]];
    return Array.from({ length: end - start }, (_, k) => [changedCell[start + k], changedTo[start + k]]);
  }

  /** Who moves: "min", "max" or "chance". */
  turn(i) {
    return TURN_NAMES[turnOf(this.columns.flags[i])];
  }

  /** Whether MAX is to move. */
  maximizing(i) {
    return turnOf(this.columns.flags[i]) === MAX;
  }

  /** Whether a cutoff at the node is one at beta: MAX moves, or chance does and the value reaches beta. */
  failsHigh(i) {
    return this.isChance(i) ? this.value(i) >= this.beta(i) : this.maximizing(i);
  }

  /** How the node was left: "open", "terminal", "horizon", "exhausted", "cutoff" or "table". */
  status(i) {
    return STATUS_NAMES[this.#status(i)];
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

  /** Whether the table answered. */
  isAnswered(i) {
    return this.#status(i) === TABLE;
  }

  isPruned(i) {
    return this.#status(i) === CUTOFF;
  }

  /** One past the last row of the subtree. */
  end(i) {
    return this.columns.end[i];
  }

  /** The number of nodes in the subtree, including this one and nodes that were not sent. */
  size(i) {
    return this.number(this.end(i)) - this.number(i);
  }

  /** The number of nodes below this one that were not sent. Only a part of a large tree is sent; a node has all of its children or none. */
  hidden(i) {
    return this.columns.hidden ? this.columns.hidden[i] : 0;
  }

  /** The row of a node of the whole search; -1 if it was not sent. */
  rowOf(number) {
    const row = firstAtLeast(this.count, (i) => this.number(i), number);
    return row < this.count && this.number(row) === number ? row : NONE;
  }

  /** The number of the node in the whole search. */
  number(i) {
    return this.#hiddenBefore ? i + this.#hiddenBefore[i] : i;
  }

  /** The root of the last pass. */
  get root() {
    const { passes } = this.meta;
    return passes ? passes[passes.length - 1].first : ROOT;
  }

  /** The rows of depth 0, one for each pass. */
  get roots() {
    return this.meta.passes?.map(({ first }) => first) ?? [ROOT];
  }

  /** The pass of the row: its number from 0, its depth limit, its reason, and whether it is the last. */
  passAt(i) {
    return { number: 0, K: this.meta.K, why: "", last: true, ...this.meta.passes?.findLast(({ first }) => first <= i) };
  }

  /** The rows of the row's pass: from its root to the row before the next root. */
  passRows(i) {
    const from = this.passAt(i).first ?? ROOT;
    return { from, to: this.end(from) };
  }

  /** The depth limit of the row's pass if quiescence search goes beyond it; else null. */
  horizon(i) {
    return this.meta.quiescence ? this.passAt(i).K : null;
  }

  /** How the node was left, in words. */
  howLeft(i) {
    const { howLeft } = this.meta.words;
    if (this.static(i) !== null && this.status(i) === "exhausted") return howLeft.noisy;
    if (!this.meta.quiescence || this.status(i) !== "horizon") return howLeft[this.status(i)];
    return this.pliesLeft(i) > -this.meta.quiescence ? howLeft.quiet : howLeft.limit;
  }

  /** The remaining depth at the row, in plies; null: to the end. */
  pliesLeft(i) {
    const { K } = this.passAt(i);
    return K === null ? null : K - this.depth(i);
  }

  /** How many plies deeper the linked earlier node was searched than this one needs. */
  pliesDeeper(i) {
    if (this.columns.deeper) return this.columns.deeper[i];
    const left = (row) => (this.passAt(row).K ?? 0) - this.depth(row);
    return left(this.source(i)) - left(i);
  }

  /** The number of the earlier node that this one is linked to; -1 if there is none. */
  link(i) {
    return this.columns.link ? this.columns.link[i] : NONE;
  }

  /** The row of the linked node; -1 if there is none or it was not sent. */
  source(i) {
    return this.link(i) === NONE ? NONE : this.rowOf(this.link(i));
  }

  /** The rows that the table answered with the entry of this one, in order. */
  answersFrom(i) {
    this.#answers ??= this.#gatherAnswers();
    return this.#answers.get(this.number(i)) ?? [];
  }

  #gatherAnswers() {
    const found = new Map();
    for (let row = 0; row < this.count; row++) {
      if (!this.isAnswered(row) || this.link(row) === NONE) continue;
      if (!found.has(this.link(row))) found.set(this.link(row), []);
      found.get(this.link(row)).push(row);
    }
    return found;
  }

  /** Whether a driver made several passes. */
  get hasDriver() {
    return Boolean(this.meta.passes);
  }

  /** Whether chance moves somewhere in the game. */
  get isDrawn() {
    return Boolean(this.columns.weight);
  }

  /** Whether chance moves at the node. */
  isChance(i) {
    return turnOf(this.columns.flags[i]) === CHANCE;
  }

  /** The probability of the outcome that led to the node; 1 where chance did not move. */
  weight(i) {
    return this.columns.weight ? this.columns.weight[i] : 1;
  }

  /** Whether the node is a probe of an outcome: only one of its moves was searched. */
  isProbe(i) {
    return this.#status(i) === PROBE;
  }

  /** The probe that this row searches again, which comes right before it; null if there is none. */
  probe(i) {
    if (this.parent(i) !== NONE && this.isChance(this.parent(i))) {
      return this.siblings(i).find((row) => row < i && this.isProbe(row) && this.move(row) === this.move(i)) ?? null;
    }
    const before = this.siblings(i).findLast((row) => row < i);
    return before !== undefined && this.move(before) === this.move(i) ? before : null;
  }

  /** The re-search of this row, which comes right after it; null if there is none. */
  reSearchOf(i) {
    if (this.isProbe(i)) return this.siblings(i).find((row) => row > i && this.move(row) === this.move(i)) ?? null;
    const after = this.end(i);
    const next = this.parent(i) !== NONE && after < this.end(this.parent(i));
    return next && this.move(after) === this.move(i) ? after : null;
  }

  /** Whether the same move is searched again next, or would be if the search had not stopped here. Then this call changes nothing at its
   *  parent. Only the last value of the record can be better than the value of its open parent. */
  isReSearched(i) {
    const parent = this.parent(i);
    if (parent === NONE || this.reSearchOf(i) !== null) return parent !== NONE;
    if (this.isProbe(i)) return this.bound(i) !== "exact"; // its chance node was left before the full call
    if (this.isChance(parent)) return false;
    if (this.status(parent) !== "open" || this.status(i) === "open" || this.end(i) < this.end(parent)) return false;
    return this.maximizing(parent) ? this.value(i) > this.value(parent) : this.value(i) < this.value(parent);
  }

  /** The calls that the parent made, this one included. */
  siblings(i) {
    return this.parent(i) === NONE ? [i] : this.children(this.parent(i));
  }

  /** Row of the parent; -1 at a root. */
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

  /** For each skipped move, who would move after it. */
  skippedTurns(i) {
    const start = this.#firstSkipped(i);
    const bits = (place) => (this.columns.skippedTurns[place >> 2] >> (2 * (place & 3))) & 3;
    return Array.from({ length: this.columns.skipped[i] }, (_, k) => TURN_NAMES[bits(start + k)]);
  }

  /** The probabilities of the skipped outcomes; 1 for moves. */
  skippedWeights(i) {
    const start = this.#firstSkipped(i);
    return Array.from({ length: this.columns.skipped[i] }, (_, k) => this.columns.skippedWeights?.[start + k] ?? 1);
  }

  /** The names of the skipped moves. */
  skippedNames(i) {
    const start = this.#firstSkipped(i);
    return this.skippedMoves(i).map((move, k) => this.meta.skippedNames?.[start + k] ?? this.meta.moveNames[move]);
  }

  /** The board cells of the skipped moves. */
  skippedCells(i) {
    const start = this.#firstSkipped(i);
    return this.skippedMoves(i).map((move, k) => lookUp(this.meta.skippedCells, start + k, this.meta.moveCells, move));
  }

  /** The minimax values of the skipped moves; null if they are not known. */
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

  /** What the value proves: "exact", "lower" (at least), "upper" (at most), or "open" if nothing yet. */
  bound(i) {
    return BOUND_NAMES[(this.columns.flags[i] >> BOUND_SHIFT) & BOUND_BITS];
  }

  /** The first child that proves this node's value; the re-search rather than its probe. null at a leaf, if the side stands pat, and if
   *  no single move proves it. */
  bestChild(i) {
    return this.provingChild(i) ?? (this.parent(i) === NONE && !this.standsPat(i) ? this.provedBefore(i) : null);
  }

  /** At the root of a pass that proves only that nothing is better: the move that an earlier pass to the same depth proved to reach the
   *  value; else null. */
  provedBefore(i) {
    const { value } = this.columns;
    if (this.bound(i) !== (this.maximizing(i) ? "upper" : "lower")) return null;
    const { K } = this.passAt(i);
    for (const row of this.roots.filter((root) => root < i).reverse()) {
      const proving = this.passAt(row).K === K && value[row] === value[i] ? this.provingChild(row) : null;
      if (proving !== null) return this.children(i).find((child) => this.move(child) === this.move(proving)) ?? null;
    }
    return null;
  }

  /** The best child, as far as the rows below this one show it; null where chance moves. */
  provingChild(i) {
    const { value, end } = this.columns;
    if (this.standsPat(i) || this.isChance(i)) return null;
    let proving = null;
    for (let child = i + 1; child < end[i]; child = end[child]) {
      if (proving !== null && this.move(child) !== this.move(proving)) break;
      if (value[child] === value[i] && this.proves(child, i)) proving = child;
    }
    return proving;
  }

  /** Whether a child guarantees the value of its parent: at least that value at MAX, at most at MIN. */
  proves(child, node) {
    const bound = this.bound(child);
    return bound === "exact" || bound === (this.maximizing(node) ? "lower" : "upper");
  }

  /** The number of the position at the row. Equal positions have the same number, in order of first visit; -1 if it is not known. */
  position(i) {
    return this.columns.position ? this.columns.position[i] : NONE;
  }

  /** All rows with the same position, including this one, in order. */
  samePosition(i) {
    if (!this.columns.position) return [i];
    if (!this.#samePositions) {
      this.#samePositions = new Map();
      this.columns.position.forEach((position, row) => {
        if (!this.#samePositions.has(position)) this.#samePositions.set(position, []);
        this.#samePositions.get(position).push(row);
      });
    }
    return this.#samePositions.get(this.position(i));
  }

  /** Best play for both sides, in the last pass or from another root: the rows, root first. */
  principalVariation(root = this.root) {
    const rows = [];
    for (let row = root; row !== null; row = this.bestChild(row)) rows.push(row);
    return rows;
  }
}

/** Look up a property of a move by its index, or else by its code; null if there is none. */
function lookUp(others, place, byCode, code) {
  return others && Object.hasOwn(others, place) ? others[place] : byCode?.[code] ?? null;
}

/** Refuse an unknown status or turn. */
function turnOf(flags) {
  return (flags >> TURN_SHIFT) & TURN_BITS;
}

function checkFlags(flags) {
  for (let row = 0; row < flags.length; row++) {
    if ((flags[row] & STATUS_BITS) >= STATUS_NAMES.length || turnOf(flags[row]) >= TURN_NAMES.length) {
      throw new Error(`row ${row} has the flags ${flags[row]}, which is not a known status and turn`);
    }
  }
}

/** Row of the parent of each row; -1 at a root. */
function parents(depth) {
  const rows = new Int32Array(depth.length);
  const latest = new Int32Array(2 ** (8 * depth.BYTES_PER_ELEMENT) + 1); // the latest row at each depth, at index depth + 1
  latest[0] = NONE;
  for (let row = 0; row < depth.length; row++) {
    rows[row] = latest[depth[row]];
    latest[depth[row] + 1] = row;
  }
  return rows;
}

/** The sum of all entries before each index, and the total at the end. */
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
