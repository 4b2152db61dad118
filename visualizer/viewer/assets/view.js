// The viewer: holds the time, the selection and the camera, and redraws what depends on them.

import { boardSvg } from "./board.js";
import { drawPath, drawWhole } from "./canvas.js";
import { decode } from "./decode.js";
import { buildControls, changeMode, closeMenu, pressKey } from "./controls.js";
import { codeLine, codeName, sentence } from "./explain.js";
import { icon } from "./icons.js";
import { fit, wholeTree } from "./layout.js";
import { themeOf, thousands } from "./look.js";
import { codeHtml, nodeHtml, stackHtml, windowSvg } from "./panels.js";
import { PictureTree } from "./picture.js";
import { listenToTimeline, listenToTree } from "./pointer.js";
import { nextQuestion, questionAt } from "./predict.js";
import { Steps } from "./steps.js";
import { drawTimeline, overview } from "./timeline.js";

const PATH_VIEW_ABOVE = 60; // leaves

export class View {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.playing = false;
    this.speed = 4;
    this.selected = -1;
    this.tab = "code";
    buildControls(this);
    this.listen();
    this.resizing = new ResizeObserver(() => this.draw());
    this.resizing.observe(this.root);
  }

  /** A new tree, or the same with a new theme. */
  update(bytes, settings) {
    this.settings = settings ?? this.settings;
    if (bytes && bytes !== this.bytes) {
      this.bytes = bytes;
      this.tree = new PictureTree(decode(bytes));
      this.steps = new Steps(this.tree);
      this.layout = null;
      this.gathered = null;
      this.selected = -1;
      this.principal = null;
      this.camera = null;
      this.showWhole(this.tree.leaves <= PATH_VIEW_ABOVE);
      this.open();
    }
    this.theme = themeOf(this.root);
    this.draw();
  }

  /** Start where the link says; else play to the first cutoff, or be there at once if motion is unwelcome. */
  open() {
    const step = this.settings?.step;
    this.playing = false;
    if (Number.isInteger(step)) {
      this.t = Math.min(Math.max(step, 0), this.steps.length - 1);
      return;
    }
    const first = this.steps.nextCutoff(0);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.t = first ?? 0;
      return;
    }
    this.t = 0;
    this.until = first ?? this.steps.length - 1;
    this.play();
  }

  // ---- time

  go(t) {
    if (t === null || t === undefined) return;
    this.pause();
    this.set(t);
  }

  set(t) {
    const next = Math.min(Math.max(t, 0), this.steps.length - 1);
    if (next === this.t) return;
    this.t = next;
    this.remember();
    this.draw();
  }

  toggle() {
    if (this.playing) this.pause();
    else {
      if (this.t >= this.steps.length - 1) this.t = 0;
      this.until = this.predicting ? nextQuestion(this.tree, this.steps, this.t + 1) : this.steps.length - 1;
      this.play();
    }
  }

  play() {
    this.playing = true;
    this.began = null;
    const tick = (now) => {
      if (!this.playing) return;
      this.began ??= { now, t: this.t };
      const t = Math.min(this.began.t + Math.floor(((now - this.began.now) / 1000) * this.speed), this.until);
      if (t !== this.t) this.set(t);
      if (this.t >= this.until) this.pause();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.showPlaying();
  }

  pause() {
    this.playing = false;
    this.showPlaying();
    this.announce();
    this.draw();
  }

  /** The step goes into the address without a history entry, and not on every frame. */
  remember() {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => {
      const url = new URL(window.location.href);
      url.searchParams.set("step", String(this.t));
      window.history.replaceState(window.history.state, "", url);
    }, 300);
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
    const scene = { tree, steps, t, theme, principal: this.principal, selected: this.selected, lecture: this.lecture };
    if (this.whole) {
      this.layout ??= wholeTree(tree);
      this.camera ??= fit(0, this.layout.leaves - 1, canvas.clientWidth, canvas.clientHeight, this.layout.levels.length);
      this.follow(step.node, canvas.clientWidth);
      this.nearest = drawWhole(canvas, { ...scene, layout: this.layout, camera: this.camera });
    } else {
      const boxes = drawPath(canvas, scene);
      this.nearest = (x, y) => boxes.find((b) => x >= b.x && x <= b.x + b.width && y >= b.y && y <= b.y + b.height)?.row ?? -1;
    }
    const strip = this.part("timeline");
    if (this.gathered?.width !== strip.clientWidth) {
      this.gathered = { width: strip.clientWidth, ...overview(tree, steps, Math.max(strip.clientWidth, 1)) };
    }
    drawTimeline(strip, { tree, steps, t, theme, gathered: this.gathered, hideFuture: this.predicting });
    this.part("sentence").textContent = sentence(this.settings.words, tree, steps, t);
    this.part("board").innerHTML = boardSvg(tree, step.kind === "return" ? step.child : step.node, this.marks(step));
    this.part("window").innerHTML = tree.meta.algorithm === "minimax" ? "" : windowSvg(step, tree.range);
    this.part("code").innerHTML = codeHtml(this.settings.words.pseudocode[codeName(tree)], codeLine(tree, step));
    if (this.tab === "stack") this.part("stack").innerHTML = stackHtml(tree, steps, t);
    if (this.tab === "node") this.part("node").innerHTML = nodeHtml(tree, steps, this.selected >= 0 ? this.selected : step.node, t);
    this.part("count").textContent =
      `step ${thousands(t)} of ${thousands(steps.length - 1)} · ${thousands(steps.expandedAt(t))} of ${thousands(tree.count)} nodes` +
      (tree.pruning ? ` · ${thousands(tree.skippedSoFar(steps, t))} skipped` : "");
    this.ask();
    this.root.dataset.step = String(t);
  }

  /** Keep the current node in sight when the tree is zoomed in, unless the user has just moved it. */
  follow(node, width) {
    if (this.followed === this.t) return;
    this.followed = this.t;
    const x = this.layout.x[node] * this.camera.scale + this.camera.shift;
    if (x < 60 || x > width - 60) this.camera = { ...this.camera, shift: this.camera.shift + width / 2 - x };
  }

  /** Of the moves at the current node: which were tried, which are skipped, which are still to come. */
  marks(step) {
    const marks = new Map();
    if (step.kind === "return") return marks;
    for (const row of this.tree.children(step.node)) {
      marks.set(this.tree.move(row), this.steps.enterStep(row) <= this.t ? "tried" : "untried");
    }
    const cut = this.steps.stubVisible(step.node, this.t);
    for (const move of this.tree.skippedMoves(step.node)) marks.set(move, cut ? "skipped" : "untried");
    return marks;
  }

  /** In predict mode, the question at this step. */
  ask() {
    const question = this.predicting && !this.playing ? questionAt(this.tree, this.steps, this.t) : null;
    this.part("ask").hidden = !question;
    if (question && this.asked !== this.t) {
      this.asked = this.t;
      this.part("question").textContent = `${this.verdict ?? ""}Will ${question.side} be cut off here?`;
      this.verdict = null;
    }
  }

  answer(yes) {
    const right = questionAt(this.tree, this.steps, this.t)?.answer === yes;
    this.score = { right: (this.score?.right ?? 0) + Number(right), of: (this.score?.of ?? 0) + 1 };
    this.verdict = `${right ? "Right" : "No"} (${this.score.right} of ${this.score.of}). `;
    this.until = nextQuestion(this.tree, this.steps, this.t + 1);
    this.play();
  }

  /** A sentence of the viewer's own, until the next step. */
  say(words) {
    this.part("sentence").textContent = words;
    this.part("live").textContent = words;
  }

  announce() {
    const live = this.part("live");
    if (this.tree) live.textContent = sentence(this.settings.words, this.tree, this.steps, this.t);
  }

  // ---- controls

  showPlaying() {
    const button = this.root.querySelector('[data-action="play"]');
    button.innerHTML = icon(this.playing ? "pause" : "play");
  }

  listen() {
    this.root.tabIndex = 0;
    this.root.addEventListener("pointerdown", (event) => this.part("more").contains(event.target) || closeMenu(this));
    this.root.addEventListener("keydown", (event) => pressKey(this, event));
    const tools = { fit: () => this.refit(), plus: () => this.zoom(1.5), minus: () => this.zoom(1 / 1.5) };
    for (const [name, act] of Object.entries(tools)) {
      const button = this.part(name);
      button.innerHTML = icon(name);
      button.addEventListener("click", act);
    }
    this.part("whole").addEventListener("click", () => this.showWhole(!this.whole));
    this.part("principal").addEventListener("click", (event) => {
      this.principal = this.principal ? null : new Set(this.tree.principalVariation());
      event.currentTarget.setAttribute("aria-pressed", String(Boolean(this.principal)));
      this.draw();
    });
    for (const button of this.root.querySelectorAll("[data-tab]")) {
      button.addEventListener("click", () => this.showTab(button.dataset.tab));
    }
    for (const button of this.root.querySelectorAll("[data-mode]")) {
      button.addEventListener("click", () => changeMode(this, button));
    }
    for (const button of this.root.querySelectorAll("[data-answer]")) {
      button.addEventListener("click", () => this.answer(button.dataset.answer === "yes"));
    }
    listenToTree(this, this.part("tree"));
    listenToTimeline(this, this.part("timeline"));
  }

  hover(event) {
    const tip = this.part("tip");
    const row = this.nearest?.(event.offsetX, event.offsetY) ?? -1;
    tip.classList.toggle("shown", row >= 0 && this.steps.enterStep(row) <= this.t);
    if (row < 0 || this.hovered === row) return;
    this.hovered = row;
    tip.innerHTML = boardSvg(this.tree, row, new Map()) + nodeHtml(this.tree, this.steps, row, this.t);
    const right = event.offsetX > this.part("tree").clientWidth / 2;
    tip.style.left = right ? "8px" : "auto";
    tip.style.right = right ? "auto" : "8px";
  }

  /** A click selects; a later click on what is selected jumps the time to it (a double click does not). */
  select(row) {
    const again = row === this.selected && performance.now() - this.selectedAt > 400;
    this.selectedAt = performance.now();
    if (again) {
      this.go(this.steps.enterStep(row));
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
    for (const panel of ["code", "stack", "node"]) this.part(panel).hidden = panel !== name;
    this.draw();
  }

  showWhole(whole) {
    this.whole = whole;
    this.part("whole").textContent = whole ? "Path view" : "Whole tree";
    this.root.classList.toggle("whole", whole);
    this.draw();
  }

  refit() {
    this.camera = null;
    this.draw();
  }

  zoom(factor, at) {
    if (!this.whole || !this.camera) return;
    const x = at ?? this.part("tree").clientWidth / 2;
    const scale = Math.min(Math.max(this.camera.scale * factor, 1e-4), 400);
    this.camera = { ...this.camera, scale, shift: x - ((x - this.camera.shift) * scale) / this.camera.scale };
    this.draw();
  }

  fitSubtree(row) {
    this.showWhole(true);
    this.layout ??= wholeTree(this.tree);
    let left = Infinity;
    let right = -Infinity;
    for (let node = row; node < this.tree.end(row); node++) {
      left = Math.min(left, this.layout.x[node]);
      right = Math.max(right, this.layout.x[node]);
    }
    const canvas = this.part("tree");
    this.camera = fit(left, right, canvas.clientWidth, canvas.clientHeight, this.layout.levels.length);
    this.draw();
  }

  destroy() {
    this.playing = false;
    this.resizing.disconnect();
    clearTimeout(this.remembering);
  }
}
