// The viewer: holds the time, the selection and the camera, and redraws what depends on them.

import { boardSvg, boardAt } from "../../draw/board.js";
import { aimOf, cameraOf } from "../../model/camera.js";
import { levelMargin, pointOn, sizeOf } from "../../draw/canvas.js";
import { cutoffShown } from "../../model/cause.js";
import { decode } from "../../model/payload.js";
import { buildControls, changeMode, closeMenu, pressKey } from "../../input/controls.js";
import { sentence } from "../../model/sentences.js";
import { Keys } from "../../input/focus.js";
import { icon } from "../../draw/icons.js";
import { drawGraph, drawRefusal } from "../../draw/graph.js";
import { Inspector } from "./inspector.js";
import { fit, wholeTree, zoomed } from "../../model/tidy_layout.js";
import { Legend } from "../../draw/legend.js";
import { Lecture } from "../../input/lecture.js";
import { linkShown } from "../../model/table_links.js";
import { readSeen, VIEWS, ZOOMED } from "../../input/url_codec.js";
import { endsOf, themeOf, thousands } from "../../draw/formatting.js";
import { Marks, nextStop, readBookmarks } from "../../input/bookmarks.js";
import { Memory, stepIn } from "../../input/url_state.js";
import { codeHtml, escape, nodeHtml, stackHtml, valuesHtml, windowSvg } from "../../draw/panels.js";
import { mergedGraph, tooManyPositions } from "../../model/merged_layout.js";
import { Passes } from "./pass_strip.js";
import { drawPath } from "../../draw/path_view.js";
import { PictureTree } from "../../model/picture_tree.js";
import { Player } from "../../input/player.js";
import { listenToTimeline, listenToTree } from "../../input/pointer.js";
import { Predictions } from "./predict.js";
import { codeLine, lineNumbers } from "../../model/pseudocode.js";
import { arrangePosition, fitSentence, keepInSight, magnification, takeRoom, widthInType } from "./sizing.js";
import { isNullWindow, rootBounds } from "../../model/root_bounds.js";
import { TablePanel } from "./table_panel.js";
import { Steps } from "../../model/trace.js";
import { textHtml } from "../../draw/text.js";
import { drawTimeline, overview } from "../../draw/timeline.js";
import { drawWhole } from "../../draw/whole_tree_view.js";
import { Why } from "./evaluation_panel.js";

const PATH_VIEW_ABOVE = 60; // leaves

export class View extends Player {
  constructor(host) {
    super();
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.selected = -1;
    this.tab = "code";
    this.alone = false; // whether one of several passes is shown alone: that of the time
    this.closed = new Set(); // nodes whose subtrees are folded in the whole tree
    this.bookmarks = [];
    this.stops = [];
    this.marks = new Marks(this);
    this.inspector = new Inspector(this);
    this.tablePanel = new TablePanel(this);
    this.why = new Why(this);
    this.legend = new Legend(this);
    this.passes = new Passes(this);
    this.predictions = new Predictions(this);
    this.lecture = new Lecture(this);
    this.keys = new Keys(this.root);
    this.memory = new Memory(this);
    buildControls(this);
    this.listen();
    this.redraw = () => this.draw();
    this.resizing = new ResizeObserver(this.redraw);
    for (const place of [this.root, this.part("stage"), this.part("position")]) this.resizing.observe(place);
    window.addEventListener("resize", this.redraw);
  }

  /** A new tree, or the same with a new theme. `send` tells the server what was clicked. */
  update(bytes, settings, send) {
    this.send = send;
    this.settings = settings;
    if (settings.name !== this.name) {
      this.name = settings.name;
      this.show(new PictureTree(decode(bytes)));
    } else if (this.awaitingPositions) {
      this.takePositions(decode(bytes).columns.position);
    }
    this.theme = themeOf(this.root);
    this.draw();
  }

  /** Asks for what is not sent to those who do not look at it: which nodes have equal positions. */
  wantPositions() {
    if (!this.tree.meta.positionsLater || this.awaitingPositions || this.tree.columns.position) return;
    this.awaitingPositions = true;
    this.send("positions", true);
  }

  takePositions(column) {
    if (!column) return;
    this.awaitingPositions = false;
    this.tree.columns.position = column;
    this.layout = this.refused = null;
  }

