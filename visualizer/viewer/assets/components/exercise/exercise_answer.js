// Answers: how clicks and keys change them. An answer maps parts (rows or names) to values. Functions return a new answer.

import { listChildren, listSubtree } from "./exercise_tree.js";

/** Mark a node and everything below it, or remove the marks. Only parts of the answer are marked, and never from the root. */
export function toggleMarks(nodes, parts, answer, row) {
  if (nodes[row].parent < 0) return answer;
  const changed = { ...answer };
  const rows = listSubtree(nodes, row).filter((other) => parts.includes(String(other)));
  for (const other of rows) {
    if (answer[rows[0]]) delete changed[other];
    else changed[other] = true;
  }
  return changed;
}

/** Choose the move to a node, if its parent asks for a move. */
export function chooseMove(nodes, parts, answer, row) {
  const { parent } = nodes[row];
  if (!parts.includes(String(parent))) return answer;
  return { ...answer, [parent]: listChildren(nodes)[parent].indexOf(row) };
}

/** Move a node before its siblings. */
export function moveFirst(nodes, answer, row) {
  return reorder(nodes, answer, row, (index) => -index);
}

/** Move a node by this many places among its siblings. */
export function moveBy(nodes, answer, row, distance) {
  return reorder(nodes, answer, row, () => distance);
}

function reorder(nodes, answer, row, distanceFrom) {
  const { parent } = nodes[row];
  if (parent < 0) return answer;
  const siblings = listChildren(nodes)[parent];
  const order = [...(answer[parent] ?? siblings.keys())];
  const from = order.indexOf(siblings.indexOf(row));
  const to = Math.min(Math.max(from + distanceFrom(from), 0), order.length - 1);
  order.splice(to, 0, ...order.splice(from, 1));
  return { ...answer, [parent]: order };
}

/** Normalize a typed number: i becomes the sign of infinity. */
export function normalizeNumber(text) {
  return text.replace(/i(n(f(inity)?)?)?/gi, "∞").replace(/∞[nfinty]*/gi, "∞").slice(0, 16);
}

/** Return false if a text is not a number that a field of this format takes. An empty text is readable. */
export function isReadable(format, text) {
  const plain = text.trim().replace(/[−–]/, "-").replace(",", ".");
  if (plain === "" || (format === "window" && /^[-+]?(∞|oo)$/.test(plain))) return true;
  return (format === "count" ? /^\d{1,9}$/ : /^-?\d{1,9}(\.\d{1,4})?$/).test(plain);
}

/** Set the text of a part; `end` is 0 or 1 in a pair, such as alpha and beta. */
export function setText(answer, part, text, end = null) {
  if (end === null) return { ...answer, [part]: text };
  const ends = [...(answer[part] ?? ["", ""])];
  ends[end] = text;
  return { ...answer, [part]: ends };
}

/** Count the unanswered parts, for formats that need an answer to every part. */
export function countMissing({ format, parts }, answer) {
  return ["number", "window", "child", "count", "visits"].includes(format) ? parts.length - countAnswered(answer) : 0;
}

/** Count the answered parts. */
export function countAnswered(answer) {
  return Object.values(answer).filter((value) => (Array.isArray(value) ? value.some((end) => end !== "") : value !== "" && value !== false)).length;
}
