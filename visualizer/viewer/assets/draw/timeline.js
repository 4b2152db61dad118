// The timeline under the tree: steps on x, depth on y, cutoffs marked. It shows the whole search and goes to a step.

import { prepareCanvas } from "./canvas.js";
import { BACK, CAUSE, MAX } from "./formatting.js";

const CUTOFF_BAR = 4; // px: the mark of a cutoff; a cross is a skipped move

/** Depths and cutoffs of the whole search, in as many buckets as the strip has pixels. */
export function summarizeSteps(tree, steps, buckets) {
  const low = new Uint16Array(buckets).fill(65535);
  const high = new Uint16Array(buckets);
  const cuts = new Uint32Array(buckets);
  const last = Math.max(steps.length - 1, 1);
  const bucketOf = (step) => Math.round((step * (buckets - 1)) / last);
  for (let row = 0; row < tree.count; row++) {
    const bucket = bucketOf(steps.enter(row));
    const depth = tree.depth(row);
    if (depth < low[bucket]) low[bucket] = depth;
    if (depth > high[bucket]) high[bucket] = depth;
    if (tree.isPruned(row)) cuts[bucketOf(steps.leave(row))]++;
  }
  return { low, high, cuts };
}

/** Draw the timeline; `timelineData` may be missing until a server has sent it. */
export function drawTimeline(canvas, { tree, steps, t, theme, timelineData, hideFuture, bookmarks, shownPart, brushed }) {
  const { pen, width, height } = prepareCanvas(canvas);
  const bar = height - 20;
  const row = bar / (tree.height + 1);
  const now = (t / Math.max(steps.length - 1, 1)) * (width - 1);
  timelineData?.low.forEach((low, x) => {
    if (low === 65535) return;
    pen.globalAlpha = x <= now ? 0.75 : 0.28;
    pen.fillStyle = theme.text;
    pen.fillRect(x, 12 + low * row, 1, Math.max(1.5, (timelineData.high[x] - low + 1) * row - 1));
  });
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
  pen.fillStyle = MAX;
  pen.fillRect(now - 1, 0, 2, height - 4);
  pen.beginPath();
  pen.arc(Math.min(Math.max(now, 5), width - 5), height - 6, 5, 0, 2 * Math.PI);
  pen.fill();
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