  show(tree) {
    this.tree = tree;
    this.awaitingPositions = false;
    this.steps = new Steps(tree);
    this.layout = this.gathered = this.refused = this.principal = this.aim = this.hovered = null;
    this.why.forget();
    this.tablePanel.offer();
    this.opened = false;
    this.stops = [];
    const link = this.memory.read();
    this.bookmarks = readBookmarks(link.get("marks"), this.steps.length);
    this.marks.show();
    this.giveRoom();
    this.part("timeline").setAttribute("aria-valuemax", String(this.steps.length - 1));
    const seen = { ...readSeen(link, tree), ...(this.settings.view && !link.has("view") && { shownAs: this.settings.view }) };
    this.see(seen);
    this.opened = true;
    this.keys.take();
    this.open(this.settings.step ?? stepIn(link, this.steps.length) ?? this.startOf(seen.pass));
  }

  /** The step that begins a pass, by the row of its root. */
  startOf(root) {
    return root === undefined ? null : this.steps.enter(root);
  }

  /** Show what a link says, and what is usual where it says nothing. */
  see({ shownAs = this.usualView(), aim = null, closed = [], tab = "code", selected = -1, pass, best = false, lecture = false, wrong }) {
    this.closed = new Set(closed);
    this.alone = pass !== undefined;
    this.selected = selected;
    this.showBestLine(best);
    this.aim = aim;
    this.showAs(shownAs);
    this.showTab(tab);
    if (lecture) this.lecture.enter();
    else this.lecture.leave();
    if (wrong.length) this.note(`Not all of this link could be used. Left out: ${wrong.join(", ")}`, 8000);
  }

  usualView() {
    return this.tree.leaves <= PATH_VIEW_ABOVE ? "whole" : "path";
  }

