// The whole tree under a camera {scale, shift}: what is too small to be seen is left out, what has room is labelled.

import { againOf, arcOf, arrowHead, bandOf, causeOf, cross, diamond, horizonLine, label, levelMargin, levelNames, pill, prepare, ring, stroke, triangle } from "./canvas.js";
import { firstAtLeast } from "../model/binary_search.js";
import { probedAt } from "../model/table_links.js";
import { fit, moveLabel, passName, withoutOverlap } from "../model/tidy_layout.js";
import { BACK, CAUSE, compact, knownSoFar, number, sideColour, windowText, withBound } from "./formatting.js";

const DENSE = 3; // px: where things of a depth are nearer than this, their subtrees are drawn as wedges
const ROOM_FOR_A_PILL = 76; // px between two nodes of a depth
const ROOM_FOR_A_GHOST = 30;
const DRIVER_ROOM = 40; // px above the roots of several passes
const REACH = 16; // px: how far from a node a click may be

/** Draws it; returns a function that finds the node nearest to a point (-1: none). */
export function drawWhole(canvas, scene) {
  const { tree, steps, t, layout, camera, closed } = scene;
  const { pen, width, height } = prepare(canvas);
  const top = tree.hasDriver && !scene.alone ? (scene.top ?? 58) + DRIVER_ROOM : scene.top;
  const view = fit(0, layout.places - 1, width, height, layout.levels.length, { top, bottom: scene.bottom });
  const path = tree.path(steps.at(t).node);
  const hiddenBy = path.findIndex((row) => closed.has(row));
  const shown = hiddenBy < 0 ? path : path.slice(0, hiddenBy + 1);
  const at = (x) => x * camera.scale + camera.shift;
  const drawing = {
    ...scene, pen, width, shown, onPath: new Set(shown), current: shown.at(-1), at, gap: view.rowGap,
    yOf: (depth) => view.top + depth * view.rowGap, deepest: layout.levels.length - 1,
  };
  const left = (-40 - camera.shift) / camera.scale;
  const right = (width + 40 - camera.shift) / camera.scale;
  const dense = layout.gaps.findIndex((gap, depth) => depth > 0 && gap * camera.scale < DENSE);
  const depths = dense < 0 ? layout.levels.length : dense;
  const seen = layout.levels.slice(0, depths).map((rows, depth) => ({
    nodes: range(rows.length, (i) => layout.x[rows[i]], left, right),
    stubs: range(layout.stubs[depth]?.x.length ?? 0, (i) => layout.stubs[depth].x[i], left, right),
  }));
  frames(drawing, scene.framed ?? []);
  horizons(drawing);
  driver(drawing);
  if (dense > 0) wedges(drawing, dense - 1, seen[dense - 1].nodes);
  if (scene.principal) bandOf(pen, way(drawing, [...scene.principal].filter(layout.has)));
  seen.forEach(({ nodes, stubs }, depth) => depth > 0 && edges(drawing, depth, nodes, stubs));
  stroke(pen, scene.theme, way(drawing, shown), 0.95, 2.4);
  causeLine(drawing);
  seen.forEach(({ nodes, stubs }, depth) => {
    const spacing = Math.min(layout.gaps[depth] * camera.scale, 80);
    const size = Math.max(1.6, Math.min(12, spacing * 0.42, view.rowGap * 0.2));
    skippedMoves(drawing, depth, stubs, Math.min(size, layout.stubGaps[depth] * camera.scale * 0.5));
    triangles(drawing, depth, layout.levels[depth].subarray(nodes.from, nodes.to), size, spacing);
  });
  const below = [...shown, scene.selected].filter((row) => layout.has(row) && tree.depth(row) >= depths);
  for (const row of below) triangles(drawing, tree.depth(row), Uint32Array.of(row), 6, 80);
  soFar(drawing);
  causeWords(drawing);
  goingBack(drawing);
  pen.fillStyle = scene.theme.background;
  pen.fillRect(0, view.top - 14, levelMargin(width), height);
  levelNames(pen, scene.theme, tree.sides.slice(0, layout.levels.length).map((maximizing, depth) => ({ depth, maximizing, y: drawing.yOf(depth) })), width);

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

/** What made the passes: a point above their roots, with the number of each pass at its edge. */
function driver({ pen, theme, tree, steps, t, layout, camera, alone, at, yOf }) {
  if (!tree.hasDriver || alone) return;
  const xs = tree.roots.map((row) => at(layout.x[row]));
  const [x, y] = [(xs[0] + xs.at(-1)) / 2, yOf(0) - DRIVER_ROOM];
  tree.roots.forEach((row, index) => {
    const edge = new Path2D();
    edge.moveTo(x, y);
    edge.lineTo(xs[index], yOf(0));
    stroke(pen, theme, edge, steps.enter(row) > t ? 0.2 : 0.5, 0.9);
    if (layout.gaps[0] * camera.scale >= 22) label(pen, theme, passName(tree, row), xs[index], yOf(0) - 24, { size: 10, alpha: 0.8 });
  });
  pen.fillStyle = theme.text;
  pen.fillRect(x - 4, y - 4, 8, 8);
  label(pen, theme, "driver", x + 9, y + 4, { size: 11, alpha: 0.8, align: "left" });
}

/** From a call to the earlier one that it goes back to, as far as that is in the picture. */
function goingBack({ pen, theme, tree, layout, link, at, yOf, width }) {
  if (!link || !layout.has(link.row)) return;
  const place = (row) => [at(layout.x[row]), yOf(tree.depth(row))];
  if (link.source >= 0 && layout.has(link.source)) {
    if (link.answered) arcOf(pen, place(link.row), place(link.source), 14); // a move that is searched again is tied to its probe anyway
    ring(pen, ...place(link.source), 15, BACK, 2);
  }
  const [x, y] = place(link.row);
  pill(pen, theme, link.words, x + 20, y - 24, { size: 12, colour: BACK, align: "left", from: levelMargin(width) });
}

/** The depth limit of each pass, where quiescence goes beyond it: below its tree, or all along if it is the only one. */
function horizons({ pen, theme, tree, layout, gap, deepest, shown, alone, at, yOf, width }) {
  const roots = alone ? shown.slice(0, 1) : tree.roots;
  for (const root of roots) {
    const K = tree.horizon(root);
    if (K === null || K >= deepest) continue;
    const { left, right } = layout.reach(root);
    const [from, to] = roots.length > 1 ? [at(left) - 6, at(right) + 6] : [levelMargin(width), width];
    horizonLine(pen, theme, K, yOf(K + 0.5), from, to, gap);
  }
}

/** Boxes around subtrees. */
function frames({ pen, theme, tree, layout, camera, at, yOf, deepest }, rows) {
  for (const row of rows) {
    const { left, right } = layout.reach(row);
    const margin = Math.max(3, Math.min(12, camera.scale * 0.45));
    const top = yOf(tree.depth(row)) - 16;
    const box = [at(left) - margin, top, at(right) - at(left) + 2 * margin, yOf(deepest) + 22 - top];
    pen.fillStyle = theme.text;
    pen.globalAlpha = 0.1;
    pen.fillRect(...box);
    pen.globalAlpha = 1;
  }
}

/** The subtrees below the last depth that can be drawn: one shape each, filled as far as the search has come, with its count. */
function wedges(drawing, depth, { from, to }) {
  const { pen, theme, tree, steps, t, layout, at, yOf, deepest } = drawing;
  const counts = [];
  for (const row of layout.levels[depth].subarray(from, to)) {
    if (tree.end(row) === row + 1) continue;
    const { left, right } = layout.reach(row);
    const state = steps.stateAt(row, t);
    const bottom = yOf(deepest);
    pen.beginPath();
    pen.moveTo(at(layout.x[row]), yOf(depth));
    pen.lineTo(at(right), bottom);
    pen.lineTo(at(left), bottom);
    pen.closePath();
    pen.fillStyle = theme.text;
    pen.globalAlpha = { future: 0.05, path: 0.14, spared: 0.05 }[state] ?? 0.24;
    pen.fill();
    pen.globalAlpha = 0.3;
    pen.strokeStyle = theme.text;
    pen.lineWidth = 0.6;
    pen.stroke();
    pen.globalAlpha = 1;
    if (state !== "future") counts.push({ text: compact(tree.size(row) - 1), x: (at(left) + at(right)) / 2 });
  }
  write(drawing, counts, 1, yOf(deepest) + 14, 10, { alpha: 0.8 });
}

function edges({ pen, theme, tree, steps, t, layout, at, yOf }, depth, nodes, stubs) {
  const rows = layout.levels[depth];
  const plain = new Path2D();
  const faint = new Path2D();
  const dashed = new Path2D();
  const line = (target, owner, x) => {
    target.moveTo(at(layout.x[owner]), yOf(depth - 1));
    target.lineTo(x, yOf(depth));
  };
  for (let i = Math.max(0, nodes.from - 1); i < Math.min(rows.length, nodes.to + 1); i++) {
    const row = rows[i];
    const future = steps.enter(row) > t || steps.stateAt(row, t) === "spared";
    line(future ? faint : plain, tree.parent(row), at(layout.x[row]));
  }
  for (let i = stubs.from; i < stubs.to; i++) {
    const { x, owner } = layout.stubs[depth];
    line(steps.stubVisible(owner[i], t) ? dashed : faint, owner[i], at(x[i]));
  }
  stroke(pen, theme, faint, 0.2, 0.6);
  stroke(pen, theme, plain, 0.5, 0.9);
  stroke(pen, theme, dashed, 0.5, 0.9, [3, 3]);
}

/** The edges that lead to these rows. */
function way({ tree, layout, at, yOf }, rows) {
  const lines = new Path2D();
  for (const row of rows) {
    if (tree.parent(row) < 0) continue;
    lines.moveTo(at(layout.x[tree.parent(row)]), yOf(tree.depth(row) - 1));
    lines.lineTo(at(layout.x[row]), yOf(tree.depth(row)));
  }
  return lines;
}

/** From the node that is cut off up to the ancestor, and down to the move that is the cause. */
function causeLine(drawing) {
  const { pen, tree, layout, cutoff, at, yOf } = drawing;
  if (!cutoff || cutoff.child < 0) return;
  causeOf(pen, way(drawing, cutoff.standsPat ? cutoff.route : [...cutoff.route, cutoff.child]));
  if (cutoff.standsPat) return;
  const [x, y] = [at(layout.x[cutoff.child]), yOf(tree.depth(cutoff.child))];
  const [fromX, fromY] = [at(layout.x[cutoff.ancestor]), yOf(tree.depth(cutoff.ancestor))];
  const back = 14 / Math.hypot(x - fromX, y - fromY);
  arrowHead(pen, x + (fromX - x) * back, y + (fromY - y) * back, fromX, fromY);
}

/** What is compared at the node that is cut off, and where the bound comes from. */
function causeWords({ pen, theme, tree, layout, camera, cutoff, at, yOf, width }) {
  if (!cutoff) return;
  const style = { size: 12, from: levelMargin(width) };
  const place = (row) => [at(layout.x[row]), yOf(tree.depth(row))];
  const [x, y] = place(cutoff.node);
  pill(pen, theme, cutoff.test, x + 24, y, { ...style, align: "left" });
  if (cutoff.child < 0) return;
  const [sourceX, sourceY] = place(cutoff.child);
  ring(pen, sourceX, sourceY, 15, CAUSE, 2);
  if (roomBefore(layout, tree.depth(cutoff.child), layout.x[cutoff.child]) * camera.scale < ROOM_FOR_A_PILL) pill(pen, theme, cutoff.source, sourceX, sourceY + 34, style);
  else pill(pen, theme, cutoff.source, sourceX - 20, sourceY, { ...style, align: "right" });
}

/** How far it is to whatever stands before a place of a depth; at the left end there is room. */
function roomBefore({ levels, stubs, x }, depth, place) {
  const nodes = levels[depth];
  const before = firstAtLeast(nodes.length, (i) => x[nodes[i]], place) - 1;
  const skipped = stubs[depth]?.x ?? [];
  const beforeThat = firstAtLeast(skipped.length, (i) => skipped[i], place) - 1;
  return place - Math.max(x[nodes[before]] ?? -Infinity, skipped[beforeThat] ?? -Infinity);
}

/** What the nodes of the path are sure of so far, beside them; and the window of the current one. */
function soFar({ pen, theme, tree, steps, t, layout, at, yOf, shown, current, cutoff, closed, width }) {
  for (const row of shown) {
    const open = steps.valueShown(row, t) === null;
    if (!open && (row !== current || row === cutoff?.node)) continue;
    const words = [];
    const known = open ? knownSoFar(steps, row, t) : "";
    if (known) words.push(`${known} so far`);
    if (row === current && tree.pruning && !closed.has(row)) words.push(windowText(tree, row, steps.soFar(row, t)));
    const x = at(layout.x[row]);
    const right = x < width - 110;
    const away = row === current ? 24 : 17;
    const size = 12;
    words.forEach((line, index) => label(pen, theme, line, x + (right ? away : -away), yOf(tree.depth(row)) - (words.length - 1) * 8 + index * (size + 3) + 4, {
      size, align: right ? "left" : "right", strong: open && index === 0,
    }));
  }
}

/** Moves that will be skipped look like nodes not visited yet, until their node is cut. */
function skippedMoves({ pen, theme, tree, steps, t, layout, camera, at, yOf }, depth, { from, to }, size) {
  const gap = Math.min(layout.stubGaps[depth], layout.gaps[depth]) * camera.scale;
  for (let i = from; i < to; i++) {
    const { x, owner, index } = layout.stubs[depth];
    if (steps.stubVisible(owner[i], t)) {
      cross(pen, at(x[i]), yOf(depth), Math.min(size * 0.8, 5), theme.text, size < 5 ? 1 : 2);
      if (gap >= ROOM_FOR_A_GHOST) ghost(pen, theme, tree.skippedValues(owner[i])?.[index[i]], at(x[i]), yOf(depth) + 20);
    } else small(pen, at(x[i]), yOf(depth), size, tree.skippedMaximizing(owner[i])[index[i]], "future", theme);
  }
}

/** What a skipped move is worth, in grey: the search does not know it. */
function ghost(pen, theme, value, x, y) {
  if (value !== undefined) label(pen, theme, `(${number(value)})`, x, y, { size: 11, alpha: 0.6 });
}

/** A node as a triangle, or as a dash where there is no room for one. */
function small(pen, x, y, size, maximizing, state, theme, current = false) {
  if (size >= 3) {
    triangle(pen, x, y, size, maximizing, state, theme, current);
    return;
  }
  pen.globalAlpha = state === "future" ? 0.4 : state === "spared" ? 0.3 : 1;
  pen.fillStyle = state === "spared" ? theme.text : sideColour(maximizing);
  pen.fillRect(x - 0.8, y - size, 1.6, 2 * size);
  pen.globalAlpha = 1;
}

function triangles(drawing, depth, rows, size, spacing) {
  const { pen, theme, tree, steps, t, layout, closed, current, selected, at, yOf } = drawing;
  const y = yOf(depth);
  const values = [];
  const names = [];
  for (const row of rows) {
    const x = at(layout.x[row]);
    const state = steps.stateAt(row, t);
    const special = row === current || row === selected || row === drawing.cutoff?.child || row === drawing.cutoff?.node;
    if (tree.isAnswered(row) && state === "done") diamond(pen, x, y, special ? Math.max(size, 6) : size, tree.maximizing(row), row === current);
    else small(pen, x, y, special ? Math.max(size, 6) : size, tree.maximizing(row), state, theme, row === current);
    if (row === selected) ring(pen, x, y, size * 1.9 + 3, theme.text);
    if (size < 3) continue;
    const probe = state === "future" || state === "spared" ? -1 : probedAt(tree, row);
    if (probe >= 0) againOf(pen, x, at(layout.x[probe]), y, size * 1.2);
    const value = steps.valueShown(row, t);
    const below = closed.has(row) ? tree.size(row) - 1 : tree.hidden(row);
    const text = [value === null ? "" : withBound(tree, row), below ? `+${compact(below)}` : ""].join(" ").trim();
    if (text) values.push({ text, x });
    if (tree.parent(row) >= 0 && spacing >= 22 && state !== "future" && state !== "spared") names.push(nameOf(drawing, row, x, spacing));
  }
  const text = Math.min(13, Math.max(10, spacing * 0.3));
  write(drawing, values, 2, y + size + text, text, { strong: true });
  write(drawing, names, 1, y - size - 4, 10, { alpha: 0.75 });
}

/** The name of the move to a node, on the side where its edge is not. */
function nameOf({ pen, theme, tree, layout, at }, row, x, spacing) {
  pen.font = `600 10px ${theme.font}`;
  const text = moveLabel(tree.moveName(row), tree.shortName(tree.move(row)), spacing, 10);
  const side = at(layout.x[tree.parent(row)]) > x + 1 ? -1 : 1;
  return { text, x: x + side * (4 + pen.measureText(text).width / 2) };
}

/** Labels side by side; one that would lie on another goes to the next line, or is left out if that is the last. */
function write({ pen, theme }, items, lines, y, size, style) {
  pen.font = `600 ${size}px ${theme.font}`;
  for (const { text, x, line } of withoutOverlap(items, (words) => pen.measureText(words).width, lines)) {
    label(pen, theme, text, x, y + line * size, { size, ...style });
  }
}
