// What is known of a chance node while it is searched: engine/tree/expectation.py in the browser, which explains the numbers.

/** The sum so far, the outcomes in it, all outcomes (null: unknown) and bounds [low, high] of the expectation (null: unknown), after step t. */
export function expectationAt(steps, row, t) {
  const { tree } = steps;
  const returned = tree.children(row).filter((child) => steps.leave(child) < t);
  const counted = returned.filter((child) => !tree.isReSearched(child));
  const total = counted.reduce((sum, child) => sum + tree.weight(child) * tree.value(child), 0);
  const moves = new Set([...tree.children(row).map((child) => tree.move(child)), ...tree.skippedMoves(row)]);
  const range = tree.meta.valueRange;
  return { total, counted: counted.length, outcomes: tree.isOpen(row) ? null : moves.size, bounds: range && sumBounds(tree, returned, range) };
}

/** Ballard's A and B for a call of an outcome; null if it is none, or if the search has no windows. */
export function ballardBounds(tree, row) {
  const above = tree.parent(row);
  if (above < 0 || !tree.isChance(above) || !tree.pruning || !tree.meta.valueRange) return null;
  const p = tree.weight(row);
  const returned = tree.children(above).filter((child) => child < row && tree.move(child) !== tree.move(row));
  const [low, high] = sumBounds(tree, returned, tree.meta.valueRange, p);
  return [(tree.alpha(above) - high) / p, (tree.beta(above) - low) / p];
}

/** The least and the greatest sum of probability times value over all outcomes but those of the probability `leftOut`. */
function sumBounds(tree, calls, [lowest, highest], leftOut = 0) {
  const bounds = new Map();
  for (const call of calls) {
    const known = bounds.get(tree.move(call)) ?? { least: lowest, most: highest };
    const [bound, value] = [tree.bound(call), tree.value(call)];
    if (bound === "exact" || bound === "lower") known.least = Math.max(known.least, value);
    if (bound === "exact" || bound === "upper") known.most = Math.min(known.most, value);
    bounds.set(tree.move(call), { p: tree.weight(call), ...known });
  }
  let [low, high, rest] = [0, 0, 1 - leftOut];
  for (const { p, least, most } of bounds.values()) [low, high, rest] = [low + p * least, high + p * most, rest - p];
  const unknown = Math.max(rest, 0);
  return [low + unknown * lowest, high + unknown * highest];
}
