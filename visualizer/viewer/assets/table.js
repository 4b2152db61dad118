// What the transposition table holds at a step: the browser's engine/algorithms/transpositions.py, from the recorded rows.
//
// Every call that the table did not answer stores what it proved when it is left; every call that it answered is a hit. Both happen in
// the order of leaving, so the table at a step is what all of these up to it have made of it.

import { firstAtLeast } from "./halving.js";

export const MOST_LISTED = 200;

/** What happened to the table, in order. Made once for a tree whose rows are all here. */
export class Table {
  #times; // of the events
  #sums; // by event, of all up to it: {entries, stored, hits, overwritten, kept}

  constructor(tree, steps) {
    this.tree = tree;
    const rows = [];
    for (let row = 0; row < tree.count; row++) if (!tree.isOpen(row)) rows.push(row);
    rows.sort((a, b) => steps.leave(a) - steps.leave(b));
    this.#times = Float64Array.from(rows, (row) => steps.leave(row));
    this.#sums = [{ entries: 0, stored: 0, hits: 0, overwritten: 0, kept: 0 }];
    this.events = [];
    const latest = new Map(); // by slot, its entry
    for (const row of rows) this.#add(row, latest);
  }

  #add(row, latest) {
    const { tree } = this;
    const slot = this.slotOf(row);
    const old = latest.get(slot);
    const sums = { ...this.#sums.at(-1) };
    let kind = "hit";
    let entry = old;
    if (tree.isAnswered(row)) sums.hits++;
    else {
      entry = this.#stored(row);
      if (!old) kind = "new";
      else if (old.position === entry.position && old.left === entry.left) [kind, entry] = ["narrowed", narrowed(old, entry)];
      else if (tree.meta.table.replace !== "always" && entry.left < old.left) [kind, entry] = ["kept", old];
      else kind = old.position === entry.position ? "renewed" : "overwritten";
      sums.entries += kind === "new";
      sums.overwritten += kind === "overwritten";
      sums.kept += kind === "kept";
      sums.stored += kind !== "kept";
      latest.set(slot, entry);
    }
    this.#sums.push(sums);
    this.events.push({ kind, row, slot, entry, old });
  }

  /** The slot of a call. Without a limit of slots a position has one, or one for each depth if none is replaced by another. */
  slotOf(row) {
    const { tree } = this;
    const { slots, draft } = tree.meta.table;
    const position = tree.position(row);
    return slots ? tree.columns.slot[position] : draft === "deeper" ? position : `${position} ${comparable(tree, row)}`;
  }

  /** What a call proves that was entered with a window; a leaf is exact. */
  #stored(row) {
    const { tree } = this;
    const value = tree.value(row);
    const inner = !tree.isLeaf(row);
    const low = inner && value <= tree.alpha(row) ? [-Infinity, -1] : [value, row];
    const high = inner && value >= tree.beta(row) ? [Infinity, -1] : [value, row];
    return { position: tree.position(row), left: comparable(tree, row), low: low[0], high: high[0], lowRow: low[1], highRow: high[1] };
  }

  /** After step t: the counts, and the entries that were stored or used last, the latest first: {kind, row, entry, old}. */
  at(t) {
    const upto = firstAtLeast(this.#times.length, (i) => this.#times[i], t + 1);
    const seen = new Set();
    const lines = [];
    for (let i = upto - 1; i >= 0 && lines.length < MOST_LISTED; i--) {
      const event = this.events[i];
      if (event.kind === "kept" || event.entry === undefined || seen.has(event.slot)) continue;
      seen.add(event.slot);
      lines.push(event);
    }
    return { ...this.#sums[upto], lines };
  }
}

/** Plies left to be searched, as a number that can be compared within one search; to the end, fewer the deeper. */
function comparable(tree, row) {
  return tree.pliesLeft(row) ?? -tree.depth(row);
}

/** What both say of the position together. */
function narrowed(old, found) {
  const both = { ...found };
  if (found.low <= old.low) [both.low, both.lowRow] = [old.low, old.lowRow];
  if (found.high >= old.high) [both.high, both.highRow] = [old.high, old.highRow];
  return both;
}
