// The overview under a camera {scale, shift}. The bars are painted once for a camera, the current step is painted over them.

import { firstAtLeast } from "../model/binary_search.js";
import { overviewBand } from "../model/overview.js";
import { drawLabel, drawTurnNames, levelMargin, prepareCanvas } from "./canvas.js";
import { TURNS } from "../model/record_model.js";
import { BACK, BEST, CAUSE, MAX, MIN, number, thousands, withBound } from "./formatting.js";
import { bandHeights, paintBands } from "./overview_bars.js";

const TOP = 46; // px, below the tools
const AXIS = 22; // px, below the bars
const MAX_PITCH = 56; // px from one depth to the next
const MIN_LABEL_PITCH = 14;
const MIN_NAME_PITCH = 30; // px: then a depth has the name of its side, too
const TICK_ROOM = 110; // px between two numbers of the axis

/** Draw the overview. Return a function that finds the node at a point (-1: none). For a large tree, whose `pictures` come from the server,
 *  it returns the number of the node instead of its row. */
export function drawOverview(canvas, scene) {
  const { layout, camera } = scene;
  const { pen, width, height } = prepareCanvas(canvas);
  const margin = levelMargin(width);
  const pitch = Math.min((height - TOP - AXIS - (scene.bottom ?? 0)) / layout.levels.length, MAX_PITCH);
  const drawing = { ...scene, pen, width, height, margin, pitch, at: (x) => x * camera.scale + camera.shift, yOf: (depth) => TOP + depth * pitch };
  pen.save();
  pen.beginPath();
  pen.rect(margin, 0, width - margin, height);
  pen.clip();
  if (scene.pictures) scene.pictures.draw({ ...drawing, top: TOP, named: overviewColours(scene.theme), colour: scene.colouring.name }, scene.range);
  else pen.drawImage(paintedBars(canvas, drawing), 0, 0, width, height);
  drawFuture(drawing);
  drawBestLine(drawing);
  drawPath(drawing);
  if (scene.brushed) drawRange(drawing);
  drawAxis(drawing);
  pen.restore();
  drawDepths(drawing);
  return function nodeAt(px, py) {
    const depth = Math.floor((py - TOP) / pitch);
    const rows = layout.levels[depth];
    if (!rows || px < margin) return -1;
    const x = (px - camera.shift) / camera.scale;
    if (scene.pictures) return scene.pictures.nodeAt(x + scene.firstNumber, depth)?.number ?? -1;
    const row = rows[firstAtLeast(rows.length, (i) => layout.x[rows[i]], x + Number.EPSILON * Math.abs(x)) - 1];
    return row !== undefined && x < layout.reach(row).right ? row : -1;
  };
}

/** The colours of the classes by name. They differ in lightness, too. */
export function overviewColours({ background, text }) {
  const plain = mixColours(background, text, 0.16);
  const named = { plain, inner: mixColours(background, text, 0.4), strong: text, answered: BEST, unfinished: BACK };
  for (let step = 1; step <= 7; step++) named[`accent${step}`] = mixColours(plain, CAUSE, Math.min(1, (step + 1) / 6));
  [0.3, 0.62, 1].forEach((share, index) => {
    named[`below${index + 1}`] = mixColours(background, MIN, share);
    named[`above${index + 1}`] = mixColours(background, MAX, share);
  });
  return named;
}

/** A colour between two, as CSS mixes them. */
function mixColours(one, other, share) {
  return `color-mix(in srgb, ${other} ${Math.round(share * 100)}%, ${one})`;
}

/** The bars on a canvas of their own, painted again only if the camera, the size, the theme or the colouring has changed. */
function paintedBars(canvas, drawing) {
  const { layout, camera, theme, colouring, pitch } = drawing;
  const key = [canvas.width, canvas.height, camera.scale, camera.shift, pitch, theme.text, theme.background, colouring.name].join();
  const known = canvas.overviewBars;
  if (known?.key === key && known.layout === layout) return known.picture;
  const picture = known?.picture ?? document.createElement("canvas");
  Object.assign(picture, { width: canvas.width, height: canvas.height });
  const pen = picture.getContext("2d");
  pen.setTransform(drawing.pen.getTransform());
  paintBars({ ...drawing, pen });
  canvas.overviewBars = { key, layout, picture };
  return picture;
}

function paintBars(drawing) {
  const { pen, tree, layout, camera, theme, colouring, width, pitch } = drawing;
  const named = overviewColours(theme);
  const colours = colouring.classes.map(({ colour }) => named[colour]);
  const bands = layout.levels.map((_, depth) => overviewBand(tree, layout, depth, camera, Math.ceil(width), colouring));
  paintBands(pen, bands, { colours, pitch, top: TOP, width: Math.ceil(width), scale: camera.scale, theme });
}

/** Cover the nodes that are not visited yet, and draw a line where the search is. While the user predicts, the cover hides them. */
function drawFuture({ pen, tree, steps, t, theme, width, at, layout, pitch, hideFuture, firstNumber }) {
  const now = at(steps.expandedAt(t) - firstNumber);
  const bottom = TOP + layout.levels.length * pitch;
  pen.globalAlpha = hideFuture ? 1 : 0.62;
  pen.fillStyle = theme.background;
  if (now < width && steps.expandedAt(t) < tree.meta.expanded) pen.fillRect(Math.max(now, 0), TOP - 4, width - Math.max(now, 0), bottom - TOP + 4);
  pen.globalAlpha = 1;
  pen.fillStyle = theme.text;
  pen.fillRect(now - 0.75, TOP - 6, 1.5, bottom - TOP + 6);
}

