// "Predict": the search stops where it decides, and asks first.

import { number } from "./look.js";

const LEAVING = ["evaluate", "leave", "cutoff", "hidden"];

/** What can be asked at this step: {words, choices, answer}; answer is the index of the right choice. */
export function questionAt(tree, steps, t) {
  if (t >= steps.length - 1) return null;
  const step = steps.at(t);
  if (step.kind === "return") return tree.pruning ? willItCut(tree, steps, t, step.node) : null;
  return LEAVING.includes(step.kind) ? whichValue(tree, steps, t, step.node) : null;
}

/** After a value has come back while moves are left: is the node cut off now? */
function willItCut(tree, steps, t, node) {
  const { kind } = steps.at(t + 1);
  const other = tree.maximizing(node) ? tree.beta(node) : tree.alpha(node);
  if (kind === "leave" || Math.abs(other) === Infinity) return null; // no move is left, or no cut is possible
  return { words: `Will ${side(tree, node)} be cut off here?`, choices: ["Yes, it is cut", "No, it goes on"], answer: kind === "cutoff" ? 0 : 1 };
}

/** When the last child is done but has not come back yet: what will its parent be worth? */
function whichValue(tree, steps, t, child) {
  const parent = tree.parent(child);
  if (t + 2 >= steps.length || steps.at(t + 2).kind !== "leave" || steps.at(t + 2).node !== parent) return null;
  const right = tree.value(parent);
  const seen = [tree.value(child), ...tree.children(parent).map((row) => tree.value(row)).reverse()];
  const values = [right];
  for (const value of seen) if (values.length < 3 && !values.some((known) => number(known) === number(value))) values.push(value);
  if (values.length < 2) return null;
  values.sort((a, b) => a - b);
  const words = `This is the last move of ${side(tree, parent)} above. Which value will that node return?`;
  return { words, choices: values.map(number), answer: values.indexOf(right) };
}

function side(tree, node) {
  return tree.maximizing(node) ? "MAX" : "MIN";
}

/** The next step at which something can be asked, or the last step. */
export function nextQuestion(tree, steps, t, most = 100_000) {
  for (let step = t; step < Math.min(steps.length, t + most); step++) if (questionAt(tree, steps, step)) return step;
  return steps.length - 1;
}

/** The question in the picture, and how many were answered well. */
export class Predictions {
  constructor(view) {
    this.view = view;
    this.on = false;
  }

  turn(on) {
    const { view } = this;
    this.on = on;
    this.score = { right: 0, of: 0 };
    this.verdict = "";
    this.asked = null;
    if (on) view.go(nextQuestion(view.tree, view.steps, view.t));
    view.draw();
  }

  /** The step of the next question; Infinity if none are asked. */
  next() {
    const { tree, steps, t } = this.view;
    return this.on ? nextQuestion(tree, steps, t + 1) : Infinity;
  }

  /** Show the question of this step, if there is one. */
  ask() {
    const { tree, steps, t, playing, part } = this.view;
    const question = this.on && !playing ? questionAt(tree, steps, t) : null;
    part("ask").hidden = !question;
    if (!question || this.asked === t) return;
    this.asked = t;
    part("question").textContent = this.verdict + question.words;
    this.verdict = "";
    part("choices").replaceChildren(...question.choices.map((words, index) => this.choice(words, index, question)));
  }

  choice(words, index, { choices, answer }) {
    const button = document.createElement("button");
    button.textContent = words;
    button.addEventListener("click", () => {
      const right = index === answer;
      this.score.right += Number(right);
      this.score.of++;
      this.verdict = `${right ? "Right" : `Not quite: "${choices[answer]}"`} (${this.score.right} of ${this.score.of} right). `;
      this.view.playOn();
      this.view.root.focus({ preventScroll: true });
    });
    return button;
  }
}
