// Drawing functions of all tree pictures.

import { TURNS } from "../model/record_model.js";
import { BACK, BEST, CAUSE } from "./formatting.js";

const ROOM_FOR_A_NAME = 80; // px between two levels
const PILL_PADDING = 12; // px, both sides together
const CLOSE = 20; // px between two nodes of a level
export const PILL_HEIGHT = 1.5; // of its type size

/** The size of a canvas in drawing units: pixels of the page divided by its `magnification`. */
export function sizeOf(canvas) {
  const larger = canvas.magnification ?? 1;
  return { width: canvas.clientWidth / larger, height: canvas.clientHeight / larger };
}

/** The position of the pointer on a canvas, in drawing units. */
export function pointOn(canvas, event) {
  const larger = canvas.magnification ?? 1;
  return { x: event.offsetX / larger, y: event.offsetY / larger };
}

/** Clear the canvas and make it sharp on this screen. Return its context and its size in drawing units. */
export function prepareCanvas(canvas) {
  const ratio = (window.devicePixelRatio || 1) * (canvas.magnification ?? 1);
  const { width, height } = sizeOf(canvas);
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

/** A node: up for MAX, down for MIN, a circle for chance. Not yet: thin outline. On the path: thick outline. Done: filled. Cut: filled, with a bar. Skipped: grey. */
export function drawShape(pen, x, y, size, turn, state, theme, current) {
  const tip = { max: -size, min: size, chance: 0 }[turn];
  pen.beginPath();
  if (turn === "chance") pen.arc(x, y, size * 0.9, 0, 2 * Math.PI);
  else {
    pen.moveTo(x, y + tip);
    pen.lineTo(x + size, y - tip * 0.8);
    pen.lineTo(x - size, y - tip * 0.8);
  }
  pen.closePath();
  const colour = state === "skipped" ? theme.text : theme.sides[turn];
  pen.fillStyle = state === "done" || state === "cut" ? colour : theme.background;
  pen.fill();
  pen.globalAlpha = state === "skipped" ? 0.35 : 1;
  pen.strokeStyle = colour;
  pen.lineWidth = state === "path" ? 3 : 1.4;
  pen.stroke();
  pen.globalAlpha = 1;
  if (state === "cut") {
    pen.strokeStyle = theme.background;
    pen.lineWidth = 2.4;
    pen.beginPath();
    pen.moveTo(x - size * 0.9, y - tip * 0.2);
    pen.lineTo(x + size * 0.9, y - tip * 0.2);
    pen.stroke();
  }
  if (current) drawRing(pen, x, y - tip * 0.05, size * 1.55, colour, 2.5);
}

/** A call that the table answered: small, nothing was searched below it. */
export function drawDiamond(pen, x, y, size, turn, theme, current) {
  const half = Math.max(size * 0.75, 2.5);
  pen.beginPath();
  pen.moveTo(x, y - half);
  pen.lineTo(x + half, y);
  pen.lineTo(x, y + half);
  pen.lineTo(x - half, y);
  pen.closePath();
  pen.fillStyle = theme.sides[turn];
  pen.fill();
  if (current) drawRing(pen, x, y, size * 1.55, theme.sides[turn], 2.5);
}

export function drawRing(pen, x, y, radius, colour, width = 1.2) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
}

export function drawCross(pen, x, y, size, colour, thickness = 2) {
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.beginPath();
  pen.moveTo(x - size, y - size);
  pen.lineTo(x + size, y + size);
  pen.moveTo(x + size, y - size);
  pen.lineTo(x - size, y + size);
  pen.stroke();
}

/** Draw words with an outline in the background colour, so that they stand out from lines. */
export function drawLabel(pen, theme, words, x, y, { size = 13, minSize = 10, alpha = 1, align = "center", strong = false } = {}) {
  pen.font = `${strong ? 600 : 400} ${Math.max(minSize, size)}px ${theme.font}`;
  pen.textAlign = align;
  pen.textBaseline = "alphabetic";
  pen.lineWidth = 4;
  pen.lineJoin = "round";
  pen.strokeStyle = theme.background;
  pen.strokeText(words, x, y);
  pen.globalAlpha = alpha;
  pen.fillStyle = theme.text;
  pen.fillText(words, x, y);
  pen.globalAlpha = 1;
}

