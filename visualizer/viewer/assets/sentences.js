// The sentence for a step: sentences.py in the browser. The words are sentences.py's, sent once; the choices here are the same.
//
// `words` is what explain.templates_json() gives.

import { ROOT } from "./tree.js";

const AS_TYPED = "as typed";
const FRESH_ROOT_WINDOWS = "fresh root windows";
const NO_FULL_BOARD_TEST = "no full-board test";

/** What happens in step t, and why. */
export function sentence(words, tree, steps, t) {
  const step = steps.at(t);
  const { key, slots } = new Explainer(words, tree, steps).explain(step);
  const stopped = tree.meta.stopped && t === steps.length - 1 ? tree.meta.stopped : "";
  return fill(words, key, slots) + fill(words, `stopped.${stopped}`);
}

/** A number for people: true minus sign, at most so many digits unless it is whole. */
export function number(value, digits = 6) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size === Infinity) return `${sign}∞`;
  if (size < 1e15 && Number.isInteger(size)) return sign + size;
  const rounded = Number(size.toPrecision(digits));
  if (rounded >= 1e-4 && rounded < 1e15) return sign + rounded;
  return sign + rounded.toExponential().replace("+", "").replace("-", "−");
}

/** `number` with as many digits as it takes to see that these values differ; null stands for none. */
export function tellingApart(...values) {
  const different = [...new Set(values.filter((value) => value !== null))];
  let digits = 6;
  while (digits < 17 && new Set(different.map((value) => number(value, digits))).size < different.length) digits++;
  return (value) => number(value, digits);
}

/** The template with its slots filled, in one pass: what is filled in is never read as a template. */
function fill(words, key, slots = {}) {
  return filled(words.templates[key], slots);
}

function filled(template, slots) {
  return template.replace(/\{(\w+)\}/g, (_, name) => slots[name]);
}

class Explainer {
  constructor(words, tree, steps) {
    this.words = words;
    this.tree = tree;
    this.steps = steps;
  }

  /** The template of the step's sentence, and what goes into its slots. */
  explain(step) {
    return this[step.kind](step);
  }

  // ---- one method for each kind of step

  enter(step) {
    const { tree } = this;
    const { node } = step;
    const minimax = !tree.pruning;
    if (node === ROOT) {
      return { key: minimax ? "enter.root.minimax" : "enter.root", slots: { side: this.side(node), ...this.window(step) } };
    }
    const mover = this.side(tree.parent(node));
    const slots = { mover, move: this.move("move", node), depth: tree.depth(node), ...this.window(step) };
    if (minimax) return { key: "enter.minimax", slots };
    const alpha = this.knows("alpha", node);
    const beta = this.knows("beta", node);
    if (!alpha && !beta && tree.meta.quirk === FRESH_ROOT_WINDOWS) return { key: `enter.${FRESH_ROOT_WINDOWS}`, slots };
    return { key: alpha ? (beta ? "enter.both" : "enter.alpha") : beta ? "enter.beta" : "enter.full", slots };
  }

  evaluate({ node }) {
    const { tree } = this;
    const { K, quirk, words } = tree.meta;
    const value = tree.value(node);
    const slots = { value: tellingApart(value, tree.alpha(node), tree.beta(node))(value), K, over: words.over };
    if (tree.status(node) === "horizon") return { key: "evaluate.horizon", slots };
    const pliesLeft = K === null || tree.depth(node) < K;
    if (pliesLeft && (quirk === NO_FULL_BOARD_TEST || quirk === AS_TYPED)) return { key: `evaluate.${quirk}`, slots };
    return { key: "evaluate.terminal", slots };
  }

  return(step) {
    const { tree, words } = this;
    const { node, child, value, bound, best } = step;
    const before = this.steps.soFar(node, step.number - 1).best;
    const first = before === null;
    const written = tellingApart(value, best, before, step.alpha, step.beta);
    const slots = {
      Move: this.move("Move", child),
      value: this.value(bound, value, written),
      side: this.side(node),
      best: written(best),
      before: first ? "" : written(before),
      window: fill(words, this.windowChange(step), this.window(step, written)),
    };
    const startsLower = tree.meta.quirk === AS_TYPED && !tree.maximizing(node) && best === 0 && value >= 0;
    if (startsLower && !(first && value === 0)) return { key: "return.as typed", slots };
    const hoped = !tree.proves(child, node); // it is no better than its value, and maybe worse
    if (step.improves) return { key: first ? "return.first" : hoped ? "return.may improve" : "return.improves", slots };
    if (hoped) return { key: "return.bound", slots };
    if (value !== best) return { key: "return.same", slots };
    const kept = tree.children(node).some((row) => row < child && tree.value(row) === best && tree.proves(row, node));
    return { key: kept ? "return.tie" : "return.proved", slots };
  }

