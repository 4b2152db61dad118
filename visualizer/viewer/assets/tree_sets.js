// Two searches of one position over each other: each in a picture of its own, in the same places; what only the other one visits is grey.

import { levelMargin } from "./canvas.js";
import { received } from "./delivery.js";
import { icon } from "./icons.js";
import { themeOf, thousands, withBound } from "./look.js";
import { countSets, Presence, SideTree, topmostDifferences } from "./overlay.js";
import { decode } from "./payload.js";
import { listenToTree } from "./pointer.js";
import { fit, wholeTree, zoomed } from "./tidy_layout.js";
import { drawWhole } from "./whole.js";

const TOP = 28; // px above the root
const NONE = -1;
const MOST_FRAMED = 2000; // differences that have a frame each

export function show(component) {
  component.parentElement.view ??= new Sets(component.parentElement);
  received(component, (bytes, settings) => component.parentElement.view?.update(bytes, settings, component.setTriggerValue));
}

class Sets {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.selected = NONE; // a path
    this.nothingClosed = new Set();
    this.panes = ["left", "right"].map((name) => this.pane(name));
    this.build();
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
      select: (row) => this.select(row === this.selected ? NONE : row),
      deselect: () => this.select(NONE),
      fitSubtree: (row) => this.fitSubtree(row),
    };
    Object.defineProperty(pane, "camera", { get: () => this.camera });
    Object.defineProperty(pane, "layout", { get: () => this.layout });
    listenToTree(pane, this.part(name));
    return pane;
  }

  build() {
    for (const [name, act] of [["minus", () => this.zoom(1 / 1.5)], ["plus", () => this.zoom(1.5)], ["fit", () => this.refit()]]) {
      this.part(name).innerHTML = icon(name);
      this.part(name).addEventListener("click", act);
    }
    this.part("beside").addEventListener("click", () => this.arrange());
    this.part("next").addEventListener("click", () => this.jump(1));
    this.part("previous").addEventListener("click", () => this.jump(-1));
    this.part("openLeft").addEventListener("click", () => this.send("open", 2 * this.selected));
    this.part("openRight").addEventListener("click", () => this.send("open", 2 * this.selected + 1));
    this.root.tabIndex = 0;
    this.root.addEventListener("keydown", (event) => {
      const by = { n: 1, p: -1 }[event.key.toLowerCase()];
      if (!by || !this.tree || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.jump(by);
    });
  }

  update(bytes, settings, send) {
    this.send = send;
    if (settings.name !== this.name) {
      const decoded = decode(bytes);
      const { flagsRight: flags, valueRight: value, callsLeft, callsRight } = decoded.columns;
      this.name = settings.name;
      this.root.classList.toggle("small", settings.small);
      this.titles = { left: settings.left, right: settings.right };
      this.tree = new SideTree(decoded, callsLeft);
      const right = new SideTree({ ...decoded, columns: { ...decoded.columns, flags, value } }, callsRight);
      this.sides = { left: new Presence(this.tree, callsLeft), right: new Presence(right, callsRight) };
      this.counts = countSets(callsLeft, callsRight);
      this.differences = topmostDifferences(this.tree, callsLeft, callsRight);
      this.layout = wholeTree(this.tree);
      this.camera = null;
      this.selected = NONE;
      for (const side of ["left", "right"]) this.head(side);
    }
    this.theme = themeOf(this.root);
    this.draw();
  }

  head(side) {
    const title = this.titles[side];
    this.part(`${side}Name`).textContent = title;
    this.part(side).setAttribute("aria-label", `paths of ${title}`);
    const { both, [side]: alone } = this.counts;
    this.part(`${side}Count`).textContent = `${counted(both + alone, "path")}, ${thousands(alone)} of them only here`;
  }

  draw() {
    if (!this.tree || this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = null;
      if (this.root.isConnected) this.paint();
    });
  }

  paint() {
    const { tree, layout, theme, selected, sides } = this;
    const canvas = this.part("left");
    this.camera ??= fit(0, layout.places - 1, canvas.clientWidth, canvas.clientHeight, tree.height + 1, { margin: levelMargin(canvas.clientWidth) });
    const framed = this.differences.length <= MOST_FRAMED ? this.differences : [];
    const scene = { t: 0, theme, camera: this.camera, closed: this.nothingClosed, principal: null, top: TOP, layout, selected, framed };
    for (const pane of this.panes) {
      const side = sides[pane.name];
      side.selected = Math.max(selected, 0);
      pane.nearest = drawWhole(this.part(pane.name), { ...scene, tree: side.tree, steps: side });
    }
    this.part("sentence").textContent = selected < 0 ? this.together() : this.said(selected);
    for (const name of ["left", "right"]) this.offer(name);
    for (const name of ["previous", "next"]) this.part(name).disabled = this.differences.length === 0;
    this.root.dataset.selected = String(selected);
  }

  /** The button that opens the selected path in one of the searches, or where that search last left what is above it. */
  offer(name) {
    const button = this.part(name === "left" ? "openLeft" : "openRight");
    button.hidden = this.selected < 0;
    if (this.selected < 0) return;
    const there = this.sides[name].calls[this.selected] > 0;
    button.textContent = there ? `Open in ${this.titles[name]}` : `Why not in ${this.titles[name]}?`;
  }

  together() {
    const { left, both, right } = this.counts;
    const { titles } = this;
    if (left + right === 0) return `Both searches look at the same ${counted(both, "path")}.`;
    return `Only ${titles.left} looks at ${counted(left, "path")}, both look at ${thousands(both)}, only ${titles.right} at ${thousands(right)}. Calls of the same path count once.`;
  }

  /** Of the selected path: who looks there, how often, and what came back last. */
  said(row) {
    const names = this.tree.path(row).slice(1).map((each) => this.tree.moveName(each));
    const where = names.length ? `After ${names.join(", ")}: ` : "At the root: ";
    const [here, away] = ["left", "right"].sort((a, b) => (this.sides[b].calls[row] > 0) - (this.sides[a].calls[row] > 0));
    if (this.sides[away].calls[row] > 0) return `${where}both look here. ${this.called("left", row)} ${this.called("right", row)}`;
    const below = this.tree.end(row) - row - 1;
    const more = below ? ` and at ${counted(below, "path")} below` : "";
    return `${where}only ${this.titles[here]} looks here${more}; ${this.titles[away]} does not. ${this.called(here, row)}`;
  }

  called(side, row) {
    const { tree, calls } = this.sides[side];
    const often = calls[row] === 1 ? "once, which gives" : `${thousands(calls[row])} times, the last gives`;
    return `${capital(this.titles[side])} calls it ${often} ${withBound(tree, row)}.`;
  }

  /** To the next difference, or the one before; around at the ends. */
  jump(by) {
    const { differences, selected } = this;
    if (differences.length === 0) return;
    const next = differences.find((row) => row > selected) ?? differences[0];
    const previous = differences.findLast((row) => row < selected) ?? differences.at(-1);
    this.select(by > 0 ? next : previous);
  }

  select(row) {
    this.selected = row;
    this.draw();
  }

  zoom(factor, at) {
    const x = at ?? this.part("left").clientWidth / 2;
    this.look(zoomed(this.camera, factor, x, this.layout.places, this.part("left").clientWidth));
  }

  fitSubtree(row) {
    const { left, right } = this.layout.reach(row);
    const canvas = this.part("left");
    this.look(fit(left, right, canvas.clientWidth, canvas.clientHeight, this.tree.height + 1, { margin: levelMargin(canvas.clientWidth) }));
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

  destroy() {
    this.resizing.disconnect();
  }
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function counted(count, one) {
  return `${thousands(count)} ${one}${count === 1 ? "" : "s"}`;
}
