// The nodes of an exercise as elements of the page: fields to type into and buttons, one for each node, kept while they move.

import { leastStep, lying } from "./exercise_tree.js";
import { MAX, MIN } from "../../draw/formatting.js";
import { escape } from "../../draw/panels.js";

const NARROW = 500; // px
const LEAST = 39; // px that a leaf has at least
const BESIDE = 104; // px from which alpha and beta stand side by side
const LYING = 760; // px of room below which a tree that is too wide lies on its side
const BETWEEN = 3; // px between nodes of a level
const [GAP, ABOVE] = [12, 24]; // px between nodes of a tree on its side, and above it for the names of the levels
const HEIGHTS = { window: 114, call: 88 }; // px from level to level
const TYPED = { number: [null], window: [0, 1] };
const SIGNS = { 0: "α", 1: "β" };

/** An element for every node. `hears(name, row, ...)` is told of a pick, of what is typed, and of keys. */
export function makeNodes({ nodes, how, parts }, hears) {
  return nodes.map((node) => {
    const asks = parts.includes(String(node.row));
    const fields = asks && TYPED[how] ? TYPED[how].map((end) => field(node, nodes, end, hears)) : [];
    const made = document.createElement(fields.length || how === "count" || !node.visited || how === "number" ? "div" : "button");
    made.className = "node";
    made.dataset.row = node.row;
    made.style.setProperty("--side", node.max ? MAX : MIN);
    made.classList.toggle("leaf", node.value !== null);
    made.classList.toggle("gone", !node.visited);
    made.classList.toggle("asked", asks && how === "child");
    const typed = Object.assign(document.createElement("span"), { className: "typed" });
    typed.append(...fields);
    made.append(...labels(node, how, asks), ...(fields.length ? [typed] : []));
    if (made.tagName === "BUTTON") {
      made.type = "button";
      made.addEventListener("click", () => hears("pick", node.row));
    }
    made.addEventListener("keydown", (event) => hears("key", node.row, event));
    return made;
  });
}

function labels(node, how, asks) {
  const shown = [];
  if (node.value === null) shown.push(part("span", "turn", node.max ? "▲" : "▼"));
  if (how === "child" && asks) shown.push(part("b", "", "?"));
  if (how === "reply" && node.parent >= 0) shown.push(part("small", "", node.name));
  if (how === "call" && node.visited) {
    const result = part("b", "", node.result);
    result.dataset.result = node.result;
    shown.push(part("small", "", `${node.alpha}, ${node.beta}`), result);
  } else if (node.value !== null) shown.push(part("b", "", node.value));
  return shown;
}

function part(tag, name, text) {
  return Object.assign(document.createElement(tag), { className: name, textContent: text });
}

function field(node, nodes, end, hears) {
  const made = document.createElement("input");
  Object.assign(made, { autocomplete: "off", spellcheck: false, placeholder: end === null ? "" : SIGNS[end], maxLength: 16 });
  made.dataset.part = `${node.row}`;
  if (end !== null) made.dataset.end = end;
  made.setAttribute("aria-label", `${end === null ? "value" : end === 0 ? "alpha" : "beta"} of ${nameOf(node, nodes)}`);
  made.addEventListener("input", () => hears("type", node.row, made, end));
  return made;
}

/** A node in words, for who cannot see the tree: by the moves that lead to it, as in the reasons. */
export function nameOf(node, nodes) {
  const what = node.value === null ? (node.max ? "MAX node" : "MIN node") : `leaf ${node.value}`;
  const moves = [];
  for (let at = node; at.parent >= 0; at = nodes[at.parent]) moves.unshift(at.name);
  return moves.length ? `${what} after ${moves.join(", ")}` : `root, ${what}`;
}

/** Put the nodes where they belong, in as much room as there is, with lines between them and the names of the levels. On a narrow
 *  screen a tree that is too wide lies on its side; whether it does comes back. */
export function place(tree, elements, exercise, children, laid, room) {
  tree.classList.remove("beside"); // to be measured as narrow as they can be
  const least = Math.max(LEAST, leastStep(laid, elements.map((element) => element.offsetWidth), BETWEEN));
  const lies = room < LYING && (room < NARROW ? 34 : 44) + least * laid.places + 8 > room;
  const { at, width, height, names } = lies
    ? onItsSide(tree, elements, exercise, children, laid, room)
    : upright(tree, exercise, laid, least, room);
  Object.assign(tree.style, { width: `${width}px`, height: `${height}px` });
  elements.forEach((element, row) => {
    const [across, down] = at(row);
    Object.assign(element.style, { left: `${across}px`, top: `${down}px` });
  });
  const lines = drawnLines(exercise, at, lies || exercise.how === "window" ? 0.5 : 0.62);
  tree.querySelector(".behind").innerHTML = `<svg width="${width}" height="${height}" aria-hidden="true">${lines}</svg>${names}`;
  return lies;
}

function upright(tree, { nodes, how }, { x, depths, places, levels }, least, room) {
  const left = room < NARROW ? 34 : 44; // for the names of the levels
  const step = Math.max(least, Math.min((room - left - 10) / places, 150));
  const stacked = how === "window" && step < BESIDE;
  tree.classList.toggle("beside", how === "window" && !stacked);
  const high = stacked || how !== "window" ? HEIGHTS[how] ?? 78 : 82;
  const at = (row) => [left + step * (x[row] + 0.5), (stacked ? 52 : 40) + depths[row] * high];
  const height = at(0)[1] + (levels - 1) * high + (stacked ? 48 : 34);
  const names = levelNames(nodes, depths, levels, (depth) => `top:${at(0)[1] + depth * high}px`);
  return { at, width: left + step * places + 8, height, names };
}

function onItsSide(tree, elements, { nodes, how }, children, { depths, levels }, room) {
  const step = (room - 4) / levels;
  tree.classList.toggle("beside", how === "window" && step >= BESIDE);
  const { y, height } = lying(children, elements.map((element) => element.offsetHeight + GAP));
  const at = (row) => [step * (depths[row] + 0.5), ABOVE + y[row]];
  const names = levelNames(nodes, depths, levels, (depth) => `top:10px;left:${step * (depth + 0.5) - 14}px`);
  return { at, width: room - 4, height: ABOVE + height, names };
}

function drawnLines({ nodes, how }, at, share) {
  return nodes.filter(({ parent }) => parent >= 0).map(({ row, parent, visited, name }) => {
    const [[fromX, fromY], [toX, toY]] = [at(parent), at(row)];
    const [x, y] = [fromX + (toX - fromX) * share, fromY + (toY - fromY) * share + 3];
    const named = how === "order" || how === "reply" ? "" : `<text x="${x}" y="${y}">${escape(name)}</text>`;
    return `<path data-to="${row}" class="${visited ? "" : "gone"}" d="M${fromX} ${fromY}L${toX} ${toY}"/>${named}`;
  }).join("");
}

/** MAX or MIN at each level where somebody moves; `where` says how it is placed. */
function levelNames(nodes, depths, levels, where) {
  return Array.from({ length: levels }, (_, depth) => {
    const side = nodes.find(({ row, value }) => depths[row] === depth && value === null);
    return side ? `<div class="level" style="${where(depth)};--side:${side.max ? MAX : MIN}">${side.max ? "MAX" : "MIN"}</div>` : "";
  }).join("");
}

/** A sign at a node that says whether it is right. */
export function judge(element, right) {
  element.querySelector(".judged")?.remove();
  if (right === null) return;
  element.append(part("span", `judged ${right ? "right" : "wrong"}`, right ? "✓" : "✗"));
}
