// The overview: a whole search as bars, x is the order of visiting and y the depth. A node reaches from its number to the end of its
// subtree. Bars narrower than two pixels are merged into cells, one for each pixel and depth, that count them by class: nothing disappears.
// visualizer/drawing/overview draws the same picture for files.

import { firstAtLeast } from "./binary_search.js";

export const MIN_BAR = 2; // px: narrower bars are merged
const MAX_SAMPLED_ROWS = 8192; // values that the ranges are chosen from
const MAX_SEPARATE_SKIPPED = 7; // nodes that skipped this many moves or more are one class

/** The layout of the overview: all rows, or those of one pass, with at least so many depths. x is the number of a node, counted from the
 *  first one. */
export function overviewLayout(tree, { from = 0, to = tree.count } = {}, depths = 0) {
  const start = tree.number(from);
  const x = new Float64Array(tree.count);
  const levels = Array.from({ length: depths }, () => []);
  for (let row = from; row < to; row++) {
    x[row] = tree.number(row) - start;
    (levels[tree.depth(row)] ??= []).push(row);
  }
  const reach = (row) => ({ left: x[row], right: x[row] + tree.size(row) });
  const has = (row) => row >= from && row < to;
  const places = tree.number(to - 1) + tree.size(to - 1) - start + 1; // the last bar ends one place after its node
  return { overview: true, x, levels: levels.map((rows) => Uint32Array.from(rows)), places, reach, has };
}

/** What the pixels from 0 to `width` show at one depth.
 *
 * bars: the nodes that are wide enough, {row, left, right, code, skipped}, in pixels that are not rounded. cells: for each pixel, how many of the other nodes
 * of each class start there; where none does, the class of a node that reaches into it counts as one.
 */
export function overviewBand(tree, layout, depth, { scale, shift }, width, { classes, classOf }) {
  const rows = layout.levels[depth];
  const cells = new Uint32Array(width * classes.length);
  const bars = [];
  const tails = new Map(); // by pixel: the class of a narrow node that reaches into it
  const end = (row) => (layout.x[row] + tree.size(row)) * scale + shift;
  for (let place = firstAtLeast(rows.length, (i) => end(rows[i]), Number.MIN_VALUE); place < rows.length; place++) {
    const row = rows[place];
    const left = layout.x[row] * scale + shift;
    if (left >= width) break;
    const right = end(row);
    const code = classOf(row);
    if (right - left >= MIN_BAR) {
      bars.push({ row, left, right, code, skipped: tree.columns.skipped[row] });
      continue;
    }
    const first = Math.floor(left);
    if (first >= 0) cells[first * classes.length + code]++;
    if (first + 1 < Math.min(right, width)) tails.set(first + 1, code);
  }
  for (const [pixel, code] of tails) {
    const start = pixel * classes.length;
    if (pixel >= 0 && cells.subarray(start, start + classes.length).every((count) => count === 0)) cells[start + code] = 1;
  }
  return { bars, cells };
}

/** Share a height among the classes of one pixel, whose counts begin at `start`, and write the shares to `heights`. They add up to `height`.
 *  A class that occurs is at least one pixel high, if there is room. Return whether there is any. */
export function shareHeight(counts, start, height, heights) {
  let [total, present, most, rest] = [0, 0, 0, height];
  for (let code = 0; code < heights.length; code++) {
    total += counts[start + code];
    if (counts[start + code] > 0) present++;
  }
  const room = Math.max(height - present, 0);
  for (let code = 0; code < heights.length; code++) {
    heights[code] = counts[start + code] > 0 ? 1 + Math.floor((counts[start + code] * room) / total) : 0;
    rest -= heights[code];
    if (heights[code] > heights[most]) most = code;
  }
  if (total > 0) heights[most] = Math.max(heights[most] + rest, 0);
  return total > 0;
}

// ---- colourings: each sorts the nodes into a few classes, listed from the bottom of a bar to its top

const STATUSES = ["cutoff", "table", "open", "terminal", "exhausted", "horizon"];

/** The ways to colour the nodes of a tree: {name, title, classes: [{label, colour}], classOf}. Colours are names: see overview_view.js. */
export function colouringsOf(tree) {
  return [colourByStatus(tree), colourByValue(tree), ...(tree.pruning ? [colourBySkipped(tree), colourByType(tree)] : [])];
}

