// The viewer: holds the current step, the selection and the camera, and redraws everything that depends on them.

import { boardSvg, boardAt } from "../../draw/board.js";
import { aimOf, cameraOf } from "../../model/camera.js";
import { levelMargin, pointOn, sizeOf } from "../../draw/canvas.js";
import { visibleCutoff } from "../../model/cause.js";
import { decode } from "../../model/payload.js";
import { buildControls, changeMode, closeMenu, pressKey, showKeys } from "../../input/controls.js";
import { sentence } from "../../model/sentences.js";
import { KeyboardFocus } from "../../input/focus.js";
import { icon } from "../../draw/icons.js";
import { drawGraph, drawRefusal } from "../../draw/graph.js";
import { Inspector } from "./inspector.js";
import { fit, wholeTree, zoomed } from "../../model/tidy_layout.js";
import { Legend } from "../../draw/legend.js";
import { Lecture } from "../../input/lecture.js";
import { visibleLink } from "../../model/table_links.js";
import { readParams, VIEWS, ZOOMED } from "../../input/url_codec.js";
import { numberFormat, readTheme, thousands } from "../../draw/formatting.js";
import { BookmarksTab, nextStop, readBookmarks } from "../../input/bookmarks.js";
import { UrlState, readStep } from "../../input/url_state.js";
import { cardHtml, codeHtml, escape, stackHtml, valuesHtml, windowSvg } from "../../draw/panels.js";
import { mergedGraph, explainNoGraph } from "../../model/merged_layout.js";
import { PassStrip } from "./pass_strip.js";
import { drawPath } from "../../draw/path_view.js";
import { PictureTree } from "../../model/picture_tree.js";
import { Player } from "../../input/player.js";
import { listenToTimeline, listenToTree } from "../../input/pointer.js";
import { Predictions } from "./predict.js";
import { codeLine, foldedCode, lineNumbers } from "../../model/pseudocode.js";
import { arrangePosition, fitSentence, scrollIntoPanel, magnification, setSizes, widthInType } from "./sizing.js";
import { isNullWindow, rootBounds } from "../../model/root_bounds.js";
import { TablePanel } from "./table_panel.js";
import { Steps } from "../../model/trace.js";
import { textHtml } from "../../draw/text.js";
import { drawTimeline, summarizeSteps } from "../../draw/timeline.js";
import { drawWholeTree } from "../../draw/whole_tree_view.js";
import { EvaluationPanel } from "./evaluation_panel.js";

const MAX_WHOLE_TREE_LEAVES = 60; // a tree with more leaves opens as its path

export class TreeViewer extends Player {
  constructor(host) {
    super();
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.selected = -1;
    this.tab = "code";
    this.singlePass = false; // whether only the pass of the current step is shown
    this.folded = new Set(); // nodes whose subtrees are folded in the whole tree
    this.bookmarks = [];
    this.stops = [];
    this.bookmarksTab = new BookmarksTab(this);
    this.inspector = new Inspector(this);
    this.tablePanel = new TablePanel(this);
    this.evaluationPanel = new EvaluationPanel(this);
    this.legend = new Legend(this);
    this.passStrip = new PassStrip(this);
    this.predictions = new Predictions(this);
    this.lecture = new Lecture(this);
    this.keyboardFocus = new KeyboardFocus(this.root);
    this.urlState = new UrlState(this);
    buildControls(this);
    showKeys(this);
    this.listen();
    this.redraw = () => this.draw();
    this.resizing = new ResizeObserver(this.redraw);
    for (const place of [this.root, this.part("stage"), this.part("position")]) this.resizing.observe(place);
    window.addEventListener("resize", this.redraw);
  }

  /** Show a new tree, or the same with a new theme. `send` sends requests to the server. */
  update(bytes, settings, send) {
    this.send = send;
    this.settings = settings;
    if (settings.name !== this.name) {
      this.name = settings.name;
      this.show(new PictureTree(decode(bytes)));
    } else if (this.awaitingPositions) {
      this.takePositions(decode(bytes).columns.position);
    }
    this.theme = readTheme(this.root);
    this.draw();
  }