  /** Start at the step; if there is none, play to the first cutoff, or be there at once if motion is unwelcome. */
  open(step) {
    this.playing = false;
    if (Number.isInteger(step)) {
      this.t = Math.min(Math.max(step, 0), this.steps.length - 1);
      this.followed = this.t; // the camera is as the link has it
      this.remember();
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

  // ---- time, beyond what a Player does

  /** Playing goes on to the next breakpoint or question, or to the end. */
  nextHalt() {
    return Math.min(this.predictions.next(), nextStop(this.stops, this.t) ?? Infinity, this.steps.length - 1);
  }

  /** After an answer, going on comes first. */
  toggle() {
    if (this.predictions.outcome) this.predictions.goOn();
    else super.toggle();
  }

  /** After whatever changes what is seen; not while it is being opened. */
  remember() {
    if (this.opened) this.memory.write();
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
    takeRoom(this.root, lines);
    this.say(sentence(tree, steps, t));
    canvas.magnification = magnification(canvas, this.lecture.on);
    this.passes.show(step.node);
    const asked = [this.hovered?.row ?? -1, this.selected].filter((row) => this.inSight(row, step.node));
    const scene = { tree, steps, t, theme, principal: this.bestLine(step.node), selected: this.selected, alone: this.alone };
    scene.bottom = this.legend.show() / canvas.magnification;
    scene.cutoff = cutoffShown(tree, steps, t, asked);
    scene.link = linkShown(tree, steps, t, asked);
    if (this.shownAs === "whole") {
      this.makeLayout(step.node);
      this.follow(step.node, sizeOf(canvas).width);
      this.camera = this.cameraNow();
      this.nearest = drawWhole(canvas, { ...scene, layout: this.layout, camera: this.camera, closed: this.closed });
    } else if (this.shownAs === "graph") {
      this.nearest = this.paintPositions(canvas, scene, step.node);
    } else if (this.shownAs === "path") {
      const boxes = drawPath(canvas, scene);
      this.nearest = (x, y) => boxes.find((b) => x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height)?.row ?? -1;
    } else {
      this.part("text").innerHTML = textHtml(tree, steps, t, this.alone);
    }
    const strip = this.part("timeline");
    if (this.gathered?.width !== strip.clientWidth) {
      this.gathered = { width: strip.clientWidth, ...overview(tree, steps, Math.max(strip.clientWidth, 1)) };
    }
    drawTimeline(strip, { tree, steps, t, theme, gathered: this.gathered, hideFuture: this.predictions.on, bookmarks: this.bookmarks });
    arrangePosition(this.part("position"));
    this.part("board").innerHTML = boardSvg(boardAt(tree, this.boardRow()), this.moveMarks(step));
    this.part("window").innerHTML = tree.pruning
      ? windowSvg(step, this.predictions.on, widthInType(this.part("window"), this.part("code")), this.windowNotes(step)) : "";
    this.why.offer(step);
    this.part("values").innerHTML = valuesHtml(tree, step);
    this.part("code").innerHTML = codeHtml(lines, codeLine(tree, steps, step), lineNumbers(tree, steps, step));
    keepInSight(this.part("panels"), this.part("code").querySelector(".lit"));
    if (this.tab === "stack") this.part("stack").innerHTML = stackHtml(tree, steps, t);
    if (this.tab === "table") this.tablePanel.show();
    if (this.tab === "node") {
      this.wantPositions(); // equal ones are named
      this.inspector.show(this.selected >= 0 ? this.selected : step.node);
    }
    this.part("count").textContent = this.counts();
    this.part("timeline").setAttribute("aria-valuenow", String(t));
    this.predictions.ask();
    this.root.dataset.step = String(t);
  }

  /** Whether a row can be in the picture: it is in the pass that is shown alone, or all are shown. */
  inSight(row, node) {
    const { from, to } = this.tree.passRows(node);
    return row >= 0 && (!this.alone || (row >= from && row < to));
  }

  /** The places of all nodes, or of those of the pass that is shown alone. */
  makeLayout(node) {
    const pass = this.alone ? this.tree.passRows(node) : undefined;
    if (this.layout && !this.layout.positions && this.laidOut === pass?.from) return;
    if (this.layout) this.aim = null; // another pass is seen from afar first
    this.layout = wholeTree(this.tree, this.closed, pass);
    this.laidOut = pass?.from;
  }

  /** Equal positions as one node; a sentence in their place where there are too many. */
  paintPositions(canvas, scene, node) {
    this.wantPositions();
    const refused = this.makeGraph(node);
    if (refused) return drawRefusal(canvas, scene, refused);
    this.follow(node, sizeOf(canvas).width);
    this.camera = this.cameraNow();
    return drawGraph(canvas, { ...scene, graph: this.layout, camera: this.camera });
  }

  /** The graph of what is shown becomes the layout; or why there is none is returned. */
  makeGraph(node) {
    const rows = this.alone ? this.tree.passRows(node) : { from: 0, to: this.tree.count };
    if (this.layout?.positions && this.laidOut === rows.from) return "";
    const { from, to } = this.refused ?? {};
    if (from !== rows.from || to !== rows.to) this.refused = { ...rows, why: tooManyPositions(this.tree, rows) };
    if (this.refused.why) return this.refused.why;
    if (this.layout) this.aim = null;
    this.layout = mergedGraph(this.tree, rows);
    this.laidOut = rows.from;
    return "";
  }

  /** Whether the picture has a camera. */
  get zoomable() {
    return Boolean(this.layout) && ZOOMED.includes(this.shownAs) && (this.shownAs === "graph") === Boolean(this.layout.positions);
  }

  /** Best play if it is to be shown: in the last pass, or in the one that is shown alone. */
  bestLine(node) {
    if (!this.principal) return null;
    return this.alone ? new Set(this.tree.principalVariation(this.tree.passRows(node).from)) : this.principal;
  }

  /** One pass alone, by the row of its root: the time goes there, unless it is there. null: all of them. */
  showPass(root) {
    this.alone = root !== null;
    this.layout = this.aim = null;
    if (this.alone && this.tree.passAt(this.steps.at(this.t).node).first !== root) this.go(this.steps.enter(root));
    this.remember();
    this.draw();
    this.root.focus({ preventScroll: true });
  }

  /** What the window of a step means in a search that asks with narrow ones. */
  windowNotes({ kind, node, value }) {
    const { tree, steps, t } = this;
    const [alpha, beta] = [tree.alpha(node), tree.beta(node)];
    const left = !["enter", "return"].includes(kind) && (tree.hasDriver || Boolean(tree.columns.link));
    const fails = !left ? "" : value <= alpha ? "low" : value >= beta ? "high" : "";
    return { isNull: isNullWindow(alpha, beta, tree.meta.numbers), fails, root: rootBounds(tree, steps, t), written: endsOf(tree, node) };
  }

  /** Select a node and go to the step that leaves it. */
  jumpTo(row) {
    this.selected = row;
    this.go(this.tree.isOpen(row) ? this.steps.enter(row) : this.steps.leave(row));
    this.remember();
    this.draw();
  }

  say(words) {
    const place = this.part("sentence");
    if (place.textContent === words && place.clientWidth === this.saidIn) return;
    place.textContent = words;
    this.saidIn = place.clientWidth;
    fitSentence(place);
  }

  /** A tree of numbers has no board: its place goes to the tree and the code. */
  giveRoom() {
    const boardless = !this.tree.meta.board;
    this.root.classList.toggle("boardless", boardless);
    this.root.classList.toggle("plain", Boolean(this.settings.plain));
    this.part(boardless && !this.settings.plain ? "aside" : "main").append(this.part("timeline"));
  }

  /** The node whose position is on the board. */
  boardRow() {
    const { kind, node, child } = this.steps.at(this.t);
    return kind === "return" ? child : node;
  }

  counts() {
    const { tree, steps, t } = this;
    const words = [`step ${thousands(t)} of ${thousands(steps.length - 1)}`, `${thousands(steps.expandedAt(t))} of ${thousands(tree.meta.expanded)} ${tree.meta.expanded === 1 ? "node" : "nodes"}`];
    if (tree.pruning) {
      const { cutoffs, skipped, saved } = tree.sparedSoFar(steps, t);
      if (saved !== null) words.push(`${thousands(saved)} saved`);
      else words.push(skipped !== null ? `${thousands(skipped)} skipped` : `${thousands(cutoffs)} ${cutoffs === 1 ? "cutoff" : "cutoffs"}`);
    }
    return words.join(" · ");
  }

  /** Fold a subtree of the whole tree into one node, or unfold it. */
  fold(row) {
    if (!this.closed.delete(row)) this.closed.add(row);
    this.layout = null;
    this.aim = null;
    this.showAs("whole");
  }

  /** Where the whole tree is looked at from: as the user wants it, or else so that all of it is seen. */
  cameraNow() {
    const { places } = this.layout;
    if (!this.aim) return this.fitted(0, places - 1);
    const { width } = sizeOf(this.part("tree"));
    return zoomed(cameraOf(this.aim, width), 1, width / 2, places, width); // never so that the tree is lost from sight
  }

  /** Look at the whole tree from there. */
  look(camera) {
    this.aim = aimOf(camera, sizeOf(this.part("tree")).width);
    this.remember();
    this.draw();
  }

  /** Keep the current node in sight when the tree is zoomed in, unless the user has just moved it. */
  follow(node, width) {
    if (!this.aim || this.followed === this.t) return;
    this.followed = this.t;
    const { scale, shift } = cameraOf(this.aim, width);
    const x = this.layout.x[node] * scale + shift;
    if (x < 20 || x > width - 20) this.aim = { ...this.aim, middle: this.layout.x[node] };
  }

  /** Of the moves at the current node, by the cells that stand for them: which were tried, which are skipped, which are still to come. */
  moveMarks(step) {
    const marks = new Map();
    if (step.kind === "return") return marks;
    for (const row of this.tree.children(step.node).reverse()) { // of a move that is searched again the first time counts
      marks.set(this.tree.moveCell(row), this.steps.enter(row) <= this.t ? "tried" : "untried");
    }
    const cut = this.steps.stubVisible(step.node, this.t);
    for (const cell of this.tree.skippedCells(step.node)) marks.set(cell, cut ? "skipped" : "untried");
    marks.delete(null);
    return marks;
  }

  bookmark() {
    this.marks.bookmark("");
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
      this.root.classList.add("keys"); // who uses keys sees where they go
      pressKey(this, event);
    });
    this.root.addEventListener("pointerdown", () => this.root.classList.remove("keys"));
    const tools = { fit: () => this.refit(), plus: () => this.zoom(1.5), minus: () => this.zoom(1 / 1.5) };
    for (const [name, act] of Object.entries(tools)) {
      const button = this.part(name);
      button.innerHTML = icon(name);
      button.addEventListener("click", act);
    }
    for (const button of this.root.querySelectorAll("[data-view]")) {
      button.addEventListener("click", () => this.showAs(button.dataset.view));
    }
    this.part("principal").addEventListener("click", () => this.showBestLine(!this.principal));
    for (const button of this.root.querySelectorAll("[data-tab]")) {
      button.addEventListener("click", () => this.showTab(button.dataset.tab));
    }
    for (const button of this.root.querySelectorAll("[data-mode]")) {
      button.addEventListener("click", () => changeMode(this, button));
    }
    listenToTree(this, this.part("tree"));
    listenToTimeline(this, this.part("timeline"));
  }

