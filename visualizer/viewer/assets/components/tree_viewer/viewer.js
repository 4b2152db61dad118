// The viewer: holds the current step, the selection and the view, and redraws everything that depends on them.

import { readTheme } from "../../draw/formatting.js";
import { Legend } from "../../draw/legend.js";
import { BookmarksTab, nextStop } from "../../input/bookmarks.js";
import { buildControls, enableButtons, pressKey, showKeys } from "../../input/controls.js";
import { Lecture } from "../../input/lecture.js";
import { Player } from "../../input/player.js";
import { VIEWS, ZOOMED } from "../../input/url_codec.js";
import { decode } from "../../model/payload.js";
import { PictureTree } from "../../model/picture_tree.js";
import { sentence } from "../../model/sentences.js";
import { Steps } from "../../model/trace.js";
import { EvaluationPanel } from "./evaluation_panel.js";
import { HoverCard } from "./hover_card.js";
import { Inspector } from "./inspector.js";
import { LargeTree } from "./large_tree.js";
import { MIN_OVERVIEW_NODES, OverviewPanel } from "./overview_panel.js";
import { paint, paintPicture } from "./painting.js";
import { PassStrip } from "./pass_strip.js";
import { Predictions } from "./predict.js";
import { SavedState } from "./saved_state.js";
import { StepRange } from "./step_range.js";
import { TablePanel } from "./table_panel.js";
import { TreeCamera } from "./tree_camera.js";
import { listenToViewer } from "./viewer_events.js";

const MAX_WHOLE_TREE_LEAVES = 60; // a tree with more leaves opens as its path
const CONTROLS_MARGIN = "0px 0px -80px"; // of the window: the height of the buttons that stand at its lower edge

export class TreeViewer extends Player {
  constructor(element) {
    super();
    this.root = element.querySelector(".ps");
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
    this.hoverCard = new HoverCard(this);
    this.treeCamera = new TreeCamera(this);
    this.overviewPanel = new OverviewPanel(this);
    this.stepRange = new StepRange(this);
    this.savedState = new SavedState(this);
    buildControls(this);
    showKeys(this);
    listenToViewer(this);
    this.redraw = () => this.draw();
    this.resizing = new ResizeObserver(this.redraw);
    const showControls = ([place]) => (this.root.dataset.inSight = String(place.isIntersecting)); // on a phone they lie on the page
    this.sighting = new IntersectionObserver(showControls, { rootMargin: CONTROLS_MARGIN });
  }

  /** Follow changes of size. */
  attach() {
    for (const place of [this.root, this.part("stage"), this.part("position")]) this.resizing.observe(place);
    this.sighting.observe(this.root);
    window.addEventListener("resize", this.redraw);
    document.fonts.addEventListener("loadingdone", this.redraw); // letters of another width
  }

  destroy() {
    this.playing = false;
    this.lecture.leave();
    this.resizing.disconnect();
    this.sighting.disconnect();
    window.removeEventListener("resize", this.redraw);
    document.fonts.removeEventListener("loadingdone", this.redraw);
    this.savedState.cancel();
    clearTimeout(this.noting);
  }

  /** Show a new tree, or the same with a new theme. */
  update(payload, settings, host) {
    this.host = host;
    this.settings = settings;
    if (settings.name !== this.name) {
      this.name = settings.name;
      this.show(decode(payload));
    } else if (this.awaitingPositions) {
      this.takePositions(decode(payload).columns.position);
    }
    this.updateTheme();
  }

  /** Read the colours of the page again. */
  updateTheme() {
    this.theme = readTheme(this.root);
    this.draw();
  }

  /** Ask for the numbers of equal positions, which are sent only when they are needed. */
  wantPositions() {
    if (!this.tree.meta.positionsLater || this.awaitingPositions || this.tree.columns.position || !this.host.offers("positions")) return;
    this.awaitingPositions = true;
    this.host.request("positions", true);
  }

  takePositions(column) {
    if (!column) return;
    this.awaitingPositions = false;
    this.tree.columns.position = column;
    this.treeCamera.layout = this.treeCamera.graphRefusal = null;
  }

  /** Show the answer to a request "why". */
  receiveBreakdown(answer) {
    this.evaluationPanel.receive(answer);
  }

  show(decoded) {
    this.largeTree = this.settings.whole ? new LargeTree(this, this.settings.whole, decoded.meta) : null;
    if (this.largeTree) Object.assign(this, this.largeTree.wrap(decoded));
    else {
      this.tree = new PictureTree(decoded);
      this.steps = new Steps(this.tree);
    }
    const { tree } = this;
    this.awaitingPositions = false;
    this.timelineData = this.principal = null;
    this.treeCamera.reset();
    this.overviewPanel.reset();
    this.hoverCard.reset();
    this.evaluationPanel.reset();
    this.tablePanel.reset();
    this.stepRange.reset();
    this.stops = [];
    this.placeTimeline();
    enableButtons(this);
    this.part("timeline").setAttribute("aria-valuemax", String(this.steps.length - 1));
    this.openState(this.host.readState(tree.meta.urlParams), this.settings);
    this.host.takeFocus(this.root);
  }

