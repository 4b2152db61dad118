// The whole tree under a camera {scale, shift}. Nodes that are too small are merged into wedges, nodes with room are labelled.

import { crisp, drawReSearchLine, drawLinkArc, drawArrowHead, strokeBestLine, strokeCause, drawCross, drawDiamond, drawHorizonLine, drawLabel, levelMargin, drawLevelNames, drawPill, prepareCanvas, drawRing, strokeEdges, strokePath, drawShape } from "./canvas.js";
import { firstAtLeast } from "../model/binary_search.js";
import { probeRow } from "../model/table_links.js";
import { edgeText, skippedText } from "../model/edge_labels.js";
import { fit, passName, withoutOverlap } from "../model/tidy_layout.js";
import { BACK, CAUSE, compact, boundText, intervalText, number, windowText, withBound } from "./formatting.js";

const DENSE = 3; // px: where things of a depth are nearer than this, their subtrees are drawn as wedges
const ROOM_FOR_A_PILL = 76; // px between two nodes of a depth
const ROOM_FOR_A_GHOST = 30;
const ROOM_FOR_A_NAME = 22;
const ROOM_FOR_A_PASS = 44;
const DRIVER_ROOM = 40; // px above the roots of several passes
const RING = 1.75; // around the current node, in sizes of a node
const NEIGHBOUR = 12; // px: half of a node beside a label
const REACH = 16; // px: how far from a node a click may be