  hover(event) {
    const tip = this.part("tip");
    const { x, y } = pointOn(this.part("tree"), event);
    const row = this.nearest?.(x, y) ?? -1;
    tip.classList.toggle("shown", row >= 0 && this.steps.enter(row) <= this.t);
    if (row === (this.hovered?.row ?? -1) && (row < 0 || this.hovered.t === this.t)) return;
    this.hovered = row < 0 ? null : { row, t: this.t };
    this.draw(); // a cutoff shows its cause
    if (row < 0) return;
    tip.innerHTML = boardSvg(boardAt(this.tree, row)) + nodeHtml(this.tree, this.steps, row, this.t, true, this.shownAs === "graph") + this.cutoffHtml(row);
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

  /** Why a node was cut off, once it was. */
  cutoffHtml(row) {
    const { tree, steps, t } = this;
    if (!steps.stubVisible(row, t) || tree.hidden(row)) return "";
    return `<p class="because">${escape(sentence(tree, steps, steps.leave(row)))}</p>`;
  }

  /** Where a lesson asks for a node: this one. */
  answerWith(row) {
    this.send("pick", this.tree.number(row));
  }

  deselect() {
    this.selected = -1;
    this.remember();
    this.draw();
  }

  /** A click selects; a later click on what is selected jumps the time to it (a double click does not). Where a lesson asks for a
   *  node, it is the answer. */
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
    this.remember();
    this.draw();
  }

