// Equal positions as one node: a graph in layers. Pure functions: no canvas, no time.
//
// A position lies as deep as it was first reached with fewest plies. Within a layer, positions are ordered by the middle of their
// neighbours, a few times down and up, and then pulled towards that middle as far as the others let them. Ties are broken by who came
// first, so that the same search has the same picture.

import { firstAtLeast } from "./binary_search.js";

export const MAX_POSITIONS = 2000;
const SWEEPS = 4;

/** The reason why the positions of these rows are not drawn; empty if they are. */
export function explainNoGraph(tree, rows) {
  const limit = `This view draws up to ${MAX_POSITIONS.toLocaleString("en-US")} positions`;
  if (!tree.columns.position && tree.meta.positionsLater) return "Looking for equal positions …";
  if (!tree.columns.position) return `${limit}: ${tree.columns.hidden ? "the part of the search shown here" : "this search"} has ${tree.meta.positions === null ? "too many nodes to count them" : `${tree.meta.positions.toLocaleString("en-US")}`}.`;
  const count = new Set(tree.columns.position.subarray(rows.from, rows.to)).size;
  return count > MAX_POSITIONS ? `${limit}: there are ${count.toLocaleString("en-US")} here.` : "";
}

/** The graph of some rows: what a layout has, so that a camera can look at it, and
 *
 * positions: [{rows, depth, x}], `rows` in the order of the calls; edges: [{above, below, rows}] with the calls that went that way;
 * of: by row, the place of its position. x: by row. levels: the places at each depth, from left to right.
 */
export function mergedGraph(tree, { from = 0, to = tree.count } = {}) {
  const positions = [];
  const places = new Map();
  const of = new Int32Array(tree.count).fill(-1);
  for (let row = from; row < to; row++) {
    const number = tree.position(row);
    if (!places.has(number)) places.set(number, positions.push({ rows: [], depth: Infinity, x: 0 }) - 1);
    of[row] = places.get(number);
    const position = positions[of[row]];
    position.rows.push(row);
    position.depth = Math.min(position.depth, tree.depth(row));
  }
  const edges = edgesOf(tree, of, from, to, positions.length);
  const levels = layered(positions, edges);
  const x = new Float64Array(tree.count);
  for (let row = from; row < to; row++) x[row] = positions[of[row]].x;
  const widest = Math.max(...positions.map((position) => position.x));
  return { positions, edges, of, x, levels, places: widest + 1, has: (row) => row >= from && row < to, reach: () => ({ left: 0, right: widest }) };
}

function edgesOf(tree, of, from, to, count) {
  const edges = new Map();
  for (let row = from; row < to; row++) {
    const parent = tree.parent(row);
    if (parent < 0) continue;
    const key = of[parent] * count + of[row];
    if (!edges.has(key)) edges.set(key, { above: of[parent], below: of[row], rows: [] });
    edges.get(key).rows.push(row);
  }
  return [...edges.values()];
}

/** Gives every position its x; the layers, each from left to right. */
function layered(positions, edges) {
  const levels = [];
  positions.forEach((position, place) => (levels[position.depth] ??= []).push(place));
  const above = positions.map(() => []);
  const below = positions.map(() => []);
  for (const edge of edges) {
    above[edge.below].push(edge.above);
    below[edge.above].push(edge.below);
  }
  for (const level of levels) level.forEach((place, index) => (positions[place].x = index - (level.length - 1) / 2));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const down = sweep % 2 === 0;
    for (const level of down ? levels : levels.toReversed()) {
      const wanted = new Map(level.map((place) => [place, middle(positions, (down ? above : below)[place]) ?? positions[place].x]));
      level.sort((a, b) => wanted.get(a) - wanted.get(b) || a - b);
      const placed = spaced(level.map((place) => wanted.get(place)));
      level.forEach((place, index) => (positions[place].x = placed[index]));
    }
  }
  const left = Math.min(...positions.map(({ x }) => x));
  for (const position of positions) position.x -= left;
  return levels;
}

function middle(positions, neighbours) {
  if (!neighbours.length) return null;
  return neighbours.reduce((sum, place) => sum + positions[place].x, 0) / neighbours.length;
}

/** The places nearest to those wanted (rising) that are at least 1 apart: what would come too near is moved as one block. */
export function spaced(wanted) {
  const blocks = []; // {sum, count}: of what is wanted, less the room that the ones before need
  wanted.forEach((at, index) => {
    let block = { sum: at - index, count: 1 };
    while (blocks.length && blocks.at(-1).sum / blocks.at(-1).count >= block.sum / block.count) {
      const before = blocks.pop();
      block = { sum: before.sum + block.sum, count: before.count + block.count };
    }
    blocks.push(block);
  });
  return blocks.flatMap(({ sum, count }) => new Array(count).fill(sum / count)).map((at, index) => at + index);
}

/** Of a position, the calls that have been entered by step t: how many, and the last of them that has been left (-1: none). */
export function countReached(steps, { rows }, t) {
  const count = firstAtLeast(rows.length, (i) => steps.enter(rows[i]), t + 1);
  let left = count - 1;
  while (left >= 0 && t < steps.leave(rows[left])) left--;
  return { count, left: left < 0 ? -1 : rows[left] };
}
