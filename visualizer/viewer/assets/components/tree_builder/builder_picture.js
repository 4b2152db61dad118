// The picture of a tree that is being built, drawn like every tree of the viewer. A leaf is filled, because its value is known.

import { drawLabel, drawLevelNames, drawRing, drawShape, levelMargin, prepareCanvas, strokePath } from "../../draw/canvas.js";
import { number } from "../../draw/formatting.js";
import { sortTurns } from "../../model/picture_tree.js";

// sizes in px
const TEXT_SIZES = [14, 13, 12, 11, 10]; // of the values: the largest that fits
const LABEL_GAP = 5; // between two values
const MIN_COLUMN = 20;
const MAX_COLUMN = 130;
const [MIN_LEVEL, MAX_LEVEL] = [62, 112]; // between two plies
const TOP = 30; // above the root
const BOTTOM = 58; // below the leaves, for a value and a name
const RING = 1.5; // around the selected node, in sizes of a node
const RIGHT = 6;
const NAME_SIZE = 11;

/** Choose the sizes of the picture. `measure(text, size)` returns the width of a text. The tree is wider than `width` only if its values
 *  do not fit in the smallest letters. */
export function planPicture({ nodes, leaves, height }, { width, tall, minLevel = MIN_LEVEL }, measure) {
  const left = levelMargin(width);
  const available = width - left - RIGHT;
  const texts = nodes.filter(({ childless }) => childless).map(({ node }) => number(node.value));
  const columnFor = (size) => Math.max(MIN_COLUMN, LABEL_GAP + Math.max(...texts.map((text) => measure(text, size))));
  const text = TEXT_SIZES.find((size) => columnFor(size) * leaves <= available) ?? TEXT_SIZES.at(-1);
  const column = Math.max(columnFor(text), Math.min(available / leaves, MAX_COLUMN));
  const level = Math.max(minLevel, Math.min((tall - TOP - BOTTOM) / Math.max(height, 1), MAX_LEVEL));
  const start = left + Math.max(0, (available - column * leaves) / 2);
  return {
    column, level, text, start,
    size: Math.max(6, Math.min(13, column * 0.34)),
    width: Math.max(width, Math.ceil(start + column * leaves + RIGHT)),
    height: TOP + height * level + BOTTOM,
    at: ({ x, depth }) => [start + column * (x + 0.5), TOP + depth * level],
  };
}

/** Draw the tree. `selected` is the path of a node, as text; the lines of the path `played` are thick. */
export function drawPicture(canvas, theme, { nodes, height }, plan, maxFirst, selected, played = []) {
  const { pen, width } = prepareCanvas(canvas);
  const { at, size, level, text } = plan;
  const places = new Map(nodes.map((place) => [place.path.join(), place]));
  const turnOf = ({ turn }) => (turn === "chance" ? turn : (turn === "first") === maxFirst ? "max" : "min");
  const turnsAt = (depth) => sortTurns(nodes.filter((place) => place.depth === depth).map(turnOf));
  const [other, thick] = [new Path2D(), new Path2D()];
  for (const place of nodes) {
    if (!place.path.length) continue;
    const [[fromX, fromY], [x, y]] = [at(places.get(place.path.slice(0, -1).join())), at(place)];
    const lines = place.path.every((child, depth) => played[depth] === child) ? thick : other;
    lines.moveTo(fromX, fromY + size * 0.9);
    lines.lineTo(x, y - size);
  }
  strokePath(pen, theme, other, 0.6, 1.1);
  strokePath(pen, theme, thick, 0.95, 2.6);
  drawLevelNames(pen, theme, Array.from({ length: height + 1 }, (_, depth) => ({ depth, turns: turnsAt(depth), y: TOP + depth * level })), width);
  for (const place of nodes) {
    const [x, y] = at(place);
    if (place.path.length) drawMoveName(pen, theme, place, at(places.get(place.path.slice(0, -1).join())), [x, y], plan);
    drawShape(pen, x, y, size, turnOf(place), place.childless ? "done" : "future", theme, false);
    if (place.path.join() === selected) drawRing(pen, x, y, size * RING, theme.text, 2);
    const { name, value } = place.node;
    if (place.childless) {
      drawLabel(pen, theme, number(value), x, y + size * RING + text, { size: text, strong: true });
      if (name) drawLabel(pen, theme, shorten(pen, theme, name, plan.column), x, y + size * RING + text + NAME_SIZE + 3, { size: NAME_SIZE, alpha: 0.85 });
    } else if (name) drawLabel(pen, theme, shorten(pen, theme, name, 140), x + size * RING + 5, y + 4, { size: NAME_SIZE, alpha: 0.85, align: "left" });
  }
}

/** The name of a move beside its line: its own, or else its number. Of an outcome: its probability, with its name if it has one. */
function drawMoveName(pen, theme, { node, path }, [fromX, fromY], [x, y], { column, size }) {
  const name = node.p === "" ? node.move || String(path.at(-1)) : node.move ? `${node.move} (${node.p})` : String(node.p);
  const words = shorten(pen, theme, name, Math.max(column, 24));
  const share = 0.68; // of the way down, where the lines are apart
  drawLabel(pen, theme, words, fromX + (x - fromX) * share, fromY + (y - size - fromY) * share + 4, { size: NAME_SIZE, alpha: 0.85 });
}

/** Cut a name to a width. */
function shorten(pen, theme, name, width) {
  pen.font = `400 ${NAME_SIZE}px ${theme.font}`;
  const letters = [...name];
  let count = letters.length;
  while (count > 1 && pen.measureText(cut(count)).width > width) count--;
  return cut(count);

  function cut(length) {
    return length < letters.length ? `${letters.slice(0, length).join("")}…` : name;
  }
}
