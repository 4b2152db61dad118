// The tree of a search in iterations: the nodes with most visits, with their counts, and the path of the iteration.

import { drawLabel, drawPill, drawRing, drawShape, prepareCanvas } from "./canvas.js";
import { BEST, compact } from "./formatting.js";

const LEAF_WIDTH = 34; // px that a leaf needs, so that its numbers can be read
const TOP = 58; // px above the root, for buttons and the ring of the root
const EDGE = 12; // px beside the tree
const LINE = 14; // px of a line of text
const MIN_RADIUS = 4;
const MAX_RADIUS = 13;
const ringRadius = (radius) => radius * 1.5 + 2;
const outerRingRadius = (radius) => radius * 1.5 + 6;
const NARROW_TOP = outerRingRadius(MAX_RADIUS) + 1; // px where the buttons stand above the picture: room for the rings of the root
const MIN_GAP = 44; // px between two levels
const MIN_GAP_FOR_MEANS = 60; // px between two levels
const MAX_NAMED = 5; // moves of a path that the picture has no room for

/** The number of leaves that have room. */
export function leavesThatFit(canvas) {
  return Math.max(Math.floor((canvas.clientWidth / (canvas.magnification ?? 1) - 2 * EDGE) / LEAF_WIDTH), 4);
}

/** The greatest depth that has room: below it the numbers of two levels would overlap. */
export function depthThatFits(canvas, bottom) {
  const height = canvas.clientHeight / (canvas.magnification ?? 1) - topOf(canvas) - bottom - 2.4 * LINE;
  return Math.max(Math.floor(height / MIN_GAP) - 1, 1); // a level is for the path that goes on
}

function topOf(canvas) {
  return canvas.closest(".to-760") ? NARROW_TOP : TOP;
}

/** Draw the tree. The scene has `tree` (a VisitTree), `layout`, `counts`, `isAdded(place)`, `path` (rows reached), `names` of the path,
 *  `current` and `selected` (rows), `bestPlace`, `theme`, `bottom`. Return a function from a point to the row of a node; -1: none. */
export function drawVisitTree(canvas, scene) {
  const { pen, width, height } = prepareCanvas(canvas);
  const { tree, layout, path } = scene;
  const top = topOf(canvas);
  const shownPath = path.map((row) => tree.place(row)).filter((place) => layout.places.has(place));
  const hidden = path.length - shownPath.length;
  const levels = layout.levels.length + (layout.places.size < tree.count || hidden ? 1 : 0);
  const gap = Math.min((height - top - scene.bottom - 2.4 * LINE) / Math.max(levels - 1, 1), 130);
  const scale = (width - 2 * EDGE) / Math.max(layout.leaves, 1);
  const at = (place) => ({ x: EDGE + (layout.x[place] + 0.5) * scale, y: top + tree.depths[place] * gap });
  const drawn = [...layout.places].filter((place) => scene.isAdded(place));
  scene.hasMeans = gap >= MIN_GAP_FOR_MEANS; // for the legend
  const picture = { ...scene, pen, at, drawn, shownPath: new Set(shownPath), gap };
  drawEdges(picture);
  const radii = new Map(drawn.map((place) => [place, radiusOf(picture, place)]));
  for (const place of drawn) drawNode(picture, place, radii.get(place));
  const last = shownPath.at(-1);
  if (hidden) drawHiddenLine(picture, last);
  drawLabels(picture, radii);
  if (hidden) drawHiddenNames(picture, last, path.slice(-hidden), scene.names.slice(path.length - hidden, path.length));
  return (x, y) => nearestRow(tree, drawn, at, x, y);
}

function radiusOf({ counts }, place) {
  const share = counts.visits[place] / Math.max(counts.visits[0], 1);
  return MIN_RADIUS + (MAX_RADIUS - MIN_RADIUS) * Math.sqrt(share);
}

/** Edges are as broad as their share of the visits; those of the path are dark. */
function drawEdges({ pen, theme, tree, counts, at, drawn, shownPath }) {
  pen.lineCap = "round";
  for (const place of drawn.slice(1)) {
    const [from, to] = [at(tree.parents[place]), at(place)];
    const isOnPath = shownPath.has(place);
    pen.globalAlpha = isOnPath ? 1 : 0.5;
    pen.strokeStyle = isOnPath ? BEST : theme.text;
    pen.lineWidth = isOnPath ? 4 : 0.8 + (7 * counts.visits[place]) / Math.max(counts.visits[0], 1);
    pen.beginPath();
    pen.moveTo(from.x, from.y);
    pen.lineTo(to.x, to.y);
    pen.stroke();
  }
  pen.globalAlpha = 1;
  pen.lineCap = "butt";
}

