// The panels beside the tree: window as a number line, pseudo-code, call stack, the fields of a node. Markup from numbers only.

import { MAX, MIN, number, thousands, withBound } from "./look.js";

/** alpha, beta and the best value on a line from the least to the greatest value of the tree. */
export function windowSvg(step, range) {
  const [low, high] = range;
  const width = 360;
  const span = Math.max(high - low, 1e-9);
  const at = (value) => 26 + ((Math.min(Math.max(value, low), high) - low) / span) * (width - 52);
  const alpha = step.alpha === -Infinity ? 8 : at(step.alpha);
  const beta = step.beta === Infinity ? width - 8 : at(step.beta);
  const open = alpha < beta;
  const parts = [
    `<path d="M8 34H${width - 8}" class="axis"/>`,
    open ? `<rect x="${alpha}" y="29" width="${beta - alpha}" height="10" class="open"/>` : "",
    `<path d="M${alpha} 26v16" stroke="${MAX}" class="post"/>`,
    `<path d="M${beta} 26v16" stroke="${MIN}" class="post"/>`,
    `<text x="${clamp(alpha, 34, width - 34)}" y="16" class="tag">α ${number(step.alpha)}</text>`,
    `<text x="${clamp(beta, open ? 34 : 80, width - (open ? 34 : 80))}" y="60" class="tag">β ${number(step.beta)}${open ? "" : " · closed"}</text>`,
  ];
  if (step.best !== null) {
    const x = at(step.best);
    parts.push(`<circle cx="${x}" cy="34" r="5" class="value"/>`);
  }
  return `<svg viewBox="0 0 ${width} 66" role="img" aria-label="window">${parts.join("")}</svg>`;
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/** The variables of the pseudo-code as they are now. */
export function valuesHtml(tree, step) {
  const known = tree.pruning ? [["α", step.alpha], ["β", step.beta]] : [];
  known.push(["value", step.best]);
  if (step.kind === "return") known.push(["score", step.value]);
  return known.map(([name, value]) => `<span>${name} = <b>${value === null ? "–" : number(value)}</b></span>`).join("");
}

export function codeHtml(lines, lit) {
  return lines.map((line, index) => `<span class="line${index === lit ? " lit" : ""}">${escape(line) || " "}</span>`).join("");
}

/** The path of windows from the root, the current node last. */
export function stackHtml(tree, steps, t) {
  const rows = tree.path(steps.at(t).node).map((row) => {
    const so = steps.soFar(row, t);
    const side = tree.maximizing(row) ? "▲ MAX" : "▼ MIN";
    const move = row === 0 ? "root" : escape(tree.moveName(row));
    const cells = [tree.depth(row), side, move, number(so.alpha), number(so.beta), so.best === null ? "–" : number(so.best)];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const head = ["depth", "side", "move", "α", "β", "best"].map((name) => `<th>${name}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** All that was recorded of a node; at step t it may not have been left yet, and what comes later says so. */
export function nodeHtml(tree, steps, row, t) {
  const later = t < steps.leaveStep(row) ? " in the end" : "";
  const parent = tree.parent(row);
  const siblings = parent < 0 ? [row] : tree.children(parent);
  const open = tree.status(row) === "open";
  const fields = [
    ["node", thousands(tree.number(row))],
    ["depth", tree.depth(row)],
    ["side to move", tree.maximizing(row) ? "MAX" : "MIN"],
    ["move", row === 0 ? "–" : escape(tree.moveName(row))],
    ["window on entry", `α ${number(tree.alpha(row))}, β ${number(tree.beta(row))}`],
    [`value${later}`, withBound(tree.value(row), tree.bound(row))],
    [`status${later}`, tree.status(row)],
    ["visited as", `${siblings.indexOf(row) + 1} of ${siblings.length} children`],
    ["rank by value", rank(tree, steps, row, t, siblings)],
    ["nodes in its subtree", thousands(tree.size(row))],
    [`moves skipped${later}`, tree.skippedNames(row).map(escape).join(", ") || "none"],
    ...(tree.savedAt?.(row) == null ? [] : [[`nodes saved${later}`, thousands(tree.savedAt(row))]]),
    ["entered in step", thousands(steps.enterStep(row))],
    ["left in step", open ? "never" : thousands(steps.leaveStep(row))],
  ];
  return `<dl>${fields.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;
}

/** The place of a node among its siblings that are done, the best for the side that chooses first. Bounds count as they stand. */
function rank(tree, steps, row, t, siblings) {
  const value = steps.valueShown(row, t);
  if (row === 0 || value === null) return "–";
  const known = siblings.map((other) => steps.valueShown(other, t)).filter((other) => other !== null);
  const better = tree.maximizing(tree.parent(row)) ? (other) => other > value : (other) => other < value;
  return `${known.filter(better).length + 1} of ${known.length} done`;
}

export function escape(text) {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
