// Draws everything that depends on the step: the tree, the timeline, the board, the window, the code and the panels.

import { boardAt, boardSvg } from "../../draw/board.js";
import { countText, intervalText, number, numberFormat, thousands } from "../../draw/formatting.js";
import { codeHtml, stackHtml, valuesHtml, windowSvg } from "../../draw/panels.js";
import { drawPath } from "../../draw/path_view.js";
import { textHtml } from "../../draw/text.js";
import { drawTimeline, summarizeSteps } from "../../draw/timeline.js";
import { visibleCutoff } from "../../model/cause.js";
import { ballardBounds, expectationAt } from "../../model/expectation.js";
import { codeLine, foldedCode, lineNumbers, ownLine } from "../../model/pseudocode.js";
import { isNullWindow, rootBounds } from "../../model/root_bounds.js";
import { sentence } from "../../model/sentences.js";
import { visibleLink } from "../../model/table_links.js";
import { arrangePosition, fitSentence, magnification, scrollIntoPanel, setSizes, widthInType } from "../../draw/sizing.js";

/** Draw the current step of a viewer. */
export function paint(view) {
  const { tree, steps, t } = view;
  const step = steps.at(t);
  const lines = tree.meta.words.code.map((line) => line.words);
  const windowLines = tree.pruning ? (tree.isDrawn || tree.hasDriver ? 2 : 1) : 0;
  const room = setSizes(view.root, lines, view.settings.height, windowLines);
  showSentence(view, sentence(tree, steps, t));
  view.passStrip.show(step.node);
  paintTree(view, step);
  paintTimeline(view);
  paintPosition(view, step);
  paintCode(view, step, lines, room);
  if (view.tab === "stack") view.part("stack").innerHTML = stackHtml(tree, steps, t);
  if (view.tab === "table") view.tablePanel.show();
  if (view.tab === "node") {
    view.wantPositions(); // equal positions are listed
    view.inspector.show(view.inspectedRow());
  }
  view.part("count").textContent = describeCounts(view);
  view.predictions.ask();
  view.root.dataset.step = String(t);
}

/** Draw the tree and the timeline again: the camera has moved, but the step is the same. */
export function paintPicture(view) {
  paintTree(view, view.steps.at(view.t));
  paintTimeline(view);
}

function paintTree(view, step) {
  const { tree, steps, t, theme, selected, singlePass, viewName } = view;
  const canvas = view.part("tree");
  canvas.magnification = magnification(canvas, view.lecture.on);
  const candidates = [view.hoverCard.row, selected].filter((row) => view.isInView(row, step.node));
  const scene = { tree, steps, t, theme, principal: view.bestLine(step.node), selected, singlePass };
  scene.bottom = view.legend.show() / canvas.magnification;
  scene.cutoff = visibleCutoff(tree, steps, t, candidates);
  scene.link = visibleLink(tree, steps, t, candidates);
  if (viewName === "whole") {
    view.nearest = view.treeCamera.paintTree(canvas, scene, step.node);
  } else if (viewName === "overview") {
    view.nearest = view.treeCamera.paintOverview(canvas, scene, step.node);
  } else if (viewName === "graph") {
    view.wantPositions();
    view.nearest = view.treeCamera.paintPositions(canvas, scene, step.node);
  } else if (viewName === "path") {
    const boxes = drawPath(canvas, scene);
    view.nearest = (x, y) => boxes.find((b) => x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height)?.row ?? -1;
  } else {
    view.part("text").innerHTML = textHtml(tree, steps, t, singlePass);
  }
}

function paintTimeline(view) {
  const { tree, steps, t, theme, bookmarks } = view;
  const strip = view.part("timeline");
  const width = Math.max(strip.clientWidth, 1);
  if (view.largeTree) view.timelineData = view.largeTree.timeline(width) ?? view.timelineData;
  else if (view.timelineData?.width !== width) view.timelineData = { width, ...summarizeSteps(tree, steps, width) };
  drawTimeline(strip, { tree, steps, t, theme, timelineData: view.timelineData, hideFuture: view.predictions.on || Boolean(view.settings.hideFuture && tree.pruning), bookmarks, shownPart: view.treeCamera.shownPart(), brushed: view.stepRange.draft ?? view.stepRange.current });
  strip.setAttribute("aria-valuenow", String(t));
  const isPaused = !view.playing && view.t === view.firstPause;
  const sentences = isPaused ? ["Paused at the first cutoff.", "Press Play to go on."] : explainTimeline(tree);
  view.part("timelineCaption").innerHTML = sentences.map((words) => `<span>${words}</span>`).join(" ");
}