function drawNode({ pen, theme, tree, at, shownPath, current, selected, bestPlace }, place, radius) {
  const { x, y } = at(place);
  const state = tree.over[place] || shownPath.has(place) ? "path" : "done";
  if (tree.over[place]) drawOver(pen, theme, x, y, radius, tree.into[place]);
  else drawShape(pen, x, y, radius, tree.turns[place], state, theme, false);
  if (tree.rows[place] === current) drawRing(pen, x, y, ringRadius(radius), theme.text, 2.5);
  if (tree.rows[place] === selected) drawRing(pen, x, y, outerRingRadius(radius), theme.text, 1.2);
  if (place === bestPlace) drawLabel(pen, theme, "★", x + radius + 9, y - radius + 3, { size: 13 });
}

/** A node where the game is over: a square. */
function drawOver(pen, theme, x, y, radius, ofMax) {
  pen.fillStyle = theme.background;
  pen.strokeStyle = ofMax ? theme.sides.max : theme.sides.min;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.rect(x - radius * 0.8, y - radius * 0.8, radius * 1.6, radius * 1.6);
  pen.fill();
  pen.stroke();
}

/** Names of moves above nodes, or beside them, visits and means below them, where there is room; the path comes first. */
function drawLabels(picture, radii) {
  const { pen, theme, tree, counts, drawn, shownPath, at, current } = picture;
  const taken = []; // boxes
  const ordered = [...drawn.filter((place) => shownPath.has(place)), ...drawn.filter((place) => !shownPath.has(place))];
  for (const place of ordered) {
    const { x, y } = at(place);
    const strong = shownPath.has(place);
    const radius = tree.rows[place] === current ? ringRadius(radii.get(place)) : radii.get(place);
    const labels = [
      [place ? tree.names[place] : "", 12, [{ x, y: y - radius - 5 }, { x: x + radius + 4, y: y + 4, align: "left" }]],
      [compact(counts.visits[place]), 12, [{ x, y: y + radius + 12 }]],
      [!picture.hasMeans ? "" : meanText(tree.meanOf(place, counts)), 11, [{ x, y: y + radius + 12 + LINE * 0.9 }]],
    ];
    for (const [index, [words, size, spots]] of labels.entries()) {
      if (!words) continue;
      pen.font = `${strong ? 600 : 400} ${size}px ${theme.font}`;
      const width = pen.measureText(words).width;
      const spot = spots.find((one) => takeBox(taken, one, width, size));
      if (spot) drawLabel(pen, theme, words, spot.x, spot.y, { size, strong, align: spot.align, alpha: index === 2 ? 0.8 : 1 });
    }
  }
}

/** Take the box of a label, unless it lies on another. Return whether it was free. */
function takeBox(taken, { x, y, align }, width, size) {
  const left = (align === "left" ? x : x - width / 2) - 2;
  const box = { left, right: left + width + 4, top: y - size * 0.72, bottom: y };
  if (taken.some((other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top)) return false;
  taken.push(box);
  return true;
}

/** A mean with two digits: .61, 1.0, 0. */
export function meanText(mean) {
  if (mean === null) return "";
  return mean === 0 || mean === 1 ? String(mean) : mean.toFixed(2).replace(/^0/, "");
}

/** The part of the path that the picture has no room for: a dashed line, below the numbers of the node, to a box with its moves. */
function drawHiddenLine({ pen, at, gap }, place) {
  const { x, y } = at(place);
  pen.strokeStyle = BEST;
  pen.lineWidth = 3;
  pen.setLineDash([6, 4]);
  pen.beginPath();
  pen.moveTo(x, y + MIN_RADIUS);
  pen.lineTo(x, y + hiddenLength(gap));
  pen.stroke();
  pen.setLineDash([]);
}

function drawHiddenNames({ pen, theme, at, gap, current }, place, rows, names) {
  const { x, y } = at(place);
  const marked = names.map((name, index) => (rows[index] === current && names.length > 1 ? `▸${name}` : name));
  drawPill(pen, theme, (marked.length > MAX_NAMED ? ["…", ...marked.slice(-MAX_NAMED)] : marked).join(" › "), x, y + hiddenLength(gap) + 8, { colour: BEST });
}

function hiddenLength(gap) {
  return Math.min(gap, 60);
}

function nearestRow(tree, drawn, at, x, y) {
  let [best, distance] = [-1, 24];
  for (const place of drawn) {
    const here = at(place);
    const away = Math.hypot(here.x - x, here.y - y);
    if (away < distance) [best, distance] = [tree.rows[place], away];
  }
  return best;
}
