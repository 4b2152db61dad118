// The iterations that the browser has: blocks of a few, as visualizer/viewer/iterations/iteration_blocks.py makes them, and pictures of the
// tree. A step is named by its number in the whole search.

import { VisitTree } from "./visit_tree.js";

export const PHASES = ["select", "expand", "simulate", "backup"];
const MAX_BLOCKS = 200; // loaded from a server

export class IterationBlocks {
  constructor({ meta, blocks, pictures }) {
    this.meta = meta;
    this.blocks = new Map(); // by first iteration, the latest last
    this.pictures = new Map(); // by time
    for (const picture of pictures) this.addPicture(picture);
    for (const block of blocks) this.add(block);
  }

  /** The number of all steps of the search. */
  get length() {
    return this.meta.steps;
  }

  add(block) {
    this.blocks.delete(block.first);
    this.blocks.set(block.first, block);
    if (this.blocks.size > MAX_BLOCKS) this.blocks.delete(this.blocks.keys().next().value);
  }

  addPicture(picture) {
    this.pictures.set(picture.time, new VisitTree(picture));
  }

  pictureOf(block) {
    return this.pictures.get(block.picture);
  }

  /** Where a step is: {t, block, place, index, iteration, step}; null if its block or its picture is not loaded. */
  at(t) {
    const block = [...this.blocks.values()].findLast((one) => t >= one.iterations[0].start && t < endOf(one));
    if (!block || !this.pictureOf(block)) return null;
    const place = block.iterations.findLastIndex(({ start }) => start <= t);
    const iteration = block.iterations[place];
    return { t, block, place, index: t - iteration.start, iteration, step: iteration.steps[t - iteration.start] };
  }

  isLoaded(t) {
    return this.at(t) !== null;
  }

  /** The iteration of a number, if it is loaded. */
  iteration(number) {
    const block = this.blocks.get(number - ((number - 1) % this.meta.blockIterations));
    return block && this.pictureOf(block) ? block.iterations[number - block.first] : undefined;
  }

  /** The loaded iteration whose number is nearest. */
  nearestIteration(number) {
    const numbers = [...this.blocks.values()].flatMap(({ iterations }) => iterations.map((iteration) => iteration.number));
    return numbers.reduce((best, one) => (Math.abs(one - number) < Math.abs(best - number) ? one : best), numbers[0]);
  }

  /** The iteration of any step, loaded or not: the first one of its part of the timeline. */
  nearIteration(t) {
    const { starts, steps } = this.meta.timeline;
    return this.at(t)?.iteration.number ?? starts[steps.findLastIndex((step) => step <= t)] + 1;
  }

  /** Visits and totals, in half points for MAX, of the picture's nodes after a step. `isHidden`: before it, while a prediction asks for it. */
  countsAt({ block, place, index, isHidden = false }) {
    const tree = this.pictureOf(block);
    const visits = [...block.visits];
    const totals = [...block.totals];
    const count = (row, outcome) => {
      const at = tree.place(row);
      if (at < 0) return;
      visits[at]++;
      totals[at] += outcome;
    };
    for (const { path, outcome } of block.iterations.slice(0, place)) for (const row of path) count(row, outcome);
    const { path, outcome, steps } = block.iterations[place];
    for (const { kind, depth } of steps.slice(0, index + (isHidden ? 0 : 1))) if (kind === "backup") count(path[depth], outcome);
    return { visits, totals };
  }
}

function endOf({ iterations }) {
  const last = iterations.at(-1);
  return last.start + last.steps.length;
}

/** The rows of the path that an iteration has reached after a step, the root first. */
export function reachedPath({ iteration, step, isHidden = false }) {
  return step.kind === "select" ? iteration.path.slice(0, step.depth + (isHidden ? 1 : 2)) : iteration.path;
}

/** The row where a step is: where it selects, what it adds, or the node whose counts change. */
export function currentRow({ iteration, step }) {
  const { path } = iteration;
  return step.kind === "select" || step.kind === "backup" ? path[step.depth] : path.at(-1);
}

/** Whether a node that an iteration of this number adds is there after a step. */
export function isAdded(born, { iteration, index }) {
  if (born !== iteration.number) return born < iteration.number;
  return iteration.steps.slice(0, index + 1).some(({ kind }) => kind === "expand");
}

/** The first step of a phase of an iteration, or with `turn` a later one of it, counted from 1. A phase that is missing: the next one. */
export function stepOfPhase({ start, steps }, phase, turn = 1) {
  const from = PHASES.indexOf(phase);
  const index = steps.findIndex(({ kind }) => PHASES.indexOf(kind) >= from);
  const last = steps.findLastIndex(({ kind }) => kind === steps[index].kind);
  return start + Math.min(index + turn - 1, last);
}

/** The phase of a step and which of its steps it is: "select-2". The first one of a phase has no number. */
export function phaseText({ iteration, index, step }) {
  const turn = index - iteration.steps.findIndex(({ kind }) => kind === step.kind) + 1;
  return turn === 1 ? step.kind : `${step.kind}-${turn}`;
}

/** Read such a text: {phase, turn}; undefined if it is not one. */
export function readPhase(text) {
  const [, phase, turn = "1"] = /^(select|expand|simulate|backup)(?:-([1-9]\d{0,3}))?$/.exec(text) ?? [];
  return phase && { phase, turn: Number(turn) };
}

const PHASE_WORDS = { select: "select", expand: "expand", simulate: "simulate", backup: "back up" };

/** A step in words: "iteration 160, back up 2". */
export function stepName(here) {
  const { phase, turn } = readPhase(phaseText(here));
  return `iteration ${here.iteration.number.toLocaleString("en-US")}, ${PHASE_WORDS[phase]}${turn > 1 ? ` ${turn}` : ""}`;
}
