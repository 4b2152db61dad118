// The panels beside the tree: window as a number line, pseudo-code, call stack, the fields of a node. Markup contains only numbers and escaped text.

import { numberFormat, exact, moverName, number, SIDE, sideLabel, thousands, withBound } from "./formatting.js";
import { edgeLabel, skippedLabels } from "../model/edge_labels.js";
import { renderRule } from "../model/rules.js";
import { NONE } from "../model/tree.js";

const MAX_NAMED = 8; // nodes that are listed

/** alpha, beta and the value on a line that reaches a little beyond them. `quiet`: it is not said that the window is closed; `isNull`: it
 *  was entered with a null window; `fails`: "low" or "high" if the value is outside of the window; `root`: a second line, with what passes
 *  have proved of the root, or what is known of a chance node; `format` writes the numbers;
 *  `isTall`: other steps have a second line, so that its room is kept. */
export function windowSvg({ alpha, beta, best, value }, quiet = false, width = 360, { isNull = false, fails = "", root = null, format = number, isTall = false, valueName = "value" } = {}) {
  const known = [alpha, beta, best, value, ...Object.values(root ?? {})].filter((number) => typeof number === "number" && Math.abs(number) < Number.MAX_VALUE);
  const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [0, 0];
  const margin = Math.max((high - low) * 0.35, Math.abs(high) * 0.05, 1e-9);
  const at = (number) => (Math.abs(number) >= Number.MAX_VALUE ? besideInfinity(number, width) : 26 + ((number - low + margin) / (high - low + 2 * margin)) * (width - 52));
  const open = alpha < beta;
  const closed = quiet ? "" : isNull ? " · null window" : open ? "" : " · closed";
  const failing = fails && !quiet ? ` · fails ${fails}` : "";
  const parts = [
    `<path d="M8 34H${width - 8}" class="axis"/>`,
    open ? `<rect x="${at(alpha)}" y="29" width="${at(beta) - at(alpha)}" height="10" class="open"/>` : "",
    `<path d="M${at(alpha)} 26v16" stroke="${SIDE.max}" class="post"/>`,
    `<path d="M${at(beta)} 26v16" stroke="${SIDE.min}" class="post"/>`,
    tag(at(alpha), 16, `α ${format(alpha)}`),
    tag(at(beta), 58, `β ${format(beta)}${closed}`),
  ];
  if (best !== null) parts.push(`<circle cx="${at(best)}" cy="34" r="5" class="value"/>`, tag(failing ? Math.min(at(best), width - 130) : at(best), 76, `${valueName} ${format(best)}${failing}`)); // clear of a button
  if (root) parts.push(...rootLine());
  return `<svg viewBox="0 0 ${width} ${root || isTall ? 120 : 80}" role="img" aria-label="window">${parts.join("")}</svg>`;

  /** The bounds of the root as brackets, the window of the pass as a frame between its ends. */
  function rootLine() {
    const [from, to] = [at(root.low), at(root.high)];
    const known = root.words ?? (root.low === root.high ? `root = ${number(root.low)}` : `root: f− = ${number(root.low)}, f+ = ${number(root.high)}`);
    return [
      `<path d="M8 108H${width - 8}" class="axis"/>`,
      `<rect x="${from}" y="103" width="${Math.max(to - from, 2)}" height="10" class="open"/>`,
      `<path d="M${from + 5} 98h-5v20h5M${to - 5} 98h5v20h-5" class="bracket"/>`,
      root.alpha < root.beta ? `<rect x="${at(root.alpha)}" y="100" width="${Math.max(at(root.beta) - at(root.alpha), 2)}" height="16" class="asked"/>` : "",
      `<text x="8" y="94" class="word">${known}</text>`,
    ];
  }

  function tag(x, y, words) {
    const half = words.length * 4.2 + 4;
    return `<text x="${clamp(x, half, width - half)}" y="${y}" class="tag">${words}</text>`;
  }
}

