// The path view: one row per depth, the moves of each node of the path below it, in places that never change.
// A line from a node goes down to a bar, along it and down to the child, so that nothing crosses names and values:
//
//       ▽            node; below it its value, of a node on the path beside it
//    ┌──┴──┬─────    bar
//    │0    │1        names of moves, right of their line
//    △     △         children; the last level stands on a shaded tray
//
// Everything drawn is also returned as a list of boxes, so that a click finds its node.

import { sortTurns } from "../model/picture_tree.js";
import { PILL_HEIGHT, crisp, drawReSearchLine, drawLinkArc, drawArrowHead, strokeBestLine, strokeCause, drawCross, drawDiamond, drawHorizonLine, drawLabel, levelMargin, drawLevelNames, drawPill, prepareCanvas, drawRing, pillSize, strokePath, strokeEdges, drawShape } from "./canvas.js";
import { probeRow } from "../model/table_links.js";
import { fitLabel } from "../model/edge_labels.js";
import { pathRows, visibleRows, visibleSlots } from "../model/tidy_layout.js";
import { BACK, CAUSE, compact, boundText, intervalText, number, windowText, withBound } from "./formatting.js";

const ROOM_FOR_NUMBERS = 84; // px between two nodes of a row: a number fits between them, and two words too with
const ROOM_FOR_WORDS = 105;
const MIN_PILL_TEXT = 10.5; // px: a comparison that needs smaller type stands below its node
const PHONE = 500; // px: buttons stand below the picture
const BESIDE_BUTTONS = 960; // px: the root and its words stand left of the buttons
const MIN_PASS_GAP = 32; // px between the name of a pass and the next node, whose own name may stand at its left
const DRIVER = -1; // owner of the roots of several passes
const DRIVER_ROOM = 46; // px above them
const DRIVER_WORD = 52; // px: the square and its name
const TRAY_TIP = 12; // px: half of the tip of a tray
const TRAY_ALPHA = 0.07;
const MIN_SLOT = 30; // px: where more moves than fit are possible, some are shown

export function drawPath(canvas, scene) {
  const { tree, steps, t, singlePass, bottom = 0 } = scene;
  const { pen, width, height } = prepareCanvas(canvas);
  const step = steps.at(t);
  const path = tree.path(step.node);
  const sight = visibleRows(tree.height, tree.depth(step.node), height - bottom);
  const roomy = visibleRows(tree.height, tree.depth(step.node), height - bottom - DRIVER_ROOM).count === sight.count;
  const driven = tree.hasDriver && !singlePass && roomy; // the passes are the first level; above them is their driver, if it has room
  const isBeside = width > BESIDE_BUTTONS && (!tree.hasDriver || singlePass); // the root stands beside the buttons, not below them
  const above = sight.first > 0 ? 64 : tree.hasDriver && width >= PHONE ? 66 : width < PHONE || isBeside ? 36 : 58;
  const minTop = above + (driven && sight.first === 0 ? DRIVER_ROOM : 0);
  const gap = Math.min((height - bottom - minTop - 40) / Math.max(sight.count - 1, 1), 132);
  const top = Math.max(minTop, (height - bottom - gap * (sight.count - 1)) / 2 - 8);
  const margin = levelMargin(width);
  const size = Math.max(8, Math.min(15, gap * 0.2, width / 7 / 4));
  const text = Math.max(10, Math.min(15, gap * 0.24));
  const shown = step.kind === "return" ? tree.path(step.child) : path;
  const rows = pathRows(tree, shown, singlePass).slice(sight.first, sight.first + sight.count);
  const maxSlots = Math.max(3, Math.floor((width - margin) / MIN_SLOT));
  const places = new Map();
  const cut = [];
  rows.forEach((all, line) => {
    const { items, before, after } = visibleSlots(all, shown[sight.first + line], maxSlots);
    rows[line] = items;
    if (before) cut.push([`← ${before} more`, margin + 4, "left", line]);
    if (after) cut.push([`${after} more →`, width - 4, "right", line]);
    for (const item of items) {
      item.x = margin + ((item.slot + 0.5) * (width - margin)) / item.slots;
      item.y = top + line * gap;
      item.wide = (width - margin) / item.slots;
      item.room = item.slot === item.slots - 1 ? width - item.x : item.wide;
      if (item.kind === "node") places.set(item.row, item);
    }
    items.forEach((item, place) => (item.free = freeAfter(scene, item, items[place + 1], width)));
  });
  if (driven && sight.first === 0) {
    const roots = rows[0];
    places.set(DRIVER, { x: (roots[0].x + roots.at(-1).x) / 2, y: top - DRIVER_ROOM - size * 0.4, row: DRIVER });
  }
  const drawing = { ...scene, pen, width, margin, step, places, onPath: new Set(path), gap, size, text };
  if (sight.first > 0) drawLabel(pen, scene.theme, `↑ ${sight.first} more ${sight.first === 1 ? "level" : "levels"} above`, tree.hasDriver ? 2 : margin, tree.hasDriver && width >= PHONE ? 46 : 14, { size: 11, alpha: 0.75, align: "left" });
  drawLevelNames(pen, scene.theme, rows.map((items, line) => ({ depth: sight.first + line, turns: turnsOf(tree, items), y: top + line * gap })), width);
  const horizon = tree.horizon(step.node);
  const below = horizon === null ? 0 : horizon + 1 - sight.first; // the line of the first level beyond it
  if (below > 0 && below < rows.length) drawHorizonLine(pen, scene.theme, horizon, top + (below - 0.5) * gap, margin, width, gap);
  const lines = rows.flat().filter((item) => places.has(item.owner));
  drawTray(drawing, rows.at(-1));
  drawBestLine(drawing, lines);
  drawEdges(drawing, lines);
  drawCauseLine(drawing);
  drawDriver(drawing);
  for (const item of rows.flat()) drawItem(drawing, item);
  drawCauseLabels(drawing);
  drawLink(drawing);
  for (const [words, x, align, line] of cut) drawLabel(pen, scene.theme, words, x, top + line * gap + size + 14, { size: 11, alpha: 0.8, align });
  places.delete(DRIVER);
  return [...places.values()].map(({ row, x, y }) => ({
    row, x: x - size - 8, y: y - size - 8, width: 2 * size + 40, height: 2 * size + text + 16,
  }));
}

