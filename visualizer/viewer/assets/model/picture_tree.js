// The tree with the facts that only pictures need.

import { firstAtLeast } from "./binary_search.js";
import { TURN_NAMES } from "./record_model.js";
import { probeRow } from "./table_links.js";
import { Tree } from "./trace.js";

export class PictureTree extends Tree {
  constructor(decoded) {
    super(decoded);
    this.isLoadedOnDemand = false; // whether hidden nodes are fetched when they are needed
    this.height = 0;
    this.leaves = 0;
    this.answers = 0; // of the table
    this.researches = 0; // moves searched again
    this.turns = []; // by depth: who moves there, in the order of TURN_NAMES
    for (let row = 0; row < this.count; row++) {
      this.height = Math.max(this.height, this.depth(row));
      if (this.end(row) === row + 1) this.leaves++;
      if (this.isAnswered(row)) this.answers++;
      if (probeRow(this, row) >= 0) this.researches++;
      const depth = this.depth(row);
      if (!this.turns[depth]?.includes(this.turn(row))) this.turns[depth] = sortTurns([...(this.turns[depth] ?? []), this.turn(row)]);
    }
  }

  /** The nodes that a cutoff at this node saved; null: there was none, or it is not known. */
  savedAt(row) {
    if (!this.columns.saved || !this.isPruned(row)) return null;
    this.places ??= new Map(prunedRows(this).map((pruned, place) => [pruned, place]));
    return this.columns.saved[this.places.get(row)];
  }

  /** The cutoffs up to step t, those in hidden subtrees included, and their savings: skipped moves (null: not known of
   * any), and the nodes minimax visits below them (null: not known). */
  savingsAt(steps, t) {
    this.cuts ??= cutsInOrder(this, steps);
    const { at, cutoffs, skipped, saved } = this.cuts;
    const last = firstAtLeast(at.length, (i) => at[i], t + 1) - 1;
    const known = skipped.at(-1) > 0;
    return { cutoffs: cutoffs[last] ?? 0, skipped: known ? (skipped[last] ?? 0) : null, saved: saved && (saved[last] ?? 0) };
  }
}

/** Different turns in the order of TURN_NAMES. */
export function sortTurns(turns) {
  return TURN_NAMES.filter((name) => turns.includes(name));
}

/** The steps of all cutoffs, and the running sums of their savings; a hidden subtree is one entry with its sums. */
function cutsInOrder(tree, steps) {
  const { skipped, saved } = tree.columns;
  const shown = prunedRows(tree).map((row, place) => ({ row, cutoffs: 1, skipped: skipped[row], saved: saved?.[place] }));
  const cuts = [...shown.filter(({ row }) => !tree.hidden(row)), ...hiddenCuts(tree)];
  for (const cut of cuts) cut.at = steps.leave(cut.row);
  cuts.sort((a, b) => a.at - b.at);
  const sums = (name) => {
    let total = 0;
    return cuts.map((cut) => (total += cut[name]));
  };
  return { at: cuts.map((cut) => cut.at), cutoffs: sums("cutoffs"), skipped: sums("skipped"), saved: saved ? sums("saved") : null };
}

/** The subtrees that are not here, each with the sums of its cutoffs. */
function hiddenCuts(tree) {
  const { hiddenCutoffs, hiddenSkipped, hiddenSaved } = tree.columns;
  if (!hiddenCutoffs) return [];
  const rows = [];
  for (let row = 0; row < tree.count; row++) if (tree.hidden(row)) rows.push(row);
  return rows.map((row, place) => ({ row, cutoffs: hiddenCutoffs[place], skipped: hiddenSkipped[place], saved: hiddenSaved?.[place] }));
}

function prunedRows(tree) {
  const rows = [];
  for (let row = 0; row < tree.count; row++) if (tree.isPruned(row)) rows.push(row);
  return rows;
}
