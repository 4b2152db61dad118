// The nodes of an exercise as page elements: one for each node, with input fields or as a button. They move, but are never recreated.

import { layOutSideways, minColumnWidth } from "./exercise_tree.js";
import { TURNS } from "../../model/record_model.js";
import { escape } from "../../draw/panels.js";

// sizes in px
const NARROW_WIDTH = 500;
const MIN_COLUMN_WIDTH = 39;
const MIN_SIDE_BY_SIDE_WIDTH = 104; // of a column, for alpha and beta side by side
const MAX_SIDEWAYS_WIDTH = 760; // a tree that is too wide is drawn sideways below this
const NODE_GAP = 3; // between nodes of a level
const [SIDEWAYS_GAP, SIDEWAYS_TOP] = [12, 24]; // between nodes, and above the tree for the names of the levels
const LEVEL_HEIGHTS = { window: 102, call: 88, visits: 168 };
const TALL_LEVEL_HEIGHT = 112; // of nodes with visits and means
const FIELDS = { number: [null], window: [0, 1], visits: [0, 1] }; // by answer format: the ends of a pair
const SIGNS = { window: ["α", "β"], visits: ["n", "m"] };
const FIELD_NAMES = { window: ["alpha", "beta"], visits: ["visits", "mean"] };

/** Create an element for every node. `notify(name, row, ...)` reports picks, typed text and keys. */
export function createNodes({ nodes, format, parts }, notify) {
  return nodes.map((node) => {
    const isAsked = parts.includes(String(node.row));
    const fields = isAsked && FIELDS[format] ? FIELDS[format].map((end) => createField(node, nodes, format, end, notify)) : [];
    const element = document.createElement(fields.length || format === "count" || !node.visited || format === "number" || format === "visits" ? "div" : "button");
    element.className = "node";
    element.dataset.row = node.row;
    element.style.setProperty("--side", TURNS[node.turn].colour);
    element.classList.toggle("leaf", node.value !== null);
    element.classList.toggle("chance", node.value === null && node.turn === "chance");
    element.classList.toggle("skipped", !node.visited);
    element.classList.toggle("asked", isAsked && format === "child");
    const inputs = Object.assign(document.createElement("span"), { className: "inputs" });
    inputs.append(...fields);
    element.append(...createLabels(node, format, isAsked), ...(fields.length ? [inputs] : []));
    if (element.tagName === "BUTTON") {
      element.type = "button";
      element.addEventListener("click", () => notify("pick", node.row));
    }
    element.addEventListener("keydown", (event) => notify("key", node.row, event));
    return element;
  });
}

function createLabels(node, format, isAsked) {
  const labels = [];
  if (node.value === null) labels.push(createPart("span", "to-move", TURNS[node.turn].sign));
  if (format === "child" && isAsked) labels.push(createPart("b", "", "?"));
  if (format === "reply" && node.parent >= 0) labels.push(createPart("small", "", node.name));
  if (format === "call" && node.visited) {
    const result = createPart("b", "", node.result);
    result.dataset.result = node.result;
    labels.push(createPart("small", "", `${node.alpha}, ${node.beta}`), result);
  } else if (node.value !== null) labels.push(createPart("b", "", node.value));
  for (const text of node.counts ?? []) labels.push(createPart("small", "", text));
  return labels;
}

