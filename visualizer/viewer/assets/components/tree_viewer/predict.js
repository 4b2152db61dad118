// "Predict": the search stops where it decides, and asks first; after an answer it stops where the outcome is seen.

import { endsOf, exact, number, withBound } from "../../draw/formatting.js";
import { lineNumbers } from "../../model/pseudocode.js";

const LEAVING = ["evaluate", "leave", "cutoff", "table", "hidden"];
const MOST_LISTED = 8; // values named in a reason

/** What can be asked at this step: {words, choices, answer, outcome, reason}; answer is the index of the right choice, outcome the step
 *  at which it is seen, and reason says why, or nothing where the numbers alone do not. */
export function questionAt(tree, steps, t) {
  if (t >= steps.length - 1) return null;
  const step = steps.at(t);
  if (step.kind === "return") return !tree.pruning ? null : searchedAgain(tree, steps, t, step) ?? willItCut(tree, steps, t, step.node);
  return LEAVING.includes(step.kind) ? whichValue(tree, steps, t, step.node) : null;
}

/** After a probe has come back, which was asked with less than the window of the node: is the move searched again? Where the window
 *  alone does not decide that, it is not asked. */
function searchedAgain(tree, steps, t, { node, child, value, again }) {
  const { alpha, beta } = steps.soFar(node, t - 1);
  if (!tree.columns.link || (tree.alpha(child) === alpha && tree.beta(child) === beta)) return null;
  const inside = alpha < value && value < beta;
  if (inside !== (again !== null)) return null;
  const written = endsOf(tree, node, false, exact);
  const window = `the window ${written(alpha)} to ${written(beta)}`;
  const reason = inside ? `${written(value)} lies inside ${window}: the probe was too narrow to tell.` : `${written(value)} does not lie inside ${window}.`;
  const words = "This was a probe. Will the move be searched again?";
  return { words, choices: ["Yes, again", "No, that is enough"], answer: inside ? 0 : 1, outcome: t + 1, reason };
}

/** After a value has come back while moves are left: is the node cut off now? */
function willItCut(tree, steps, t, node) {
  const { kind } = steps.at(t + 1);
  const other = tree.maximizing(node) ? tree.beta(node) : tree.alpha(node);
  if (kind === "leave" || Math.abs(other) === Infinity) return null; // no move is left, or no cut is possible
  const cut = kind === "cutoff";
  const choices = ["Yes, it is cut", "No, it goes on"];
  const reason = whyCut(tree, steps, t, steps.soFar(node, t).best, other, cut);
  return { words: `Will ${side(tree, node)} be cut off here?`, choices, answer: cut ? 0 : 1, outcome: t + 1, reason };
}

/** The test that the pseudo-code makes, with its numbers. */
function whyCut(tree, steps, t, value, bound, cut) {
  const { cutOnEqual } = tree.meta;
  const [over, name, short] = tree.maximizing(steps.at(t).node) ? [value - bound, "β", "<"] : [bound - value, "α", ">"];
  if (cut !== (cutOnEqual ? over >= 0 : over > 0)) return ""; // an original program that has rules of its own
  const written = endsOf(tree, steps.at(t).node, false, exact);
  const next = steps.at(t + 1);
  const why = next.cause ? "so what is left here cannot change anything" : "and how far beyond is not asked"; // by the window of a pass, a probe
  if (cut) return `${lineNumbers(tree, steps, next, written)}, ${why}.`;
  const test = `${written(value)} ${over === 0 ? "=" : short} ${name} = ${written(bound)}`;
  return over === 0 ? `${test}, and equal is not enough with strict cutoffs.` : `${test}, so another move may still matter.`;
}