  /** The tree as "path", as "whole", as "graph" of positions or as "text". */
  showAs(name) {
    if (this.opened && ZOOMED.includes(name) && name !== this.shownAs) this.layout = this.aim = null; // their places are others
    this.shownAs = name;
    for (const button of this.root.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === name));
    }
    for (const zoomed of ZOOMED) this.root.classList.toggle(zoomed, name === zoomed);
    this.part("tree").hidden = name === "text";
    this.part("text").hidden = name !== "text";
    this.remember();
    this.draw();
  }

  showBestLine(on) {
    this.principal = on ? new Set(this.tree.principalVariation()) : null;
    if (on) this.aim = null; // all of it is to be seen
    this.part("principal").setAttribute("aria-pressed", String(on));
    this.remember();
    this.draw();
  }

  /** From path to whole tree to positions to text. */
  nextView() {
    this.showAs(VIEWS[(VIEWS.indexOf(this.shownAs) + 1) % VIEWS.length]);
  }

  refit() {
    this.aim = null;
    this.remember();
    this.draw();
  }

  zoom(factor, at) {
    if (!this.zoomable) return;
    const { width } = sizeOf(this.part("tree"));
    this.look(zoomed(this.cameraNow(), factor, at ?? width / 2, this.layout.places, width));
  }

  fitSubtree(row) {
    if (this.shownAs === "graph") return; // positions have no subtree of their own
    if (!this.inSight(row, this.steps.at(this.t).node)) return;
    this.showAs("whole");
    this.makeLayout(this.steps.at(this.t).node);
    const { left, right } = this.layout.reach(row);
    this.followed = this.t;
    this.look(this.fitted(left, right));
  }

  fitted(left, right) {
    const { width, height } = sizeOf(this.part("tree"));
    return fit(left, right, width, height, this.layout.levels.length, { margin: levelMargin(width) });
  }

  /** A word that goes by itself. */
  note(words, time = 2000) {
    const place = this.part("toast");
    place.textContent = words;
    this.part("live").textContent = words;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => (place.textContent = ""), time);
  }

  destroy() {
    this.playing = false;
    this.keys.end();
    this.lecture.leave();
    this.resizing.disconnect();
    window.removeEventListener("resize", this.redraw);
    this.memory.forget();
    clearTimeout(this.noting);
  }
}
