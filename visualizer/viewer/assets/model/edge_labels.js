// The names of moves and outcomes, as they stand at the edges of a tree. An outcome has its probability behind it: "roll 3 (1/6)".

import { formatProbability } from "./probability.js";
import { NONE } from "./tree.js";

/** The label of the edge that leads to a node. */
export function edgeLabel(tree, row) {
  return labelOf(tree.moveName(row), oddsText(tree, row));
}

/** The labels of the skipped moves of a node. */
export function skippedLabels(tree, row) {
  const odds = skippedOdds(tree, row);
  return tree.skippedNames(row).map((name, index) => labelOf(name, odds[index]));
}

/** The probability of the outcome that led to a node; empty if a side moved. */
export function oddsText(tree, row) {
  const isOutcome = tree.isDrawn && tree.parent(row) !== NONE && tree.isChance(tree.parent(row));
  return isOutcome ? formatProbability(tree.weight(row)) : "";
}

/** The probabilities of the skipped outcomes of a node; empty texts for moves. */
export function skippedOdds(tree, row) {
  const isDrawn = tree.isChance(row);
  return tree.skippedWeights(row).map((weight) => (isDrawn ? formatProbability(weight) : ""));
}

/** The label of the edge to a node in this room. */
export function edgeText(tree, row, room, size) {
  return fitLabel(edgeLabel(tree, row), tree.shortName(tree.move(row)), oddsText(tree, row), room, size);
}

/** The label of the edge to a skipped move in this room. */
export function skippedText(tree, row, index, room, size) {
  const odds = skippedOdds(tree, row)[index];
  return fitLabel(skippedLabels(tree, row)[index], tree.shortName(tree.skippedMoves(row)[index]), odds, room, size);
}

/** The label if it fits into `room`, or only the probability, or the short name of the move. A letter is about 0.6 times as wide as it
 *  is high. */
export function fitLabel(label, short, odds, room, size) {
  const letters = Math.max(2, Math.floor(room / (size * 0.62)));
  if (label.length <= letters) return label;
  return odds || (short ?? `${label.slice(0, letters - 1)}…`);
}

function labelOf(name, odds) {
  return odds ? `${name} (${odds})` : name;
}