/** Draw the tree. Return a function that finds the node nearest to a point (-1: none). */
export function drawWholeTree(canvas, scene) {
  const { tree, steps, t, layout, camera, folded } = scene;
  const { pen, width, height } = prepareCanvas(canvas);
  const top = tree.hasDriver && !scene.singlePass ? (scene.top ?? 58) + DRIVER_ROOM : scene.top;
  const view = fit(0, layout.places - 1, width, height, layout.levels.length, { top, bottom: scene.bottom });
  const path = tree.path(steps.at(t).node);
  const hiddenBy = path.findIndex((row) => folded.has(row));
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
  drawFrames(drawing, scene.framed ?? []);
  drawHorizons(drawing);
  drawDriver(drawing);
  if (dense > 0) drawWedges(drawing, dense - 1, seen[dense - 1].nodes);
  if (scene.principal) strokeBestLine(pen, edgesTo(drawing, [...scene.principal].filter(layout.has)));
  seen.forEach(({ nodes, stubs }, depth) => depth > 0 && drawEdges(drawing, depth, nodes, stubs));
  strokePath(pen, scene.theme, edgesTo(drawing, shown), 0.95, 2.4);
  drawCauseLine(drawing);
  seen.forEach(({ nodes, stubs }, depth) => {
    const spacing = Math.min(layout.gaps[depth] * camera.scale, 80);
    const size = Math.max(1.6, Math.min(12, spacing * 0.42, view.rowGap * 0.2));
    drawSkippedMoves(drawing, depth, stubs, Math.min(size, layout.stubGaps[depth] * camera.scale * 0.5));
    drawNodes(drawing, depth, layout.levels[depth].subarray(nodes.from, nodes.to), size, spacing);
  });
  const below = [...shown, scene.selected].filter((row) => layout.has(row) && tree.depth(row) >= depths);
  for (const row of below) drawNodes(drawing, tree.depth(row), Uint32Array.of(row), 6, 80);
  drawBoundsSoFar(drawing);
  drawCauseLabels(drawing);
  drawLink(drawing);
  pen.fillStyle = scene.theme.background;
  pen.fillRect(0, view.top - 14, levelMargin(width), height);
  drawLevelNames(pen, scene.theme, tree.turns.slice(0, layout.levels.length).map((turns, depth) => ({ depth, turns, y: drawing.yOf(depth) })), width);

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

/** Draw the driver of the passes above their roots, and the number of each pass. */
function drawDriver({ pen, theme, tree, steps, t, layout, camera, singlePass, at, yOf }) {
  if (!tree.hasDriver || singlePass) return;
  const xs = tree.roots.map((row) => at(layout.x[row]));
  const [x, y] = [(xs[0] + xs.at(-1)) / 2, yOf(0) - DRIVER_ROOM];
  tree.roots.forEach((row, index) => {
    const edge = new Path2D();
    edge.moveTo(x, y);
    edge.lineTo(xs[index], yOf(0));
    strokeEdges(pen, theme, edge, steps.enter(row) <= t, layout.gaps[0] * camera.scale);
    const [spacing, name] = [layout.gaps[0] * camera.scale, passName(tree, row)];
    const short = spacing < ROOM_FOR_A_PASS ? name.split(" ").at(-1) : name; // by its number
    if (spacing >= ROOM_FOR_A_NAME) drawLabel(pen, theme, short, xs[index], yOf(0) - 24, { size: 10, alpha: 0.8 });
  });
  pen.fillStyle = theme.text;
  pen.fillRect(x - 4, y - 4, 8, 8);
  drawLabel(pen, theme, "driver", x, y - 8, { size: 11, alpha: 0.8 });
}

/** Draw the link from a call to an earlier one, if that is in the picture. */
function drawLink({ pen, theme, tree, layout, link, at, yOf, width }) {
  if (!link || !layout.has(link.row)) return;
  const place = (row) => [at(layout.x[row]), yOf(tree.depth(row))];
  if (link.source >= 0 && layout.has(link.source)) {
    if (link.answered) drawLinkArc(pen, place(link.row), place(link.source), 14); // a move that is searched again is tied to its probe anyway
    drawRing(pen, ...place(link.source), 15, BACK, 2);
  }
  const [x, y] = place(link.row);
  drawPill(pen, theme, link.words, x + 20, y - 24, { size: 12, colour: BACK, align: "left", from: levelMargin(width) });
}

/** The depth limit of each pass, where quiescence goes beyond it: below its tree, or all along if it is the only one. */
function drawHorizons({ pen, theme, tree, layout, gap, deepest, shown, singlePass, at, yOf, width }) {
  const roots = singlePass ? shown.slice(0, 1) : tree.roots;
  for (const root of roots) {
    const K = tree.horizon(root);
    if (K === null || K >= deepest) continue;
    const { left, right } = layout.reach(root);
    const [from, to] = roots.length > 1 ? [at(left) - 6, at(right) + 6] : [levelMargin(width), width];
    drawHorizonLine(pen, theme, K, yOf(K + 0.5), from, to, gap);
  }
}

/** Boxes around subtrees. */
function drawFrames({ pen, theme, tree, layout, camera, at, yOf, deepest }, rows) {
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

/** Draw subtrees below the last visible depth as wedges, shaded by state, with their counts. */
function drawWedges(drawing, depth, { from, to }) {
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
    pen.globalAlpha = { future: 0.05, path: 0.14, skipped: 0.05 }[state] ?? 0.24;
    pen.fill();
    pen.globalAlpha = 0.3;
    pen.strokeStyle = theme.text;
    pen.lineWidth = 0.6;
    pen.stroke();
    pen.globalAlpha = 1;
    if (state !== "future") counts.push({ text: compact(tree.size(row) - 1), x: (at(left) + at(right)) / 2 });
  }
  drawTexts(drawing, counts, 1, yOf(deepest) + 14, 10, { alpha: 0.8 });
}

function drawEdges({ pen, theme, tree, steps, t, layout, camera, at, yOf }, depth, nodes, stubs) {
  const rows = layout.levels[depth];
  const plain = new Path2D();
  const faint = new Path2D();
  const dashed = new Path2D();
  const line = (target, owner, x) => {
    target.moveTo(crisp(at(layout.x[owner])), yOf(depth - 1));
    target.lineTo(crisp(x), yOf(depth));
  };
  for (let i = Math.max(0, nodes.from - 1); i < Math.min(rows.length, nodes.to + 1); i++) {
    const row = rows[i];
    const future = steps.enter(row) > t || steps.stateAt(row, t) === "skipped";
    line(future ? faint : plain, tree.parent(row), at(layout.x[row]));
  }
  for (let i = stubs.from; i < stubs.to; i++) {
    const { x, owner } = layout.stubs[depth];
    line(steps.areStubsVisible(owner[i], t) ? dashed : faint, owner[i], at(x[i]));
  }
  const spacing = Math.min(layout.gaps[depth], layout.stubGaps[depth]) * camera.scale;
  strokeEdges(pen, theme, faint, false, spacing);
  strokeEdges(pen, theme, plain, true, spacing);
  strokePath(pen, theme, dashed, 0.6, 1.1, [3, 3]);
}

/** The edges that lead to these rows. */
function edgesTo({ tree, layout, at, yOf }, rows) {
  const lines = new Path2D();
  for (const row of rows) {
    if (tree.parent(row) < 0) continue;
    lines.moveTo(at(layout.x[tree.parent(row)]), yOf(tree.depth(row) - 1));
    lines.lineTo(at(layout.x[row]), yOf(tree.depth(row)));
  }
  return lines;
}

/** From the node that is cut off up to the ancestor, and down to the move that is the cause. */
function drawCauseLine(drawing) {
  const { pen, tree, layout, cutoff, at, yOf } = drawing;
  if (!cutoff || cutoff.child < 0) return;
  strokeCause(pen, edgesTo(drawing, cutoff.standsPat ? cutoff.route : [...cutoff.route, cutoff.child]));
  if (cutoff.standsPat) return;
  const [x, y] = [at(layout.x[cutoff.child]), yOf(tree.depth(cutoff.child))];
  const [fromX, fromY] = [at(layout.x[cutoff.ancestor]), yOf(tree.depth(cutoff.ancestor))];
  const back = 14 / Math.hypot(x - fromX, y - fromY);
  drawArrowHead(pen, x + (fromX - x) * back, y + (fromY - y) * back, fromX, fromY);
}

/** Draw the comparison at the cut node and the source of the bound. */
function drawCauseLabels({ pen, theme, tree, layout, camera, cutoff, at, yOf, width }) {
  if (!cutoff) return;
  const style = { size: 12, from: levelMargin(width) };
  const place = (row) => [at(layout.x[row]), yOf(tree.depth(row))];
  const [x, y] = place(cutoff.node);
  drawPill(pen, theme, cutoff.test, x + 24, y, { ...style, align: "left" });
  if (cutoff.child < 0) return;
  const [sourceX, sourceY] = place(cutoff.child);
  drawRing(pen, sourceX, sourceY, 15, CAUSE, 2);
  const room = Math.min(roomBefore(layout, tree.depth(cutoff.child), layout.x[cutoff.child]) * camera.scale, sourceX - style.from);
  if (room < ROOM_FOR_A_PILL) drawPill(pen, theme, cutoff.source, sourceX, sourceY + 34, style);
  else drawPill(pen, theme, cutoff.source, sourceX - 20, sourceY, { ...style, align: "right" });
}

/** How far it is to whatever stands after a place of a depth; Infinity at the right end. */
function roomAfter({ levels, stubs, x }, depth, place) {
  const nodes = levels[depth];
  const after = firstAtLeast(nodes.length, (i) => x[nodes[i]], place) + 1;
  const skipped = stubs[depth]?.x ?? [];
  const afterThat = firstAtLeast(skipped.length, (i) => skipped[i], place);
  return Math.min(x[nodes[after]] ?? Infinity, skipped[afterThat] ?? Infinity) - place;
}

/** How far it is to whatever stands before a place of a depth; Infinity at the left end. */
function roomBefore({ levels, stubs, x }, depth, place) {
  const nodes = levels[depth];
  const before = firstAtLeast(nodes.length, (i) => x[nodes[i]], place) - 1;
  const skipped = stubs[depth]?.x ?? [];
  const beforeThat = firstAtLeast(skipped.length, (i) => skipped[i], place) - 1;
  return place - Math.max(x[nodes[before]] ?? -Infinity, skipped[beforeThat] ?? -Infinity);
}

/** Draw the bounds so far beside the nodes of the path, and the window of the current node. */
function drawBoundsSoFar({ pen, theme, tree, steps, t, layout, camera, at, yOf, shown, current, cutoff, folded, width }) {
  for (const row of shown) {
    const open = steps.visibleValue(row, t) === null;
    if (!open && (row !== current || row === cutoff?.node)) continue;
    const words = [];
    const known = open ? boundText(steps, row, t) : "";
    if (known) words.push(tree.isChance(row) ? known : `${known} so far`);
    if (open && intervalText(steps, row, t)) words.push(intervalText(steps, row, t));
    if (row === current && tree.pruning && !folded.has(row)) words.push(windowText(tree, row, steps.windowAt(row, t)));
    const x = at(layout.x[row]);
    const away = row === current ? 24 : 17;
    const size = 12;
    pen.font = `600 ${size}px ${theme.font}`;
    const wide = away + Math.max(0, ...words.map((line) => pen.measureText(line).width)) + NEIGHBOUR;
    const [before, after] = [roomBefore, roomAfter].map((room) => room(layout, tree.depth(row), layout.x[row]) * camera.scale);
    const left = x - levelMargin(width);
    const right = x + wide - NEIGHBOUR < width && (after > wide || before <= wide || left <= wide);
    words.forEach((line, index) => drawLabel(pen, theme, line, x + (right ? away : -away), yOf(tree.depth(row)) - (words.length - 1) * 8 + index * (size + 3) + 4, {
      size, align: right ? "left" : "right", strong: open && index === 0,
    }));
  }
}

/** Moves that will be skipped look like nodes not visited yet, until their node is cut. */
function drawSkippedMoves(drawing, depth, { from, to }, size) {
  const { pen, theme, tree, steps, t, layout, camera, at, yOf } = drawing;
  const names = []; // of outcomes
  const gap = Math.min(layout.stubGaps[depth], layout.gaps[depth]) * camera.scale;
  for (let i = from; i < to; i++) {
    const { x, owner, index } = layout.stubs[depth];
    if (steps.areStubsVisible(owner[i], t)) {
      drawCross(pen, at(x[i]), yOf(depth), Math.min(size * 0.8, 5), theme.text, size < 5 ? 1 : 2);
      if (gap >= ROOM_FOR_A_GHOST) drawSkippedValue(pen, theme, tree.skippedValues(owner[i])?.[index[i]], at(x[i]), yOf(depth) + 20);
      if (gap >= ROOM_FOR_A_NAME && tree.isChance(owner[i])) names.push(labelBeside(drawing, skippedText(tree, owner[i], index[i], gap, 10), at(x[i]), owner[i]));
    } else drawNode(pen, at(x[i]), yOf(depth), size, tree.skippedTurns(owner[i])[index[i]], "future", theme);
  }
  drawTexts(drawing, names, 1, yOf(depth) - size - 4, 10, { alpha: 0.75 });
}

/** Draw the value of a skipped move in grey: the search does not know it. */
function drawSkippedValue(pen, theme, value, x, y) {
  if (value !== undefined) drawLabel(pen, theme, `(${number(value)})`, x, y, { size: 11, alpha: 0.6 });
}

/** A node as a triangle, or as a dash where there is no room for one. */
function drawNode(pen, x, y, size, turn, state, theme, current = false) {
  if (size >= 3) {
    drawShape(pen, x, y, size, turn, state, theme, current);
    return;
  }
  pen.globalAlpha = state === "future" ? 0.4 : state === "skipped" ? 0.3 : 1;
  pen.fillStyle = state === "skipped" ? theme.text : theme.sides[turn];
  pen.fillRect(x - 0.8, y - size, 1.6, 2 * size);
  pen.globalAlpha = 1;
}

function drawNodes(drawing, depth, rows, size, spacing) {
  const { pen, theme, tree, steps, t, layout, folded, current, selected, at, yOf } = drawing;
  const y = yOf(depth);
  const values = [];
  const names = [];
  let [ringed, ringedName] = [null, null]; // the value and the move of the current node
  for (const row of rows) {
    const x = at(layout.x[row]);
    const state = steps.stateAt(row, t);
    const special = row === current || row === selected || row === drawing.cutoff?.child || row === drawing.cutoff?.node;
    if (tree.isAnswered(row) && state === "done") drawDiamond(pen, x, y, special ? Math.max(size, 6) : size, tree.turn(row), theme, row === current);
    else drawNode(pen, x, y, special ? Math.max(size, 6) : size, tree.turn(row), state, theme, row === current);
    if (row === selected) drawRing(pen, x, y, size * 1.9 + 3, theme.text);
    if (size < 3) continue;
    const probe = state === "future" || state === "skipped" ? -1 : probeRow(tree, row);
    if (probe >= 0) drawReSearchLine(pen, x, at(layout.x[probe]), y, size * 1.2);
    const value = steps.visibleValue(row, t);
    const below = folded.has(row) ? tree.size(row) - 1 : tree.hidden(row);
    const text = [value === null ? "" : withBound(tree, row), below ? `+${compact(below)}` : ""].join(" ").trim();
    const isCompared = !below && (row === drawing.cutoff?.child || row === drawing.cutoff?.node); // the labels of the cutoff have its value
    if (text && row === current && !isCompared) ringed = { text, x };
    else if (text && !isCompared) values.push({ text, x });
    if (tree.parent(row) >= 0 && spacing >= ROOM_FOR_A_NAME && state !== "future" && state !== "skipped") {
      const name = labelBeside(drawing, edgeText(tree, row, spacing, 10), x, tree.parent(row));
      if (row === current) ringedName = name;
      else names.push(name);
    }
  }
  const text = Math.min(13, Math.max(10, spacing * 0.3));
  drawTexts(drawing, values, 2, y + size + text, text, { strong: true });
  if (ringed) drawLabel(pen, theme, ringed.text, ringed.x, y + Math.max(size, 6) * RING + text, { size: text, strong: true });
  drawTexts(drawing, names, 1, y - size - 4, 10, { alpha: 0.75 });
  if (ringedName) drawLabel(pen, theme, ringedName.text, ringedName.x, y - Math.max(size, 6) * RING, { size: 10, alpha: 0.75 });
}

/** A label at the lower end of the edge from a parent, on the side where the edge is not. */
function labelBeside({ pen, theme, layout, at }, text, x, parent) {
  pen.font = `600 10px ${theme.font}`;
  const side = at(layout.x[parent]) > x + 1 ? -1 : 1;
  return { text, x: x + side * (4 + pen.measureText(text).width / 2) };
}

/** Draw labels without overlap on several lines. Labels that do not fit are left out. */
function drawTexts({ pen, theme }, items, lines, y, size, style) {
  pen.font = `600 ${size}px ${theme.font}`;
  for (const { text, x, line } of withoutOverlap(items, (words) => pen.measureText(words).width, lines)) {
    drawLabel(pen, theme, text, x, y + line * size, { size, ...style });
  }
}
