// "Predict": playback pauses before a decision and asks for it. After an answer it goes to the step that shows the outcome.

import { numberFormat, exact, number, withBound } from "../../draw/formatting.js";
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

/** The score in words: right, wrong, and right by kind of question. `score` has {right, answered} for each kind. */
export function scoreText(score) {
  const kinds = KINDS.filter((kind) => score[kind]).map((kind) => [kind, score[kind]]);
  const [right, answered] = ["right", "answered"].map((name) => kinds.reduce((sum, [, count]) => sum + count[name], 0));
  const listed = kinds.map(([kind, count]) => `${kind} ${count.right} of ${count.answered}`).join(", ");
  return `${answered} ${answered === 1 ? "prediction" : "predictions"}: ${right} right, ${answered - right} wrong. Right by kind: ${listed}.`;
}

/** Shows the question, the outcome of the answer, and the score. */
export class Predictions {
  constructor(view) {
    this.view = view;
    this.on = false;
    this.outcome = null; // {t, words} of the last answer, while its step is shown
  }

  setEnabled(on) {
    const { view } = this;
    this.on = on;
    view.root.classList.toggle("predicting", on);
    if (!on && this.isScored) view.note(scoreText(this.score), 8000);
    this.score = {};
    this.outcome = null;
    this.shown = null;
    if (on) view.go(nextQuestion(view.tree, view.steps, view.t));
    view.draw();
  }

  /** The step of the next question; Infinity if none are asked. */
  next() {
    const { tree, steps, t } = this.view;
    return this.on ? nextQuestion(tree, steps, t + 1) : Infinity;
  }

  get isScored() {
    return Object.keys(this.score ?? {}).length > 0;
  }

  /** The summary, which is shown at the end of the search. */
  summary() {
    const { steps, t, playing } = this.view;
    return this.on && !playing && !this.outcome && t === steps.length - 1 && this.isScored ? `The search is done. ${scoreText(this.score)}` : null;
  }

  question() {
    const { tree, steps, t, playing } = this.view;
    return this.on && !playing && !this.outcome ? questionAt(tree, steps, t) : null;
  }

  /** Show the outcome of the last answer, the question of this step, or the summary, if there is one. */
  ask() {
    const { t, part } = this.view;
    if (this.outcome?.t !== t) this.outcome = null; // the user went elsewhere
    const question = this.question();
    const summary = this.summary();
    const words = this.outcome?.words ?? question?.words ?? summary;
    part("prediction").hidden = !words;
    if (!words || this.shown === `${t} ${words}`) return;
    this.shown = `${t} ${words}`;
    part("question").textContent = words;
    const choices = question ? question.choices.map((choice, index) => button(choice, `key ${index + 1}`, () => this.answer(index))) : [];
    part("choices").replaceChildren(...choices, ...(question ? [] : [button(summary ? "Start again" : "Continue", "Enter", () => this.goOn())]));
  }

  /** Go to the step that shows the outcome, and pause there. */
  answer(index) {
    const question = this.question();
    if (!question || index >= question.choices.length) return;
    const { kind, choices, answer, outcome, reason } = question;
    const right = index === answer;
    const score = (this.score[kind] ??= { right: 0, answered: 0 });
    score.right += Number(right);
    score.answered++;
    const counts = Object.values(this.score);
    const [total, answered] = [counts.reduce((sum, count) => sum + count.right, 0), counts.reduce((sum, count) => sum + count.answered, 0)];
    const verdict = right ? "Correct." : `Not quite, the answer is "${choices[answer]}".`;
    this.view.go(outcome);
    this.outcome = { t: outcome, words: `${verdict} ${reason} (${total} of ${answered} correct)`.replace("  ", " ") };
    this.view.root.focus({ preventScroll: true });
  }

  /** Continue to the next question, which may be at the same step. After the summary, begin again. */
  goOn() {
    if (this.summary()) {
      this.score = {};
      this.view.go(nextQuestion(this.view.tree, this.view.steps, 0));
    }
    if (!this.outcome) return;
    this.outcome = null;
    if (this.question()) this.view.draw();
    else this.view.continuePlaying();
    this.view.root.focus({ preventScroll: true });
  }
}

function button(words, key, press) {
  const made = document.createElement("button");
  made.append(words, " ", Object.assign(document.createElement("kbd"), { textContent: key }));
  made.addEventListener("click", press);
  return made;
}
