// The whole tree under a camera {scale, shift}: what is too small to be seen is left out, what has room is labelled.

import { cross, label, prepare, ring, triangle } from "./canvas.js";
import { firstAtLeast, fit, withoutOverlap } from "./layout.js";
import { compact, sideColour, windowText, withBound } from "./look.js";

const SKIP = 0.7; // px: things of one state nearer than this to the last one drawn are left out
const REACH = 16; // px: how far from a node a click may be

/** Draws it; returns a function that finds the node nearest to a point (-1: none). */
export function drawWhole(canvas, scene) {
  const { tree, steps, t, layout, camera, closed } = scene;
  const { pen, width, height } = prepare(canvas);
  const view = fit(0, layout.places - 1, width, height, tree.height + 1);
  const path = tree.path(steps.at(t).node);
  const hiddenBy = path.findIndex((row) => closed.has(row));
  const onPath = new Set(hiddenBy < 0 ? path : path.slice(0, hiddenBy + 1));
  const at = (x) => x * camera.scale + camera.shift;
  const drawing = {
    ...scene, pen, onPath, current: path[hiddenBy < 0 ? path.length - 1 : hiddenBy], at, gap: view.rowGap,
    yOf: (depth) => view.top + depth * view.rowGap,
  };
  const left = (-40 - camera.shift) / camera.scale;
  const right = (width + 40 - camera.shift) / camera.scale;
  const seen = layout.levels.map((rows, depth) => ({
    nodes: range(rows.length, (i) => layout.x[rows[i]], left, right),
    stubs: range(layout.stubs[depth]?.x.length ?? 0, (i) => layout.stubs[depth].x[i], left, right),
  }));
  frames(drawing, scene.framed ?? []);
  seen.forEach(({ nodes, stubs }, depth) => depth > 0 && edges(drawing, depth, nodes, stubs));
  seen.forEach(({ nodes, stubs }, depth) => {
    const items = nodes.to - nodes.from + stubs.to - stubs.from;
    const spacing = items > 1 ? Math.max(camera.scale, width / items) : 80;
    const size = Math.max(1.6, Math.min(12, spacing * 0.32, view.rowGap * 0.2));
    crosses(drawing, depth, stubs, Math.min(size, camera.scale * layout.stubsApart * 0.6));
    triangles(drawing, depth, nodes, size, spacing);
  });

  return function nearest(px, py) {
    const depth = Math.round((py - view.top) / view.rowGap);
    const rows = layout.levels[depth];
    if (!rows) return -1;
    const after = firstAtLeast(rows.length, (i) => at(layout.x[rows[i]]), px);
    const near = [rows[after - 1], rows[after]].filter((row) => row !== undefined);
    const distance = (row) => Math.abs(at(layout.x[row]) - px);
    near.sort((a, b) => distance(a) - distance(b));
    return near.length && distance(near[0]) < REACH ? near[0] : -1;
  };
}

function range(count, xOf, left, right) {
  return { from: firstAtLeast(count, xOf, left), to: firstAtLeast(count, xOf, right) };
}

/** Boxes around subtrees. */
function frames({ pen, theme, tree, layout, camera, at, yOf }, rows) {
  for (const row of rows) {
    const { left, right } = layout.extent(row);
    const margin = Math.max(3, Math.min(12, camera.scale * 0.45));
    const top = yOf(tree.depth(row)) - 16;
    const box = [at(left) - margin, top, at(right) - at(left) + 2 * margin, yOf(tree.height) + 22 - top];
    pen.fillStyle = theme.text;
    pen.globalAlpha = 0.1;
    pen.fillRect(...box);
    pen.globalAlpha = 1;
  }
}

function edges({ pen, theme, tree, steps, t, layout, principal, onPath, at, yOf }, depth, nodes, stubs) {
  const rows = layout.levels[depth];
  const plain = new Path2D();
  const faint = new Path2D();
  const bold = new Path2D();
  const dashed = new Path2D();
  const line = (target, owner, x) => {
    target.moveTo(at(layout.x[owner]), yOf(depth - 1));
    target.lineTo(x, yOf(depth));
  };
  let lastX = -Infinity;
  for (let i = Math.max(0, nodes.from - 1); i < Math.min(rows.length, nodes.to + 1); i++) {
    const row = rows[i];
    const x = at(layout.x[row]);
    const special = onPath.has(row) || principal?.has(row);
    if (steps.enterStep(row) > t || (!special && x - lastX < SKIP)) continue;
    line(special ? bold : steps.state(row, t) === "spared" ? faint : plain, tree.parent(row), x);
    if (!special) lastX = x;
  }
  lastX = -Infinity;
  for (let i = stubs.from; i < stubs.to; i++) {
    const { x, owner } = layout.stubs[depth];
    if (!steps.stubVisible(owner[i], t) || at(x[i]) - lastX < 4 * SKIP) continue;
    line(dashed, owner[i], (lastX = at(x[i])));
  }
  stroke(plain, 0.35, 0.8, []);
  stroke(faint, 0.14, 0.8, []);
  stroke(dashed, 0.45, 0.8, [3, 3]);
  stroke(bold, 0.95, 2.2, []);

  function stroke(lines, alpha, thickness, dash) {
    pen.strokeStyle = theme.text;
    pen.globalAlpha = alpha;
    pen.lineWidth = thickness;
    pen.setLineDash(dash);
    pen.stroke(lines);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }
}

