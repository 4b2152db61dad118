// The pseudo-code, the line that a step is at, and that line with the numbers of the step: pseudocode.py in the browser.
//
// `code` is what pseudocode.pseudocode_json() gives.

import { tellingApart } from "./sentences.js";

const AS_TYPED = "as typed";

/** The pseudo-code that goes with the search: its lines, and the places of those that have a name. */
export function codeOf(code, tree) {
  const { algorithm, cutOnEqual } = tree.meta;
  return code.code[algorithm][cutOnEqual ? 1 : 0];
}

/** The line of the pseudo-code that the step is at. */
export function codeLine(code, tree, step) {
  return codeOf(code, tree).places[lineName(tree, step)];
}

function lineName(tree, { kind, node, narrows }) {
  const side = tree.maximizing(node) ? "max" : "min";
  if (kind === "enter") return "enter";
  if (kind === "evaluate") return tree.status(node) === "horizon" ? "horizon" : "terminal";
  if (kind === "return") return narrows ? `${side}.window` : `${side}.value`;
  return kind === "cutoff" ? `${side}.cutoff` : "leave";
}

/** The line with the numbers of the step: what the test compares, what the maximum is taken of. */
export function lineNumbers(code, tree, steps, step) {
  const name = lineName(tree, step);
  if (name === "enter" && !tree.pruning) return "";
  const { node, child, kind, alpha, beta, value, best } = step;
  const maximizing = tree.maximizing(node);
  const numbers = { alpha, beta };
  if (value !== null) Object.assign(numbers, { value, score: value, best });
  if (kind === "return") {
    numbers.before = steps.soFar(node, step.number - 1).best ?? startOf(tree, maximizing);
    numbers.old = maximizing ? tree.alpha(child) : tree.beta(child);
  }
  if (kind === "cutoff") numbers.bound = maximizing ? tree.beta(node) : tree.alpha(node);
  const written = tellingApart(...Object.values(numbers));
  return code.numbers[name].replace(/\{(\w+)\}/g, (_, slot) => (slot === "sign" ? cutSign(tree, node) : written(numbers[slot])));
}

/** How the value of a node that is cut off stands to the bound of the other side. */
export function cutSign(tree, node) {
  const { cutOnEqual } = tree.meta;
  return tree.maximizing(node) ? (cutOnEqual ? "≥" : ">") : cutOnEqual ? "≤" : "<";
}

/** The value of a node before anything has come back. */
function startOf(tree, maximizing) {
  if (maximizing) return -Infinity;
  return tree.meta.quirk === AS_TYPED ? 0 : Infinity;
}
