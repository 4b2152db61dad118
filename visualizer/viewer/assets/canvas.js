// Draws the tree. Everything drawn is also returned as a list of boxes, so that a click can be told what it hit.

import { firstAtLeast, fit, pathRows } from "./layout.js";
import { number, sideColour, withBound } from "./look.js";

const SKIP = 0.7; // px: nodes of one state nearer than this to the last one drawn are left out

/** Make the canvas sharp on this screen; its size in CSS pixels. */
export function prepare(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

/** The path view: one row per depth, the moves of each node of the path below it. */
export function drawPath(canvas, { tree, steps, t, theme, principal, selected, lecture }) {
  const { pen, width, height } = prepare(canvas);
  const step = steps.at(t);
  const path = tree.path(step.node);
  const shown = step.kind === "return" ? tree.path(step.child) : path;
  const rows = pathRows(tree, shown);
  const gap = Math.min((height - 74) / Math.max(tree.height, 1), 132);
  const top = Math.max(36, (height - gap * tree.height) / 2 - 8);
  const size = Math.max(8, Math.min(15, gap * 0.24, width / 7 / 4));
  const text = Math.max(10, Math.min(15, gap * 0.3)) * (lecture ? 1.35 : 1);
  const boxes = [];
  const place = new Map();
  const onPath = new Set(path);

  rows.forEach((items, depth) => {
    for (const item of items) {
      item.x = ((item.slot + 0.5) * width) / item.slots;
      item.y = top + depth * gap;
      if (item.kind === "node") place.set(item.row, item);
    }
  });
  rows.slice(1).forEach((items) => items.forEach((item) => edge(pen, place.get(item.owner), item)));
  rows.forEach((items) => items.forEach((item) => glyph(pen, item)));
  return boxes;

  function edge(pen, from, item) {
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

  function glyph(pen, item) {
    const isStub = item.kind === "stub";
    const maximizing = isStub ? !tree.maximizing(item.owner) : tree.maximizing(item.row);
    const state = isStub ? (steps.stubVisible(item.owner, t) ? "skipped" : "future") : steps.state(item.row, t);
    if (item.owner >= 0) label(pen, short(item.name, width / item.slots), item.x + size * 0.7 + 5, item.y - size - text * 0.25, text * 0.8, 0.75, "left");
    if (state === "skipped") {
      cross(pen, item.x, item.y, size * 0.6, theme.text);
    } else {
      triangle(pen, item.x, item.y, size, maximizing, state, theme, !isStub && item.row === step.node);
    }
    if (!isStub) {
      boxes.push({ row: item.row, x: item.x - size - 8, y: item.y - size - 8, width: 2 * size + 40, height: 2 * size + text + 16 });
      if (item.row === selected) ring(pen, item.x, item.y, size * 1.75, theme.text);
      const value = steps.valueShown(item.row, t);
      const below = item.y + size + text * 0.95;
      if (value !== null) {
        label(pen, withBound(value, tree.bound(item.row)), item.x, below, text, 1, "center", true);
      } else if (onPath.has(item.row)) {
        const so = steps.soFar(item.row, t);
        const known = (tree.maximizing(item.row) ? "≥ " : "≤ ") + number(so.best);
        const room = item.slot === item.slots - 1 ? width - item.x : width / item.slots;
        if (so.best === null) return;
        if (room > 130) label(pen, `${known} so far`, item.x + size * 1.6 + 6, item.y + text * 0.7, text * 0.9, 0.9, "left");
        else label(pen, `${known} …`, item.x, below, text * 0.9, 0.9);
      }
    }
  }

  function label(pen, words, x, y, px, alpha, align = "center", strong = false) {
    pen.font = `${strong ? 600 : 400} ${Math.max(10, px)}px ${theme.font}`;
    pen.textAlign = align;
    pen.textBaseline = "alphabetic";
    pen.lineWidth = 4;
    pen.strokeStyle = theme.background;
    pen.globalAlpha = 1;
    pen.lineJoin = "round";
    pen.strokeText(words, x, y);
    pen.globalAlpha = alpha;
    pen.fillStyle = theme.text;
    pen.fillText(words, x, y);
    pen.globalAlpha = 1;
  }
}

/** A name that has room beside its node: about seven pixels a letter. */
function short(name, room) {
  const letters = Math.max(2, Math.floor((room - 20) / 7));
  return name.length <= letters ? name : `${name.slice(0, letters - 1)}…`;
}

/** Up for MAX, down for MIN. Not yet: thin outline. On the path: thick outline. Done: filled. Cut: filled, with a bar. */
function triangle(pen, x, y, size, maximizing, state, theme, current) {
  const tip = maximizing ? -size : size;
  pen.beginPath();
  pen.moveTo(x, y + tip);
  pen.lineTo(x + size, y - tip * 0.8);
  pen.lineTo(x - size, y - tip * 0.8);
  pen.closePath();
  const colour = sideColour(maximizing);
  pen.fillStyle = state === "done" || state === "cut" ? colour : theme.background;
  pen.fill();
  pen.globalAlpha = state === "future" ? 0.6 : 1;
  pen.strokeStyle = colour;
  pen.lineWidth = state === "path" ? 3 : 1.2;
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
  if (current) ring(pen, x, y - tip * 0.05, size * 1.55, colour, 2.5);
}

function ring(pen, x, y, radius, colour, width = 1.2) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
}

function cross(pen, x, y, size, colour) {
  pen.strokeStyle = colour;
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(x - size, y - size);
  pen.lineTo(x + size, y + size);
  pen.moveTo(x + size, y - size);
  pen.lineTo(x - size, y + size);
  pen.stroke();
}

/** The whole tree under a camera {scale, shift}; returns a function that finds the node nearest to a point. */
export function drawWhole(canvas, { tree, steps, t, theme, layout, camera, principal, selected }) {
  const { pen, width, height } = prepare(canvas);
  const { x, levels } = layout;
  const { scale, shift } = camera;
  const view = fit(0, layout.leaves - 1, width, height, levels.length);
  const left = (-40 - shift) / scale;
  const right = (width + 40 - shift) / scale;
  const yOf = (depth) => view.top + depth * view.rowGap;
  const current = steps.at(t).node;
  const onPath = new Set(tree.path(current));

  levels.forEach((rows, depth) => {
    const from = firstAtLeast(rows, x, left);
    const to = firstAtLeast(rows, x, right);
    if (depth > 0) edges(rows, Math.max(0, from - 1), Math.min(rows.length, to + 1), depth);
  });
  levels.forEach((rows, depth) => nodes(rows, firstAtLeast(rows, x, left), firstAtLeast(rows, x, right), depth));

  return function nearest(px, py) {
    const depth = Math.round((py - view.top) / view.rowGap);
    if (depth < 0 || depth >= levels.length) return -1;
    const rows = levels[depth];
    const at = firstAtLeast(rows, x, (px - shift) / scale);
    const near = [rows[at - 1], rows[at]].filter((row) => row !== undefined);
    near.sort((a, b) => Math.abs(x[a] * scale + shift - px) - Math.abs(x[b] * scale + shift - px));
    return near.length && Math.abs(x[near[0]] * scale + shift - px) < 16 ? near[0] : -1;
  };

  function edges(rows, from, to, depth) {
    const plain = new Path2D();
    const bold = new Path2D();
    let lastX = -Infinity;
    for (let i = from; i < to; i++) {
      const row = rows[i];
      const px = x[row] * scale + shift;
      const special = onPath.has(row) || principal?.has(row);
      if (!special && px - lastX < SKIP) continue;
      if (steps.enterStep(row) > t) continue;
      const parent = tree.parent(row);
      const target = special ? bold : plain;
      target.moveTo(x[parent] * scale + shift, yOf(depth - 1));
      target.lineTo(px, yOf(depth));
      if (!special) lastX = px;
    }
    pen.strokeStyle = theme.text;
    pen.globalAlpha = 0.35;
    pen.lineWidth = 0.8;
    pen.stroke(plain);
    pen.globalAlpha = 0.95;
    pen.lineWidth = 2.2;
    pen.stroke(bold);
    pen.globalAlpha = 1;
  }

  function nodes(rows, from, to, depth) {
    const spacing = to - from > 1 ? Math.max(scale, width / (to - from)) : 80;
    const size = Math.max(1.6, Math.min(12, spacing * 0.32, view.rowGap * 0.2));
    const labels = spacing >= 26;
    const y = yOf(depth);
    const last = { future: -Infinity, path: -Infinity, done: -Infinity, cut: -Infinity };
    for (let i = from; i < to; i++) {
      const row = rows[i];
      const px = x[row] * scale + shift;
      const state = steps.state(row, t);
      const special = row === current || row === selected;
      if (!special && px - last[state] < SKIP) continue;
      last[state] = px;
      const maximizing = tree.maximizing(row);
      if (size < 3 && !special) {
        pen.globalAlpha = state === "future" ? 0.25 : 1;
        pen.fillStyle = sideColour(maximizing);
        pen.fillRect(px - 0.8, y - size, 1.6, 2 * size);
        pen.globalAlpha = 1;
      } else {
        triangle(pen, px, y, special ? Math.max(size, 6) : size, maximizing, state, theme, row === current);
      }
      if (row === selected) ring(pen, px, y, size * 1.9 + 3, theme.text);
      if (state === "cut" && size >= 5) crossBelow(px, y + size + 4);
      const value = steps.valueShown(row, t);
      if (labels && value !== null) {
        pen.font = `600 ${Math.min(13, Math.max(10, spacing * 0.3))}px ${theme.font}`;
        pen.textAlign = "center";
        pen.fillStyle = theme.text;
        pen.fillText(withBound(value, tree.bound(row)), px, y + size + 14);
      }
    }
  }

  function crossBelow(px, y) {
    pen.setLineDash([2, 2]);
    pen.strokeStyle = theme.text;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(px + 5, y - 4);
    pen.lineTo(px + 13, y + 6);
    pen.stroke();
    pen.setLineDash([]);
    cross(pen, px + 15, y + 9, 2.5, theme.text);
  }
}