  /** Ask the server for the numbers of equal positions, which are sent only when they are needed. */
  wantPositions() {
    if (!this.tree.meta.positionsLater || this.awaitingPositions || this.tree.columns.position) return;
    this.awaitingPositions = true;
    this.send("positions", true);
  }

  takePositions(column) {
    if (!column) return;
    this.awaitingPositions = false;
    this.tree.columns.position = column;
    this.layout = this.graphRefusal = null;
  }

  show(tree) {
    this.tree = tree;
    this.awaitingPositions = false;
    this.steps = new Steps(tree);
    this.layout = this.timelineData = this.graphRefusal = this.principal = this.aim = this.hovered = null;
    this.evaluationPanel.reset();
    this.tablePanel.reset();
    this.isReady = false;
    this.stops = [];
    const link = this.urlState.read();
    this.bookmarks = readBookmarks(link.get("marks"), this.steps.length);
    this.bookmarksTab.show();
    this.placeTimeline();
    this.part("timeline").setAttribute("aria-valuemax", String(this.steps.length - 1));
    const state = { ...readParams(link, tree.meta.urlParams, tree), ...(this.settings.view && !link.has("view") && { viewName: this.settings.view }) };
    this.applyState(state);
    this.isReady = true;
    this.keyboardFocus.grab();
    this.startAt(this.settings.step ?? readStep(link, this.steps.length) ?? this.passStart(state.pass));
  }

  /** The step that begins a pass, by the row of its root. */
  passStart(root) {
    return root === undefined ? null : this.steps.enter(root);
  }

