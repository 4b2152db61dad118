// Layouts of the path view and the whole tree, as pure functions.

import { edgeLabel, oddsText, skippedLabels, skippedOdds } from "./edge_labels.js";

const MAX_FIXED_PLACES = 12; // cells of a board that each have a place in the path view

/** The rows of the path view: the root, or those of all passes unless one is seen `alone`, then for each node of the path the moves
 * that could be made there, in fixed slots.
 *
 * An item is {kind: "node" | "stub", row, owner, move, name, odds, cell, slot, slots}; `odds` is the probability of an outcome; a stub is a skipped move, and looks like a child not yet visited
 * until its owner is cut; `turn` says who would move after it, and `wouldBe` what it is worth, if that is known.
 */
export function pathRows(tree, path, singlePass = false) {
  const roots = singlePass ? [path[0]] : tree.roots;
  const named = (row) => (tree.hasDriver ? passName(tree, row) : "root");
  const rows = [roots.map((row, slot) => ({ kind: "node", row, owner: -1, move: -1, name: named(row), slot, slots: roots.length }))];
  for (const owner of path) {
    const items = tree.children(owner).map((row) => {
      return { kind: "node", row, owner, move: tree.move(row), name: edgeLabel(tree, row), odds: oddsText(tree, row), cell: tree.moveCell(row) };
    });
    const [names, odds] = [skippedLabels(tree, owner), skippedOdds(tree, owner)];
    const turns = tree.skippedTurns(owner);
    const cells = tree.skippedCells(owner);
    const values = tree.skippedValues(owner);
    tree.skippedMoves(owner).forEach((move, index) => {
      const stub = { kind: "stub", row: -1, owner, move, name: names[index], odds: odds[index], cell: cells[index] };
      items.push({ ...stub, turn: turns[index], wouldBe: values?.[index] ?? null });
    });
    if (items.length === 0) break;
    rows.push(placeInSlots(tree, items));
  }
  return rows;
}

/** The name of a pass, given its root. */
export function passName(tree, row) {
  return `pass ${tree.passAt(row).number + 1}`;
}

/** The levels of the path view that fit into a height, down to the one below the current depth. */
export function visibleRows(treeHeight, depth, pixels, minimum = 58) {
  const count = Math.min(treeHeight + 1, Math.max(3, Math.floor((pixels - 74) / minimum) + 1));
  return { first: Math.min(Math.max(0, depth + 2 - count), treeHeight + 1 - count), count };
}

/** The items of a level that fit, around the one on the path, and how many are left out on either side. */
export function visibleSlots(items, row, maximum) {
  const slots = items[0].slots;
  if (slots <= maximum) return { items, before: 0, after: 0 };
  const at = items.find((item) => item.row === row && item.kind === "node")?.slot ?? 0;
  const first = Math.min(Math.max(0, at - (maximum >> 1)), slots - maximum);
  const seen = items.filter(({ slot }) => slot >= first && slot < first + maximum);
  return { items: seen.map((item) => ({ ...item, slot: item.slot - first, slots: maximum })), before: first, after: slots - maximum - first };
}

/** Give each move a fixed slot if its cells are columns or few. Otherwise, and if a move is searched again, moves stand in their order. */
function placeInSlots(tree, items) {
  const places = placesOf(tree.meta.board);
  const slots = items.map(({ cell }) => (cell === null ? null : cell % places));
  const fixed = places && !slots.includes(null) && new Set(slots).size === slots.length;
  items.forEach((item, index) => Object.assign(item, fixed ? { slot: slots[index], slots: places } : { slot: index, slots: items.length }));
  return items.sort((a, b) => a.slot - b.slot);
}

/** The number of fixed slots: columns, or cells if they are few; else 0. */
function placesOf(board) {
  if (!board) return 0;
  return board.falls ? board.cols : board.cells.length <= MAX_FIXED_PLACES ? board.cells.length : 0;
}

/** The whole tree, or the rows of one pass: leaves and skipped moves side by side, a parent in the middle above what it has. x is
 * counted in places.
 *
 * x: by row; below a closed node that of the closed node. levels: the rows seen at each depth, from left to right.
 * stubs: the skipped moves at each depth, {x, owner, index} as arrays; index is the place among the owner's skipped moves;
 * gaps, stubGaps: how near two nodes, or two skipped moves, of a depth come to each other.
 */