  /** Show another block of rows of the same large tree, at a step that is in it. */
  showBlock({ tree, steps }, t) {
    const rowIn = (row) => (row < 0 ? row : tree.rowOf(this.tree.number(row)));
    this.selected = rowIn(this.selected);
    this.folded = new Set([...this.folded].map(rowIn).filter((row) => row >= 0));
    Object.assign(this, { tree, steps });
    this.treeCamera.replaceTree();
    this.hoverCard.reset();
    if (this.principal) this.principal = new Set(tree.principalVariation());
    this.began = null; // playback goes on from here
    if (t === this.t) this.draw();
    else super.setStep(t);
    if (!this.playing) this.announce();
  }

  /** Go to a step. If a large tree has not loaded it, the old step stays until it is there. */
  setStep(t) {
    const next = Math.min(Math.max(t, 0), this.steps.length - 1);
    if (!this.largeTree) super.setStep(next);
    else if (this.steps.isLoaded(next)) {
      this.largeTree.wanted = null;
      super.setStep(next);
      this.largeTree.loadAhead(next);
    } else this.largeTree.load(next);
  }

  async goToKind(direction, kind) {
    const { from, to } = this.stepRange.limits;
    const start = Math.min(Math.max(this.t, from - 1), to + 1); // from outside into the range
    const found = this.largeTree ? await this.largeTree.findStep(direction, kind, start) : this.steps[direction](kind, start);
    if (found === null || this.stepRange.contains(found)) this.go(found);
    else this.note(`There is no ${direction} ${kind === "evaluate" ? "leaf" : kind} in this range`);
  }

  /** Show a saved state, given as URLSearchParams. `chosen` are settings that come first. */
  openState(saved, chosen = {}) {
    this.isReady = false;
    const step = this.savedState.open(saved, chosen);
    this.isReady = true;
    this.startAt(step);
  }

  defaultView() {
    if (this.largeTree || (this.tree.count > MIN_OVERVIEW_NODES && !this.tree.columns.hidden)) return "overview";
    return this.tree.leaves <= MAX_WHOLE_TREE_LEAVES ? "whole" : "path";
  }

  /** Start at the step; without one, play to the first cutoff, or jump there if the user prefers reduced motion. */
  startAt(step) {
    this.playing = false;
    this.firstPause = null;
    if (Number.isInteger(step)) {
      const asked = Math.min(Math.max(step, 0), this.steps.length - 1);
      const isLoaded = !this.largeTree || this.steps.isLoaded(asked);
      this.t = isLoaded ? asked : 0;
      if (!isLoaded) this.largeTree.load(asked);
      this.treeCamera.stay(asked); // keep the camera of the link
      this.saveState();
      this.draw();
      return;
    }
    const first = this.steps.next("cutoff", 0);
    this.firstPause = first;
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
    return Math.min(this.predictions.next(), nextStop(this.stops, this.t) ?? Infinity, this.stepRange.limits.to);
  }

  /** Play on. In a large tree the server knows where the breakpoints are. */
  async continuePlaying() {
    const { largeTree, stops, t } = this;
    if (largeTree && stops.length) {
      await largeTree.updateStops(stops, t);
      if (this.largeTree !== largeTree || this.t !== t || this.playing) return; // the user did something meanwhile
    }
    super.continuePlaying();
  }

  /** After an answer, continue with the next question. At the end of the search or of the chosen range, begin again. */
  async toggle() {
    const { from, to } = this.stepRange.limits;
    if (!this.playing && (this.t < from || this.t >= to)) await this.restart(from);
    if (this.predictions.outcome) this.predictions.goOn();
    else super.toggle();
  }

  /** Go to a step, and wait until a large tree has loaded it. */
  async restart(t) {
    if (this.largeTree && !this.steps.isLoaded(t)) await this.largeTree.load(t);
    else this.setStep(t);
  }

  /** Save the state, except while a tree is being opened. */
  saveState() {
    if (this.isReady) this.savedState.save();
  }

  saveAndDraw() {
    this.saveState();
    this.draw();
  }

  announce() {
    if (this.tree) this.part("live").textContent = sentence(this.tree, this.steps, this.t);
  }

  pressKey(event) {
    pressKey(this, event);
  }

  // ---- drawing

  /** Draw everything in the next frame. */
  draw() {
    this.isAllStale = true;
    this.drawPicture();
  }