/** The free width to the right of an item: to the next labelled item, or to the edge. */
function freeAfter({ steps, t }, item, next, width) {
  const silent = !next || (next.kind === "stub" ? !steps.areStubsVisible(next.owner, t) : steps.stateAt(next.row, t) === "future");
  return (silent ? width : next.x - 12) - item.x;
}

/** Who moves at the items of a level: at the nodes, or after skipped moves if there are only those. */
function turnsOf(tree, items) {
  const nodes = items.filter(({ kind }) => kind === "node");
  return sortTurns(nodes.length ? nodes.map(({ row }) => tree.turn(row)) : items.map(({ turn }) => turn));
}

/** The outline of the moves of the last level: a box with a tip at their parent, so that none seems to belong to a node above it. */
export function trayOutline(items, from, { size, text }) {
  const top = barOf(items[0], size, text) - 5;
  const left = Math.min(items[0].x - items[0].wide / 2, from.x - TRAY_TIP) + 2;
  const right = Math.max(items.at(-1).x + items.at(-1).wide / 2, from.x + TRAY_TIP) - 2;
  return { left, right, top, bottom: items[0].y + size + text * 1.5, tip: { x: from.x, y: from.y + size * 0.9, half: TRAY_TIP } };
}

/** Shade the last level up to its parent. */
function drawTray({ pen, theme, places, size, text }, items) {
  const from = places.get(items[0].owner);
  if (!from) return;
  const { left, right, top, bottom, tip } = trayOutline(items, from, { size, text });
  pen.beginPath();
  pen.roundRect(left, top, right - left, bottom - top, 6);
  pen.moveTo(tip.x, tip.y);
  pen.lineTo(tip.x + tip.half, top);
  pen.lineTo(tip.x - tip.half, top);
  pen.closePath();
  pen.globalAlpha = TRAY_ALPHA;
  pen.fillStyle = theme.text;
  pen.fill();
  pen.globalAlpha = 1;
}

/** The height of the bar above an item. */
function barOf({ y }, size, text) {
  return y - size - text - 1;
}

