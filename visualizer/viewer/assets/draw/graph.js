// The positions of a search as a graph, under the same camera as the whole tree.

import { strokeBestLine, drawLabel, levelMargin, drawLevelNames, prepareCanvas, drawRing, strokeEdges, strokePath, drawShape } from "./canvas.js";
import { BACK, withBound } from "./formatting.js";
import { countReached } from "../model/merged_layout.js";
import { fit, withoutOverlap } from "../model/tidy_layout.js";

const REACH = 16; // px: how far from a node a click may be

/** Draw the graph. Return a function that finds the position nearest to a point, as its latest call so far (-1: none). */
export function drawGraph(canvas, scene) {
  const { tree, steps, t, theme, graph, camera, selected } = scene;
  const { pen, width, height } = prepareCanvas(canvas);
  const view = fit(0, graph.places - 1, width, height, graph.levels.length, { bottom: scene.bottom });
  const at = (place) => [graph.positions[place].x * camera.scale + camera.shift, view.top + graph.positions[place].depth * view.rowGap];
  const path = tree.path(steps.at(t).node);
  const drawing = { ...scene, pen, at };
  const reached = graph.positions.map((position) => countReached(steps, position, t));
  if (scene.principal) strokeBestLine(pen, edgesTo(drawing, [...scene.principal]));
  drawEdges(drawing);
  strokePath(pen, theme, edgesTo(drawing, path), 0.95, 2.4);
  const onPath = new Set(path.map((row) => graph.of[row]));
  const current = graph.of[path.at(-1)];
  const sizes = graph.levels.map((level) => Math.max(1.8, Math.min(12, smallestGap(graph, level) * camera.scale * 0.36, view.rowGap * 0.2)));
  const words = graph.levels.map(() => []);
  graph.positions.forEach((position, place) => {
    const [x, y] = at(place);
    if (x < -40 || x > width + 40) return;
    const { count, left } = reached[place];
    const chosen = graph.has(selected) && place === graph.of[selected];
    const size = Math.max(sizes[position.depth], place === current || chosen ? 6 : 0);
    const state = !count ? "future" : onPath.has(place) ? "path" : tree.isPruned(left) ? "cut" : "done";
    drawShape(pen, x, y, size, tree.turn(position.rows[0]), state, theme, place === current);
    if (chosen) drawRing(pen, x, y, size * 1.9 + 3, theme.text);
    const text = [left < 0 || size < 4 ? "" : withBound(tree, left), count > 1 && size >= 3 ? `×${count}` : ""].join(" ").trim();
    if (text) words[position.depth].push({ text, x });
  });
  words.forEach((items, depth) => drawTexts(drawing, items.sort((a, b) => a.x - b.x), view.top + depth * view.rowGap + sizes[depth] + 12));
  pen.fillStyle = theme.background;
  pen.fillRect(0, view.top - 14, levelMargin(width), height);
  drawLevelNames(pen, theme, graph.levels.map((_, depth) => ({ depth, turns: tree.turns[depth], y: view.top + depth * view.rowGap })), width);

  return (px, py) => {
    const depth = Math.round((py - view.top) / view.rowGap);
    const near = (graph.levels[depth] ?? []).toSorted((a, b) => Math.abs(at(a)[0] - px) - Math.abs(at(b)[0] - px))[0];
    if (near === undefined || Math.abs(at(near)[0] - px) >= REACH) return -1;
    const { rows } = graph.positions[near];
    return rows[Math.max(reached[near].count, 1) - 1];
  };
}

/** Draw the reason why there is no graph. */
export function drawRefusal(canvas, { theme }, words) {
  const { pen, width, height } = prepareCanvas(canvas);
  pen.font = `14px ${theme.font}`;
  const fitting = [""];
  for (const word of words.split(" ")) {
    const longer = `${fitting.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width < width - 40) fitting[fitting.length - 1] = longer;
    else fitting.push(word);
  }
  fitting.forEach((line, index) => drawLabel(pen, theme, line, width / 2, height / 2 + 20 * index, { size: 14 }));
  return () => -1;
}

/** The edges that lead to these rows. */
function edgesTo({ tree, graph, at }, rows) {
  const drawn = new Path2D();
  for (const row of rows) {
    if (!graph.has(row) || tree.parent(row) < 0) continue;
    drawn.moveTo(...at(graph.of[tree.parent(row)]));
    drawn.lineTo(...at(graph.of[row]));
  }
  return drawn;
}

/** Faint: not visited yet. Dotted: the table answered all calls along this edge. */
function drawEdges({ pen, theme, tree, steps, t, graph, camera, at }) {
  const [faint, plain, answered] = [new Path2D(), new Path2D(), new Path2D()];
  for (const { above, below, rows } of graph.edges) {
    const future = steps.enter(rows[0]) > t;
    const drawn = future ? faint : rows.every((row) => tree.isAnswered(row) || steps.enter(row) > t) ? answered : plain;
    drawn.moveTo(...at(above));
    drawn.lineTo(...at(below));
  }
  const spacing = Math.min(...graph.levels.map((level) => smallestGap(graph, level))) * camera.scale;
  strokeEdges(pen, theme, faint, false, spacing);
  strokeEdges(pen, theme, plain, true, spacing);
  strokePath(pen, { text: BACK }, answered, 0.9, 1.4, [2, 3]);
}

/** The smallest distance of two positions in a layer, at most 4. */
function smallestGap({ positions }, level) {
  const gaps = level.slice(1).map((place, index) => positions[place].x - positions[level[index]].x);
  return Math.min(4, ...gaps);
}

function drawTexts({ pen, theme }, items, y) {
  pen.font = `600 11px ${theme.font}`;
  for (const { text, x, line } of withoutOverlap(items, (words) => pen.measureText(words).width, 2)) {
    drawLabel(pen, theme, text, x, y + line * 11, { size: 11, strong: true });
  }
}
