// The path view: one row per depth, the moves of each node of the path below it, in places that never change.
// Everything drawn is also returned as a list of boxes, so that a click can be told what it hit.

import { cross, label, prepare, ring, triangle } from "./canvas.js";
import { pathRows, rowsInSight, slotsInSight } from "./layout.js";
import { compact, number, windowText, withBound } from "./look.js";

const ROOM_FOR_NUMBERS = 84; // px between two nodes of a row: a number fits between them, and two words too with
const ROOM_FOR_WORDS = 130;
const LEAST_SLOT = 30; // px: where more moves than fit are possible, some are shown

export function drawPath(canvas, scene) {
  const { tree, steps, t } = scene;
  const { pen, width, height } = prepare(canvas);
  const step = steps.at(t);
  const path = tree.path(step.node);
  const sight = rowsInSight(tree.height, tree.depth(step.node), height);
  const least = sight.first > 0 ? 64 : 36; // a full row stands below the buttons
  const gap = Math.min((height - least - 48) / Math.max(sight.count - 1, 1), 132);
  const top = Math.max(least, (height - gap * (sight.count - 1)) / 2 - 8);
  const size = Math.max(8, Math.min(15, gap * 0.24, width / 7 / 4));
  const text = Math.max(10, Math.min(15, gap * 0.3));
  const shown = step.kind === "return" ? tree.path(step.child) : path;
  const rows = pathRows(tree, shown).slice(sight.first, sight.first + sight.count);
  const most = Math.max(3, Math.floor(width / LEAST_SLOT));
  const places = new Map();
  const cut = [];
  rows.forEach((all, line) => {
    const { items, before, after } = slotsInSight(all, shown[sight.first + line], most);
    rows[line] = items;
    if (before) cut.push([`← ${before} more`, 4, "left", line]);
    if (after) cut.push([`${after} more →`, width - 4, "right", line]);
    for (const item of items) {
      item.x = ((item.slot + 0.5) * width) / item.slots;
      item.y = top + line * gap;
      item.room = item.slot === item.slots - 1 ? width - item.x : width / item.slots;
      if (item.kind === "node") places.set(item.row, item);
    }
  });
  const drawing = { ...scene, pen, step, onPath: new Set(path), gap, size, text };
  if (sight.first > 0) label(pen, scene.theme, `↑ ${sight.first} more above`, 4, 14, { size: 11, alpha: 0.75, align: "left" });
  for (const item of rows.slice(1).flat()) edge(drawing, places.get(item.owner), item);
  for (const item of rows.flat()) glyph(drawing, item);
  for (const [words, x, align, line] of cut) label(pen, scene.theme, words, x, top + line * gap + size + 14, { size: 11, alpha: 0.8, align });
  return [...places.values()].map(({ row, x, y }) => ({
    row, x: x - size - 8, y: y - size - 8, width: 2 * size + 40, height: 2 * size + text + 16,
  }));
}

function edge({ pen, theme, steps, t, principal, onPath, gap, size, text }, from, item) {
  const cut = item.kind === "stub" && steps.stubVisible(item.owner, t);
  const walked = item.kind === "node" && onPath.has(item.row);
  const best = principal?.has(item.row);
  pen.strokeStyle = theme.text;
  pen.globalAlpha = walked || best ? 0.9 : 0.42;
  pen.lineWidth = best ? 3 : walked ? 2.2 : 1;
  pen.setLineDash(cut ? [4, 4] : []);
  pen.beginPath();
  pen.moveTo(from.x, from.y + size * 0.9);
  pen.bezierCurveTo(from.x, from.y + gap * 0.55, item.x, item.y - gap * 0.5, item.x, item.y - size - text * 0.2);
  pen.stroke();
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

function glyph(drawing, item) {
  const { pen, theme, tree, steps, t, step, selected, size, text } = drawing;
  const isStub = item.kind === "stub";
  if (item.owner >= 0) {
    const name = short(item, tree.meta.kind, item.room - size - 8, text * 0.8);
    label(pen, theme, name, item.x + size * 0.7 + 5, item.y - size - text * 0.25, { size: text * 0.8, alpha: 0.75, align: "left" });
  }
  if (isStub && steps.stubVisible(item.owner, t)) {
    cross(pen, item.x, item.y, size * 0.6, theme.text);
    return;
  }
  const maximizing = isStub ? !tree.maximizing(item.owner) : tree.maximizing(item.row);
  const state = isStub ? "future" : steps.state(item.row, t);
  triangle(pen, item.x, item.y, size, maximizing, state, theme, !isStub && item.row === step.node);
  if (isStub) return;
  if (item.row === selected) ring(pen, item.x, item.y, size * 1.75, theme.text);
  const value = steps.valueShown(item.row, t);
  if (value === null) known(drawing, item);
  else {
    const hidden = tree.hidden(item.row) ? ` +${compact(tree.hidden(item.row))}` : "";
    const words = withBound(value, tree.bound(item.row)) + hidden;
    const ring = item.row === step.node ? size * 0.6 : 0;
    label(pen, theme, words, item.x, item.y + size + ring + text * 0.95, { size: text, strong: true });
  }
}

/** What is known so far of a node on the path, and the window of the one where the search is. */
function known({ pen, theme, tree, steps, t, step, onPath, size, text }, item) {
  if (!onPath.has(item.row)) return;
  const { alpha, beta, best } = steps.soFar(item.row, t);
  const wide = item.room > ROOM_FOR_NUMBERS;
  const lines = [];
  if (best !== null) lines.push((tree.maximizing(item.row) ? "≥ " : "≤ ") + number(best) + (item.room > ROOM_FOR_WORDS ? " so far" : ""));
  if (item.row === step.node && tree.pruning) lines.push(windowText(alpha, beta));
  const style = { size: text * 0.9, alpha: 0.9, align: wide ? "left" : "center" };
  const x = wide ? item.x + size * 1.6 + 6 : item.x;
  const ring = item.row === step.node ? size * 0.6 : 0; // what stands below the node keeps clear of its ring
  const y = wide ? item.y + text * (lines.length > 1 ? 0.2 : 0.7) : item.y + size + ring + text * 0.95;
  lines.forEach((line, index) => label(pen, theme, line, x, y + index * text * 1.05, style));
}

/** A name that has room beside its node: a letter is about six tenths as wide as it is high. */
function short({ name, move }, kind, room, size) {
  const letters = Math.max(2, Math.floor(room / (size * 0.62)));
  if (name.length <= letters) return name;
  if (kind === "nim") return `${move % 1000}/h${Math.floor(move / 1000)}`; // so many from that heap
  return `${name.slice(0, letters - 1)}…`;
}
