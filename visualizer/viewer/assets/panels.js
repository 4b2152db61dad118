// The panels beside the tree: window as a number line, pseudo-code, call stack, the fields of a node. Markup from numbers only.

import { exact, MAX, MIN, number, thousands } from "./look.js";

/** alpha, beta and the value on a line that reaches a little beyond them. `quiet`: it is not said that the window is closed. */
export function windowSvg({ alpha, beta, best, value }, quiet = false, width = 360) {
  const known = [alpha, beta, best, value].filter((number) => number !== null && Number.isFinite(number));
  const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [0, 0];
  const margin = Math.max((high - low) * 0.35, Math.abs(high) * 0.05, 1e-9);
  const at = (number) => (number === -Infinity ? 8 : number === Infinity ? width - 8 : 26 + ((number - low + margin) / (high - low + 2 * margin)) * (width - 52));
  const open = alpha < beta;
  const closed = open || quiet ? "" : " · closed";
  const parts = [
    `<path d="M8 34H${width - 8}" class="axis"/>`,
    open ? `<rect x="${at(alpha)}" y="29" width="${at(beta) - at(alpha)}" height="10" class="open"/>` : "",
    `<path d="M${at(alpha)} 26v16" stroke="${MAX}" class="post"/>`,
    `<path d="M${at(beta)} 26v16" stroke="${MIN}" class="post"/>`,
    tag(at(alpha), 16, `α ${number(alpha)}`),
    tag(at(beta), 58, `β ${number(beta)}${closed}`),
  ];
  if (best !== null) parts.push(`<circle cx="${at(best)}" cy="34" r="5" class="value"/>`, tag(at(best), 76, `value ${number(best)}`));
  return `<svg viewBox="0 0 ${width} 80" role="img" aria-label="window">${parts.join("")}</svg>`;

  function tag(x, y, words) {
    const half = words.length * 4.2 + 4;
    return `<text x="${clamp(x, half, width - half)}" y="${y}" class="tag">${words}</text>`;
  }
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

/** The pseudo-code with one line lit and its numbers beside it; a line that is too long goes on below, after a comma. */
export function codeHtml(lines, lit, numbers) {
  return lines.map((line, index) => {
    const indent = line.length - line.trimStart().length;
    const words = escape(line).replace(/(?<!,) /g, "\u00a0");
    const beside = index === lit && numbers ? ` <b class="now">${escape(numbers).replace(/ /g, "\u00a0")}</b>` : "";
    return `<span class="line${index === lit ? " lit" : ""}" style="--indent:${indent}ch">${words}${beside}</span>`;
  }).join("");
}

/** The path of windows from the root, the current node last. */
export function stackHtml(tree, steps, t) {
  const rows = tree.path(steps.at(t).node).map((row) => {
    const so = steps.soFar(row, t);
    const side = tree.maximizing(row) ? "▲ MAX" : "▼ MIN";
    const move = tree.depth(row) === 0 ? "root" : escape(tree.moveName(row));
    const cells = [tree.depth(row), side, move, number(so.alpha), number(so.beta), so.best === null ? "–" : number(so.best)];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const head = ["depth", "side", "move", "α", "β", "best"].map((name) => `<th>${name}</th>`).join("");
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

/** What was recorded of a node. What comes only when it is left is not told before. `brief`: the most important fields. */
export function nodeHtml(tree, steps, row, t, brief = false) {
  const { signs, howLeft } = tree.meta.words;
  const left = t >= steps.leave(row);
  const entered = t >= steps.enter(row);
  const later = (value) => (left ? value : "not yet");
  const parent = tree.parent(row);
  const siblings = parent < 0 ? [row] : tree.children(parent);
  const rest = [
    ["visited as", `child ${siblings.indexOf(row) + 1}`],
    ["rank by value", rank(tree, steps, row, t, siblings)],
    ["nodes in its subtree", later(thousands(tree.size(row)))],
    ["moves skipped", later(tree.skippedNames(row).map(escape).join(", ") || "none")],
    ...(left && tree.savedAt?.(row) != null ? [["nodes saved", thousands(tree.savedAt(row))]] : []),
    ["entered in step", thousands(steps.enter(row))],
    ["left in step", later(thousands(steps.leave(row)))],
  ];
  const fields = [
    ["node", thousands(tree.number(row))],
    ["depth", tree.depth(row)],
    ["side to move", tree.maximizing(row) ? "MAX" : "MIN"],
    ["move", tree.depth(row) === 0 ? "–" : escape(tree.moveName(row))],
    ["window on entry", entered ? `α ${exact(tree.alpha(row))}, β ${exact(tree.beta(row))}` : "not yet"],
    ["value", later(`${signs[tree.bound(row)]} ${exact(tree.value(row))}`.trim())],
    ["status", left ? howLeft[tree.status(row)] : entered ? "being searched" : "not visited yet"],
    ...(brief ? [] : rest),
  ];
  return `<dl>${fields.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("")}</dl>`;
}

/** The place of a node among its siblings that are done, the best for the side that chooses first. Bounds count as they stand. */
function rank(tree, steps, row, t, siblings) {
  const value = steps.valueShown(row, t);
  if (tree.depth(row) === 0 || value === null) return "–";
  const known = siblings.map((other) => steps.valueShown(other, t)).filter((other) => other !== null);
  const better = tree.maximizing(tree.parent(row)) ? (other) => other > value : (other) => other < value;
  return `${known.filter(better).length + 1} of ${known.length} done`;
}

export function escape(text) {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
