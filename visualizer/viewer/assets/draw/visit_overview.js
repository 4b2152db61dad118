// The overview of a search in iterations: nodes as bars below each other, as wide as their share of the visits.

import { drawLabel, prepareCanvas } from "./canvas.js";
import { compact, MAX, MIN } from "./formatting.js";
import { meanText } from "./visit_view.js";

const TOP = 46; // px above the bars, for buttons
const NARROW_TOP = 4; // px where the buttons stand above the picture
const MIN_WIDTH = 0.7; // px of a bar
const MAX_BAR = 46; // px
const MIN_BAR = 15; // px; bars below the picture are left out

/** Draw the bars of a scene: see visit_view.js. Return a function from a point to the row of a bar; -1: none. */
export function drawVisitOverview(canvas, { tree, counts, path, current, selected, theme, bottom }) {
  const { pen, width, height } = prepareCanvas(canvas);
  const bars = tree.bars(counts.visits, MIN_WIDTH / width);
  const top = canvas.closest(".to-760") ? NARROW_TOP : TOP;
  const room = height - top - bottom - 6;
  const deepest = Math.max(...bars.map(({ depth }) => depth), 0);
  const step = Math.max(Math.min(room / (deepest + 1), MAX_BAR), MIN_BAR);
  const onPath = new Set(path.map((row) => tree.place(row)));
  const visible = bars.filter(({ depth }) => (depth + 1) * step <= room + 1);
  const boxOf = ({ from, to, depth }) => ({ x: from * width, y: top + depth * step, across: Math.max((to - from) * width - 1, 0.5), high: step - 2 });
  for (const bar of visible) {
    const { x, y, across, high } = boxOf(bar);
    fillBar(pen, theme, x, y, across, high, counts.totals[bar.place] / (2 * counts.visits[bar.place]));
    const share = `${bar.place ? `${tree.names[bar.place]} · ` : ""}${compact(counts.visits[bar.place])}`;
    writeInside(pen, theme, [`${share} · ${meanText(tree.meanOf(bar.place, counts))}`, share, bar.place ? tree.names[bar.place] : ""], x, y, across, high);
  }
  for (const bar of visible) {
    const row = tree.rows[bar.place];
    if (!onPath.has(bar.place) && row !== selected) continue;
    const { x, y, across, high } = boxOf(bar);
    pen.strokeStyle = theme.text;
    pen.lineWidth = row === current || row === selected ? 3.5 : 2;
    pen.strokeRect(x + 1, y + 1, Math.max(across - 2, 1), high - 2);
  }
  return (x, y) => {
    const found = visible.find((bar) => {
      const box = boxOf(bar);
      return x >= box.x && x <= box.x + box.across + 1 && y >= box.y && y <= box.y + box.high;
    });
    return found ? tree.rows[found.place] : -1;
  };
}

/** Blue where MAX wins, orange where MIN does, pale between them. */
function fillBar(pen, theme, x, y, width, height, share) {
  pen.fillStyle = theme.panel;
  pen.fillRect(x, y, width, height);
  pen.fillStyle = share >= 0.5 ? MAX : MIN;
  pen.globalAlpha = 0.12 + 1.2 * Math.abs(share - 0.5);
  pen.fillRect(x, y, width, height);
  pen.globalAlpha = 1;
}

/** Write the first of these words that fits. */
function writeInside(pen, theme, choices, x, y, width, height) {
  pen.font = `400 12px ${theme.font}`;
  const words = choices.find((choice) => choice && pen.measureText(choice).width < width - 8);
  if (words) drawLabel(pen, theme, words, x + width / 2, y + height / 2 + 4, { size: 12 });
}