/** Say what the colours of the timeline mean, in a line that fits beside a lesson. */
function explainTimeline(tree) {
  const press = globalThis.matchMedia?.("(pointer: coarse)").matches ? "Tap" : "Click";
  const isUnfinished = tree.isOpen(tree.roots.at(-1));
  const colours = [tree.pruning ? ", pink if cut off" : "", tree.answers ? ", green if from the table" : "", isUnfinished ? ", brown if not finished" : ""];
  return [`Timeline: each bar is a node${colours.join("")}.`, `${press} to go there.`];
}

function paintPosition(view, step) {
  const { tree, part } = view;
  arrangePosition(part("position"));
  part("board").innerHTML = boardSvg(boardAt(tree, view.boardRow()), markMoves(view, step));
  part("state").textContent = tree.meta.states?.[view.boardRow()] ?? "";
  const width = widthInType(part("window"), part("code"));
  part("window").innerHTML = tree.pruning ? windowSvg(step, view.predictions.on, width, describeWindow(view, step)) : "";
  view.evaluationPanel.showButton(step);
}

function paintCode({ tree, steps, part }, step, lines, room) {
  part("variables").innerHTML = valuesHtml(tree, step);
  const current = codeLine(tree, steps, step);
  const marked = lines[current] === "" ? null : current; // the empty last line stands for steps of no known line
  part("code").innerHTML = codeHtml(foldedCode(lines, current, room, ownLine(tree, steps, step)), marked, lineNumbers(tree, steps, step));
  scrollIntoPanel(part("panels"), part("code").querySelector(".line.current"), part("variables"));
}

function showSentence(view, words) {
  const place = view.part("sentence");
  if (place.textContent === words && place.clientWidth === view.sentenceWidth) return;
  place.textContent = words;
  view.sentenceWidth = place.clientWidth;
  fitSentence(place);
}

/** Facts about the window of a step: null window, fail low or high, bounds of the root or of a chance node. */
function describeWindow({ tree, steps, t, predictions }, { kind, node, value }) {
  const [alpha, beta] = [tree.alpha(node), tree.beta(node)];
  const probes = tree.hasDriver || Boolean(tree.columns.link); // plain alpha-beta has windows as narrow only by chance
  const left = !["enter", "return"].includes(kind) && probes;
  const fails = !left ? "" : value <= alpha ? "low" : value >= beta ? "high" : "";
  return { isNull: probes && isNullWindow(alpha, beta, tree.meta.numbers), fails, root: rootBounds(tree, steps, t) ?? (predictions.on ? null : chanceLine(steps, node, t)), format: numberFormat(tree, node), isTall: tree.isDrawn, valueName: kind === "return" && tree.isChance(node) ? "sum" : "value" };
}

/** The second line of the ruler: the bounds of the expectation at a chance node, or A and B of Ballard at an outcome; null elsewhere. */
function chanceLine(steps, node, t) {
  const { tree } = steps;
  const interval = t < steps.leave(node) ? intervalText(steps, node, t) : "";
  if (interval) {
    const [low, high] = expectationAt(steps, node, t).bounds;
    return { low, high, words: `expectation: ${interval}` };
  }
  const ballard = ballardBounds(tree, node);
  if (!ballard) return null;
  const [low, high] = tree.meta.valueRange;
  const near = (number) => (Number.isFinite(number) ? Math.min(Math.max(number, 2 * low - high), 2 * high - low) : number); // keeps the scale
  const words = `A = ${number(ballard[0])}, B = ${number(ballard[1])} · values ${number(low)} to ${number(high)}`;
  return { low, high, alpha: near(ballard[0]), beta: near(ballard[1]), words };
}

function describeCounts({ tree, steps, t, stepRange }) {
  if (stepRange.words) return `step ${thousands(t)} of ${thousands(steps.length - 1)} · ${stepRange.words}`;
  const words = [`step ${thousands(t)} of ${thousands(steps.length - 1)}`, `${thousands(steps.expandedAt(t))} of ${thousands(tree.meta.expanded)} ${tree.meta.expanded === 1 ? "node" : "nodes"}`];
  if (tree.pruning) {
    const { cutoffs, skipped, saved } = tree.savingsAt(steps, t);
    if (saved !== null) words.push(`${countText(saved, "node")} saved`);
    else words.push(skipped !== null ? `${countText(skipped, "move")} skipped` : countText(cutoffs, "cutoff"));
  }
  return words.join(" · ");
}

/** The moves at the current node by cell: "tried", "skipped" or "untried". */
function markMoves({ tree, steps, t }, step) {
  const marks = new Map();
  if (step.kind === "return") return marks;
  for (const row of tree.children(step.node).reverse()) { // the first call of a move counts, not its re-search
    marks.set(tree.moveCell(row), steps.enter(row) <= t ? "tried" : "untried");
  }
  const cut = steps.areStubsVisible(step.node, t);
  for (const cell of tree.skippedCells(step.node)) marks.set(cell, cut ? "skipped" : "untried");
  marks.delete(null);
  return marks;
}
