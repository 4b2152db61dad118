// "Predict": playback pauses before a decision and asks for it. After an answer it goes to the step that shows the outcome.

import { numberFormat, exact, number, withBound } from "../../draw/formatting.js";
import { PredictionBox } from "../../input/prediction_box.js";
import { expectationAt } from "../../model/expectation.js";
import { formatProbability } from "../../model/probability.js";
import { lineNumbers } from "../../model/pseudocode.js";
import { sentence } from "../../model/sentences.js";
import { roundNumber } from "../../model/step_facts.js";

const LEAVING = ["evaluate", "leave", "cutoff", "table", "hidden"];
const MAX_LISTED = 8; // values named in a reason
const KINDS = ["cutoffs", "values", "re-searches"]; // of questions

/** The question at this step: {kind, words, choices, answer, outcome, reason}. `answer` is the index of the correct choice, `outcome` the step
 *  that shows it. `reason` is empty if the numbers alone do not explain it. */
export function questionAt(tree, steps, t) {
  if (t >= steps.length - 1) return null;
  const step = steps.at(t);
  if (step.kind === "return") return !tree.pruning ? null : askReSearch(tree, steps, t, step) ?? askCutoff(tree, steps, t, step.node);
  return LEAVING.includes(step.kind) ? askValue(tree, steps, t, step.node) : null;
}

/** After a probe has returned: is the move searched again? Not asked if the window alone does not decide it. */
function askReSearch(tree, steps, t, { node, child, value, again }) {
  const { alpha, beta } = steps.windowAt(node, t - 1);
  if (!tree.columns.link || tree.isChance(node) || (tree.alpha(child) === alpha && tree.beta(child) === beta)) return null;
  const inside = alpha < value && value < beta;
  if (inside !== (again !== null)) return null;
  const format = numberFormat(tree, node, false, exact);
  const window = `the window ${format(alpha)} to ${format(beta)}`;
  const reason = inside ? `${format(value)} lies inside ${window}: the probe proved only a bound.` : `${format(value)} lies outside ${window}.`;
  const words = "This was a probe. Will the move be searched again?";
  return { kind: "re-searches", words, choices: ["Yes, again", "No, it is settled"], answer: inside ? 0 : 1, outcome: t + 1, reason };
}

/** After a value has returned and moves are left: is there a cutoff now? */
function askCutoff(tree, steps, t, node) {
  const { kind } = steps.at(t + 1);
  if (tree.isChance(node)) return kind === "leave" ? null : askChanceCutoff(tree, steps, t, node);
  const other = tree.maximizing(node) ? tree.beta(node) : tree.alpha(node);
  if (kind === "leave" || Math.abs(other) === Infinity) return null; // no moves are left, or no cutoff is possible
  const cut = kind === "cutoff";
  const choices = ["Yes, cutoff", "No, it continues"];
  const reason = explainCutoff(tree, steps, t, steps.windowAt(node, t).best, other, cut);
  return { kind: "cutoffs", words: `Will ${sideName(tree, node)} be cut off here?`, choices, answer: cut ? 0 : 1, outcome: t + 1, reason };
}

/** After an outcome has returned: is the chance node left now? */
function askChanceCutoff(tree, steps, t, node) {
  const [alpha, beta] = [tree.alpha(node), tree.beta(node)];
  if (alpha === -Infinity && beta === Infinity) return null;
  const cut = steps.at(t + 1).kind === "cutoff";
  const [low, high] = expectationAt(steps, node, t).bounds;
  const overlaps = low < beta && high > alpha;
  const open = overlaps ? `The expectation is between ${number(low)} and ${number(high)}, so it may still lie in the window ${number(alpha)} to ${number(beta)}.` : "";
  const reason = cut ? sentence(tree, steps, t + 1) : open;
  return { kind: "cutoffs", words: "Will this chance node be cut off here?", choices: ["Yes, cutoff", "No, it continues"], answer: cut ? 0 : 1, outcome: t + 1, reason };
}