/** When the last child is done but has not come back yet: what will its parent be worth? */
function whichValue(tree, steps, t, child) {
  const parent = tree.parent(child);
  if (t + 2 >= steps.length || steps.at(t + 2).kind !== "leave" || steps.at(t + 2).node !== parent) return null;
  const right = tree.value(parent);
  const pat = tree.static(parent) === null ? [] : [tree.static(parent)];
  const seen = [tree.value(child), ...tree.children(parent).map((row) => tree.value(row)).reverse(), ...pat];
  const values = [right];
  for (const value of seen) if (values.length < 3 && !values.some((known) => number(known) === number(value))) values.push(value);
  if (values.length < 2) return null;
  values.sort((a, b) => a - b);
  const words = `This is the last ${pat.length ? "noisy " : ""}move of ${side(tree, parent)} above. Which value will that node return?`;
  return { words, choices: values.map(number), answer: values.indexOf(right), outcome: t + 2, reason: whyValue(tree, parent) };
}

/** Which values the side chose from. */
function whyValue(tree, node) {
  const [extreme, most] = tree.maximizing(node) ? ["largest", Math.max] : ["smallest", Math.min];
  const children = tree.children(node).filter((row) => !tree.repeated(row)); // probes that were searched again count for nothing
  const pat = tree.static(node) === null ? [] : [tree.static(node)];
  if (most(...pat, ...children.map((row) => tree.value(row))) !== tree.value(node)) return "";
  const listed = [...pat.map((value) => `${number(value)} for standing pat`), ...children.map((row) => withBound(tree, row))];
  const from = listed.length > MOST_LISTED ? `${pat.length ? `${listed[0]} and the ${children.length}` : `the ${listed.length}`} values of its moves` : `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`;
  return `${side(tree, node)} takes the ${extreme} of ${from}.`;
}

function side(tree, node) {
  return tree.maximizing(node) ? "MAX" : "MIN";
}

/** The next step at which something can be asked, or the last step. */
export function nextQuestion(tree, steps, t, most = 100_000) {
  for (let step = t; step < Math.min(steps.length, t + most); step++) if (questionAt(tree, steps, step)) return step;
  return steps.length - 1;
}

/** The question in the picture, what came of the answer, and how many were answered well. */
export class Predictions {
  constructor(view) {
    this.view = view;
    this.on = false;
    this.outcome = null; // {t, words}: of the answer just given, as long as the time stands there
  }

  turn(on) {
    const { view } = this;
    this.on = on;
    view.root.classList.toggle("predicting", on);
    this.score = { right: 0, of: 0 };
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

  question() {
    const { tree, steps, t, playing } = this.view;
    return this.on && !playing && !this.outcome ? questionAt(tree, steps, t) : null;
  }

  /** Show what came of the last answer, or the question of this step, if there is one. */
  ask() {
    const { t, part } = this.view;
    if (this.outcome?.t !== t) this.outcome = null; // the user went elsewhere
    const question = this.question();
    const words = this.outcome?.words ?? question?.words;
    part("ask").hidden = !words;
    if (!words || this.shown === `${t} ${words}`) return;
    this.shown = `${t} ${words}`;
    part("question").textContent = words;
    const choices = question ? question.choices.map((choice, index) => button(choice, `key ${index + 1}`, () => this.answer(index))) : [];
    part("choices").replaceChildren(...choices, ...(question ? [] : [button("Go on", "Enter", () => this.goOn())]));
  }

  /** To the step at which the outcome is seen, and no further. */
  answer(index) {
    const question = this.question();
    if (!question || index >= question.choices.length) return;
    const { choices, answer, outcome, reason } = question;
    const right = index === answer;
    this.score.right += Number(right);
    this.score.of++;
    const verdict = right ? "Right." : `Not quite, the answer is "${choices[answer]}".`;
    this.view.go(outcome);
    this.outcome = { t: outcome, words: `${verdict} ${reason} (${this.score.right} of ${this.score.of} right)`.replace("  ", " ") };
    this.view.root.focus({ preventScroll: true });
  }

  /** From an outcome to the next question, which may be at the same step. */
  goOn() {
    if (!this.outcome) return;
    this.outcome = null;
    if (this.question()) this.view.draw();
    else this.view.playOn();
    this.view.root.focus({ preventScroll: true });
  }
}

function button(words, key, press) {
  const made = document.createElement("button");
  made.append(words, " ", Object.assign(document.createElement("kbd"), { textContent: key }));
  made.addEventListener("click", press);
  return made;
}
