// The pseudo-code, the line that a step is at, and that line with the numbers of the step: pseudocode.py in the browser.

import { tellingApart } from "./numbers.js";
import { filled, holds } from "./rules.js";
import { factsOf, numbersOf } from "./step_facts.js";

const NO_LINE = -1;

/** The line of the pseudo-code that the step is at; -1 if the algorithm says of none of its lines when a step is at it. */
export function codeLine(tree, steps, step) {
  if (tree.meta.words.code.every(({ when }) => when === null)) return NO_LINE;
  const facts = factsOf(tree, steps, step);
  const place = tree.meta.words.code.findIndex(({ when }) => when !== null && holds(when, facts));
  if (place === NO_LINE) throw new RangeError(`no line of the pseudo-code is for ${JSON.stringify(facts)}`);
  return place;
}

/** The line with the numbers of the step: what the test compares, what the maximum is taken of. */
export function lineNumbers(tree, steps, step, written = null) {
  const place = codeLine(tree, steps, step);
  if (place === NO_LINE) return "";
  const numbers = numbersOf(tree, steps, step);
  written ??= tellingApart(Object.values(numbers), [tree.alpha(step.node), tree.beta(step.node)]);
  return filled(tree.meta.words.code[place].numbers, (slot) => written(numbers[slot]));
}