/** The test that the pseudo-code makes, with its numbers. */
function explainCutoff(tree, steps, t, value, bound, cut) {
  const { cutOnEqual } = tree.meta;
  const [over, name, short] = tree.maximizing(steps.at(t).node) ? [value - bound, "β", "<"] : [bound - value, "α", ">"];
  if (cut !== (cutOnEqual ? over >= 0 : over > 0)) return ""; // a published program with its own rules
  const format = numberFormat(tree, steps.at(t).node, false, tree.isDrawn ? (number) => exact(roundNumber(number)) : exact);
  const next = steps.at(t + 1);
  const why = next.cause ? "so the remaining moves cannot change the result" : "and this call does not ask how far beyond"; // without a cause: the window of a pass or a probe
  if (cut) return `${lineNumbers(tree, steps, next, format)}, ${why}.`;
  const test = `${format(value)} ${over === 0 ? "=" : short} ${name} = ${format(bound)}`;
  return over === 0 ? `${test}, and strict cutoffs need more than equality.` : `${test}, so another move may still matter.`;
}

/** Before the last child returns: what will its parent be worth? */
function askValue(tree, steps, t, child) {
  const parent = tree.parent(child);
  if (t + 2 >= steps.length || steps.at(t + 2).kind !== "leave" || steps.at(t + 2).node !== parent) return null;
  const right = tree.value(parent);
  const pat = tree.static(parent) === null ? [] : [tree.static(parent)];
  const children = tree.children(parent).map((row) => tree.value(row));
  const mean = tree.isChance(parent) ? [children.reduce((sum, value) => sum + value, 0) / children.length] : []; // forgets the probabilities
  const seen = [...mean, tree.value(child), ...children.reverse(), ...pat];
  const values = [right];
  for (const value of seen) if (values.length < 3 && !values.some((known) => number(known) === number(value))) values.push(value);
  if (values.length < 2) return null;
  values.sort((a, b) => a - b);
  const last = tree.isChance(parent) ? "the last outcome" : `${sideName(tree, parent)}'s last ${pat.length ? "noisy " : ""}move`;
  const words = `This was ${last} one level up. Which value will that node return?`;
  return { kind: "values", words, choices: values.map(number), answer: values.indexOf(right), outcome: t + 2, reason: explainValue(tree, parent) };
}

/** Name the values that the side chose from. */
function explainValue(tree, node) {
  if (tree.isChance(node)) return explainExpectation(tree, node);
  const [extreme, most] = tree.maximizing(node) ? ["largest", Math.max] : ["smallest", Math.min];
  const children = tree.children(node).filter((row) => !tree.isReSearched(row)); // a probe that was searched again does not count
  const pat = tree.static(node) === null ? [] : [tree.static(node)];
  if (most(...pat, ...children.map((row) => tree.value(row))) !== tree.value(node)) return "";
  const listed = [...pat.map((value) => `${number(value)} for standing pat`), ...children.map((row) => withBound(tree, row))];
  const from = listed.length > MAX_LISTED ? `${pat.length ? `${listed[0]} and the ${children.length}` : `the ${listed.length}`} values of its moves` : `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`;
  return `${sideName(tree, node)} takes the ${extreme} of ${from}.`;
}

/** The sum of probability times value, if that is the value of a chance node. */
function explainExpectation(tree, node) {
  const outcomes = tree.children(node).filter((row) => !tree.isReSearched(row));
  const sum = outcomes.reduce((total, row) => total + tree.weight(row) * tree.value(row), 0);
  if (outcomes.length > MAX_LISTED || roundNumber(sum) !== roundNumber(tree.value(node))) return "";
  return `${outcomes.map((row) => `${formatProbability(tree.weight(row))} · ${number(tree.value(row))}`).join(" + ")} = ${number(sum)}.`;
}

function sideName(tree, node) {
  return tree.maximizing(node) ? "MAX" : "MIN";
}

/** The next step with a question, or the last step. */
export function nextQuestion(tree, steps, t, maxSteps = 100_000) {
  for (let step = t; step < Math.min(steps.length, t + maxSteps); step++) if (questionAt(tree, steps, step)) return step;
  return steps.length - 1;
}

/** The predictions of a search in calls. */
export class Predictions extends PredictionBox {
  kinds = KINDS;

  findQuestion(t) {
    return questionAt(this.view.tree, this.view.steps, t);
  }

  start(t) {
    this.view.go(nextQuestion(this.view.tree, this.view.steps, t));
  }

  /** The step of the next question; Infinity if none are asked. */
  next() {
    const { tree, steps, t } = this.view;
    return this.on ? nextQuestion(tree, steps, t + 1) : Infinity;
  }
}
