// The sentence for a step: sentences.py in the browser. Python sends the words and the rules that choose them; this module fills the slots.

import { distinctFormat } from "./numbers.js";
import { renderRule } from "./rules.js";
import { expectationAt } from "./expectation.js";
import { formatProbability } from "./probability.js";
import { factsOf, numbersOf, probabilitiesOf } from "./step_facts.js";

/** What happens in step t, and why. */
export function sentence(tree, steps, t) {
  const step = steps.at(t);
  const facts = factsOf(tree, steps, step);
  return renderRule(tree.meta.words.rules, "", facts, slotsOf(tree, steps, step, facts.step));
}

/** The values of the slots without rules. */
function slotsOf(tree, steps, step, kind) {
  const { node, cause } = step;
  const { words } = tree.meta;
  const numbers = numbersOf(tree, steps, step);
  const compared = words.toldApart[kind].filter((name) => name in numbers).map((name) => numbers[name]);
  const ofMoves = kind === "leave" ? tree.children(node).map((child) => tree.value(child)) : [];
  const format = distinctFormat([...compared, ...ofMoves], [tree.alpha(node), tree.beta(node)]);
  const { number, K, why } = tree.passAt(node);
  const further = plies(tree.meta.quiescence);
  const slots = { depth: tree.depth(node), further, pass: number + 1, K, limit: K === null ? "" : ` K = ${K}`, why, count: thousands(tree.hidden(node)), entry: thousands(tree.link(node)) };
  for (const [name, value] of Object.entries(numbers)) slots[name] = format(value);
  for (const [name, p] of Object.entries(probabilitiesOf(tree, step))) slots[name] = formatProbability(p);
  const next = [`just above ${slots.alpha}`, `${slots.alpha}+1`].includes(slots.beta);
  slots.asked = next ? `more than ${slots.alpha}` : `at least ${slots.beta}`; // by a null window
  if (kind === "table" && tree.link(node) >= 0) slots.deeper = plies(tree.pliesDeeper(node));
  const moved = movedTo(tree, step);
  if (moved !== null) slots.name = tree.moveName(moved);
  if (cause) slots.earlier = counted(tree.depth(node) - tree.depth(cause.ancestor), "move", "moves");
  if (kind === "cutoff") Object.assign(slots, listed(words, tree.skippedNames(node)));
  if (kind === "return" && tree.isChance(node)) {
    const { counted, outcomes } = expectationAt(steps, node, step.number);
    Object.assign(slots, { counted, outcomes });
  }
  return slots;
}

/** The node after the move that the sentence is about. */
function movedTo(tree, { kind, node, child, cause }) {
  if (kind === "leave") return tree.provingChild(node);
  if (kind === "driver") return tree.bestChild(node);
  const nodes = { enter: tree.depth(node) > 0 ? node : null, return: child, cutoff: cause?.child };
  return nodes[kind] ?? null;
}

/** The skipped moves. A recorded student program may not tell them. */
function listed({ mostListed, named }, names) {
  const first = names.length > mostListed ? names.slice(0, named) : names.slice(0, -1);
  return { first: first.join(", "), last: names.at(-1) ?? "", more: names.length - named };
}

function plies(count) {
  return counted(count, "ply", "plies");
}

function counted(count, one, many) {
  return `${count} ${count === 1 ? one : many}`;
}

function thousands(count) {
  return count.toLocaleString("en-US");
}
