// Two pictures over the same layout, one above the other or side by side. They share one time, one camera and one selection.

import { levelMargin } from "./canvas.js";
import { actionButton, ACTIONS, selectButtons } from "../input/controls.js";
import { actionOf } from "../input/keys.js";
import { icon } from "./icons.js";
import { mountedView } from "../input/mounted_view.js";
import { Player } from "../input/player.js";
import { listenToTree } from "../input/pointer.js";
import { fit, zoomed } from "../model/tidy_layout.js";

export const NO_PLACE = -1;
export const TOP = 28; // px above the root

/** Return the function that shows a payload with this class, for any host: see tree_viewer.js. The hosts of two panes are asked for
 *  nothing but the request "open". */
export function showPayloadWith(Panes) {
  return (element, payload, settings, host) => {
    const view = mountedView(element, () => new Panes(element));
    view.update(payload, settings, host);
    return view;
  };
}

/** The controls and pictures of both panes. The component's own buttons stand before the zoom buttons, its hint below the pictures. */
function panesHtml(names, sliderLabel) {
  const figures = names.map((name) => `<figure>
    <figcaption><b data-part="${name}Name"></b> <span data-part="${name}Count"></span></figcaption>
    <canvas data-part="${name}" role="img"></canvas>
  </figure>`);
  return `<p class="sentence" data-part="sentence"></p>
    <p class="screen-reader" data-part="live" role="status" aria-live="polite"></p>
    <div class="controls">
      <span data-part="buttons" class="buttons"></span>
      <input type="range" min="0" data-part="slider" aria-label="${sliderLabel}">
    </div>
    <div class="controls" data-part="tools">
      <span class="tools">
        <button data-part="arrange">Side by side</button>
        <button data-part="minus" title="Zoom out" aria-label="Zoom out"></button>
        <button data-part="plus" title="Zoom in" aria-label="Zoom in"></button>
        <button data-part="fit" title="Show all" aria-label="Show all"></button>
      </span>
    </div>
    <div class="panes">${figures.join("")}</div>`;
}

/** Subclasses have `read(bytes, settings)`, `paint()`, `steps`, `layout` with the places of all nodes, and `levels`, the number of depths.
 *  They may override `placeOf` and add to `actions`. */
export class TwoPanes extends Player {
  constructor(host, { names, buttons, sliderLabel }) {
    super();
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    const [extraTools, hint] = [this.part("extraTools"), this.part("hint")];
    this.root.innerHTML = panesHtml(names, sliderLabel);
    this.part("tools").prepend(extraTools);
    this.root.append(hint);
    this.speed = 15;
    this.selected = NO_PLACE;
    this.nothingFolded = new Set();
    this.actions = Object.fromEntries(buttons.map((name) => [name, ACTIONS[name]]));
    this.panes = names.map((name) => this.createPane(name));
    this.buildControls(buttons);
    this.resizing = new ResizeObserver(() => this.refit());
  }

  /** Follow changes of size. */
  attach() {
    this.resizing.observe(this.root);
  }

  /** Return one of the two canvases as the pointer sees it. It moves the camera of both. */
  createPane(name) {
    const pane = {
      name,
      viewName: "whole",
      pageScrolls: true,
      zoomable: true,
      part: this.part,
      nearest: () => NO_PLACE,
      moveCamera: (camera) => this.moveCamera(camera),
      hover: () => {},
      unhover: () => {},
      zoom: (factor, at) => this.zoom(factor, at),
      select: (row) => this.select(this.placeOf(name, row)),
      deselect: () => this.select(NO_PLACE),
      fitSubtree: (row) => this.fitSubtree(this.placeOf(name, row)),
    };
    Object.defineProperty(pane, "camera", { get: () => this.camera });
    Object.defineProperty(pane, "layout", { get: () => this.layout });
    listenToTree(pane, this.part(name));
    return pane;
  }

  buildControls(names) {
    for (const [name, title, word] of selectButtons(...names)) {
      this.part("buttons").append(actionButton(name, title, () => this.steps && this.actions[name](this), word));
    }
    for (const [name, act] of [["minus", () => this.zoom(1 / 1.5)], ["plus", () => this.zoom(1.5)], ["fit", () => this.refit()]]) {
      this.part(name).innerHTML = icon(name);
      this.part(name).addEventListener("click", act);
    }
    this.part("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.part("arrange").addEventListener("click", () => this.toggleArrangement());
    this.root.tabIndex = 0;
    this.root.addEventListener("keydown", (event) => this.pressKey(event));
  }

  pressKey(event) {
    const act = this.actions[actionOf(event)];
    if (!act) return;
    if (event.target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    event.preventDefault();
    event.stopPropagation();
    if (this.steps) act(this);
  }

  update(payload, settings, host) {
    this.host = host;
    if (settings.name !== this.name) {
      this.name = settings.name;
      this.read(payload, settings);
      this.camera = null;
      this.selected = NO_PLACE;
      this.t = this.steps.length - 1;
      this.part("slider").max = String(this.t);
    }
    this.draw();
  }

  /** Draw in the colours of the page, which have changed. */
  updateTheme() {
    this.draw();
  }

  /** Name a pane in its caption and for screen readers. */
  showName(name, title, label) {
    this.part(`${name}Name`).textContent = title;
    this.part(name).setAttribute("aria-label", label);
  }

  draw() {
    if (!this.steps || this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      if (!this.root.isConnected) return;
      this.camera ??= this.cameraFor(0, this.layout.places - 1);
      this.paint();
      this.part("slider").value = String(this.t);
      this.root.dataset.step = String(this.t);
    });
  }

  /** What both pictures are drawn with. */
  scene(theme) {
    return { t: this.t, theme, camera: this.camera, folded: this.nothingFolded, principal: null, top: TOP };
  }

  /** The place of a row of this pane. */
  placeOf(name, row) {
    return row;
  }

  select(place) {
    this.selected = place === this.selected ? NO_PLACE : place;
    this.pause();
  }

  setStep(t) {
    this.selected = NO_PLACE;
    super.setStep(t);
  }

  /** The first canvas, which is as wide as the other. */
  get canvas() {
    return this.part(this.panes[0].name);
  }

  cameraFor(left, right) {
    const { clientWidth, clientHeight } = this.canvas;
    return fit(left, right, clientWidth, clientHeight, this.levels, { margin: levelMargin(clientWidth) });
  }

  zoom(factor, at) {
    const width = this.canvas.clientWidth;
    this.moveCamera(zoomed(this.camera, factor, at ?? width / 2, this.layout.places, width));
  }

  fitSubtree(place) {
    const { left, right } = this.layout.reach(place);
    this.moveCamera(this.cameraFor(left, right));
  }

  moveCamera(camera) {
    this.camera = camera;
    this.draw();
  }

  refit() {
    this.camera = null;
    this.draw();
  }

  toggleArrangement() {
    const sideBySide = this.root.classList.toggle("side-by-side");
    this.part("arrange").textContent = sideBySide ? "One above the other" : "Side by side";
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
