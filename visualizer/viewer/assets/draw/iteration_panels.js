// The numbers of a step of an iteration: the bars of a selection, what is added, the playout, and the counts that change. Markup contains only
// numbers and escaped text.

import { boardAfter, boardSvg } from "./board.js";
import { countText, thousands } from "./formatting.js";
import { escape } from "./panels.js";

const MAX_THUMBS = 8; // boards of a playout that are shown at once

/** The panel of a step: see `_describe_step` in iteration_blocks.py. `isHidden`: a prediction asks for it. */
export function phaseHtml(board, { iteration, step, index }, { isHidden = false, ply = null } = {}) {
  if (step.kind === "select") return step.bars.length ? barsHtml(step, isHidden) : "";
  if (step.kind === "expand") return `<p>${escape(describeUntried(step))}</p>`;
  if (step.kind === "simulate") return filmHtml(board, iteration, ply) || countsHtml(iteration, index, isHidden);
  return countsHtml(iteration, index, isHidden);
}

function describeUntried({ untried, added }) {
  if (added === null) return `All ${countText(untried, "child").replace("childs", "children")} are added at once, each with a prior.`;
  const left = untried - 1;
  return left ? `${countText(left, "move")} ${left === 1 ? "stays" : "stay"} untried here.` : "Every move has a node now, so the next iteration selects here.";
}

/** For each child a bar: its mean, then its bonus. The chosen one is outlined. */
function barsHtml({ bars, formula }, isHidden) {
  const widest = Math.max(...bars.map(({ mean, bonus }) => mean + bonus));
  const percent = (part) => `${((100 * part) / widest).toFixed(2)}%`;
  const rows = bars.map(({ row, name, visits, mean, bonus, prior, chosen, proven }) => {
    const sum = proven ? (proven > 0 ? "MAX wins" : "MIN wins") : isHidden ? "?" : (mean + bonus).toFixed(3);
    const bar = proven || isHidden ? "" : `<i class="mean" style="width:${percent(mean)}"></i><i class="bonus" style="width:${percent(bonus)}"></i>`;
    return `<tr data-row="${row}"${chosen && !isHidden ? ' class="chosen"' : ""}><th scope="row">${escape(name)}</th><td>${thousands(visits)}</td><td>${mean.toFixed(3)}</td>${prior === null ? "" : `<td>${prior.toFixed(3)}</td>`}
      <td>${isHidden ? "?" : bonus.toFixed(3)}</td><td class="bar">${bar}</td><td><b>${sum}</b></td></tr>`;
  });
  const head = `<tr><th scope="col">move</th><th scope="col">n</th><th scope="col"><i class="mean key"></i>mean</th>
    ${bars[0].prior === null ? "" : '<th scope="col">prior</th>'}<th scope="col"><i class="bonus key"></i>bonus</th><th></th><th scope="col">sum</th></tr>`;
  return `<table class="bars">${head}${rows.join("")}</table>${isHidden ? "" : `<p class="formula">${escape(formula)}</p>`}`;
}

/** The boards of a playout, if there are any, evenly spaced if there are many; `ply` is the one on the large board. */
function filmHtml(board, { changes, film }, ply) {
  if (!board || !film?.length) return "";
  const plies = film.length;
  const shown = Array.from({ length: Math.min(plies, MAX_THUMBS) }, (_, index) => Math.round(((index + 1) * plies) / Math.min(plies, MAX_THUMBS)));
  const thumbs = shown.map((at) => {
    const picture = boardSvg(boardAfter(board, [...changes, ...film.slice(0, at)]));
    return `<button data-ply="${at}" aria-pressed="${at === ply}" aria-label="After ${at} of the playout">${picture}<span>${at}</span></button>`;
  });
  return `<div class="film">${thumbs.join("")}</div>`;
}

/** The nodes of the path with their counts before and after, the leaf first, as far as the step has come. */
function countsHtml({ names, steps }, index, isHidden) {
  const rows = steps.map((step, at) => ({ ...step, at })).filter(({ kind }) => kind === "backup").map(({ depth, before, after, at }) => {
    const known = at < index || (at === index && !isHidden);
    const cell = (old, now) => `<td>${old}${known ? ` → <b>${now}</b>` : at === index ? " → ?" : ""}</td>`;
    const name = depth ? names[depth] : "root";
    return `<tr${at === index ? ' class="chosen"' : ""}><th scope="row">${escape(name)}</th>${cell(thousands(before[0]), thousands(after[0]))}${cell(meanText(before[1]), meanText(after[1]))}</tr>`;
  });
  return `<table class="counts"><tr><th scope="col">node</th><th scope="col">n</th><th scope="col">mean</th></tr>${rows.join("")}</table>`;
}

function meanText(mean) {
  return mean === null ? "–" : mean.toFixed(3);
}
