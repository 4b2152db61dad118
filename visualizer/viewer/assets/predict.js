// "Predict": the search stops where it decides, and asks first.

/** What can be asked at this step: after a value has come back while moves are left, whether the node is cut off now. */
export function questionAt(tree, steps, t) {
  if (!tree.pruning || t >= steps.length - 1) return null;
  const step = steps.at(t);
  if (step.kind !== "return") return null;
  const next = steps.at(t + 1);
  if (next.kind === "leave") return null; // no move is left: nothing to decide
  return { side: tree.maximizing(step.node) ? "MAX" : "MIN", answer: next.kind === "cutoff" };
}

/** The next step at which something can be asked, or the last step. */
export function nextQuestion(tree, steps, t, most = 100_000) {
  for (let step = t; step < Math.min(steps.length, t + most); step++) if (questionAt(tree, steps, step)) return step;
  return steps.length - 1;
}
