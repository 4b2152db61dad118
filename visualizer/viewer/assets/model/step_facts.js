// The facts of a step, by name: step_facts.py in the browser. A table there explains each fact.

import { expectationAt } from "./expectation.js";
import { NONE } from "./tree.js";

const AS_TYPED = "as typed";
const CHANCE_DIGITS = 9; // decimals of sums of fractions
const MAX_ROUNDED_NUMBER = 1e6;

/** All facts of a step. */
export function factsOf(tree, steps, step) {
  const { number, kind, node } = step;
  const { K } = tree.passAt(node);
  const root = tree.parent(node) === NONE;
  return {
    ...{ call: "plain", linked: false, first: false, repeated: false, improves: false, narrows: "", proved: false, equal: false },
    ...{ kept: false, started: false, amiss: false, best: false, fails: "", cause: "", skipped: "", probed: "", left: "", range: "", adds: false, decides: false },
    ...{ advised: false, draft: "", reaches: "", "sure by": "", ...quiescence(tree, step, K) },
    step: kind === "hidden" ? "leave" : kind,
    hidden: kind === "hidden",
    status: tree.status(node),
    side: side(tree, node),
    mover: root ? "" : side(tree, tree.parent(node)),
    root,
    pass: !tree.hasDriver ? "only" : tree.passAt(node).last ? "last" : "earlier",
    windows: tree.pruning,
    guessed: guessed(tree, node),
    alpha: origin(tree, node, "alpha").end,
    beta: origin(tree, node, "beta").end,
    "plies left": K === null || tree.depth(node) < K,
    bound: step.bound,
    drawn: tree.isDrawn,
    stopped: number === steps.length - 1 ? tree.meta.stopped : "",
    ...MORE[kind]?.(tree, steps, step),
  };
}

const MORE = {
  enter(tree, steps, { node }) {
    const advised = tree.link(node) !== NONE && tree.static(node) === null && tree.size(node) > 1;
    if (tree.probe(node) !== null) return { call: "again" };
    const asked = ["alpha", "beta"].map((field) => origin(tree, node, field)).filter(({ end }) => end === "asked");
    return { advised, call: !asked.length ? "plain" : asked.some(({ call }) => call === node) ? "probe" : "below" };
  },
  table(tree, steps, { node }) {
    const linked = tree.link(node) !== NONE;
    const value = tree.value(node);
    const reaches = value <= tree.alpha(node) ? "alpha" : value >= tree.beta(node) ? "beta" : "";
    return { linked, draft: !linked ? "" : tree.pliesDeeper(node) > 0 ? "deeper" : "same", reaches };
  },
  return(tree, steps, step) {
    const { node, child, improves, narrows, value, best } = step;
    const first = before(steps, step) === null;
    const equal = value === best;
    const kept = tree.children(node).some((row) => row < child && brings(tree, row, best, node));
    const started = best === startValue(tree, node) && !(first && equal);
    const chance = tree.isChance(node) ? chanceReturn(expectationAt(steps, node, step.number)) : {};
    const decides = tree.isChance(node) && tree.pruning && isDecidedBy(tree, node, child);
    return { ...chance, decides, first, repeated: tree.isReSearched(child), improves, narrows, proved: tree.proves(child, node), equal, kept, started };
  },
  cutoff(tree, steps, step) {
    const { node, value, best, cause, probe, skippedMoves } = step;
    const above = cause && (tree.parent(cause.ancestor) === NONE ? "root" : "path");
    const skipped = howMany(skippedMoves.length, tree.meta.words.mostListed);
    const amiss = value !== best && !tree.meta.quirk;
    const by = !cause ? "" : cause.child === null ? "pat" : "move";
    const asked = probe === null ? "" : probe === node ? "probe" : "below";
    const ofChance = tree.isChance(node) ? { probed: probed(tree, node), fails: tree.failsHigh(node) ? "high" : "low" } : {};
    if (tree.isChance(node)) Object.assign(ofChance, chanceCutoff(tree, steps, step));
    return { equal: value === otherSidesBound(tree, node), ...ofChance, amiss, cause: above ?? asked, "sure by": by, skipped };
  },
  leave(tree, steps, step) {
    const { node, value, best } = step;
    const started = value === startValue(tree, node);
    return { best: tree.provingChild(node) !== null || tree.standsPat(node), started, amiss: value !== best && !tree.meta.quirk };
  },
  driver(tree, steps, { node, value }) {
    const fails = value <= tree.alpha(node) ? "low" : value >= tree.beta(node) ? "high" : "";
    return { best: tree.bestChild(node) !== null, started: value === startValue(tree, node), fails };
  },
};

/** How the value of a cut chance node compares with the window, in the digits that are shown. */
function chanceCutoff(tree, steps, step) {
  const { value, bound, extreme } = numbersOf(tree, steps, step);
  const { rest } = probabilitiesOf(tree, step);
  const added = roundNumber(sumLatest(tree, step.node) + rest * extreme);
  return { equal: value === bound, adds: roundNumber(rest) > 0 && added === value };
}

/** Whether a search with windows left a chance node because of what this outcome brought. */
function isDecidedBy(tree, node, child) {
  const inside = tree.alpha(node) < tree.value(node) && tree.value(node) < tree.beta(node);
  return child === tree.children(node).at(-1) && !tree.isOpen(node) && !inside;
}

