// The timeline under the tree: steps on x, depth on y. Each node is a bar from the step that enters it to the step that leaves it, as in the
// overview; cutoffs are marked. It shows the whole search and goes to a step.

import { colouringsOf, overviewBand } from "../model/overview.js";
import { prepareCanvas } from "./canvas.js";
import { BACK, CAUSE } from "./formatting.js";
import { paintBands } from "./overview_bars.js";
import { overviewColours } from "./overview_view.js";

const TOP = 12; // px, for the marks of the cutoffs
const BOTTOM = 8; // px, for the handle
const CUTOFF_BAR = 4; // px: the mark of a cutoff; a cross is a skipped move
const FINENESS = 6; // the bars are painted so many times as high and scaled down, so that shares below a pixel are true
const FUTURE_COVER = 0.62; // opacity

/** The bars and the cutoffs of the whole search, in as many pixels as the strip has: {bands, classes, scale, cuts}. */
export function summarizeSteps(tree, steps, pixels) {
  const [colouring] = colouringsOf(tree);
  const scale = pixels / steps.length;
  const x = new Float64Array(tree.count);
  const levels = Array.from({ length: tree.height + 1 }, () => []);
  const cuts = new Uint32Array(pixels);
  const last = Math.max(steps.length - 1, 1);
  for (let row = 0; row < tree.count; row++) {
    x[row] = steps.enter(row);
    levels[tree.depth(row)].push(row);
    if (tree.isPruned(row)) cuts[Math.round((steps.leave(row) * (pixels - 1)) / last)]++;
  }
  const size = (row) => Math.min(steps.leave(row) + 1, steps.length) - x[row];
  const bars = { columns: tree.columns, size };
  const bands = levels.map((_, depth) => overviewBand(bars, { x, levels }, depth, { scale, shift: 0 }, pixels, colouring));
  return { bands, classes: colouring.classes, scale, cuts };
}

/** Draw the timeline; `timelineData` may be missing until a server has sent it. */
export function drawTimeline(canvas, { tree, steps, t, theme, timelineData, hideFuture, bookmarks, shownPart, brushed }) {
  const { pen, width, height } = prepareCanvas(canvas);
  const now = (t / Math.max(steps.length - 1, 1)) * (width - 1);
  pen.imageSmoothingQuality = "high";
  const hasRoom = height > TOP + BOTTOM; // not while the page is laid out
  if (timelineData && hasRoom) pen.drawImage(paintedBars(timelineData, theme, height, hideFuture ? openCutoffs(tree, steps, t) : []), 0, 0, width, FINENESS * Math.ceil(height), 0, 0, width, Math.ceil(height));
  pen.globalAlpha = hideFuture ? 1 : FUTURE_COVER;
  pen.fillStyle = theme.background;
  pen.fillRect(now, TOP, width - now, height - TOP - BOTTOM);
  pen.fillStyle = theme.text;
  pen.globalAlpha = 0.35;
  for (const root of tree.roots.slice(1)) pen.fillRect((steps.enter(root) / Math.max(steps.length - 1, 1)) * (width - 1) - 1, 0, 1, height - 6);
  pen.globalAlpha = 1;
  pen.fillStyle = CAUSE;
  let lastBar = -Infinity;
  timelineData?.cuts.forEach((count, x) => {
    if (!count || (hideFuture && x > now) || x - lastBar < CUTOFF_BAR + 1) return;
    lastBar = x;
    pen.fillRect(x - CUTOFF_BAR / 2, 3, CUTOFF_BAR, 4);
  });
  for (const { step } of bookmarks) drawBookmark(pen, theme, (step / Math.max(steps.length - 1, 1)) * (width - 1), height);
  if (brushed) markRange(pen, brushed, tree.meta.expanded, width, height);
  if (shownPart) frameShownPart(pen, theme, shownPart, width, height);
  pen.fillStyle = theme.sides.max;
  pen.fillRect(now - 1, 0, 2, height - 4);
  pen.beginPath();
  pen.arc(Math.min(Math.max(now, 5), width - 5), height - 6, 5, 0, 2 * Math.PI);
  pen.fill();
}

/** The open nodes that will be cut off. Their colour would give it away while the future is hidden. */
function openCutoffs(tree, steps, t) {
  return tree.path(steps.at(t).node).filter((row) => tree.isPruned(row) && steps.leave(row) > t);
}

/** The bars on a canvas of their own, painted again only if the height, the theme or the rows in the colour of other nodes have changed. */
function paintedBars(data, theme, height, plainRows) {
  const key = [height, theme.text, theme.background, ...plainRows].join();
  if (data.painted?.key === key) return data.painted.picture;
  const { bands, classes, scale, cuts: { length: width } } = data;
  const named = overviewColours(theme);
  const picture = new OffscreenCanvas(width, FINENESS * Math.ceil(height));
  const pitch = (FINENESS * (height - TOP - BOTTOM)) / bands.length;
  const inner = classes.findIndex(({ colour }) => colour === "inner");
  const plain = bands.map(({ bars, cells }) => ({ bars: bars.map((bar) => ({ ...bar, code: plainRows.includes(bar.row) ? inner : bar.code, skipped: 0 })), cells })); // no empty bars of skipped moves
  const colours = classes.map(({ colour }) => named[colour]);
  paintBands(picture.getContext("2d"), plain, { colours, pitch, top: FINENESS * TOP, width, scale, theme });
  data.painted = { key, picture };
  return picture;
}

/** Frame the part that the overview shows, as on a map. */
function frameShownPart(pen, theme, { from, to }, width, height) {
  pen.strokeStyle = theme.text;
  pen.lineWidth = 1.5;
  pen.strokeRect(from * (width - 2) + 1, 1, Math.max((to - from) * (width - 2), 2), height - 8);
}

/** A band below the part of the search that was chosen. */
function markRange(pen, { first, last }, nodes, width, height) {
  pen.fillStyle = BACK;
  pen.fillRect((first / nodes) * (width - 1), height - 7, Math.max(((last - first) / nodes) * (width - 1), 2), 3);
}

function drawBookmark(pen, theme, x, height) {
  pen.fillStyle = theme.text;
  pen.fillRect(x - 0.5, height - 22, 1, 22);
  pen.beginPath();
  pen.moveTo(x, height - 22);
  pen.lineTo(x + 9, height - 18);
  pen.lineTo(x, height - 14);
  pen.fill();
}