  /** Draw only the tree and the timeline in the next frame: the camera has moved. The panels would take most of the frame. */
  drawPicture() {
    if (!this.tree || this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      if (!this.root.isConnected) return;
      const paintStale = this.isAllStale ? paint : paintPicture;
      this.isAllStale = false;
      paintStale(this);
    });
  }

  /** Whether a row is in the picture: all passes are shown, or its own. */
  isInView(row, node) {
    const { from, to } = this.tree.passRows(node);
    return row >= 0 && (!this.singlePass || (row >= from && row < to));
  }

  /** The rows of the best line if it is shown: of the last pass, or of the single pass that is shown. */
  bestLine(node) {
    if (!this.principal) return null;
    return this.singlePass ? new Set(this.tree.principalVariation(this.tree.passRows(node).from)) : this.principal;
  }

  /** The row whose position is on the board. */
  boardRow() {
    const { kind, node, child } = this.steps.at(this.t);
    return kind === "return" ? child : node;
  }

  /** The row in the tab "Node": the selected one, or else the current one. */
  inspectedRow() {
    return this.selected >= 0 ? this.selected : this.steps.at(this.t).node;
  }

  /** Place the timeline. Without a board, its space goes to the tree and the code. */
  placeTimeline() {
    const boardless = !this.tree.meta.board;
    this.root.classList.toggle("boardless", boardless);
    this.root.classList.toggle("with-breakdowns", Boolean(this.tree.meta.tellsParts));
    this.root.classList.toggle("plain", Boolean(this.settings.plain));
    this.root.classList.toggle("tall", Boolean(this.settings.tall));
    const isBeside = boardless && !this.settings.plain; // the timeline has the place of the board
    this.part(isBeside ? "aside" : "timelineHead")[isBeside ? "append" : "prepend"](this.part("timelineCaption"));
    this.part(isBeside ? "aside" : "main").append(this.part("timeline"));
  }

  // ---- what is shown

  /** Show a single pass, given by the row of its root, and go to it. null: show all passes. */
  showPass(root) {
    this.singlePass = root !== null;
    this.treeCamera.resetLayout();
    if (this.singlePass && this.tree.passAt(this.steps.at(this.t).node).first !== root) this.go(this.steps.enter(root));
    this.saveAndDraw();
    this.root.focus({ preventScroll: true });
  }

  /** Select a node and go to the step that leaves it. */
  jumpTo(row) {
    this.selected = row;
    this.go(this.tree.isOpen(row) ? this.steps.enter(row) : this.steps.leave(row));
    this.saveAndDraw();
  }

  /** Fold a subtree of the whole tree into one node, or unfold it. */
  fold(row) {
    if (!this.folded.delete(row)) this.folded.add(row);
    this.treeCamera.resetLayout();
    this.setView("whole");
  }

  bookmark() {
    this.bookmarksTab.bookmark("");
    this.showTab("marks");
  }

  /** Answer a lesson that asks for a node. */
  answerWith(row) {
    this.host.request("pick", this.tree.number(row));
  }

  deselect() {
    this.selected = -1;
    this.saveAndDraw();
  }

  /** Select a node. A later click on it goes to its step; a double click does not. If a lesson asks for a node, a click answers. A node of
   *  the overview opens as its path. */
  select(row) {
    if (this.settings.asks) this.answerWith(row);
    if (this.viewName === "overview") {
      this.openFromOverview(row);
      return;
    }
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

  /** Open a node of the overview as its path, at the step that entered it. In a large tree the node is given by its number. */
  async openFromOverview(node) {
    const block = this.largeTree && (await this.largeTree.peek(node));
    if (this.largeTree && !block) return;
    this.setView("path");
    this.go(block ? block.steps.enter(block.tree.rowOf(node)) : this.steps.enter(node));
  }

  showTab(name) {
    this.tab = name;
    for (const button of this.root.querySelectorAll("[data-tab]")) {
      button.setAttribute("aria-selected", String(button.dataset.tab === name));
    }
    for (const panel of this.root.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== name;
    this.saveAndDraw();
  }

  /** Show the tree as "path", "whole", "overview", "graph" or "text". */
  setView(name) {
    if (this.isReady && ZOOMED.includes(name) && name !== this.viewName) this.treeCamera.resetLayout(); // views have different layouts
    this.viewName = name;
    for (const button of this.root.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === name));
    }
    for (const zoomed of ZOOMED) this.root.classList.toggle(zoomed, name === zoomed);
    this.part("tree").hidden = name === "text";
    this.part("text").hidden = name !== "text";
    this.saveAndDraw();
  }

  /** Show the next view: path, whole tree, overview, positions, text. */
  nextView() {
    this.setView(VIEWS[(VIEWS.indexOf(this.viewName) + 1) % VIEWS.length]);
  }

  showBestLine(on) {
    this.principal = on ? new Set(this.tree.principalVariation()) : null;
    if (on) this.treeCamera.aim = null; // show all of it
    this.part("bestLine").setAttribute("aria-pressed", String(on));
    this.saveAndDraw();
  }

  /** Show a message for a while. */
  note(words, time = 2000) {
    const place = this.part("toast");
    place.textContent = words;
    this.part("live").textContent = words;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => (place.textContent = ""), time);
  }
}
