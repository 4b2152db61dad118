// Alpha-beta laid over minimax: every node of alpha-beta is a node of minimax, and what a cutoff skipped is there too.
// The browser's engine/analysis/alignment.py.

import { Steps } from "./trace.js";

const NOT_THERE = -1;

/** The time of alpha-beta seen on the tree of minimax. What a cutoff skips is "spared" from then on. */
export class Shadow {
  #rows; // of alpha-beta: the row in minimax
  #own; // of minimax: the row in alpha-beta, -1 if it was spared
  #sparedAt; // of minimax: the step from which a row is spared

  constructor(minimax, alphabeta, steps, rows) {
    this.tree = minimax;
    this.alphabeta = alphabeta;
    this.steps = steps;
    this.minimaxSteps = new Steps(minimax);
    this.length = steps.length;
    this.#rows = rows;
    this.#own = new Int32Array(minimax.count).fill(NOT_THERE);
    rows.forEach((row, own) => (this.#own[row] = own));
    this.#sparedAt = new Float64Array(minimax.count).fill(Infinity);
    this.cuts = [];
    for (let own = 0; own < alphabeta.count; own++) if (alphabeta.isPruned(own)) this.#spare(own);
    this.cuts.sort((a, b) => a.at - b.at);
  }

  #spare(own) {
    const at = this.steps.leave(own);
    let saved = 0;
    for (const top of this.sparedBy(own)) {
      this.#sparedAt.fill(at, top, this.tree.end(top));
      saved += this.tree.size(top);
    }
    this.cuts.push({ at, saved });
  }

  /** The row in alpha-beta; -1 if it has none. */
  rowOf(row) {
    return row < 0 ? NOT_THERE : this.#own[row];
  }

  /** The children in minimax that a cutoff at a node of alpha-beta skipped: the last ones. */
  sparedBy(own) {
    const children = this.tree.children(this.#rows[own]);
    return this.alphabeta.isPruned(own) ? children.slice(this.alphabeta.children(own).length) : [];
  }

  /** Nodes of minimax that a cutoff saved. */
  savedBy(own) {
    return this.sparedBy(own).reduce((sum, top) => sum + this.tree.size(top), 0);
  }

  /** Nodes saved by all cutoffs up to step t. */
  sparedAt(t) {
    let saved = 0;
    for (const cut of this.cuts) {
      if (cut.at > t) break;
      saved += cut.saved;
    }
    return { saved };
  }

  // ---- as drawWhole asks the steps of a tree

  at(t) {
    const step = this.steps.at(t);
    return { ...step, node: this.#rows[step.node] };
  }

  stateAt(row, t) {
    const own = this.#own[row];
    if (own === NOT_THERE) return t >= this.#sparedAt[row] ? "spared" : "future";
    const state = this.steps.stateAt(own, t);
    return state === "cut" ? "done" : state;
  }

  enter(row) {
    const own = this.#own[row];
    return own === NOT_THERE ? this.#sparedAt[row] : this.steps.enter(own);
  }

  valueShown(row, t) {
    const state = this.stateAt(row, t);
    return state === "done" ? this.tree.value(row) : null;
  }

  soFar(row, t) {
    return this.minimaxSteps.soFar(row, this.#timeOfMinimax(row, t));
  }

  boundSoFar(row, t) {
    return this.minimaxSteps.boundSoFar(row, this.#timeOfMinimax(row, t));
  }

  /** The step of minimax after which the same moves of the node have come back. */
  #timeOfMinimax(row, t) {
    const back = this.tree.children(row).filter((child) => this.#own[child] !== NOT_THERE && this.steps.leave(this.#own[child]) < t);
    return back.length ? this.minimaxSteps.leave(back.at(-1)) + 1 : this.minimaxSteps.enter(row);
  }

  stubVisible() {
    return false;
  }
}

/** The layout of alpha-beta in the places of minimax, with what was skipped as stubs. */
export function layoutOfPart(layout, minimax, alphabeta, rows) {
  const x = Float64Array.from(rows, (row) => layout.x[row]);
  const levels = [];
  const stubs = [];
  for (let own = 0; own < alphabeta.count; own++) {
    const depth = alphabeta.depth(own);
    (levels[depth] ??= []).push(own);
    if (!alphabeta.isPruned(own)) continue;
    const level = (stubs[depth + 1] ??= { x: [], owner: [], index: [] });
    minimax.children(rows[own]).slice(alphabeta.children(own).length).forEach((child, index) => {
      level.x.push(layout.x[child]);
      level.owner.push(own);
      level.index.push(index);
    });
  }
  const reach = (own) => layout.reach(rows[own]);
  return { x, levels: levels.map((listed) => Uint32Array.from(listed)), stubs, gaps: layout.gaps, stubGaps: layout.gaps, places: layout.places, reach, has: () => true };
}