/** What is known of a chance node after an outcome has come back. */
function chanceReturn({ counted, outcomes, bounds }) {
  if (counted === outcomes) return {};
  const [low, high] = (bounds ?? [0, 1]).map(roundNumber);
  return { left: outcomes === null ? "unknown" : "known", range: bounds === null ? "" : low >= high ? "settled" : "open" };
}

/** The facts of nodes at and beyond the depth limit in a quiescence search. */
function quiescence(tree, { kind, node, best }, K) {
  const facts = { beyond: false, stands: false, pat: false, quiet: false };
  if (!tree.meta.quiescence || K === null) return facts;
  const plies = tree.depth(node) - K;
  const atLimit = !["enter", "table", "driver"].includes(kind) && tree.status(node) !== "terminal";
  return {
    beyond: plies > 0 || (plies === 0 && atLimit),
    stands: tree.static(node) !== null,
    pat: kind !== "enter" && tree.static(node) !== null && best === tree.static(node),
    quiet: kind === "evaluate" && plies >= 0 && plies < tree.meta.quiescence,
  };
}

/** Whether the pass began with a window that is not open. */
function guessed(tree, node) {
  const { from } = tree.passRows(node);
  return tree.pruning && (tree.alpha(from) !== -Infinity || tree.beta(from) !== Infinity);
}

/** The origin of one end of the node's window, and the first call that had it: the pass began with it, a move set it, or it only
 *  belongs to a probe. */
function origin(tree, node, field) {
  const bound = tree[field](node);
  let below = node;
  for (let above = tree.parent(node); above !== NONE; above = tree.parent(above)) {
    if (tree[field](above) !== bound) {
      const raised = tree.turn(above) === (field === "alpha" ? "max" : "min"); // the side that can move this end
      const byMove = () => tree.children(above).some((row) => row < below && brings(tree, row, bound, above));
      const brought = raised && (tree.static(above) === bound || byMove());
      return { end: brought || tree.meta.quirk ? "sure" : "asked", call: below };
    }
    below = above;
  }
  return { end: "open", call: below };
}

/** Whether a child guarantees its parent this value. A probe that is searched again guarantees nothing. */
function brings(tree, row, value, node) {
  return tree.value(row) === value && tree.proves(row, node) && !tree.isReSearched(row);
}

function side(tree, node) {
  return tree.turn(node);
}

function howMany(count, mostListed) {
  return count === 0 ? "unknown" : count === 1 ? "one" : count <= mostListed ? "few" : "many";
}

/** Whether some of the children of a chance node are probes, or all. */
function probed(tree, node) {
  const probes = tree.children(node).map((row) => tree.isProbe(row));
  return probes.every(Boolean) ? "all" : probes.some(Boolean) ? "some" : "";
}

/** The value of the node before its child returned; null if it is the first child. */
function before(steps, { node, number }) {
  return steps.windowAt(node, number - 1).best;
}

/** The initial value of the node. */
function startValue(tree, node) {
  if (tree.isChance(node)) return 0;
  if (tree.maximizing(node)) return -Infinity;
  return tree.meta.quirk === AS_TYPED ? 0 : Infinity;
}

/** The bound that a cutoff reaches: the value that the other side is sure of. */
export function otherSidesBound(tree, node) {
  return tree.failsHigh(node) ? tree.beta(node) : tree.alpha(node);
}

/** The numbers of a step, by slot. */
export function numbersOf(tree, steps, step) {
  const { kind, node, child, alpha, beta, value, best } = step;
  const numbers = kind === "enter" ? { alpha: tree.alpha(node), beta: tree.beta(node) } : { alpha, beta }; // before standing pat narrows it
  if (tree.static(node) !== null) numbers.static = tree.static(node);
  if (value !== null) Object.assign(numbers, { value, best: best ?? startValue(tree, node) });
  if (child !== null) {
    numbers.before = before(steps, step) ?? startValue(tree, node);
    numbers.old = tree.maximizing(node) ? tree.alpha(child) : tree.beta(child);
  }
  if (kind === "cutoff") numbers.bound = otherSidesBound(tree, node);
  if (kind === "cutoff" && tree.isChance(node)) {
    numbers.extreme = tree.meta.valueRange[tree.failsHigh(node) ? 0 : 1];
    numbers.total = sumLatest(tree, node);
  }
  if (kind === "return" && tree.isChance(node)) {
    const { bounds } = expectationAt(steps, node, step.number);
    if (bounds) [numbers.low, numbers.high] = bounds;
  }
  if (!tree.isDrawn) return numbers;
  return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, roundNumber(number)]));
}

/** The last call of each outcome of a chance node: the probe, if no full call follows. */
function latestCalls(tree, node) {
  return [...new Map(tree.children(node).map((row) => [tree.move(row), row])).values()];
}

/** The sum of probability times value over the outcomes of a chance node. */
function sumLatest(tree, node) {
  return latestCalls(tree, node).reduce((sum, row) => sum + tree.weight(row) * tree.value(row), 0);
}

/** A number without the rounding error of sums of fractions. */
export function roundNumber(number) {
  return Math.abs(number) < MAX_ROUNDED_NUMBER ? Number(number.toFixed(CHANCE_DIGITS)) : number;
}

/** The probabilities of a step, by slot: of the outcome it is about, and at a cutoff of the outcomes never looked at. */
export function probabilitiesOf(tree, { kind, node, child }) {
  const known = { weight: tree.weight(child ?? node) };
  if (kind === "cutoff" && tree.isChance(node)) {
    known.rest = 1 - latestCalls(tree, node).reduce((sum, row) => sum + tree.weight(row), 0);
  }
  return known;
}
