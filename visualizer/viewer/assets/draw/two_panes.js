// Two pictures of one tree of places, one above the other or side by side: one time, one camera, one selection.

import { levelMargin } from "./canvas.js";
import { actionButton, actions, KEYS } from "../input/controls.js";
import { received } from "../model/delivery.js";
import { icon } from "./icons.js";
import { Player } from "../input/player.js";
import { listenToTree } from "../input/pointer.js";
import { fit, zoomed } from "../model/tidy_layout.js";

export const NONE = -1;
export const TOP = 28; // px above the root

/** The entry of a component that is shown by such a class. */
export function shownBy(Panes) {
  return (component) => {
    component.parentElement.view ??= new Panes(component.parentElement);
    received(component, (bytes, settings) => component.parentElement.view?.update(bytes, settings, component.setTriggerValue));
  };
}

/** Children have `read(bytes, settings)`, `paint()`, `steps`, `layout` with the places of all nodes, and `levels`, how many depths there
 *  are; they may say which of the places a row of a pane has, and what other keys do. */
export class TwoPanes extends Player {
  constructor(host, names, actionNames) {
    super();
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.speed = 15;
    this.selected = NONE; // a place
    this.nothingClosed = new Set();
    this.panes = names.map((name) => this.pane(name));
    this.build(actions(...actionNames));
    this.resizing = new ResizeObserver(() => this.refit());
    this.resizing.observe(this.root);
  }

  /** One of the two canvases, as what the mouse is told of: it moves the camera of both. */
  pane(name) {
    const pane = {
      name,
      shownAs: "whole",
      pageScrolls: true,
      part: this.part,
      nearest: () => NONE,
      look: (camera) => this.look(camera),
      hover: () => {},
      unhover: () => {},
      zoom: (factor, at) => this.zoom(factor, at),
      select: (row) => this.select(this.placeOf(name, row)),
      deselect: () => this.select(NONE),
      fitSubtree: (row) => this.fitSubtree(this.placeOf(name, row)),
    };
    Object.defineProperty(pane, "camera", { get: () => this.camera });
    Object.defineProperty(pane, "layout", { get: () => this.layout });
    listenToTree(pane, this.part(name));
    return pane;
  }

  build(known) {
    for (const [name, title, act] of known) {
      this.part("buttons").append(actionButton(name, title, () => this.steps && act(this)));
    }
    for (const [name, act] of [["minus", () => this.zoom(1 / 1.5)], ["plus", () => this.zoom(1.5)], ["fit", () => this.refit()]]) {
      this.part(name).innerHTML = icon(name);
      this.part(name).addEventListener("click", act);
    }
    this.part("time").addEventListener("input", (event) => this.go(Number(event.target.value)));
    this.part("beside").addEventListener("click", () => this.arrange());
    this.root.tabIndex = 0;
    this.root.addEventListener("keydown", (event) => this.press(event, known));
  }

  press(event, known) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const act = this.ownKeys?.[key] ?? known.find(([name]) => name === KEYS[key])?.[2];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.tagName === "INPUT" && event.key.startsWith("Arrow")) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return;
    event.preventDefault();
    event.stopPropagation();
    if (this.steps) act(this);
  }

  update(bytes, settings, send) {
    this.send = send;
    if (settings.name !== this.name) {
      this.name = settings.name;
      this.read(bytes, settings);
      this.camera = null;
      this.selected = NONE;
      this.t = this.steps.length - 1;
      this.part("time").max = String(this.t);
    }
    this.draw();
  }

  draw() {
    if (!this.steps || this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      if (!this.root.isConnected) return;
      this.camera ??= this.fitted(0, this.layout.places - 1);
      this.paint();
      this.part("time").value = String(this.t);
      this.root.dataset.step = String(this.t);
    });
  }

  /** What both pictures are drawn with. */
  scene(theme) {
    return { t: this.t, theme, camera: this.camera, closed: this.nothingClosed, principal: null, top: TOP };
  }

  placeOf(name, row) {
    return row;
  }

  select(place) {
    this.selected = place === this.selected ? NONE : place;
    this.pause();
  }

  set(t) {
    this.selected = NONE;
    super.set(t);
  }

  /** The first canvas, which is as wide as the other. */
  get canvas() {
    return this.part(this.panes[0].name);
  }

  fitted(left, right) {
    const { clientWidth, clientHeight } = this.canvas;
    return fit(left, right, clientWidth, clientHeight, this.levels, { margin: levelMargin(clientWidth) });
  }

  zoom(factor, at) {
    const width = this.canvas.clientWidth;
    this.look(zoomed(this.camera, factor, at ?? width / 2, this.layout.places, width));
  }

  fitSubtree(place) {
    const { left, right } = this.layout.reach(place);
    this.look(this.fitted(left, right));
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
