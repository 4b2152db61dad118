// The bounds of the root that passes have proved: at least f−, at most f+. MTD(f) and aspiration search close in on the value. A result
// at or below the window of its pass is an upper bound, at or above it a lower bound, and inside it exact.

import { nextUp } from "./numbers.js";

/** After step t: {low, high, alpha, beta}. The bounds come from all finished passes to the same depth, the window from the current pass.
 *  null if every pass starts with an open window and finds the value by itself. */
export function rootBounds(tree, steps, t) {
  if (!tree.hasDriver || !tree.pruning || tree.roots.every((row) => tree.alpha(row) === -Infinity && tree.beta(row) === Infinity)) return null;
  const { K, first } = tree.passAt(steps.at(t).node);
  let [low, high] = [-Infinity, Infinity];
  for (const root of tree.roots) {
    if (t < steps.leave(root) || tree.passAt(root).K !== K) continue;
    if (tree.value(root) > tree.alpha(root)) low = Math.max(low, tree.value(root));
    if (tree.value(root) < tree.beta(root)) high = Math.min(high, tree.value(root));
  }
  return { low, high, alpha: tree.alpha(first), beta: tree.beta(first) };
}

/** Whether no value of the game lies strictly between the ends of a window. `kind` says which numbers its values are. */
export function isNullWindow(alpha, beta, kind) {
  if (alpha === Number.MAX_VALUE || beta === -Number.MAX_VALUE) return alpha < beta; // next to infinity
  if (!(Number.isFinite(alpha) && Number.isFinite(beta) && alpha < beta)) return false;
  return kind === "whole" ? beta - alpha <= 1 : beta <= nextUp(alpha, kind);
}
