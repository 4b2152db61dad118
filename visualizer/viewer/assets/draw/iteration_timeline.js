// The timeline of a search in iterations: iterations on x, the depth of their leaves on y, and marks where the best move changes.

import { prepareCanvas } from "./canvas.js";
import { BEST } from "./formatting.js";

const ABOVE = 12; // px for the marks
const BELOW = 8; // px for the handle
const HALF_MARK = 4; // px

/** The share of the strip at which an iteration is. */
export function shareOf(iteration, iterations) {
  return (iteration - 1) / Math.max(iterations - 1, 1);
}

/** The iteration at a share of the strip. */
export function iterationAt(share, iterations) {
  return 1 + Math.round(Math.min(Math.max(share, 0), 1) * (iterations - 1));
}

/** Draw the strip. `timeline` has `starts` (iterations from 0), `low` and `high` depths of buckets, and `changes` [iteration, step, move]. */
export function drawIterationTimeline(canvas, { timeline, iterations, iteration, bookmarked, hideFuture, theme }) {
  const { pen, width, height } = prepareCanvas(canvas);
  const x = (number) => shareOf(number, iterations) * (width - 1);
  const deepest = Math.max(...timeline.high, 1);
  const row = (height - ABOVE - BELOW) / (deepest + 1);
  timeline.starts.forEach((start, index) => {
    const from = (start / iterations) * width; // each iteration has the same width: x(iteration) lies inside it
    const to = ((timeline.starts[index + 1] ?? iterations) / iterations) * width;
    pen.globalAlpha = start + 1 <= iteration ? 0.75 : 0.28;
    pen.fillStyle = theme.text;
    const deep = timeline.high[index] - timeline.low[index] + 1;
    pen.fillRect(from, ABOVE + timeline.low[index] * row, Math.max(to - from - (to - from > 3 ? 1 : 0), 1), Math.max(1.5, deep * row));
  });
  pen.globalAlpha = 1;
  pen.fillStyle = BEST;
  let last = -Infinity;
  for (const [number] of timeline.changes) {
    if (x(number) - last < HALF_MARK || (hideFuture && number > iteration)) continue;
    last = Math.min(Math.max(x(number), HALF_MARK), width - HALF_MARK); // whole at the ends, too
    pen.beginPath();
    pen.moveTo(last - HALF_MARK, 1);
    pen.lineTo(last + HALF_MARK, 1);
    pen.lineTo(last, 9);
    pen.fill();
  }
  pen.fillStyle = theme.text;
  for (const number of bookmarked) pen.fillRect(x(number) - 1, height - 22, 3, 14);
  const now = x(iteration);
  pen.fillStyle = theme.sides.max;
  pen.fillRect(now - 1, 0, 2, height - 4);
  pen.beginPath();
  pen.arc(Math.min(Math.max(now, 5), width - 5), height - 6, 5, 0, 2 * Math.PI);
  pen.fill();
}
