// Where a call goes back to an earlier one: what the table answers to the node that it was found at, a move searched again to its probe.

import { NONE } from "./tree.js";
import { thousands } from "../draw/formatting.js";

/** The link that is shown: that of the first of these rows which has gone back by step t, or else of the row where that happens now.
 *  {row, source, answered, words}; source is -1 if that node is not here. */
export function linkShown(tree, steps, t, candidates = []) {
  const { kind, node } = steps.at(t);
  const now = kind === "table" || kind === "enter" ? node : NONE;
  const row = [...candidates, now].find((one) => one >= 0 && goesBack(tree, steps, t, one));
  if (row === undefined) return null;
  const source = tree.source(row);
  return { row, source, answered: tree.isAnswered(row), words: tree.isAnswered(row) ? `from node ${thousands(tree.link(row))}${inPass(tree, row, source)}` : "searched again" };
}

/** The row that this one searches again, by its link: without looking at all moves beside it; -1 without. */
export function probedAt(tree, row) {
  if (tree.link(row) === NONE || tree.isAnswered(row) || tree.parent(row) === NONE) return NONE;
  const source = tree.source(row);
  return source !== NONE && tree.parent(source) === tree.parent(row) && tree.move(source) === tree.move(row) ? source : NONE;
}

/** Whether it is known by step t that the row goes back to another: not by entering it that the table will answer. */
function goesBack(tree, steps, t, row) {
  if (tree.link(row) === NONE) return false;
  return tree.isAnswered(row) ? t >= steps.leave(row) : tree.probe(row) !== null && t >= steps.enter(row);
}

/** In which pass that was, if it was in another. */
function inPass(tree, row, source) {
  if (source === NONE || tree.passAt(source).number === tree.passAt(row).number) return "";
  return `, pass ${tree.passAt(source).number + 1}`;
}
