// What the marks of the picture mean: a strip at its foot with the marks that this search uses. It can be closed for good.

import { neighbours } from "../model/numbers.js";
import { BACK, BEST, CAUSE, MAX, MIN } from "./formatting.js";
import { escape } from "./panels.js";

const LOOKED_AT = 1000; // nodes
const CLOSED = "plyscope legend closed";
const NARROW = 760; // px of the window: below, the legend is there when it is asked for

const TRIANGLE = "M9 2L16 13H2z";
const ICONS = {
  max: `<path d="${TRIANGLE}" fill="${MAX}"/>`,
  min: `<path d="M9 13L2 2H16z" fill="${MIN}"/>`,
  future: `<path d="${TRIANGLE}" fill="none" stroke="currentColor" stroke-width="1" opacity="0.6"/>`,
  path: `<path d="${TRIANGLE}" fill="none" stroke="currentColor" stroke-width="2.6"/>`,
  done: `<path d="${TRIANGLE}" fill="currentColor"/>`,
  cut: `<path d="${TRIANGLE}" fill="currentColor"/><path d="M1 9h16" stroke="var(--st-background-color)" stroke-width="2.4"/>`,
  skipped: '<path d="M4 3l10 9M14 3L4 12" stroke="currentColor" stroke-width="2" fill="none"/>',
  cause: `<path d="M0 8H18" stroke="${CAUSE}" stroke-width="3" stroke-dasharray="7 3 2 3" fill="none"/>`,
  table: `<path d="M9 2L14 7.5L9 13L4 7.5z" fill="currentColor"/>`,
  back: `<path d="M1 8H17" stroke="${BACK}" stroke-width="2.4" stroke-dasharray="2 3" fill="none"/>`,
  horizon: '<path d="M0 8H18" stroke="currentColor" stroke-width="1.4" stroke-dasharray="6 3" fill="none"/>',
  driver: '<path d="M5 4h8v8h-8z" fill="currentColor"/>',
  best: `<path d="M1 8H17" stroke="${BEST}" stroke-width="8" opacity="0.5" fill="none"/>`,
};

/** The marks in use: [icon or sign, words]. */
export function legendOf(tree, { best = false, folded = false, alone = false, merged = false } = {}) {
  const { skippedValues, skipped, hidden } = tree.columns;
  const cutoffs = skipped.some((count) => count > 0);
  return [
    ["max", "MAX"],
    ["min", "MIN"],
    ["future", "not yet"],
    ["path", "on the path"],
    ["done", "done"],
    ...(cutoffs ? [["cut", "cut off"], ...(merged ? [] : [["skipped", "skipped"], ["cause", "cause of the cut"]])] : []),
    ...(merged ? [["×3", "three calls"], ...(tree.answers ? [["back", tree.meta.words.howLeft.table]] : [])] : []),
    ...(cutoffs && skippedValues && !merged ? [["(4)", "would be"]] : []),
    ...(tree.answers && !merged ? [["table", tree.meta.words.howLeft.table]] : []),
    ...(!merged && (tree.answers || tree.researches) ? [["back", [tree.answers ? "where from" : "", tree.researches ? "searched again" : ""].filter(Boolean).join(", ")]] : []),
    ...(tree.columns.static && !merged ? [["horizon", "horizon: below it noisy moves only"]] : []),
    ...(tree.hasDriver && !alone && !merged ? [["driver", "makes the passes"]] : []),
    ["≥ ≤", "at least, at most"],
    ...(tree.pruning && !merged ? [["[α, β]", "window"]] : []),
    ...(!merged && hasNeighbours(tree) ? [["3⁺ 3⁻", "just above, just below 3"]] : []),
    ...(best ? [["best", "best line"]] : []),
    ...(folded || hidden ? [["+12k", "nodes folded away"]] : []),
    ...Object.entries(tree.meta.shortNames ?? {}).slice(-1).map(([move, short]) => [escape(short), escape(tree.meta.moveNames[move])]),
  ];
}

/** Whether windows are that narrow somewhere: it shows soon, in probes and in passes. */
function hasNeighbours(tree) {
  if (!tree.pruning || tree.meta.numbers === "whole" || !(tree.columns.link || tree.hasDriver)) return false;
  for (let row = 0; row < Math.min(tree.count, LOOKED_AT); row++) if (neighbours([tree.alpha(row), tree.beta(row)]).size) return true;
  return false;
}

function itemHtml([mark, words]) {
  const drawn = ICONS[mark] ? `<svg viewBox="0 0 18 15" width="18" height="15" aria-hidden="true">${ICONS[mark]}</svg>` : `<b>${mark}</b>`;
  return `<span>${drawn} ${words}</span>`;
}

export class Legend {
  constructor(view) {
    this.view = view;
    this.open = window.innerWidth > NARROW && !closedForGood();
    this.html = "";
    view.part("legendButton").addEventListener("click", () => this.turn(!this.open));
    view.part("legend").addEventListener("click", ({ target }) => target.closest("button") && this.turn(false));
  }

  turn(open) {
    this.open = open;
    keep(open);
    this.view.root.focus({ preventScroll: true });
    this.view.draw();
  }

  /** Shows it; how much of the height of the picture it takes. */
  show() {
    const { tree, principal, closed, alone, shownAs, part } = this.view;
    const strip = part("legend");
    part("legendButton").setAttribute("aria-pressed", String(this.open));
    strip.hidden = !this.open || shownAs === "text";
    if (strip.hidden) return 0;
    const items = legendOf(tree, { best: Boolean(principal), folded: closed.size > 0, alone, merged: shownAs === "graph" });
    const html = `${items.map(itemHtml).join("")}<button title="Hide this" aria-label="Hide the legend">×</button>`;
    if (html !== this.html) strip.innerHTML = this.html = html;
    return getComputedStyle(strip).position === "absolute" ? strip.offsetHeight : 0;
  }
}

function keep(open) {
  try {
    if (open) localStorage.removeItem(CLOSED);
    else localStorage.setItem(CLOSED, "yes");
  } catch {
    // a browser that keeps nothing shows it again
  }
}

function closedForGood() {
  try {
    return localStorage.getItem(CLOSED) === "yes";
  } catch {
    return false;
  }
}