/** Skipped moves: crosses once their node is cut, and until then like any child not yet visited. */
function crosses({ pen, theme, tree, steps, t, layout, at, yOf }, depth, { from, to }, size) {
  let lastX = -Infinity;
  for (let i = from; i < to; i++) {
    const { x, owner } = layout.stubs[depth];
    const px = at(x[i]);
    if (px - lastX < SKIP) continue;
    lastX = px;
    if (!steps.stubVisible(owner[i], t)) small(pen, px, yOf(depth), size, !tree.maximizing(owner[i]), "future", theme);
    else if (size >= 2.5) cross(pen, px, yOf(depth), Math.min(size * 0.6, 5), theme.text, size < 6 ? 1 : 2);
    else {
      pen.fillStyle = theme.text;
      pen.globalAlpha = 0.35;
      pen.fillRect(px - 0.4, yOf(depth) - 1.2, 0.8, 2.4);
      pen.globalAlpha = 1;
    }
  }
}

/** A node as a triangle, or as a dash where there is no room for one. */
function small(pen, x, y, size, maximizing, state, theme, current = false) {
  if (size >= 3) {
    triangle(pen, x, y, size, maximizing, state, theme, current);
    return;
  }
  pen.globalAlpha = state === "future" ? 0.25 : state === "spared" ? 0.3 : 1;
  pen.fillStyle = state === "spared" ? theme.text : sideColour(maximizing);
  pen.fillRect(x - 0.8, y - size, 1.6, 2 * size);
  pen.globalAlpha = 1;
}

function triangles(drawing, depth, { from, to }, size, spacing) {
  const { pen, theme, tree, steps, t, layout, closed, current, selected, at, yOf } = drawing;
  const rows = layout.levels[depth];
  const y = yOf(depth);
  const last = { future: -Infinity, path: -Infinity, done: -Infinity, cut: -Infinity, spared: -Infinity };
  const values = [];
  const names = [];
  for (let i = from; i < to; i++) {
    const row = rows[i];
    const x = at(layout.x[row]);
    const state = steps.state(row, t);
    const special = row === current || row === selected;
    if (!special && x - last[state] < SKIP) continue;
    last[state] = x;
    small(pen, x, y, special ? Math.max(size, 6) : size, tree.maximizing(row), state, theme, row === current);
    if (row === selected) ring(pen, x, y, size * 1.9 + 3, theme.text);
    if (size < 3) continue;
    const value = steps.valueShown(row, t);
    const below = closed.has(row) ? tree.size(row) - 1 : tree.hidden(row);
    const text = [value === null ? "" : withBound(value, tree.bound(row)), below ? `+${compact(below)}` : ""].join(" ").trim();
    if (text) values.push({ text, x });
    if (row > 0 && spacing >= 22 && state !== "future" && state !== "spared") names.push({ text: tree.moveName(row), x });
  }
  const text = drawing.lecture ? 13 : Math.min(13, Math.max(10, spacing * 0.3));
  write(drawing, values, 2, y + size + text, text, { strong: true });
  write(drawing, names, 1, y - size - 4, 10, { alpha: 0.75 });
  const place = rows.indexOf(current);
  if (place >= 0 && tree.pruning) windowBeside(drawing, current, y, size);
}

/** Labels side by side; one that would lie on another goes to the next line, or is left out if that is the last. */
function write({ pen, theme }, items, lines, y, size, style) {
  pen.font = `600 ${size}px ${theme.font}`;
  for (const { text, x, line } of withoutOverlap(items, (words) => pen.measureText(words).width, lines)) {
    label(pen, theme, text, x, y + line * size, { size, ...style });
  }
}

function windowBeside({ pen, theme, steps, t, layout, at }, row, y, size) {
  const { alpha, beta } = steps.soFar(row, t);
  const x = at(layout.x[row]);
  const right = x < pen.canvas.clientWidth - 120;
  label(pen, theme, windowText(alpha, beta), x + (right ? 1 : -1) * (size * 1.6 + 10), y - 6, { size: 12, align: right ? "left" : "right" });
}