function createPart(tag, className, text) {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

function createField(node, nodes, format, end, notify) {
  const element = document.createElement("input");
  Object.assign(element, { autocomplete: "off", spellcheck: false, placeholder: end === null ? "" : SIGNS[format][end], maxLength: 16 });
  element.dataset.part = `${node.row}`;
  if (end !== null) element.dataset.end = end;
  element.setAttribute("aria-label", `${end === null ? "value" : FIELD_NAMES[format][end]} of ${describeNode(node, nodes)}`);
  element.addEventListener("input", () => notify("type", node.row, element, end));
  return element;
}

/** Describe a node by the moves that lead to it, for screen readers. */
export function describeNode(node, nodes) {
  const kind = node.value === null ? `${TURNS[node.turn].title} node` : `leaf ${node.value}`;
  const moves = [];
  for (let above = node; above.parent >= 0; above = nodes[above.parent]) moves.unshift(above.name);
  return moves.length ? `${kind} after move ${moves.join(", then move ")}` : `root, ${kind}`;
}

/** Place the nodes within the available width, and draw the lines and the names of the levels. On a narrow screen a tree that is too
 *  wide is drawn sideways. Return true if it is. */
export function placeNodes(tree, elements, exercise, children, layout, available) {
  tree.classList.remove("side-by-side"); // to measure the nodes at their narrowest
  const minWidth = Math.max(MIN_COLUMN_WIDTH, minColumnWidth(layout, elements.map((element) => element.offsetWidth), NODE_GAP));
  const isSideways = available < MAX_SIDEWAYS_WIDTH && leftMargin(available) + minWidth * layout.columns + 8 > available;
  const { at, width, height, names } = isSideways
    ? placeSideways(tree, elements, exercise, children, layout, available)
    : placeUpright(tree, exercise, layout, minWidth, available);
  Object.assign(tree.style, { width: `${width}px`, height: `${height}px` });
  elements.forEach((element, row) => {
    const [across, down] = at(row);
    Object.assign(element.style, { left: `${across}px`, top: `${down}px` });
  });
  const lines = drawLines(exercise, at, elements);
  tree.querySelector(".background").innerHTML = `<svg width="${width}" height="${height}" aria-hidden="true">${lines}</svg>${names}`;
  return isSideways;
}

/** Return the width for the names of the levels. */
function leftMargin(available) {
  return available < NARROW_WIDTH ? 34 : 44;
}

function placeUpright(tree, { nodes, format }, { x, depths, columns, levels }, minWidth, available) {
  const left = leftMargin(available);
  const columnWidth = Math.max(minWidth, Math.min((available - left - 10) / columns, 150));
  const isStacked = format === "window" && columnWidth < MIN_SIDE_BY_SIDE_WIDTH;
  tree.classList.toggle("side-by-side", format === "window" && !isStacked);
  const isTall = isStacked || nodes.some(({ counts }) => counts);
  const levelHeight = isStacked || format !== "window" ? LEVEL_HEIGHTS[format] ?? (isTall ? TALL_LEVEL_HEIGHT : 78) : 82;
  const at = (row) => [left + columnWidth * (x[row] + 0.5), (format === "visits" ? 84 : isTall ? 52 : 40) + depths[row] * levelHeight];
  const height = at(0)[1] + (levels - 1) * levelHeight + (format === "visits" ? 80 : isTall ? 48 : 34);
  const names = drawLevelNames(nodes, depths, levels, (depth) => `top:${at(0)[1] + depth * levelHeight}px`);
  return { at, width: left + columnWidth * columns + 8, height, names };
}

function placeSideways(tree, elements, { nodes, format }, children, { depths, levels }, available) {
  const levelWidth = (available - 4) / levels;
  tree.classList.toggle("side-by-side", format === "window" && levelWidth >= MIN_SIDE_BY_SIDE_WIDTH);
  const { y, height } = layOutSideways(children, elements.map((element) => element.offsetHeight + SIDEWAYS_GAP));
  const at = (row) => [levelWidth * (depths[row] + 0.5), SIDEWAYS_TOP + y[row]];
  const names = drawLevelNames(nodes, depths, levels, (depth) => `top:10px;left:${levelWidth * (depth + 0.5) - 14}px`);
  return { at, width: available - 4, height: SIDEWAYS_TOP + height, names };
}

function drawLines({ nodes, format }, at, elements) {
  const boxes = elements.map((element) => [element.offsetWidth, element.offsetHeight]);
  return nodes.filter(({ parent }) => parent >= 0).map(({ row, parent, visited, edge }) => {
    const [[fromX, fromY], [toX, toY]] = [at(parent), at(row)];
    const part = labelShare([toX - fromX, toY - fromY], boxes[parent], boxes[row]);
    const [x, y] = [fromX + (toX - fromX) * part, fromY + (toY - fromY) * part + 3];
    const label = format === "order" || format === "reply" ? "" : `<text x="${x}" y="${y}">${escape(edge)}</text>`;
    return `<path data-to="${row}" class="${visited ? "" : "skipped"}" d="M${fromX} ${fromY}L${toX} ${toY}"/>${label}`;
  }).join("");
}

/** Return which share of a line between the middles of two boxes is before its label: the middle of what is seen of the line. */
export function labelShare([across, down], from, to) {
  const hidden = ([width, height]) => Math.min(width / 2 / Math.abs(across), height / 2 / Math.abs(down));
  return (1 + hidden(from) - hidden(to)) / 2;
}

/** Draw who moves at each level with moves; `styleOf(depth)` places the name. */
function drawLevelNames(nodes, depths, levels, styleOf) {
  return Array.from({ length: levels }, (_, depth) => {
    const side = nodes.find(({ row, value }) => depths[row] === depth && value === null);
    return side ? `<div class="level" style="${styleOf(depth)};--side:${TURNS[side.turn].colour}">${TURNS[side.turn].title}</div>` : "";
  }).join("");
}

/** Show at a node whether its answer is right; null removes the sign. */
export function showResult(element, right) {
  element.querySelector(".result")?.remove();
  element.classList.toggle("is-right", right === true);
  element.classList.toggle("is-wrong", right === false);
  if (right === null) return;
  element.append(createPart("span", `result ${right ? "right" : "wrong"}`, right ? "✓" : "✗"));
}