/** The line from the parent of an item down to it. */
function addEdge({ places, size, text }, item, lines = new Path2D()) {
  const from = places.get(item.owner);
  const [fromX, x, bar] = [from.x, item.x, barOf(item, size, text)].map(crisp);
  const side = Math.sign(x - fromX);
  const bend = Math.min(6, Math.abs(x - fromX) / 2);
  lines.moveTo(fromX, from.y + size * 0.9);
  lines.lineTo(fromX, bar - bend);
  lines.quadraticCurveTo(fromX, bar, fromX + side * bend, bar);
  lines.lineTo(x - side * bend, bar);
  lines.quadraticCurveTo(x, bar, x, bar + bend);
  lines.lineTo(x, item.y - size);
  return lines;
}

function drawBestLine(drawing, items) {
  const best = new Path2D();
  for (const item of items) if (drawing.principal?.has(item.row)) addEdge(drawing, item, best);
  strokeBestLine(drawing.pen, best);
}

/** Thin: not visited yet. Dashed: skipped. Thick: the path. */
function drawEdges(drawing, items) {
  const { pen, theme, steps, t, onPath } = drawing;
  const [future, skipped, done, walked] = [new Path2D(), new Path2D(), new Path2D(), new Path2D()];
  for (const item of items) {
    const cut = item.kind === "stub" && steps.areStubsVisible(item.owner, t);
    const unseen = item.kind === "stub" || steps.stateAt(item.row, t) === "future";
    addEdge(drawing, item, cut ? skipped : unseen ? future : onPath.has(item.row) ? walked : done);
  }
  strokeEdges(pen, theme, future, false);
  strokePath(pen, theme, skipped, 0.7, 1.1, [4, 4]);
  strokeEdges(pen, theme, done, true);
  strokePath(pen, theme, walked, 0.95, 2.6);
}

/** From the node that is cut off up to the ancestor, and down to the move that is the cause; as far as they are in sight. */
function drawCauseLine(drawing) {
  const { pen, places, cutoff, size } = drawing;
  if (!cutoff || cutoff.child < 0) return;
  const lines = new Path2D();
  for (const row of cutoff.standsPat ? cutoff.route : [...cutoff.route, cutoff.child]) {
    const item = places.get(row);
    if (item && places.has(item.owner)) addEdge(drawing, item, lines);
    else if (item && row !== cutoff.child) {
      lines.moveTo(item.x, item.y - size);
      lines.lineTo(item.x, 22);
    }
  }
  strokeCause(pen, lines);
  const source = places.get(cutoff.child);
  if (!source) return;
  if (!cutoff.standsPat) drawArrowHead(pen, source.x, source.y - size, source.x, source.y - 2 * size);
  drawRing(pen, source.x, source.y, size * 1.6, CAUSE, 2);
}

/** Draw the comparison at the cut node and the source of the bound. */
function drawCauseLabels(drawing) {
  const { pen, theme, places, cutoff, margin, width, size, text } = drawing;
  const node = cutoff && places.get(cutoff.node);
  if (!node) return;
  const style = { size: text, from: margin, to: width };
  const start = size * 1.6 + 4;
  const source = cutoff.child >= 0 ? places.get(cutoff.child) : undefined;
  const isNext = source?.owner === node.owner && source.slot === node.slot + 1; // the source has a ring
  const free = (node.slot === node.slots - 1 ? node.room : node.room - size * (isNext ? 1.6 : 1)) - start - 4; // up to the next move
  const words = pillSize(pen, theme, cutoff.test, free, text) < MIN_PILL_TEXT ? cutoff.shortTest : cutoff.test;
  const fitting = pillSize(pen, theme, words, free, text);
  const beside = node.room > ROOM_FOR_NUMBERS && fitting >= MIN_PILL_TEXT;
  const covered = source && !beside && source.y === node.y && width - node.x < ROOM_FOR_WORDS && Math.abs(node.x - source.x) < ROOM_FOR_NUMBERS;
  let named = null; // the place of the label at the source
  const low = pillBelow(drawing);
  if (source && !covered) named = drawPill(pen, theme, source.room > 56 ? cutoff.source : cutoff.source.split(" ").at(-1), source.x, source.y + low.y, { ...style, size: low.size });
  else if (cutoff.child < 0) drawDriversBound(drawing, style);
  else if (!source) drawPill(pen, theme, `${cutoff.source}, from further up`, node.x, 22, style);
  if (beside) {
    drawPill(pen, theme, words, node.x + start, node.y, { ...style, size: fitting, align: "left" });
    return;
  }
  const isInLine = named && source.y === node.y; // the two labels keep apart
  const x = isInLine && source.x < node.x ? Math.max(node.x - size, named.right + 3) : node.x - size;
  const end = isInLine && source.x > node.x ? named.left - 3 : width;
  drawPill(pen, theme, cutoff.test, x, node.y + low.y, { ...style, size: low.size, to: end, align: "left" });
}