function colourByStatus(tree) {
  const colours = ["accent5", "answered", "unfinished", "strong", "inner", "plain"];
  const codes = new Map(STATUSES.map((status, code) => [status, code]));
  const classes = STATUSES.map((status, code) => ({ label: tree.meta.words.howLeft[status], colour: colours[code] }));
  return { name: "how-left", title: "How the node was left", classes, classOf: (row) => codes.get(tree.status(row)) };
}

/** Three ranges below the root's value, the value itself, and three above it. */
function colourByValue(tree) {
  const { centre, near, far } = valueRanges(tree);
  const limits = [-far, -near, 0, near, far].map((distance) => centre + distance);
  const labels = [[null, limits[0]], [limits[0], limits[1]], [limits[1], centre], [centre, centre], [centre, limits[3]], [limits[3], limits[4]], [limits[4], null]];
  const colours = ["below3", "below2", "below1", "inner", "above1", "above2", "above3"];
  const classes = labels.map((range, code) => ({ range, colour: colours[code] }));
  classes.push({ label: tree.meta.words.howLeft.open, colour: "unfinished" });
  const classOf = (row) => {
    if (tree.isOpen(row)) return 7;
    const value = tree.value(row);
    if (value === centre) return 3;
    return value < centre ? (value <= limits[0] ? 0 : value <= limits[1] ? 1 : 2) : value >= limits[4] ? 6 : value >= limits[3] ? 5 : 4;
  };
  return { name: "value", title: "Value, compared with the root's", classes, classOf };
}

/** The value of the root, and two distances from it that about a third of the other values each lie within. */
function valueRanges(tree) {
  const root = tree.value(tree.root);
  const centre = Number.isFinite(root) ? root : 0;
  const distances = [];
  for (let row = 0; row < tree.count; row += Math.ceil(tree.count / MAX_SAMPLED_ROWS)) {
    const distance = Math.abs(tree.value(row) - centre);
    if (!tree.isOpen(row) && distance > 0 && Number.isFinite(distance)) distances.push(distance);
  }
  if (!distances.length) return { centre, near: 1, far: 2 };
  distances.sort((a, b) => a - b);
  const near = distances[Math.floor(distances.length / 3)];
  const second = distances[Math.floor((2 * distances.length) / 3)];
  const far = second > near ? second : distances.at(-1) > near ? distances.at(-1) : 2 * near;
  return { centre, near, far };
}

function colourBySkipped(tree) {
  const { skipped } = tree.columns;
  const counts = Array.from({ length: MAX_SEPARATE_SKIPPED }, (_, k) => MAX_SEPARATE_SKIPPED - k);
  const label = (count) => (count === MAX_SEPARATE_SKIPPED ? `${count} or more moves skipped` : `${count} ${count === 1 ? "move" : "moves"} skipped`);
  const classes = [...counts.map((count) => ({ label: label(count), colour: `accent${count}` })), { label: "no cutoff", colour: "plain" }];
  return { name: "saved", title: "Moves that a cutoff skipped", classes, classOf: (row) => MAX_SEPARATE_SKIPPED - Math.min(skipped[row], MAX_SEPARATE_SKIPPED) };
}

/** Knuth and Moore's types: PV, CUT and ALL. */
function colourByType(tree) {
  const classes = [
    { label: "PV: value inside the window", colour: "strong" },
    { label: "CUT: reached the other side's bound", colour: "accent5" },
    { label: tree.meta.words.howLeft.open, colour: "unfinished" },
    { label: "ALL: no move improved the window", colour: "inner" },
  ];
  const reaches = (value, bound) => value > bound || (tree.meta.cutOnEqual && value === bound);
  const classOf = (row) => {
    if (tree.isOpen(row)) return 2;
    const [above, below] = [reaches(tree.value(row), tree.beta(row)), reaches(-tree.value(row), -tree.alpha(row))];
    const [cut, all] = tree.maximizing(row) ? [above, below] : [below, above];
    return cut ? 1 : all ? 3 : 0;
  };
  return { name: "node-type", title: "Type of the node: PV, CUT or ALL", classes, classOf };
}