export function wholeTree(tree, folded = new Set(), { from = 0, to = tree.count } = {}) {
  const { depth, skipped } = tree.columns;
  const x = new Float64Array(tree.count);
  const levels = [];
  const stubs = [];
  const first = []; // x of the first and of the last child placed at each depth, below the node that is open above it
  const last = [];
  const open = [];
  let places = 0;

  function place(d, at) {
    first[d] ??= at;
    last[d] = at;
  }

  function leaveDownTo(d) {
    while (open.length && depth[open.at(-1)] >= d) {
      const row = open.pop();
      const below = depth[row] + 1;
      if (!folded.has(row)) for (let index = 0; index < skipped[row]; index++) stub(below, row, index);
      x[row] = first[below] === undefined ? places++ : (first[below] + last[below]) / 2;
      first[below] = undefined;
      place(below - 1, x[row]);
    }
  }

  function stub(d, owner, index) {
    const level = (stubs[d] ??= { x: [], owner: [], index: [] });
    level.x.push(places);
    level.owner.push(owner);
    level.index.push(index);
    place(d, places++);
  }

  for (let row = from; row < to; row++) {
    leaveDownTo(depth[row]);
    (levels[depth[row]] ??= []).push(row);
    open.push(row);
    if (!folded.has(row)) continue;
    leaveDownTo(depth[row]);
    x.fill(x[row], row, tree.end(row));
    row = tree.end(row) - 1;
  }
  leaveDownTo(0);
  const spread = stubsByOwner(stubs);
  const gaps = levels.map((rows) => smallestGap(rows.map((row) => x[row])));
  const stubGaps = levels.map((_, d) => smallestGap(stubs[d]?.x ?? []));
  const has = (row) => row >= from && row < to;
  return { x, levels: levels.map((rows) => Uint32Array.from(rows)), stubs, gaps, stubGaps, places, reach: reaches(tree, x, spread), has };
}

/** Return a function for the left and right end of a subtree, skipped moves included. The ends are computed once. */
function reaches(tree, x, lastStub) {
  let left;
  let right;
  const work = () => {
    left = Float64Array.from(x);
    right = Float64Array.from(x, (at, row) => Math.max(at, lastStub.get(row) ?? -Infinity));
    for (let row = tree.count - 1; row > 0; row--) {
      const parent = tree.parent(row);
      if (parent < 0) continue; // the root of another pass
      left[parent] = Math.min(left[parent], left[row]);
      right[parent] = Math.max(right[parent], right[row]);
    }
  };
  return (row) => {
    if (!left) work();
    return { left: left[row], right: right[row] };
  };
}

function smallestGap(sorted) {
  let minimum = Infinity;
  for (let i = 1; i < sorted.length; i++) minimum = Math.min(minimum, sorted[i] - sorted[i - 1]);
  return minimum;
}

/** x of the last stub of each node that has some. */
function stubsByOwner(stubs) {
  const last = new Map();
  for (const level of stubs) level?.owner.forEach((owner, index) => last.set(owner, level.x[index]));
  return last;
}

/** Zoom a camera around x. Some of the tree stays visible. */
export function zoomed(camera, factor, x, places, width) {
  const minimum = Math.min((width - 68) / Math.max(places - 1, 1), 120) * 0.7;
  const scale = Math.min(Math.max(camera.scale * factor, minimum), 400);
  return keepInView({ ...camera, scale, shift: x - ((x - camera.shift) * scale) / camera.scale }, places, width);
}

/** Move a camera sideways. Some of the tree stays visible. */
export function moved(camera, by, places, width) {
  return keepInView({ ...camera, shift: camera.shift + by }, places, width);
}

function keepInView(camera, places, width) {
  const edge = Math.min(80, width / 4);
  const shift = Math.min(Math.max(camera.shift, edge - (places - 1) * camera.scale), width - edge);
  return { ...camera, shift };
}

/** The camera that shows the places from `left` to `right` in a box, beside a margin for the level names. */
export function fit(left, right, width, height, levels, { top = 58, margin = 0, edge = 34, bottom = 0 } = {}) {
  const span = Math.max(right - left, 1e-9);
  const room = width - margin - 2 * edge;
  const scale = Math.min(room / span, 120);
  const middle = (left + right) / 2;
  const rowGap = (height - top - edge - bottom) / Math.max(levels - 1, 1);
  return { scale, shift: margin + edge + room / 2 - middle * scale, rowGap, top };
}

/** The labels that fit without overlap on `lines` lines: {text, x, line}. Items come from left to right. */
export function withoutOverlap(items, widthOf, lines, gap = 3) {
  const end = new Array(lines).fill(-Infinity);
  const kept = [];
  for (const item of items) {
    const half = widthOf(item.text) / 2;
    const line = end.findIndex((right) => item.x - half >= right + gap);
    if (line < 0) continue;
    end[line] = item.x + half;
    kept.push({ ...item, line });
  }
  return kept;
}