  /** The state that links hold, without default values. Its fields are those of `applyState`, and the step and the bookmarks. */
  state() {
    const { t, bookmarks, viewName, aim, folded, tab, selected, singlePass, principal, lecture } = this;
    const all = {
      t,
      bookmarks,
      viewName: viewName !== this.defaultView() && viewName,
      aim: ZOOMED.includes(viewName) && aim,
      folded: folded.size > 0 && [...folded],
      tab: tab !== "code" && tab,
      selected: selected >= 0 && selected,
      pass: singlePass && this.tree.passAt(this.steps.at(t).node).first,
      best: Boolean(principal),
      lecture: lecture.on,
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== false && value !== null));
  }

  /** Show the state of a link, with default values for missing fields. */
  applyState({ viewName = this.defaultView(), aim = null, folded = [], tab = "code", selected = -1, pass, best = false, lecture = false, wrong }) {
    this.folded = new Set(folded);
    this.singlePass = pass !== undefined;
    this.selected = selected;
    this.showBestLine(best);
    this.aim = aim;
    this.setView(viewName);
    this.showTab(tab);
    if (lecture) this.lecture.enter();
    else this.lecture.leave();
    if (wrong.length) this.note(`Parts of this link could not be used: ${wrong.join(", ")}`, 8000);
  }

  defaultView() {
    return this.tree.leaves <= MAX_WHOLE_TREE_LEAVES ? "whole" : "path";
  }

  /** Start at the step; without one, play to the first cutoff, or jump there if the user prefers reduced motion. */
  startAt(step) {
    this.playing = false;
    if (Number.isInteger(step)) {
      this.t = Math.min(Math.max(step, 0), this.steps.length - 1);
      this.followed = this.t; // keep the camera of the link
      this.saveState();
      return;
    }
    const first = this.steps.next("cutoff", 0);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.t = first ?? 0;
      return;
    }
    this.t = 0;
    this.until = first ?? this.steps.length - 1;
    this.play();
  }

  // ---- playback

  /** Playback pauses at the next breakpoint or question, or at the end. */
  nextPause() {
    return Math.min(this.predictions.next(), nextStop(this.stops, this.t) ?? Infinity, this.steps.length - 1);
  }

  /** After an answer, continue with the next question. */
  toggle() {
    if (this.predictions.outcome) this.predictions.goOn();
    else super.toggle();
  }

  /** Save the state in the URL, except while a tree is being opened. */
  saveState() {
    if (this.isReady) this.urlState.write();
  }

  // ---- drawing

  draw() {
    if (!this.tree || this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      if (this.root.isConnected) this.paint();
    });
  }

  paint() {
    const { tree, steps, t, theme } = this;
    const step = steps.at(t);
    const canvas = this.part("tree");
    const lines = tree.meta.words.code.map((line) => line.words);
    const room = setSizes(this.root, lines);
    this.showSentence(sentence(tree, steps, t));
    canvas.magnification = magnification(canvas, this.lecture.on);
    this.passStrip.show(step.node);
    const candidates = [this.hovered?.row ?? -1, this.selected].filter((row) => this.isInView(row, step.node));
    const scene = { tree, steps, t, theme, principal: this.bestLine(step.node), selected: this.selected, singlePass: this.singlePass };
    scene.bottom = this.legend.show() / canvas.magnification;
    scene.cutoff = visibleCutoff(tree, steps, t, candidates);
    scene.link = visibleLink(tree, steps, t, candidates);
    if (this.viewName === "whole") {
      this.buildLayout(step.node);
      this.follow(step.node, sizeOf(canvas).width);
      this.camera = this.currentCamera();
      this.nearest = drawWholeTree(canvas, { ...scene, layout: this.layout, camera: this.camera, folded: this.folded });
    } else if (this.viewName === "graph") {
      this.nearest = this.paintPositions(canvas, scene, step.node);
    } else if (this.viewName === "path") {
      const boxes = drawPath(canvas, scene);
      this.nearest = (x, y) => boxes.find((b) => x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height)?.row ?? -1;
    } else {
      this.part("text").innerHTML = textHtml(tree, steps, t, this.singlePass);
    }
    const strip = this.part("timeline");
    if (this.timelineData?.width !== strip.clientWidth) {
      this.timelineData = { width: strip.clientWidth, ...summarizeSteps(tree, steps, Math.max(strip.clientWidth, 1)) };
    }
    drawTimeline(strip, { tree, steps, t, theme, timelineData: this.timelineData, hideFuture: this.predictions.on, bookmarks: this.bookmarks });
    arrangePosition(this.part("position"));
    this.part("board").innerHTML = boardSvg(boardAt(tree, this.boardRow()), this.moveMarks(step));
    this.part("window").innerHTML = tree.pruning
      ? windowSvg(step, this.predictions.on, widthInType(this.part("window"), this.part("code")), this.windowNotes(step)) : "";
    this.evaluationPanel.showButton(step);
    this.part("variables").innerHTML = valuesHtml(tree, step);
    const current = codeLine(tree, steps, step);
    this.part("code").innerHTML = codeHtml(foldedCode(lines, current, room), current, lineNumbers(tree, steps, step));
    scrollIntoPanel(this.part("panels"), this.part("code").querySelector(".line.current"), this.part("variables"));
    if (this.tab === "stack") this.part("stack").innerHTML = stackHtml(tree, steps, t);
    if (this.tab === "table") this.tablePanel.show();
    if (this.tab === "node") {
      this.wantPositions(); // equal positions are listed
      this.inspector.show(this.inspectedRow());
    }
    this.part("count").textContent = this.counts();
    this.part("timeline").setAttribute("aria-valuenow", String(t));
    this.predictions.ask();
    this.root.dataset.step = String(t);
  }

  /** Whether a row is in the picture: all passes are shown, or its own. */
  isInView(row, node) {
    const { from, to } = this.tree.passRows(node);
    return row >= 0 && (!this.singlePass || (row >= from && row < to));
  }

  /** Lay out all nodes, or those of the single pass that is shown. */
  buildLayout(node) {
    const pass = this.singlePass ? this.tree.passRows(node) : undefined;
    if (this.layout && !this.layout.positions && this.layoutStart === pass?.from) return;
    if (this.layout) this.aim = null; // another pass is shown as a whole first
    this.layout = wholeTree(this.tree, this.folded, pass);
    this.layoutStart = pass?.from;
  }

  /** Draw equal positions as one node, or the reason why there are too many. */
  paintPositions(canvas, scene, node) {
    this.wantPositions();
    const refused = this.buildGraph(node);
    if (refused) return drawRefusal(canvas, scene, refused);
    this.follow(node, sizeOf(canvas).width);
    this.camera = this.currentCamera();
    return drawGraph(canvas, { ...scene, graph: this.layout, camera: this.camera });
  }

  /** Make the graph of the shown rows the layout. Return the reason if that is not possible. */
  buildGraph(node) {
    const rows = this.singlePass ? this.tree.passRows(node) : { from: 0, to: this.tree.count };
    if (this.layout?.positions && this.layoutStart === rows.from) return "";
    const { from, to } = this.graphRefusal ?? {};
    if (from !== rows.from || to !== rows.to) this.graphRefusal = { ...rows, why: explainNoGraph(this.tree, rows) };
    if (this.graphRefusal.why) return this.graphRefusal.why;
    if (this.layout) this.aim = null;
    this.layout = mergedGraph(this.tree, rows);
    this.layoutStart = rows.from;
    return "";
  }

  /** Whether the picture has a camera. */
  get zoomable() {
    return Boolean(this.layout) && ZOOMED.includes(this.viewName) && (this.viewName === "graph") === Boolean(this.layout.positions);
  }

  /** The rows of the best line if it is shown: of the last pass, or of the single pass that is shown. */
  bestLine(node) {
    if (!this.principal) return null;
    return this.singlePass ? new Set(this.tree.principalVariation(this.tree.passRows(node).from)) : this.principal;
  }

  /** Show a single pass, given by the row of its root, and go to it. null: show all passes. */
  showPass(root) {
    this.singlePass = root !== null;
    this.layout = this.aim = null;
    if (this.singlePass && this.tree.passAt(this.steps.at(this.t).node).first !== root) this.go(this.steps.enter(root));
    this.saveState();
    this.draw();
    this.root.focus({ preventScroll: true });
  }

  /** Facts about the window of a step: null window, fail low or high, bounds of the root. */
  windowNotes({ kind, node, value }) {
    const { tree, steps, t } = this;
    const [alpha, beta] = [tree.alpha(node), tree.beta(node)];
    const probes = tree.hasDriver || Boolean(tree.columns.link); // plain alpha-beta has windows as narrow only by chance
    const left = !["enter", "return"].includes(kind) && probes;
    const fails = !left ? "" : value <= alpha ? "low" : value >= beta ? "high" : "";
    return { isNull: probes && isNullWindow(alpha, beta, tree.meta.numbers), fails, root: rootBounds(tree, steps, t), format: numberFormat(tree, node) };
  }

  /** Select a node and go to the step that leaves it. */
  jumpTo(row) {
    this.selected = row;
    this.go(this.tree.isOpen(row) ? this.steps.enter(row) : this.steps.leave(row));
    this.saveState();
    this.draw();
  }

  showSentence(words) {
    const place = this.part("sentence");
    if (place.textContent === words && place.clientWidth === this.sentenceWidth) return;
    place.textContent = words;
    this.sentenceWidth = place.clientWidth;
    fitSentence(place);
  }

  /** Place the timeline. Without a board, its space goes to the tree and the code. */
  placeTimeline() {
    const boardless = !this.tree.meta.board;
    this.root.classList.toggle("boardless", boardless);
    this.root.classList.toggle("with-breakdowns", Boolean(this.tree.meta.tellsParts));
    this.root.classList.toggle("plain", Boolean(this.settings.plain));
    this.part(boardless && !this.settings.plain ? "aside" : "main").append(this.part("timeline"));
  }

  /** The row whose position is on the board. */
  boardRow() {
    const { kind, node, child } = this.steps.at(this.t);
    return kind === "return" ? child : node;
  }

  counts() {
    const { tree, steps, t } = this;
    const words = [`step ${thousands(t)} of ${thousands(steps.length - 1)}`, `${thousands(steps.expandedAt(t))} of ${thousands(tree.meta.expanded)} ${tree.meta.expanded === 1 ? "node" : "nodes"}`];
    if (tree.pruning) {
      const { cutoffs, skipped, saved } = tree.savingsAt(steps, t);
      if (saved !== null) words.push(`${thousands(saved)} saved`);
      else words.push(skipped !== null ? `${thousands(skipped)} skipped` : `${thousands(cutoffs)} ${cutoffs === 1 ? "cutoff" : "cutoffs"}`);
    }
    return words.join(" · ");
  }

  /** Fold a subtree of the whole tree into one node, or unfold it. */
  fold(row) {
    if (!this.folded.delete(row)) this.folded.add(row);
    this.layout = null;
    this.aim = null;
    this.setView("whole");
  }

  /** The camera of the whole tree: as the user has set it, or else one that shows everything. */
  currentCamera() {
    const { places } = this.layout;
    if (!this.aim) return this.cameraFor(0, places - 1);
    const { width } = sizeOf(this.part("tree"));
    return zoomed(cameraOf(this.aim, width), 1, width / 2, places, width); // some of the tree stays visible
  }

  /** Set the camera. */
  moveCamera(camera) {
    this.aim = aimOf(camera, sizeOf(this.part("tree")).width);
    this.saveState();
    this.draw();
  }

  /** Keep the current node visible when the tree is zoomed in, unless the user has just moved the camera. */
  follow(node, width) {
    if (!this.aim || this.followed === this.t) return;
    this.followed = this.t;
    const { scale, shift } = cameraOf(this.aim, width);
    const x = this.layout.x[node] * scale + shift;
    if (x < 20 || x > width - 20) this.aim = { ...this.aim, middle: this.layout.x[node] };
  }

  /** The moves at the current node by cell: "tried", "skipped" or "untried". */
  moveMarks(step) {
    const marks = new Map();
    if (step.kind === "return") return marks;
    for (const row of this.tree.children(step.node).reverse()) { // the first call of a move counts, not its re-search
      marks.set(this.tree.moveCell(row), this.steps.enter(row) <= this.t ? "tried" : "untried");
    }
    const cut = this.steps.areStubsVisible(step.node, this.t);
    for (const cell of this.tree.skippedCells(step.node)) marks.set(cell, cut ? "skipped" : "untried");
    marks.delete(null);
    return marks;
  }

  bookmark() {
    this.bookmarksTab.bookmark("");
    this.showTab("marks");
  }

  announce() {
    const live = this.part("live");
    if (this.tree) live.textContent = sentence(this.tree, this.steps, this.t);
  }

  // ---- controls

  listen() {
    this.root.tabIndex = 0;
    this.root.addEventListener("pointerdown", (event) => this.part("more").contains(event.target) || closeMenu(this));
    this.root.addEventListener("keydown", (event) => {
      this.root.classList.add("keyboard"); // show the focus to keyboard users
      if (event.key === "Tab") this.clickedSelect = null;
      pressKey(this, event);
    });
    this.root.addEventListener("pointerdown", ({ target }) => {
      this.root.classList.remove("keyboard");
      this.clickedSelect = target.closest("select");
    });
    this.root.addEventListener("click", ({ detail, target }) => {
      const isPointer = detail > 0; // a button that the keyboard pressed keeps the focus
      if (isPointer && target.closest("button, summary") && !this.part("help").open) this.root.focus({ preventScroll: true });
    });
    const tools = { fit: () => this.refit(), plus: () => this.zoom(1.5), minus: () => this.zoom(1 / 1.5) };
    for (const [name, act] of Object.entries(tools)) {
      const button = this.part(name);
      button.innerHTML = icon(name);
      button.addEventListener("click", act);
    }
    for (const button of this.root.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => this.setView(button.dataset.view));
    }
    this.part("bestLine").addEventListener("click", () => this.showBestLine(!this.principal));
    for (const button of this.root.querySelectorAll("[data-tab]")) {
      button.addEventListener("click", () => this.showTab(button.dataset.tab));
    }
    for (const button of this.root.querySelectorAll("[data-mode]")) {
      button.addEventListener("click", () => changeMode(this, button));
    }
    listenToTree(this, this.part("tree"));
    listenToTimeline(this, this.part("timeline"));
  }

  /** The row in the tab "Node": the selected one, or else the current one. */
  inspectedRow() {
    return this.selected >= 0 ? this.selected : this.steps.at(this.t).node;
  }

  hover(event) {
    const tip = this.part("tip");
    const { x, y } = pointOn(this.part("tree"), event);
    const row = this.nearest?.(x, y) ?? -1;
    const isInTab = this.tab === "node" && row === this.inspectedRow();
    tip.classList.toggle("shown", row >= 0 && !isInTab && this.steps.enter(row) <= this.t);
    if (row === (this.hovered?.row ?? -1) && (row < 0 || this.hovered.t === this.t)) return;
    this.hovered = row < 0 ? null : { row, t: this.t };
    this.draw(); // the cause of a cutoff is shown
    if (row < 0) return;
    tip.innerHTML = boardSvg(boardAt(this.tree, row)) + cardHtml(this.tree, this.steps, row, this.t, this.viewName === "graph") + this.cutoffHtml(row);
    const right = event.offsetX > this.part("tree").clientWidth / 2;
    tip.style.left = right ? "8px" : "auto";
    tip.style.right = right ? "auto" : "8px";
  }

  unhover() {
    this.part("tip").classList.remove("shown");
    if (!this.hovered) return;
    this.hovered = null;
    this.draw();
  }

  /** The reason of a cutoff, once it has happened. */
  cutoffHtml(row) {
    const { tree, steps, t } = this;
    if (!steps.areStubsVisible(row, t) || tree.hidden(row)) return "";
    return `<p class="cutoff-reason">${escape(sentence(tree, steps, steps.leave(row)))}</p>`;
  }

  /** Answer a lesson that asks for a node. */
  answerWith(row) {
    this.send("pick", this.tree.number(row));
  }

  deselect() {
    this.selected = -1;
    this.saveState();
    this.draw();
  }

  /** Select a node. A later click on it goes to its step; a double click does not. If a lesson asks for a node, a click answers. */
  select(row) {
    if (this.settings.asks) this.answerWith(row);
    const again = row === this.selected && performance.now() - this.selectedAt > 400;
    this.selectedAt = performance.now();
    if (again) {
      this.go(this.steps.enter(row));
      return;
    }
    this.selected = row;
    this.showTab("node");
    this.draw();
  }

  showTab(name) {
    this.tab = name;
    for (const button of this.root.querySelectorAll("[data-tab]")) {
      button.setAttribute("aria-selected", String(button.dataset.tab === name));
    }
    for (const panel of this.root.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
    this.saveState();
    this.draw();
  }

  /** Show the tree as "path", "whole", "graph" or "text". */
  setView(name) {
    if (this.isReady && ZOOMED.includes(name) && name !== this.viewName) this.layout = this.aim = null; // views have different layouts
    this.viewName = name;
    for (const button of this.root.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === name));
    }
    for (const zoomed of ZOOMED) this.root.classList.toggle(zoomed, name === zoomed);
    this.part("tree").hidden = name === "text";
    this.part("text").hidden = name !== "text";
    this.saveState();
    this.draw();
  }

  showBestLine(on) {
    this.principal = on ? new Set(this.tree.principalVariation()) : null;
    if (on) this.aim = null; // show all of it
    this.part("bestLine").setAttribute("aria-pressed", String(on));
    this.saveState();
    this.draw();
  }

  /** Show the next view: path, whole tree, positions, text. */
  nextView() {
    this.setView(VIEWS[(VIEWS.indexOf(this.viewName) + 1) % VIEWS.length]);
  }

  refit() {
    this.aim = null;
    this.saveState();
    this.draw();
  }

  zoom(factor, at) {
    if (!this.zoomable) return;
    const { width } = sizeOf(this.part("tree"));
    this.moveCamera(zoomed(this.currentCamera(), factor, at ?? width / 2, this.layout.places, width));
  }

  fitSubtree(row) {
    if (this.viewName === "graph") return; // positions have no subtree of their own
    if (!this.isInView(row, this.steps.at(this.t).node)) return;
    this.setView("whole");
    this.buildLayout(this.steps.at(this.t).node);
    const { left, right } = this.layout.reach(row);
    this.followed = this.t;
    this.moveCamera(this.cameraFor(left, right));
  }

  cameraFor(left, right) {
    const { width, height } = sizeOf(this.part("tree"));
    return fit(left, right, width, height, this.layout.levels.length, { margin: levelMargin(width) });
  }

  /** Show a message for a while. */
  note(words, time = 2000) {
    const place = this.part("toast");
    place.textContent = words;
    this.part("live").textContent = words;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => (place.textContent = ""), time);
  }

  destroy() {
    this.playing = false;
    this.keyboardFocus.destroy();
    this.lecture.leave();
    this.resizing.disconnect();
    window.removeEventListener("resize", this.redraw);
    this.urlState.cancelWrite();
    clearTimeout(this.noting);
  }
}
