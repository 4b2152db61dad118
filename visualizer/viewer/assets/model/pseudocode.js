// The pseudo-code, the line that a step is at, and that line with the numbers of the step: pseudocode.py in the browser.

import { distinctFormat } from "./numbers.js";
import { formatProbability } from "./probability.js";
import { fillSlots, matchesFacts } from "./rules.js";
import { factsOf, numbersOf, probabilitiesOf } from "./step_facts.js";

const NO_LINE = -1;

/** The line of the pseudo-code that the step is at; -1 if the algorithm says of none of its lines when a step is at it. */
export function codeLine(tree, steps, step) {
  if (tree.meta.words.code.every(({ when }) => when === null)) return NO_LINE;
  const facts = factsOf(tree, steps, step);
  const isAt = ([when, value]) => matchesFacts(when, facts) && (value === null || value === step.value);
  const place = tree.meta.words.code.findIndex(({ when, steps: own = [] }) => [...(when === null ? [] : [[when, null]]), ...own].some(isAt));
  if (place === NO_LINE) throw new RangeError(`no line of the pseudo-code is for ${JSON.stringify(facts)}`);
  return place;
}

/** The line of a student's program that the side to move comes to when a move returns, as a node is entered; else the current line. */
export function ownLine(tree, steps, step) {
  const current = codeLine(tree, steps, step);
  if (step.kind !== "enter") return current;
  const facts = { ...factsOf(tree, steps, step), step: "return" };
  const place = tree.meta.words.code.findIndex(({ steps: own = [] }) => own.some(([when]) => when.step === "return" && matchesFacts(when, facts)));
  return place === NO_LINE ? current : place;
}

/** The lines to show where there is room for `room` of them: [{words, index}]. Blocks without the current line are folded into their
 *  first line, other functions first and then the largest block. A block with the line `own` is folded last. */
export function foldedCode(lines, current, room, own = current) {
  const shown = lines.map((words, index) => ({ words, index }));
  while (shown.length > room) {
    const holdsOwn = ({ at, size }) => shown.slice(at, at + size + 1).some(({ index }) => index === own);
    const block = blocksWithout(shown, current).sort((a, b) => holdsOwn(a) - holdsOwn(b) || a.indent - b.indent || b.size - a.size)[0];
    if (!block) break;
    shown.splice(block.at + 1, block.size);
    shown[block.at] = { ...shown[block.at], words: `${shown[block.at].words} …` };
  }
  return shown;
}

/** The lines that begin a block without the current line: {at, size, indent}. */
function blocksWithout(shown, current) {
  const indentOf = ({ words }) => words.length - words.trimStart().length;
  return shown.flatMap((line, at) => {
    const indent = indentOf(line);
    const after = shown.slice(at + 1).findIndex((other) => indentOf(other) <= indent);
    const size = after === -1 ? shown.length - at - 1 : after;
    const holds = shown.slice(at, at + size + 1).some(({ index }) => index === current);
    return size > 0 && !holds ? [{ at, size, indent }] : [];
  });
}

/** The line with the numbers of the step: what the test compares, what the maximum is taken of. */
export function lineNumbers(tree, steps, step, format = null) {
  const place = codeLine(tree, steps, step);
  if (place === NO_LINE) return "";
  const numbers = numbersOf(tree, steps, step);
  format ??= distinctFormat(Object.values(numbers), [tree.alpha(step.node), tree.beta(step.node)]);
  const odds = probabilitiesOf(tree, step);
  return fillSlots(tree.meta.words.code[place].numbers, (slot) => (slot in odds ? formatProbability(odds[slot]) : format(numbers[slot])));
}
