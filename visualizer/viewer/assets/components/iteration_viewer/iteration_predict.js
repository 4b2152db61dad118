// "Predict" for a search in iterations: playback pauses where a child is selected and where the mean of a move changes, and asks. Until the
// answer the step shows only what is known before it.

import { PredictionBox } from "../../input/prediction_box.js";

const MAX_CHOICES = 3;
const ASKED_DEPTH = 1; // one mean is asked for in each iteration: that of the move of the root
const MIN_DIGITS = 2;
const MAX_DIGITS = 6;
const MAX_BLOCKS_AHEAD = 100; // that are loaded to find a question
const RESULTS = ["MIN wins", "a draw", "MAX wins"]; // by half points for MAX

/** The question of a step, with the place of the right choice in `answer`; null where nothing is asked. */
export function questionOf({ t, iteration, step }) {
  if (step.kind === "select") return askSelection(t, step);
  return step.kind === "backup" && step.depth === ASKED_DEPTH ? askMean(t, iteration, step) : null;
}

/** Which child has the largest sum? Not asked if the order of adding decides. */
function askSelection(t, { bars, rule, words }) {
  const open = bars.filter(({ proven }) => !proven);
  const ranked = [...open].sort((a, b) => b.mean + b.bonus - (a.mean + a.bonus));
  if (open.length < 2 || ranked[0].mean + ranked[0].bonus === ranked[1].mean + ranked[1].bonus) return null;
  const largest = (measure) => open.reduce((best, one) => (measure(one) > measure(best) ? one : best));
  const tempting = [ranked[0], largest(({ mean }) => mean), largest(({ visits }) => -visits), ...ranked.slice(1)];
  const offered = new Set([...new Set(tempting)].slice(0, MAX_CHOICES));
  const choices = open.filter((bar) => offered.has(bar));
  return {
    kind: "selections", words: `Which move is selected? It has the largest ${rule}.`, choices: choices.map(({ phrase }) => phrase),
    answer: choices.indexOf(ranked[0]), outcome: t, reason: words,
  };
}

/** What will the mean of a move be? Wrong answers count the result for the other side, or not at all. */
function askMean(t, { outcome }, { before: [visits, old], after: [, mean], side, phrase, words }) {
  if (!visits) return null;
  const result = side === "MAX" ? outcome / 2 : 1 - outcome / 2;
  const numbers = [mean];
  for (const wrong of [(old * visits + 1 - result) / (visits + 1), old]) if (numbers.every((number) => Math.abs(number - wrong) > 1e-9)) numbers.push(wrong);
  numbers.sort((a, b) => a - b);
  const digits = digitsThatDiffer(numbers);
  if (numbers.length < 2 || !digits) return null;
  const told = RESULTS[outcome] ?? `${(outcome / 2).toFixed(MIN_DIGITS)} for MAX`;
  return {
    kind: "means", words: `The result is: ${told}. What will the mean of ${phrase} be, for ${side}?`, choices: numbers.map((number) => number.toFixed(digits)),
    answer: numbers.indexOf(mean), outcome: t, reason: explainMean(old * visits, visits, result, mean.toFixed(digits)) || words,
  };
}

/** The number of digits with which numbers look different, and none lies halfway between two texts; 0: there is none. */
function digitsThatDiffer(numbers) {
  for (let digits = MIN_DIGITS; digits <= MAX_DIGITS; digits++) {
    const isHalfway = numbers.some((number) => Math.abs(((number * 10 ** digits) % 1) - 0.5) < 1e-6);
    if (!isHalfway && new Set(numbers.map((number) => number.toFixed(digits))).size === numbers.length) return digits;
  }
  return 0;
}

/** The division with its numbers; "" if the points are not half or whole ones. */
function explainMean(points, visits, result, mean) {
  const had = Math.round(2 * points) / 2;
  if (Math.abs(points - had) > 1e-6 || !Number.isInteger(2 * result)) return "";
  return `${had} of ${visits} before and ${result} now: ${had + result} / ${visits + 1} = ${mean}.`;
}

/** What is said at a step whose question waits for an answer. */
export function wordsBefore({ iteration, step }) {
  if (step.kind === "backup") return `Iteration ${iteration.number} counts its result.`;
  return `Iteration ${iteration.number} selects ${step.depth ? `a reply at depth ${step.depth}` : "a move of the root"}.`;
}

export class IterationPredictions extends PredictionBox {
  kinds = ["selections", "means"];

  findQuestion(t) {
    const here = this.view.steps.at(t);
    return here && t !== this.answered ? questionOf(here) : null;
  }

  /** The first step from `t` on that has a question or is not loaded; else the last step. */
  nextPause(t) {
    const { steps } = this.view;
    for (let step = t; step < steps.length; step++) if (!steps.isLoaded(step) || this.findQuestion(step)) return step;
    return steps.length - 1;
  }

  /** Go to the first question from a step on, and load iterations until there is one. */
  async start(t) {
    const { steps, loader } = this.view;
    this.answered = null;
    let step = this.nextPause(t);
    for (let count = 0; count < MAX_BLOCKS_AHEAD && loader.hasServer && !steps.isLoaded(step); count++) {
      if (!(await loader.fetchBlock({ step }))) return;
      step = this.nextPause(step);
    }
    if (this.on && this.view.steps === steps) this.view.go(step);
  }

  answer(index) {
    super.answer(index);
    if (this.outcome) this.answered = this.outcome.t;
  }
}
