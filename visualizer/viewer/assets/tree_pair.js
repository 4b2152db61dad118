// Two trees of one search on top of each other: minimax, and alpha-beta in the same places. One time, one camera, one selection.

import { levelMargin } from "./canvas.js";
import { cutoffShown } from "./cause.js";
import { actionButton, actions, KEYS } from "./controls.js";
import { received } from "./delivery.js";
import { decode } from "./payload.js";
import { sentence } from "./sentences.js";
import { icon } from "./icons.js";
import { fit, wholeTree, zoomed } from "./tidy_layout.js";
import { number, themeOf, thousands, withBound } from "./look.js";
import { layoutOfPart, Shadow } from "./alignment.js";
import { PictureTree } from "./picture.js";
import { Player } from "./player.js";
import { listenToTree } from "./pointer.js";
import { Steps } from "./trace.js";
import { drawWhole } from "./whole.js";

const TOP = 28; // px above the root
const ACTIONS = actions("first", "previousCut", "back", "play", "forward", "nextCut", "last");

export function show(component) {
  component.parentElement.view ??= new Duo(component.parentElement);
  received(component, (bytes, settings) => component.parentElement.view?.update(bytes, settings, component.setTriggerValue));
}

/** The bytes: the lengths of both trees, the trees, and the rows of alpha-beta in minimax. */
function unpack(bytes) {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const middle = 8 + lengths.getUint32(0, true);
  const end = middle + lengths.getUint32(4, true);
  return { minimax: bytes.slice(8, middle), alphabeta: bytes.slice(middle, end), rows: new Int32Array(bytes.slice(end).buffer) };
}

class Duo extends Player {
  constructor(host) {
    super();
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.speed = 15;
    this.selected = -1; // a row of minimax
    this.nothingClosed = new Set();
    this.panes = ["minimax", "alphabeta"].map((name) => this.pane(name));
    this.build();
    this.resizing = new ResizeObserver(() => {
      this.camera = null;
      this.draw();
    });
    this.resizing.observe(this.root);
  }

  /** One of the two canvases, as what the mouse is told of: it moves the camera of both. */
  pane(name) {
    const pane = {
      name,
      shownAs: "whole",
      pageScrolls: true,
      part: this.part,
      nearest: () => -1,
      look: (camera) => this.look(camera),
      hover: () => {},
      unhover: () => {},
      zoom: (factor, at) => this.zoom(factor, at),
      select: (row) => this.select(name === "minimax" ? row : this.rows[row]),
      deselect: () => this.select(-1),
      fitSubtree: (row) => this.fitSubtree(name === "minimax" ? row : this.rows[row]),
    };
    Object.defineProperty(pane, "camera", { get: () => this.camera });
    Object.defineProperty(pane, "layout", { get: () => this.layout });
    listenToTree(pane, this.part(name));
    return pane;
  }

  build() {
    for (const [name, title, act] of ACTIONS) {
      this.part("buttons").append(actionButton(name, title, () => this.steps && act(this)));
    }
    for (const [name, act] of [["minus", () => this.zoom(1 / 1.5)], ["plus", () => this.zoom(1.5)], ["fit", () => this.refit()]]) {
      this.part(name).innerHTML = icon(name);
      this.part(name).addEventListener("click", act);
    }
    this.part("time").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.part("beside").addEventListener("click", () => this.arrange());
    this.part("open").addEventListener("click", () => this.send("open", this.cutoffStep()));
    this.root.tabIndex = 0;
    this.root.addEventListener("keydown", (event) => {
      const key = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      const action = ACTIONS.find(([name]) => name === key);
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
      if (event.key === " " && event.target.tagName === "BUTTON") return;
      event.preventDefault();
      event.stopPropagation();
      if (this.steps) action[2](this);
    });
  }

  update(bytes, settings, send) {
    this.send = send;
    if (settings.name !== this.name) {
      const { minimax, alphabeta, rows } = unpack(bytes);
      this.name = settings.name;
      this.rows = rows;
      this.minimax = new PictureTree(decode(minimax));
      this.alphabeta = new PictureTree(decode(alphabeta));
      this.steps = new Steps(this.alphabeta);
      this.shadow = new Shadow(this.minimax, this.alphabeta, this.steps, rows);
      this.layout = wholeTree(this.minimax);
      this.partLayout = layoutOfPart(this.layout, this.minimax, this.alphabeta, rows);
      this.camera = null;
      this.selected = -1;
      this.t = this.steps.length - 1;
      this.part("time").max = String(this.t);
    }
    this.theme = themeOf(this.root);
    this.draw();
  }

