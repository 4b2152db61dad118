// The legend: a strip below the picture that explains the symbols this search uses. The browser remembers if it is closed.

import { neighbours } from "../model/numbers.js";
import { BACK, BEST, CAUSE, SIDE } from "./formatting.js";
import { escape } from "./panels.js";

const MAX_CHECKED_NODES = 1000; // nodes
const CLOSED_KEY = "plyscope legend closed";
const SMALL = ".to-760, .low"; // in so little space the legend starts closed: see sizing.js

const TRIANGLE = "M9 2L16 13H2z";
const ICONS = {
  max: `<path d="${TRIANGLE}" fill="${SIDE.max}"/>`,
  min: `<path d="M9 13L2 2H16z" fill="${SIDE.min}"/>`,
  chance: `<circle cx="9" cy="7.5" r="6" fill="${SIDE.chance}"/>`,
  future: `<path d="${TRIANGLE}" fill="none" stroke="currentColor" stroke-width="1.2"/>`,
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

/** The symbols in use: [icon or sign, explanation]. */
export function legendOf(tree, { best = false, folded = false, singlePass = false, merged = false, path = false } = {}) {
  const { skippedValues, skipped, hidden } = tree.columns;
  const cutoffs = skipped.some((count) => count > 0);
  return [
    ["max", "MAX (blue)"],
    ["min", "MIN (orange)"],
    ...(tree.isDrawn ? [["chance", "chance"]] : []),
    ["future", "not visited"],
    ["path", "on the path"],
    ["done", "done"],
    ...(cutoffs ? [["cut", "cutoff: the moves left cannot change the result"], ...(merged ? [] : [["skipped", "skipped"], ["cause", "cause of the cutoff"]])] : []),
    ...(merged ? [["×3", "3 calls"], ...(tree.answers ? [["back", tree.meta.words.howLeft.table]] : [])] : []),
    ...(cutoffs && skippedValues && !merged ? [["(4)", "value if searched"]] : []),
    ...(tree.answers && !merged ? [["table", tree.meta.words.howLeft.table]] : []),
    ...(!merged && (tree.answers || tree.researches) ? [["back", [tree.answers ? "table entry" : "", tree.researches ? "re-search" : ""].filter(Boolean).join(", ")]] : []),
    ...(tree.columns.static && !merged ? [["horizon", "horizon: only noisy moves below"]] : []),
    ...(tree.hasDriver && !singlePass && !merged ? [["driver", "driver of the passes"]] : []),
    ["≥ ≤", "at least, at most"],
    ...(tree.pruning && !merged ? [["[α, β]", "window"]] : []),
    ...(!merged && hasNeighbours(tree) ? [["3⁺ 3⁻", "just above, just below 3"]] : []),
    ...(best ? [["best", "best line"]] : []),
    ...(folded || (hidden && !(path && tree.isLoadedOnDemand)) ? [["+12k", "folded nodes"]] : []),
    ...Object.entries(tree.meta.shortNames ?? {}).slice(-1).map(([move, short]) => [escape(short), escape(tree.meta.moveNames[move])]),
  ];
}

/** Whether some window has two ends next to each other. Probes and passes show that early. */
function hasNeighbours(tree) {
  if (!tree.pruning || tree.meta.numbers === "whole" || !(tree.columns.link || tree.hasDriver)) return false;
  for (let row = 0; row < Math.min(tree.count, MAX_CHECKED_NODES); row++) if (neighbours([tree.alpha(row), tree.beta(row)]).size) return true;
  return false;
}

function itemHtml([mark, words]) {
  const drawn = ICONS[mark] ? `<svg viewBox="0 0 18 15" width="18" height="15" aria-hidden="true">${ICONS[mark]}</svg>` : `<b>${mark}</b>`;
  return `<span>${drawn} ${words}</span>`;
}

export class Legend {
  constructor(view) {
    this.view = view;
    this.open = null; // not known before the viewer has a size
    this.html = "";
    view.part("legendButton").addEventListener("click", () => this.setOpen(!this.open));
    view.part("legend").addEventListener("click", ({ target }) => target.closest("button") && this.setOpen(false));
  }

  setOpen(open) {
    this.open = open;
    storeOpen(open);
    this.view.root.focus({ preventScroll: true });
    this.view.draw();
  }

  /** Show the legend. Return the height that it covers. */
  show() {
    const { tree, principal, folded, singlePass, viewName, overviewPanel, part } = this.view;
    const strip = part("legend");
    this.open ??= !strip.closest(SMALL) && !isClosedForGood();
    part("legendButton").setAttribute("aria-pressed", String(this.open));
    strip.hidden = !this.open || viewName === "text";
    if (strip.hidden) return 0;
    const items = viewName === "overview" ? overviewPanel.legendHtml() : legendOf(tree, { best: Boolean(principal), folded: folded.size > 0, singlePass, merged: viewName === "graph", path: viewName === "path" }).map(itemHtml).join("");
    const html = `${items}<button title="Hide the legend" aria-label="Hide the legend">Hide</button>`;
    if (html !== this.html) strip.innerHTML = this.html = html;
    return getComputedStyle(strip).position === "absolute" ? strip.offsetHeight : 0;
  }
}

function storeOpen(open) {
  try {
    if (open) localStorage.removeItem(CLOSED_KEY);
    else localStorage.setItem(CLOSED_KEY, "yes");
  } catch {
    // the browser stores nothing: the legend is shown again
  }
}

function isClosedForGood() {
  try {
    return localStorage.getItem(CLOSED_KEY) === "yes";
  } catch {
    return false;
  }
}