/** Infinity is at the end of the line, and the number next to it just before. */
function besideInfinity(number, width) {
  const inwards = Number.isFinite(number) ? 14 : 8;
  return number < 0 ? inwards : width - inwards;
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/** The current values of the variables in the pseudo-code. */
export function valuesHtml(tree, step) {
  const known = tree.pruning ? [["α", step.alpha], ["β", step.beta]] : [];
  known.push([step.kind === "return" && tree.isChance(step.node) ? "sum" : "value", step.best]);
  if (step.kind === "return") known.push(["score", step.value]);
  const format = numberFormat(tree, step.node);
  return known.map(([name, value]) => `<span>${name} = <b>${value === null ? "–" : format(value)}</b></span>`).join("");
}

/** The pseudo-code [{words, index}] with the current line highlighted and its numbers beside it. Long lines are wrapped after a comma
 *  or a colon, and elsewhere only if a part is wider than the panel. */
export function codeHtml(lines, lit, numbers) {
  return lines.map(({ words: line, index }) => {
    const indent = line.length - line.trimStart().length;
    const parts = line.trimStart().split(/(?<=[,:]) /).map((part) => `<span class="part">${escape(part)}</span>`);
    const words = " ".repeat(indent) + parts.join(" ");
    const beside = index === lit && numbers ? ` <b class="numbers">${escape(numbers).replace(/ /g, "\u00a0")}</b>` : "";
    return `<span class="line${index === lit ? " current" : ""}" style="--indent:${indent}ch">${words}${beside}</span>`;
  }).join("");
}

/** The path of windows from the root, the current node last. */
export function stackHtml(tree, steps, t) {
  const rows = tree.path(steps.at(t).node).map((row) => {
    const so = steps.windowAt(row, t);
    const format = numberFormat(tree, row);
    const side = sideLabel(tree, row);
    const move = tree.depth(row) === 0 ? "root" : escape(edgeLabel(tree, row));
    const cells = [tree.depth(row), side, move, format(so.alpha), format(so.beta), so.best === null ? "–" : number(so.best)];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const head = ["depth", "side", "move", "α", "β", "best"].map((name) => `<th>${name}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** A node in two lines, for the card at the pointer: what is to move there, and how it stands. `merged`: with all calls of the same position. */
export function cardHtml(tree, steps, row, t, merged = false) {
  const state = t < steps.enter(row) ? "not visited yet" : t < steps.leave(row) ? "being searched" : `${withBound(tree, row)}, ${tree.howLeft(row)}`;
  const move = tree.depth(row) === 0 ? "the root" : `after ${escape(edgeLabel(tree, row))}`;
  const links = linksOf(tree, steps, row, t, true, merged).map(([name, words]) => `<br>${name} ${words}`).join("");
  return `<p class="card"><b>${moverName(tree, row)} to move</b>, ${move}<br><b>${state}</b>${links}</p>`;
}

/** The recorded fields of a node. Fields that are known only when it is left are not shown before. */
export function nodeHtml(tree, steps, row, t) {
  const { signs } = tree.meta.words;
  const left = t >= steps.leave(row);
  const entered = t >= steps.enter(row);
  const later = (value) => (left ? value : "not yet");
  const ends = numberFormat(tree, row, false, exact);
  const parent = tree.parent(row);
  const siblings = parent < 0 ? [row] : tree.children(parent);
  const rest = [
    ["order of visit", `child ${siblings.indexOf(row) + 1}`],
    ["rank by value", rank(tree, steps, row, t, siblings)],
    ["subtree nodes", later(thousands(tree.size(row)))],
    ["skipped moves", later(skippedLabels(tree, row).map(escape).join(", ") || "none")],
    ...(left && tree.savedAt?.(row) != null ? [["nodes saved", thousands(tree.savedAt(row))]] : []),
    ["entered at step", thousands(steps.enter(row))],
    ["left at step", later(thousands(steps.leave(row)))],
  ];
  const fields = [
    ["node", thousands(tree.number(row))],
    ["depth", tree.depth(row)],
    ["side to move", moverName(tree, row)],
    ["move", tree.depth(row) === 0 ? "–" : escape(edgeLabel(tree, row))],
    ["window on entry", entered ? `α ${ends(tree.alpha(row))}, β ${ends(tree.beta(row))}` : "not yet"],
    ...(entered && tree.static(row) !== null ? [["stands pat with", standPatText(tree, row, left)]] : []),
    ["value", later(`${signs[tree.bound(row)]} ${exact(tree.value(row))}`.trim())],
    ["status", left ? tree.howLeft(row) : entered ? "being searched" : "not visited yet"],
    ...linksOf(tree, steps, row, t),
    ...rest,
  ];
  return `<dl>${fields.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;
}

/** The static evaluation of a node that stood pat, and whether it is the value. */
export function standPatText(tree, row, left) {
  const better = tree.provingChild(row) === null ? "may be" : "is"; // where only a bound came back nothing is sure
  const after = !left ? "" : tree.standsPat(row) ? ", its value" : `, but a noisy move ${better} better`;
  return `${exact(tree.static(row))}${after}`;
}

/** The links to earlier and from later nodes: [name, markup]. Buttons jump there, unless it is `brief`. */
function linksOf(tree, steps, row, t, brief = false, merged = false) {
  const nameRow = (other) => (brief ? `node ${thousands(tree.number(other))}` : `<button data-row="${other}">node ${thousands(tree.number(other))}</button>`);
  const listRows = (rows) => rows.slice(0, MAX_NAMED).map(nameRow).join(" ") + (rows.length > MAX_NAMED ? ` and ${rows.length - MAX_NAMED} more` : "");
  const source = tree.source(row);
  const earlier = source === NONE ? `node ${thousands(tree.link(row))}, not shown here` : nameRow(source);
  const fields = [];
  if (tree.link(row) !== NONE && t >= steps.enter(row)) {
    if (tree.isAnswered(row)) {
      if (t >= steps.leave(row)) fields.push(["answered by", `${earlier}, ${boundWords(tree, row)}${depthText(tree, row)}`]);
    } else fields.push([tree.probe(row) === null ? "moves ordered by" : "re-search of", earlier]);
  }
  const answered = tree.answersFrom(row).filter((other) => t >= steps.leave(other));
  if (answered.length) fields.push(["has answered", listRows(answered)]);
  if (!brief || merged) {
    const same = tree.samePosition(row).filter((other) => other !== row && t >= steps.enter(other));
    if (same.length) fields.push(["same position at", listRows(same)]);
  }
  return fields;
}

/** The value as a bound in words: "at least 3". */
function boundWords(tree, row) {
  return renderRule(tree.meta.words.rules, "known", { bound: tree.bound(row) }, { value: number(tree.value(row)) });
}

/** How much deeper the answer was searched than needed. */
function depthText(tree, row) {
  const deeper = tree.pliesDeeper(row);
  return deeper === 0 ? ", same remaining depth" : `, ${deeper} ${deeper === 1 ? "ply" : "plies"} deeper`;
}

/** The place of a node among its siblings that are done, the best for the side that chooses first. Bounds count like values. */
function rank(tree, steps, row, t, siblings) {
  const value = steps.visibleValue(row, t);
  if (tree.depth(row) === 0 || value === null) return "–";
  const known = siblings.map((other) => steps.visibleValue(other, t)).filter((other) => other !== null);
  const better = tree.maximizing(tree.parent(row)) ? (other) => other > value : (other) => other < value;
  return `${known.filter(better).length + 1} of ${known.length}`;
}

export function escape(text) {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
