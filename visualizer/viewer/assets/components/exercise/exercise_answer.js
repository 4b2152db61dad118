// What a click or a key does to an answer. An answer maps parts (rows, or names) to what was given; it is never changed, but made anew.

import { childrenOf, subtree } from "./exercise_tree.js";

/** Mark a node with all below it, or take the marks away. */
export function marked(nodes, answer, row) {
  if (nodes[row].parent < 0) return answer;
  const changed = { ...answer };
  for (const other of subtree(nodes, row)) {
    if (answer[row]) delete changed[other];
    else changed[other] = true;
  }
  return changed;
}

/** Choose the move to a node, where a move is asked for. */
export function chosen(nodes, parts, answer, row) {
  const { parent } = nodes[row];
  if (!parts.includes(String(parent))) return answer;
  return { ...answer, [parent]: childrenOf(nodes)[parent].indexOf(row) };
}

/** Put a node before its siblings. */
export function first(nodes, answer, row) {
  return ordered(nodes, answer, row, (place) => -place);
}

/** Put a node so many places further. */
export function shifted(nodes, answer, row, by) {
  return ordered(nodes, answer, row, () => by);
}

function ordered(nodes, answer, row, way) {
  const { parent } = nodes[row];
  if (parent < 0) return answer;
  const siblings = childrenOf(nodes)[parent];
  const order = [...(answer[parent] ?? siblings.keys())];
  const from = order.indexOf(siblings.indexOf(row));
  const to = Math.min(Math.max(from + way(from), 0), order.length - 1);
  order.splice(to, 0, ...order.splice(from, 1));
  return { ...answer, [parent]: order };
}

/** A number as it is typed: an i becomes the sign of infinity. */
export function typed(text) {
  return text.replace(/i(n(f(inity)?)?)?/gi, "∞").replace(/∞[nfinty]*/gi, "∞").slice(0, 16);
}

/** The answer with what was typed for a part; `end` is the place in a window. */
export function written(answer, part, text, end = null) {
  if (end === null) return { ...answer, [part]: text };
  const ends = [...(answer[part] ?? ["", ""])];
  ends[end] = text;
  return { ...answer, [part]: ends };
}

/** How many of the parts that all need an answer have none. */
export function missing({ how, parts }, answer) {
  return ["number", "window", "child", "count"].includes(how) ? parts.length - filled(answer) : 0;
}

/** How many parts of those asked for have something. */
export function filled(answer) {
  return Object.values(answer).filter((given) => (Array.isArray(given) ? given.some((end) => end !== "") : given !== "" && given !== false)).length;
}
