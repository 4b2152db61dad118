// The transposition table at a step, replayed from the recorded rows: the browser's engine/algorithms/transposition_table.py.
//
// Every call that the table did not answer stores what it proved when it is left, but for those of quiescence, beyond the depth limit,
// which neither ask nor store; every call that it answered is a hit. Both happen in
// the order of leaving, so the table at a step is what all of these up to it have made of it.

import { firstAtLeast } from "./binary_search.js";

export const MAX_LISTED = 200;

const AT_ONCE = 500; // rows between two checks of the clock
const COUNTS = ["entries", "stored", "hits", "overwritten", "kept"];

/** The events of the table, in order. They are replayed once, in slices, for a tree that is completely loaded. */
export class Table {
  #rest; // the rest of the replay
  #times; // of the events
  #sums = {}; // by count, after so many events
  #left; // by row, the plies left to be searched, as numbers that can be compared; to the end, fewer the deeper

  constructor(tree, steps) {
    this.tree = tree;
    this.#left = pliesLeft(tree);
    this.#times = new Float64Array(tree.count);
    for (const name of COUNTS) this.#sums[name] = new Uint32Array(tree.count + 1);
    this.events = [];
    this.#rest = this.#follow(steps);
  }

  /** Continue the replay until a time or to the end. Return whether the end is reached; only then `at` can be used. */
  work(until = Infinity) {
    do {
      if (this.#rest.next().done) return true;
    } while (performance.now() < until);
    return false;
  }

  /** The share of the replay that is done, from 0 to 1. */
  get share() {
    return this.events.length / this.tree.count;
  }

  *#follow(steps) {
    const latest = new Map(); // by slot, its entry
    for (const row of rowsInLeavingOrder(this.tree)) {
      if (this.tree.meta.quiescence && this.#left[row] < 0) continue;
      this.#times[this.events.length] = steps.leave(row);
      this.#add(row, latest);
      if (this.events.length % AT_ONCE === 0) yield;
    }
  }

  #add(row, latest) {
    const { tree } = this;
    const slot = this.slotOf(row);
    const old = latest.get(slot);
    let kind = "hit";
    let entry = old;
    if (!tree.isAnswered(row)) {
      entry = this.#stored(row);
      if (!old) kind = "new";
      else if (old.position === entry.position && old.left === entry.left) [kind, entry] = ["narrowed", narrowed(old, entry)];
      else if (tree.meta.table.replace !== "always" && entry.left < old.left) [kind, entry] = ["kept", old];
      else kind = old.position === entry.position ? "renewed" : "overwritten";
      latest.set(slot, entry);
    }
    this.events.push({ kind, row, slot, entry, old });
    const upto = this.events.length;
    for (const name of COUNTS) this.#sums[name][upto] = this.#sums[name][upto - 1];
    if (kind === "new") this.#sums.entries[upto]++;
    if (kind === "hit") this.#sums.hits[upto]++;
    else if (kind !== "kept") this.#sums.stored[upto]++;
    if (kind === "kept" || kind === "overwritten") this.#sums[kind][upto]++;
  }

  /** The slot of a call. Without a limit of slots a position has one, or one for each depth if none is replaced by another. */
  slotOf(row) {
    const { tree } = this;
    const { slots, draft } = tree.meta.table;
    const position = tree.position(row);
    return slots ? tree.columns.slot[position] : draft === "deeper" ? position : `${position} ${this.#left[row]}`;
  }

  /** The bounds that a call proves with its window; a leaf is exact. */
  #stored(row) {
    const { tree } = this;
    const value = tree.value(row);
    const inner = !tree.isLeaf(row);
    const low = inner && value <= tree.alpha(row) ? [-Infinity, -1] : [value, row];
    const high = inner && value >= tree.beta(row) ? [Infinity, -1] : [value, row];
    return { position: tree.position(row), left: this.#left[row], low: low[0], high: high[0], lowRow: low[1], highRow: high[1] };
  }

  /** After step t: the counts, and the entries that were stored or used last, the latest first: {kind, row, entry, old}. */
  at(t) {
    const upto = firstAtLeast(this.events.length, (i) => this.#times[i], t + 1);
    const seen = new Set();
    const lines = [];
    for (let i = upto - 1; i >= 0 && lines.length < MAX_LISTED; i--) {
      const event = this.events[i];
      if (event.kind === "kept" || event.entry === undefined || seen.has(event.slot)) continue;
      seen.add(event.slot);
      lines.push(event);
    }
    return { ...Object.fromEntries(COUNTS.map((name) => [name, this.#sums[name][upto]])), lines };
  }
}

/** The rows that were left: when one comes that is no deeper, the deepest first. */
function* rowsInLeavingOrder(tree) {
  const open = [];
  for (let row = 0; row <= tree.count; row++) {
    const depth = row < tree.count ? tree.depth(row) : 0;
    while (open.length > depth) {
      const left = open.pop();
      if (!tree.isOpen(left)) yield left;
    }
    open.push(row);
  }
}

function pliesLeft(tree) {
  const left = new Int32Array(tree.count);
  for (const root of tree.roots) {
    const K = tree.passAt(root).K ?? 0;
    for (let row = root; row < tree.end(root); row++) left[row] = K - tree.depth(row);
  }
  return left;
}

/** Combine the bounds of two entries. */
function narrowed(old, found) {
  const both = { ...found };
  if (found.low <= old.low) [both.low, both.lowRow] = [old.low, old.lowRow];
  if (found.high >= old.high) [both.high, both.highRow] = [old.high, old.highRow];
  return both;
}
