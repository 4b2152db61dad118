// Links from a call to an earlier one: from a table hit to the node of the entry, from a re-search to its probe.

import { NONE } from "./tree.js";
import { thousands } from "../draw/formatting.js";

/** The link to show: that of the first candidate which has one by step t, or else of the row of this step:
 *  {row, source, answered, words}. `source` is -1 if that node is not loaded. */
export function visibleLink(tree, steps, t, candidates = []) {
  const { kind, node } = steps.at(t);
  const now = kind === "table" || kind === "enter" ? node : NONE;
  const row = [...candidates, now].find((one) => one >= 0 && goesBack(tree, steps, t, one));
  if (row === undefined) return null;
  const source = tree.source(row);
  return { row, source, answered: tree.isAnswered(row), words: tree.isAnswered(row) ? `from node ${thousands(tree.link(row))}${inPass(tree, row, source)}` : "re-search" };
}

/** The probe that this row searches again, found by its link and not by its siblings; -1 if there is none. */
export function probeRow(tree, row) {
  if (tree.link(row) === NONE || tree.isAnswered(row) || tree.parent(row) === NONE) return NONE;
  const source = tree.source(row);
  return source !== NONE && tree.parent(source) === tree.parent(row) && tree.move(source) === tree.move(row) ? source : NONE;
}

/** Whether the link of a row is known by step t. A table hit is known only when the row is left. */
function goesBack(tree, steps, t, row) {
  if (tree.link(row) === NONE) return false;
  return tree.isAnswered(row) ? t >= steps.leave(row) : tree.probe(row) !== null && t >= steps.enter(row);
}

/** The pass of the source, if it is another one. */
function inPass(tree, row, source) {
  if (source === NONE || tree.passAt(source).number === tree.passAt(row).number) return "";
  return `, pass ${tree.passAt(source).number + 1}`;
}