  windowChange({ node, narrows, improves }) {
    const { tree } = this;
    if (narrows) return `window.${narrows}`;
    if (!improves || !tree.pruning) return "window.";
    if (tree.meta.quirk === FRESH_ROOT_WINDOWS && node === ROOT) return `window.${FRESH_ROOT_WINDOWS}`;
    if (tree.maximizing(node)) return this.knows("alpha", node) ? "window.below" : "window.stays";
    return this.knows("beta", node) ? "window.above" : "window.stays";
  }

  cutoff({ node, value, cause }) {
    const { tree, words } = this;
    const maximizing = tree.maximizing(node);
    const bound = maximizing ? tree.beta(node) : tree.alpha(node);
    const written = tellingApart(value, bound);
    const slots = {
      side: this.side(node),
      other: words.templates[maximizing ? "side.min" : "side.max"],
      value: written(value),
      bound: written(bound),
      skipped: this.skipped(node),
    };
    if (cause === null) return { key: "cutoff.window", slots };
    Object.assign(slots, { by: this.move("by", cause.child), where: this.where(cause.ancestor) });
    return { key: value === bound ? "cutoff.tie" : "cutoff.better", slots };
  }

  leave({ node, bound }) {
    const { tree } = this;
    const best = tree.bestChild(node);
    const written = tellingApart(tree.value(node), ...tree.children(node).map((child) => tree.value(child)));
    const slots = { side: this.side(node), value: this.value(bound, tree.value(node), written) };
    const startedLower = tree.meta.quirk === AS_TYPED && !tree.maximizing(node) && tree.value(node) === 0;
    if (best === null) return { key: startedLower ? "leave.as typed" : "leave.hope", slots };
    Object.assign(slots, { move: this.move("move", best), by: this.move("by", best) });
    if (node === ROOT) return { key: "leave.root", slots };
    return { key: bound === "exact" ? "leave.exact" : "leave.bound", slots };
  }

  hidden({ node, bound }) {
    const { tree } = this;
    const slots = { side: this.side(node), count: tree.hidden(node).toLocaleString("en-US") };
    return { key: "hidden", slots: { ...slots, value: this.value(bound, tree.value(node)) } };
  }

  // ---- parts of sentences

  /** Whether the end of the node's window is more than the search began with. */
  knows(field, node) {
    return this.tree[field](node) !== this.tree[field](ROOT);
  }

  side(node) {
    return this.words.templates[this.tree.maximizing(node) ? "side.max" : "side.min"];
  }

  window({ alpha, beta }, written = tellingApart(alpha, beta)) {
    return { alpha: written(alpha), beta: written(beta) };
  }

  value(bound, value, written = number) {
    return fill(this.words, `value.${bound}`, { number: written(value) });
  }

  /** The move that led to the node, in the words of its game: as "move", as "Move" at the start of a sentence, or "by" it. */
  move(form, node) {
    const words = this.tree.meta.words[form.toLowerCase()];
    return filled(form === "Move" ? words[0].toUpperCase() + words.slice(1) : words, { name: this.tree.moveName(node) });
  }

  where(node) {
    if (node === ROOT) return fill(this.words, "where.root");
    const { mostListed, named } = this.words;
    const names = this.tree.path(node).slice(1).map((row) => this.tree.moveName(row));
    const shown = names.length <= mostListed ? names : ["…", ...names.slice(-named)];
    const number = this.tree.number(node).toLocaleString("en-US");
    return fill(this.words, "where.path", { node: number, names: shown.join(", ") });
  }

  skipped(node) {
    const names = this.tree.skippedNames(node);
    const { one, many } = this.tree.meta.words;
    return filled(names.length === 1 ? one : many, { names: this.list(names) });
  }

  /** The names with an "and" before the last. */
  list(names) {
    const { mostListed, named } = this.words;
    if (names.length === 1) return names[0];
    if (names.length > mostListed) {
      return fill(this.words, "list.more", { first: names.slice(0, named).join(", "), count: names.length - named });
    }
    return fill(this.words, "list.two", { first: names.slice(0, -1).join(", "), last: names.at(-1) });
  }
}