  draw() {
    if (!this.steps || this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      if (this.root.isConnected) this.paint();
    });
  }

  paint() {
    const { minimax, alphabeta, steps, shadow, t, theme, layout, partLayout } = this;
    const canvas = this.part("minimax");
    this.camera ??= fit(0, layout.places - 1, canvas.clientWidth, canvas.clientHeight, minimax.height + 1, { margin: levelMargin(canvas.clientWidth) });
    const scene = { t, theme, camera: this.camera, closed: this.nothingClosed, principal: null, top: TOP };
    const own = shadow.rowOf(this.selected);
    this.panes[0].nearest = drawWhole(canvas, { ...scene, tree: minimax, steps: shadow, layout, selected: this.selected, framed: this.framed() });
    this.panes[1].nearest = drawWhole(this.part("alphabeta"), { ...scene, tree: alphabeta, steps, layout: partLayout, selected: own, cutoff: cutoffShown(alphabeta, steps, t, [own]) });
    const { saved } = shadow.sparedAt(t);
    const seen = steps.expandedAt(t);
    this.part("minimaxCount").textContent = `${thousands(seen + saved)} of ${thousands(minimax.count)} nodes`;
    this.part("alphabetaCount").textContent = `${thousands(seen)} of ${thousands(alphabeta.count)} nodes · ${thousands(saved)} saved`;
    this.part("time").value = String(t);
    this.part("sentence").textContent = this.said(own);
    this.part("open").hidden = this.cutoffStep() === null;
    this.root.dataset.step = String(t);
  }

  /** Of the selected node, or else of the step. */
  said(own) {
    const { minimax, alphabeta, steps, shadow, t } = this;
    if (this.selected < 0) return sentence(alphabeta, steps, t);
    const value = `Minimax gives this node ${number(minimax.value(this.selected))}.`;
    if (own < 0) return `${value} Alpha-beta never looks at it: it lies below a move that a cutoff skipped.`;
    if (!alphabeta.isPruned(own)) return `${value} Alpha-beta gives it ${withBound(alphabeta, own)}.`;
    const saved = shadow.savedBy(own);
    return `${sentence(alphabeta, steps, steps.leave(own))} That saves ${thousands(saved)} ${saved === 1 ? "node" : "nodes"}.`;
  }

  /** The step of the cutoff at the selected node, or of the one that happens now; null if there is none. */
  cutoffStep() {
    const own = this.shadow.rowOf(this.selected);
    if (own >= 0 && this.alphabeta.isPruned(own)) return this.steps.leave(own);
    return this.selected < 0 && this.steps.at(this.t).kind === "cutoff" ? this.t : null;
  }

  /** The subtrees that the cutoff in question saved, as rows of minimax. */
  framed() {
    const step = this.cutoffStep();
    return step === null ? [] : this.shadow.sparedBy(this.steps.at(step).node);
  }

  select(row) {
    this.selected = row === this.selected ? -1 : row;
    this.pause();
  }

  set(t) {
    this.selected = -1;
    super.set(t);
  }

  zoom(factor, at) {
    const x = at ?? this.part("minimax").clientWidth / 2;
    this.look(zoomed(this.camera, factor, x, this.layout.places, this.part("minimax").clientWidth));
  }

  fitSubtree(row) {
    const { left, right } = this.layout.reach(row);
    const canvas = this.part("minimax");
    this.look(fit(left, right, canvas.clientWidth, canvas.clientHeight, this.minimax.height + 1, { margin: levelMargin(canvas.clientWidth) }));
  }

  look(camera) {
    this.camera = camera;
    this.draw();
  }

  refit() {
    this.camera = null;
    this.draw();
  }

  arrange() {
    const beside = this.root.classList.toggle("beside");
    this.part("beside").textContent = beside ? "One above the other" : "Side by side";
    this.refit();
  }

  announce() {
    if (this.steps) this.part("live").textContent = this.part("sentence").textContent;
  }

  destroy() {
    this.playing = false;
    this.resizing.disconnect();
  }
}