/** The largest type, up to `size`, in which these words fit into a pill of this width. */
export function pillSize(pen, theme, words, width, size) {
  pen.font = `600 ${size}px ${theme.font}`;
  return Math.min(size, (size * (width - PILL_PADDING)) / pen.measureText(words).width);
}

/** Draw words in a box on top of everything, between `from` and `to`. Return its left and right edge. */
export function drawPill(pen, theme, words, x, y, { size = 12, colour = CAUSE, align = "center", from = 0, to = sizeOf(pen.canvas).width } = {}) {
  pen.font = `600 ${size}px ${theme.font}`;
  const width = pen.measureText(words).width + PILL_PADDING;
  const wanted = align === "center" ? x - width / 2 : align === "left" ? x : x - width;
  const left = Math.max(from + 2, Math.min(wanted, to - width - 2));
  pen.beginPath();
  pen.roundRect(left, y - (size * PILL_HEIGHT) / 2, width, size * PILL_HEIGHT, size * 0.5);
  pen.fillStyle = theme.background;
  pen.fill();
  pen.strokeStyle = colour;
  pen.lineWidth = 1.8;
  pen.stroke();
  pen.fillStyle = theme.text;
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(words, left + PILL_PADDING / 2, y + 1);
  return { left, right: left + width };
}

/** The middle of the nearest pixel: a thin line there is sharp. */
export function crisp(place) {
  return Math.floor(place) + 0.5;
}

/** Stroke the lines to nodes that are `visited`, or to others, which are quieter but have a contrast of 3:1 at least. Where nodes are
 *  nearer to each other than CLOSE, lines are paler. */
export function strokeEdges(pen, theme, lines, visited, spacing = Infinity) {
  const room = Math.min(1, spacing / CLOSE);
  if (visited) strokePath(pen, theme, lines, 0.5 + 0.35 * room, 0.9 + 0.6 * room);
  else strokePath(pen, theme, lines, 0.3 + 0.25 * room, 0.7 + 0.4 * room);
}

export function strokePath(pen, theme, lines, alpha, thickness, dash = []) {
  pen.strokeStyle = theme.text;
  pen.globalAlpha = alpha;
  pen.lineWidth = thickness;
  pen.setLineDash(dash);
  pen.stroke(lines);
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}

/** Stroke the best line: a broad band below everything else. */
export function strokeBestLine(pen, lines) {
  pen.strokeStyle = BEST;
  pen.globalAlpha = 0.5;
  pen.lineWidth = 9;
  pen.lineJoin = pen.lineCap = "round";
  pen.stroke(lines);
  pen.lineCap = "butt";
  pen.globalAlpha = 1;
}

/** Stroke the line from a cutoff to its cause: dashes and dots. */
export function strokeCause(pen, lines) {
  pen.strokeStyle = CAUSE;
  pen.lineWidth = 3;
  pen.lineJoin = "round";
  pen.setLineDash([9, 4, 2, 4]);
  pen.stroke(lines);
  pen.setLineDash([]);
}

/** Draw a dotted arc to an earlier node, with an arrow head there. Both ends keep a distance of `clear` from the nodes. */
export function drawLinkArc(pen, [x, y], [toX, toY], clear) {
  const away = Math.hypot(toX - x, toY - y);
  const [bendX, bendY] = [(x + toX) / 2, (y + toY) / 2 - Math.min(90, 18 + away * 0.3)];
  const lift = ([fromX, fromY]) => {
    const far = Math.hypot(bendX - fromX, bendY - fromY) || 1;
    return [fromX + ((bendX - fromX) * clear) / far, fromY + ((bendY - fromY) * clear) / far];
  };
  const [start, end] = [lift([x, y]), lift([toX, toY])];
  pen.beginPath();
  pen.moveTo(...start);
  pen.quadraticCurveTo(bendX, bendY, ...end);
  pen.strokeStyle = BACK;
  pen.lineWidth = 2.4;
  pen.setLineDash([2, 4]);
  pen.stroke();
  pen.setLineDash([]);
  drawArrowHead(pen, ...end, bendX, bendY, 6, BACK);
}

