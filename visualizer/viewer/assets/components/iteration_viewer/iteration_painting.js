// Draws everything that depends on the step of a search in iterations.

import { boardAfter, boardSvg } from "../../draw/board.js";
import { thousands } from "../../draw/formatting.js";
import { phaseHtml } from "../../draw/iteration_panels.js";
import { drawIterationTimeline } from "../../draw/iteration_timeline.js";
import { codeHtml } from "../../draw/panels.js";
import { fitSentence, magnification, setSizes } from "../../draw/sizing.js";
import { drawVisitOverview } from "../../draw/visit_overview.js";
import { depthThatFits, drawVisitTree, leavesThatFit } from "../../draw/visit_view.js";
import { currentRow, isAdded, reachedPath } from "../../model/iteration_blocks.js";
import { wordsBefore } from "./iteration_predict.js";
import { legendHtml } from "./visit_legend.js";

/** Draw the current step of a viewer. */
export function paintIteration(view) {
  const { steps, part } = view;
  const here = shownStep(view);
  const { code } = steps.meta;
  setSizes(view.root, code, view.settings.height, 0);
  view.predictions.ask();
  showSentence(view, shownWords(view));
  showPhases(view);
  paintTree(view, here);
  paintTimeline(view);
  paintBoard(view, here);
  if (view.tab === "numbers" || view.lecture.on) {
    const ply = here.step.kind === "simulate" ? view.film.ply : null;
    part("numbers").innerHTML = phaseHtml(steps.meta.board, here, { ply, isHidden: here.isHidden });
  }
  part("code").innerHTML = codeHtml(code.map((words, index) => ({ words, index })), here.step.line, here.isHidden ? "" : here.step.numbers);
  const { iteration, index } = here;
  const total = `iteration ${thousands(iteration.number)} of ${thousands(steps.meta.iterations)}`;
  part("count").textContent = `${total} · step ${index + 1} of ${iteration.steps.length}`;
  view.root.dataset.step = String(view.t);
  view.root.dataset.iteration = String(iteration.number);
  view.root.dataset.phase = here.step.kind;
}

/** The current step, with `isHidden` while a prediction asks for what it does. */
function shownStep(view) {
  return { ...view.here, isHidden: Boolean(view.predictions.question()) };
}

/** The sentence of the current step. */
export function shownWords(view) {
  const here = shownStep(view);
  return here.isHidden ? wordsBefore(here) : here.step.words;
}

function showSentence(view, words) {
  const place = view.part("sentence");
  if (place.textContent === words && place.clientWidth === view.sentenceWidth) return;
  place.textContent = words;
  view.sentenceWidth = place.clientWidth;
  fitSentence(place);
}

function showPhases({ root, here }) {
  const kinds = new Set(here.iteration.steps.map(({ kind }) => kind));
  for (const button of root.querySelectorAll("[data-phase]")) {
    button.setAttribute("aria-pressed", String(button.dataset.phase === here.step.kind));
    button.disabled = !kinds.has(button.dataset.phase);
  }
}

function paintTree(view, here) {
  const { steps, theme, part } = view;
  const canvas = part("tree");
  canvas.magnification = magnification(canvas, view.lecture.on);
  const tree = steps.pictureOf(here.block);
  const counts = steps.countsAt(here);
  const bottom = (part("legend").hidden ? 0 : part("legend").offsetHeight) / canvas.magnification;
  const count = Math.max(tree.countThatFits(Math.round(leavesThatFit(canvas) * view.density)), 1);
  const depth = depthThatFits(canvas, bottom);
  if (view.layout?.tree !== tree || view.layout.count !== count || view.layout.depth !== depth) view.layout = { tree, count, depth, ...tree.layOut(count, depth) };
  const scene = {
    tree, counts, theme,
    layout: view.layout,
    isAdded: (place) => isAdded(tree.born[place], here),
    path: reachedPath(here),
    names: here.iteration.names,
    current: currentRow(here),
    selected: view.selected,
    bestPlace: tree.place(bestRow(here)),
    bottom,
  };
  view.nearest = (view.viewName === "overview" ? drawVisitOverview : drawVisitTree)(canvas, scene);
  view.hasMeans = scene.hasMeans ?? true;
  showLegend(view, tree, view.hasMeans);
  canvas.setAttribute("aria-label", `Search tree: ${thousands(counts.visits[0])} visits`);
}

/** Explain what the picture shows. */
function showLegend({ steps, layout, viewName, part }, tree, hasMeans) {
  const hasMore = layout.places.size < tree.count || tree.omitted > 0;
  const html = legendHtml({ ...steps.meta, rootSide: tree.into[0] ? "MAX" : "MIN", hasMeans, hasMore }, viewName);
  if (part("legend").dataset.html === html) return;
  part("legend").innerHTML = html;
  part("legend").dataset.html = html;
}

/** The most visited move of the root: after this iteration once the root has counted it, before that the one of the iteration before. */
function bestRow({ iteration, index }) {
  return index === iteration.steps.length - 1 ? iteration.bestRow : iteration.bestBefore;
}

function paintTimeline(view) {
  const { steps, here, theme, bookmarks } = view;
  const strip = view.part("timeline");
  const { iterations, timeline } = steps.meta;
  drawIterationTimeline(strip, { timeline, iterations, iteration: here.iteration.number, bookmarked: bookmarks.map(({ step }) => steps.nearIteration(step)), hideFuture: view.predictions.on, theme });
  view.part("timelineCaption").textContent = "Depth of each iteration; ▼ best move changes. Click to go there.";
  for (const [name, value] of [["valuemin", 1], ["valuemax", iterations], ["valuenow", here.iteration.number]]) strip.setAttribute(`aria-${name}`, String(value));
}

function paintBoard(view, here) {
  const { steps, part } = view;
  const { board } = steps.meta;
  view.root.classList.toggle("boardless", !board);
  if (!board) return;
  const { iteration, step } = here;
  const moves = iteration.changes.slice(0, reachedPath(here).length - 1);
  if (step.kind === "backup") moves.splice(step.depth);
  if (step.kind === "simulate") moves.push(...iteration.film.slice(0, view.film.plyAt(view.t, iteration.film.length)));
  part("board").innerHTML = boardSvg(boardAfter(board, moves));
}