/** The size of a label below a node and how far below it is: between the ring of the node and the names of the moves below. */
export function pillBelow({ gap, size, text }) {
  const bar = gap - size - text - 1;
  const fits = size * 1.6 + text * PILL_HEIGHT <= bar;
  const fitting = fits ? text : Math.min(text, MIN_PILL_TEXT);
  return { size: fitting, y: Math.min(size * 1.6 + (fitting * PILL_HEIGHT) / 2, bar - (fitting * PILL_HEIGHT) / 2) };
}

/** Draw the bound that a pass started with beside the driver of the passes, if that is in sight. */
function drawDriversBound({ pen, theme, places, cutoff }, style) {
  const driver = places.get(DRIVER);
  if (driver) drawPill(pen, theme, cutoff.source, driver.x + DRIVER_WORD, driver.y, { ...style, align: "left" });
}

/** Draw the driver of the passes: a square above their roots. */
function drawDriver({ pen, theme, places }) {
  const place = places.get(DRIVER);
  if (!place) return;
  pen.fillStyle = theme.text;
  pen.fillRect(place.x - 4.5, place.y - 4.5, 9, 9);
  drawLabel(pen, theme, "driver", place.x + 10, place.y + 4, { size: 11, alpha: 0.8, align: "left" });
}

/** Draw the link from a call to an earlier one, or name that one if it is not visible. */
function drawLink({ pen, theme, places, link, margin, width, size, text }) {
  const node = link && places.get(link.row);
  if (!node) return;
  const source = places.get(link.source);
  if (source) {
    if (link.answered) drawLinkArc(pen, [node.x, node.y], [source.x, source.y], size * 1.6); // a move searched again is tied to its probe anyway
    drawRing(pen, source.x, source.y, size * 1.6, BACK, 2);
  }
  drawPill(pen, theme, link.words, node.x + size * 1.6, node.y - size - text * 1.6, { size: text * 0.9, colour: BACK, align: "left", from: margin, to: width });
}

function drawItem(drawing, item) {
  const { pen, theme, tree, steps, t, step, cutoff, selected, singlePass, places, width, size, text } = drawing;
  const isStub = item.kind === "stub";
  if (item.owner >= 0 || (tree.hasDriver && !singlePass)) {
    const clear = !isStub && item.row === step.node ? size * 1.2 + 4 : 5; // of the line, or of the ring around the node
    const edge = item.name;
    const style = { size: text * 0.85, alpha: 0.85 };
    pen.font = `${style.size}px ${theme.font}`;
    const whole = item.slot === item.slots - 1 && item.x + clear + pen.measureText(edge).width <= width; // no line after the last
    const name = whole ? edge : fitLabel(edge, tree.shortName(item.move), item.odds, item.room - clear - 5, style.size);
    const fits = item.x + clear + pen.measureText(name).width <= width; // at the edge of a phone it stands on the other side
    const isTight = item.slot < item.slots - 1 ? item.room < clear + pen.measureText(edge).width + MIN_PASS_GAP : !fits;
    const short = item.owner < 0 && isTight ? edge.split(" ").at(-1) : name; // a pass by its number
    drawLabel(pen, theme, short, fits ? item.x + clear : item.x - clear, item.y - size - 2, { ...style, align: fits ? "left" : "right" });
  }
  if (isStub && steps.areStubsVisible(item.owner, t)) {
    drawCross(pen, item.x, item.y, size * 0.6, theme.text);
    if (item.wouldBe !== null) drawSkippedValue(drawing, item);
    return;
  }
  const turn = isStub ? item.turn : tree.turn(item.row);
  const state = isStub ? "future" : steps.stateAt(item.row, t);
  if (!isStub && tree.isAnswered(item.row) && state === "done") drawDiamond(pen, item.x, item.y, size, turn, theme, item.row === step.node);
  else drawShape(pen, item.x, item.y, size, turn, state, theme, !isStub && item.row === step.node);
  if (isStub) return;
  if (item.row === selected) drawRing(pen, item.x, item.y, size * 1.75, theme.text);
  const again = state === "future" ? -1 : probeRow(tree, item.row);
  const probe = again >= 0 && places.get(again);
  if (probe) drawReSearchLine(pen, item.x, probe.x, item.y, size * (item.row === step.node ? 1.7 : 1.2));
  const value = steps.visibleValue(item.row, t);
  if (value === null) drawBoundSoFar(drawing, item);
  else if (item.row !== cutoff?.node && item.row !== cutoff?.child) {
    const hidden = tree.hidden(item.row) && !tree.isLoadedOnDemand ? ` +${compact(tree.hidden(item.row))}` : "";
    const words = withBound(tree, item.row) + hidden;
    const ring = item.row === step.node ? size * 1.6 : 0;
    pen.font = `600 ${text}px ${theme.font}`;
    const isLast = item.slot === item.slots - 1;
    const beside = ring > 0 && ring + 6 + pen.measureText(words).width <= (isLast ? item.room : item.room - size);
    if (beside) drawLabel(pen, theme, words, item.x + ring + 6, item.y + text * 0.35, { size: text, strong: true, align: "left" });
    else {
      const fitting = Math.min(1, (item.wide - 2) / pen.measureText(words).width); // neighbours and names of levels stay readable
      drawLabel(pen, theme, words, item.x, item.y + Math.max(size, ring) + text * 0.95, { size: text * fitting, minSize: 8, strong: true });
    }
  }
}

