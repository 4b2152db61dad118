// The pseudo-code, the line that a step is at, and that line with the numbers of the step: pseudocode.py in the browser.

import { tellingApart } from "./numbers.js";
import { filled, holds } from "./rules.js";
import { factsOf, numbersOf } from "./step_facts.js";

/** The line of the pseudo-code that the step is at. */
export function codeLine(tree, steps, step) {
  const facts = factsOf(tree, steps, step);
  const place = tree.meta.words.code.findIndex(({ when }) => when && holds(when, facts));
  if (place < 0) throw new RangeError(`no line of the pseudo-code is for ${JSON.stringify(facts)}`);
  return place;
}

/** The line with the numbers of the step: what the test compares, what the maximum is taken of. */
export function lineNumbers(tree, steps, step, written = null) {
  const numbers = numbersOf(tree, steps, step);
  written ??= tellingApart(...Object.values(numbers));
  return filled(tree.meta.words.code[codeLine(tree, steps, step)].numbers, (slot) => written(numbers[slot]));
}
