// Alpha-beta over minimax: every node of alpha-beta is also a node of minimax, which has the skipped nodes too.
// The browser's engine/analysis/alignment.py.

import { Steps } from "./trace.js";

const NO_ROW = -1;

/** The steps of alpha-beta on the tree of minimax. Nodes below skipped moves are "skipped" from the cutoff on. */
export class AlignedSteps {
  #rows; // of alpha-beta: the row in minimax
  #alphabetaRows; // of minimax: the row in alpha-beta, -1 if it was skipped
  #skippedAt; // of minimax: the step at which a row is skipped

  constructor(minimax, alphabeta, steps, rows) {
    this.tree = minimax;
    this.alphabeta = alphabeta;
    this.steps = steps;
    this.minimaxSteps = new Steps(minimax);
    this.length = steps.length;
    this.#rows = rows;
    this.#alphabetaRows = new Int32Array(minimax.count).fill(NO_ROW);
    rows.forEach((row, alphabetaRow) => (this.#alphabetaRows[row] = alphabetaRow));
    this.#skippedAt = new Float64Array(minimax.count).fill(Infinity);
    this.cuts = [];
    for (let alphabetaRow = 0; alphabetaRow < alphabeta.count; alphabetaRow++) if (alphabeta.isPruned(alphabetaRow)) this.#skip(alphabetaRow);
    this.cuts.sort((a, b) => a.at - b.at);
  }

  #skip(alphabetaRow) {
    const at = this.steps.leave(alphabetaRow);
    let saved = 0;
    for (const top of this.skippedBy(alphabetaRow)) {
      this.#skippedAt.fill(at, top, this.tree.end(top));
      saved += this.tree.size(top);
    }
    this.cuts.push({ at, saved });
  }

  /** The row in alpha-beta; -1 if it has none. */
  rowOf(row) {
    return row < 0 ? NO_ROW : this.#alphabetaRows[row];
  }

  /** The children in minimax that a cutoff at a node of alpha-beta skipped: the last ones. */
  skippedBy(alphabetaRow) {
    const children = this.tree.children(this.#rows[alphabetaRow]);
    return this.alphabeta.isPruned(alphabetaRow) ? children.slice(this.alphabeta.children(alphabetaRow).length) : [];
  }

  /** Nodes of minimax that a cutoff saved. */
  savedBy(alphabetaRow) {
    return this.skippedBy(alphabetaRow).reduce((sum, top) => sum + this.tree.size(top), 0);
  }

  /** Nodes saved by all cutoffs up to step t. */
  savedAt(t) {
    let saved = 0;
    for (const cut of this.cuts) {
      if (cut.at > t) break;
      saved += cut.saved;
    }
    return saved;
  }

  // ---- as drawWholeTree asks the steps of a tree

  at(t) {
    const step = this.steps.at(t);
    return { ...step, node: this.#rows[step.node] };
  }

  stateAt(row, t) {
    const alphabetaRow = this.#alphabetaRows[row];
    if (alphabetaRow === NO_ROW) return t >= this.#skippedAt[row] ? "skipped" : "future";
    const state = this.steps.stateAt(alphabetaRow, t);
    return state === "cut" ? "done" : state;
  }

  enter(row) {
    const alphabetaRow = this.#alphabetaRows[row];
    return alphabetaRow === NO_ROW ? this.#skippedAt[row] : this.steps.enter(alphabetaRow);
  }

  visibleValue(row, t) {
    const state = this.stateAt(row, t);
    return state === "done" ? this.tree.value(row) : null;
  }

  windowAt(row, t) {
    return this.minimaxSteps.windowAt(row, this.#timeOfMinimax(row, t));
  }

  boundSoFar(row, t) {
    return this.minimaxSteps.boundSoFar(row, this.#timeOfMinimax(row, t));
  }

  /** The step of minimax after which the same moves of the node have come back. */
  #timeOfMinimax(row, t) {
    const back = this.tree.children(row).filter((child) => this.#alphabetaRows[child] !== NO_ROW && this.steps.leave(this.#alphabetaRows[child]) < t);
    return back.length ? this.minimaxSteps.leave(back.at(-1)) + 1 : this.minimaxSteps.enter(row);
  }

  areStubsVisible() {
    return false;
  }
}

/** The layout of alpha-beta in the places of minimax, with what was skipped as stubs. */
export function alignedLayout(layout, minimax, alphabeta, rows) {
  const x = Float64Array.from(rows, (row) => layout.x[row]);
  const levels = [];
  const stubs = [];
  for (let alphabetaRow = 0; alphabetaRow < alphabeta.count; alphabetaRow++) {
    const depth = alphabeta.depth(alphabetaRow);
    (levels[depth] ??= []).push(alphabetaRow);
    if (!alphabeta.isPruned(alphabetaRow)) continue;
    const level = (stubs[depth + 1] ??= { x: [], owner: [], index: [] });
    minimax.children(rows[alphabetaRow]).slice(alphabeta.children(alphabetaRow).length).forEach((child, index) => {
      level.x.push(layout.x[child]);
      level.owner.push(alphabetaRow);
      level.index.push(index);
    });
  }
  const reach = (alphabetaRow) => layout.reach(rows[alphabetaRow]);
  return { x, levels: levels.map((listed) => Uint32Array.from(listed)), stubs, gaps: layout.gaps, stubGaps: layout.gaps, places: layout.places, reach, has: () => true };
}