/** Draw the value of a skipped move in grey: the search does not know it. */
function drawSkippedValue({ pen, theme, size, text }, { x, y, wide, wouldBe }) {
  const words = wide > ROOM_FOR_NUMBERS ? `would be ${number(wouldBe)}` : `(${number(wouldBe)})`;
  drawLabel(pen, theme, words, x, y + size + text * 0.95, { size: text * 0.85, alpha: 0.6 });
}

/** Draw the bound so far beside a node of the path, and the window of the current node. */
function drawBoundSoFar({ pen, theme, tree, steps, t, step, onPath, width, gap, size, text }, item) {
  if (!onPath.has(item.row)) return;
  const [words, interval] = [boundText(steps, item.row, t), intervalText(steps, item.row, t)];
  const windowed = item.row === step.node && tree.pruning;
  const ring = item.row === step.node ? size * 0.6 : 0; // what stands near the node keeps clear of its ring
  const start = size + ring + 6;
  const nextNode = item.slot === item.slots - 1 ? 0 : size; // fonts differ: the words end before it
  const chanceRoom = tree.isChance(item.row) ? start + Math.max(widthOf(words), widthOf(interval)) + nextNode : 0;
  const beside = item.room > Math.max(ROOM_FOR_NUMBERS, chanceRoom);
  const room = beside ? item.room : item.free - (windowed ? ROOM_FOR_NUMBERS : 0); // below the node both stand in one line
  const end = beside ? start + widthOf(`${words} so far`) + nextNode : 0;
  let lines = [];
  const isWide = room > Math.max(ROOM_FOR_WORDS, end);
  if (words) lines.push(words + (!tree.isChance(item.row) && isWide ? " so far" : ""));
  if (words && beside && !isWide && !tree.isChance(item.row)) lines.push("so far");
  if (beside && interval) lines.push(interval);
  if (windowed) lines.push(windowText(tree, item.row, steps.windowAt(item.row, t)));
  if (!beside) lines = [lines.join("  ")]; // there is room for one line above the bar
  const x = beside ? item.x + start : Math.min(item.x + 4, width - widthOf(lines[0]) - 2);
  const isMoved = !beside && x < item.x; // to the left, below the values of its neighbours
  const low = item.y + size + ring + text * (isMoved ? 1.25 : 0.9);
  const clear = isMoved ? item.y + size + text * 1.75 : 0; // of the values of the neighbours
  const y = beside ? item.y + text * Math.max(0.9 - 0.55 * lines.length, -0.4) : Math.max(Math.min(low, item.y + gap - size - text - 3), clear); // above the next bar
  lines.forEach((line, index) => drawLabel(pen, theme, line, x, y + index * text * 1.05, { size: text * 0.95, strong: index === 0 && words !== "", align: "left" }));

  function widthOf(words) {
    pen.font = `600 ${text * 0.95}px ${theme.font}`;
    return pen.measureText(words).width;
  }
}