/** Cover the nodes outside the chosen range, and draw its ends. */
function drawRange({ pen, theme, width, at, layout, pitch, firstNumber, brushed }) {
  const [left, right] = [at(brushed.first - firstNumber), at(brushed.last - firstNumber)];
  const height = layout.levels.length * pitch + 8;
  pen.fillStyle = theme.background;
  pen.globalAlpha = 0.72;
  pen.fillRect(0, TOP - 4, Math.max(left, 0), height);
  pen.fillRect(Math.min(right, width), TOP - 4, Math.max(width - right, 0), height);
  pen.globalAlpha = 1;
  pen.fillStyle = BACK;
  for (const x of [left - 2, right]) pen.fillRect(x, TOP - 8, 2, height + 4);
}

/** Outline the nodes of the current path and the selected node, with their names where there is room. */
function drawPath(drawing) {
  const { tree, steps, t, selected, layout } = drawing;
  const path = tree.path(steps.at(t).node);
  for (const row of path) outlineBar(drawing, row, TURNS[tree.turn(row)].colour, 2.4);
  if (selected >= 0 && layout.has(selected)) outlineBar(drawing, selected, drawing.theme.text, 2.4);
  for (const row of path) nameBar(drawing, row);
}

function drawBestLine(drawing) {
  for (const row of drawing.principal ?? []) if (drawing.layout.has(row)) outlineBar(drawing, row, BEST, 4);
}

function outlineBar({ pen, tree, layout, pitch, at, yOf }, row, colour, thick) {
  const { left, right } = layout.reach(row);
  const height = Math.max(2, bandHeights(pitch).height);
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.strokeRect(at(left), Math.floor(yOf(tree.depth(row))), Math.max(at(right) - at(left), 2), height);
}

/** The move and, once it is known, the value of a node of the path. */
function nameBar({ pen, theme, tree, steps, t, layout, pitch, width, margin, at, yOf }, row) {
  if (pitch < MIN_LABEL_PITCH) return;
  const { left, right } = layout.reach(row);
  const [from, to] = [Math.max(at(left), margin), Math.min(at(right), width)];
  const value = !tree.isOpen(row) && t >= steps.leave(row) ? ` ${withBound(tree, row)}` : "";
  const words = (tree.depth(row) === 0 ? "root" : tree.moveName(row)) + value;
  pen.font = `600 11px ${theme.font}`;
  const room = pen.measureText(words).width + 10;
  if (room > to - from) return;
  const y = Math.floor(yOf(tree.depth(row)) + bandHeights(pitch).height / 2);
  pen.fillStyle = theme.background;
  pen.globalAlpha = 0.85;
  pen.fillRect((from + to - room) / 2, y - 8, room, 15);
  pen.globalAlpha = 1;
  drawLabel(pen, theme, words, (from + to) / 2, y + 4, { size: 11, align: "center" });
}

function drawDepths({ pen, theme, tree, layout, pitch, yOf, margin }) {
  const every = Math.ceil(MIN_LABEL_PITCH / pitch);
  layout.levels.forEach((_, depth) => {
    if (depth % every) return;
    const y = yOf(depth) + bandHeights(pitch).height / 2;
    const named = pitch >= MIN_NAME_PITCH;
    if (named) drawTurnNames(pen, theme, tree.turns[depth], 2, y - 1, margin - 2, 11);
    drawLabel(pen, theme, pitch >= MIN_NAME_PITCH ? `depth ${depth}` : String(depth), 2, y + (named ? 11 : 4), { size: 11, alpha: 0.75, align: "left" });
  });
}

/** The numbers of the nodes, at round numbers. */
function drawAxis({ pen, theme, layout, camera, width, margin, pitch, at, firstNumber }) {
  const y = TOP + layout.levels.length * pitch + 4;
  const step = roundStep(TICK_ROOM / camera.scale);
  const from = Math.max(0, Math.ceil((margin - camera.shift) / camera.scale / step)) * step;
  pen.fillStyle = theme.text;
  for (let x = from; x < layout.places && at(x) < width - 20; x += step) {
    pen.fillRect(at(x), y - 3, 1, 4);
    drawLabel(pen, theme, thousands(x + firstNumber), at(x), y + 12, { size: 11, alpha: 0.75, align: x === 0 ? "left" : "center" });
  }
}

/** 1, 2 or 5 times a power of ten, at least this. */
function roundStep(least) {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least));
}

/** The items of the legend: [colour, explanation], only classes that occur. */
export function overviewLegend(tree, colouring, theme) {
  const named = overviewColours(theme);
  const used = new Set();
  for (let row = 0; row < tree.count; row++) used.add(colouring.classOf(row));
  return colouring.classes.flatMap(({ colour, label, range }, code) => (used.has(code) ? [[named[colour], label ?? rangeText(range)]] : []));
}

/** The same for cells of the server, which have only classes that occur. */
export function cellsLegend({ classes }, theme) {
  const named = overviewColours(theme);
  return classes.map(({ colour, label }) => [named[colour], label]);
}

function rangeText([low, high]) {
  if (low === null) return `${number(high)} or less`;
  if (high === null) return `${number(low)} or more`;
  return low === high ? `${number(low)}, as the root` : `${number(low)} to ${number(high)}`;
}