/** A short dotted line from a move that is searched again back to its probe, beside it. */
export function drawReSearchLine(pen, x, toX, y, clear) {
  if (x - toX <= 2 * clear + 4) return;
  pen.beginPath();
  pen.moveTo(x - clear, y);
  pen.lineTo(toX + clear, y);
  pen.strokeStyle = BACK;
  pen.lineWidth = 1.8;
  pen.setLineDash([2, 3]);
  pen.stroke();
  pen.setLineDash([]);
}

/** A filled head of an arrow whose tip is at (x, y), coming from (fromX, fromY). */
export function drawArrowHead(pen, x, y, fromX, fromY, size = 7, colour = CAUSE) {
  const turn = Math.atan2(y - fromY, x - fromX);
  pen.beginPath();
  pen.moveTo(x, y);
  for (const side of [0.45, -0.45]) pen.lineTo(x - size * 1.6 * Math.cos(turn + side), y - size * 1.6 * Math.sin(turn + side));
  pen.closePath();
  pen.fillStyle = colour;
  pen.fill();
}

/** Draw the depth limit, below which only quiescence search goes on: a faint line, with a label if there is room. */
export function drawHorizonLine(pen, theme, K, y, from, to, gap) {
  const line = new Path2D();
  line.moveTo(from, y);
  line.lineTo(to, y);
  strokePath(pen, theme, line, 0.4, 1, [10, 5]);
  if (gap >= ROOM_FOR_A_NAME) drawLabel(pen, theme, `horizon, K = ${K}`, from, y - 4, { size: 11, alpha: 0.75, align: "left" });
}

const MIN_NAME_ROOM = 26; // px between two levels: with less there is one line for each, and only signs
const MIN_SIGN_ROOM = 13; // with less some levels have no line

/** Draw who moves beside each level: {depth, turns, y}. */
export function drawLevelNames(pen, theme, levels, width) {
  const room = levels.length > 1 ? levels[1].y - levels[0].y : Infinity;
  const every = Math.ceil(MIN_SIGN_ROOM / room);
  for (const { depth, turns, y } of levels) {
    if (room < MIN_NAME_ROOM) {
      if (depth % every) continue;
      const x = drawSigns(pen, theme, turns, 2, y + 4, 11);
      drawLabel(pen, theme, String(depth), x, y + 4, { size: 11, alpha: 0.75, align: "left" });
      continue;
    }
    drawTurnNames(pen, theme, turns, 2, y, levelMargin(width) - 2, 12);
    drawLabel(pen, theme, `depth ${depth}`, 2, y + 13, { size: 11, alpha: 0.75, align: "left" });
  }
}

/** Draw the names of turns into a width: sign and name, or only the name if the sign has no room; of several turns only the signs. */
export function drawTurnNames(pen, theme, turns, x, y, room, size) {
  const title = turns.length === 1 ? TURNS[turns[0]].title : "";
  pen.font = `600 ${size}px ${theme.font}`;
  const hasSigns = !title || pen.measureText(`▲ ${title}`).width <= room;
  const after = drawSigns(pen, theme, hasSigns ? turns : [], x, y, size);
  pen.fillStyle = theme.text; // the colour of a side is too dim for small words on black
  pen.fillText(title, after, y);
}

/** Draw the signs of turns. Return the x behind them. */
function drawSigns(pen, theme, turns, x, y, size) {
  pen.textAlign = "left";
  pen.textBaseline = "alphabetic";
  pen.font = `600 ${size}px ${theme.font}`;
  for (const turn of turns) {
    const sign = `${TURNS[turn].sign} `;
    pen.fillStyle = theme.sides[turn];
    pen.fillText(sign, x, y);
    x += pen.measureText(sign).width;
  }
  return x;
}

/** The width of the level names. */
export function levelMargin(width) {
  return width < 500 ? 42 : 58;
}
