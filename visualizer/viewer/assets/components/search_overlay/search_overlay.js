// Two searches of one position over each other: each in a picture of its own, in the same places; what only the other one visits is grey.
// The time counts calls: at time t both have made their first t calls, or all of them.

import { themeOf, thousands, withBound } from "../../draw/formatting.js";
import { countSets, Presence, SideTree, topmostDifferences } from "../../model/overlay.js";
import { decode } from "../../model/payload.js";
import { wholeTree } from "../../model/tidy_layout.js";
import { NONE, shownBy, TwoPanes } from "../../draw/two_panes.js";
import { drawWhole } from "../../draw/whole_tree_view.js";

const SIDES = ["left", "right"];
const MOST_FRAMED = 2000; // differences that have a frame each
const PLAYED_IN = 20; // seconds, if they make more calls than can be watched one by one
const SLOWEST = 8; // calls a second

class Sets extends TwoPanes {
  constructor(host) {
    super(host, SIDES, ["first", "back", "play", "forward", "last"]);
    this.ownKeys = { n: () => this.jump(1), p: () => this.jump(-1) };
    this.part("next").addEventListener("click", () => this.jump(1));
    this.part("previous").addEventListener("click", () => this.jump(-1));
    this.part("openLeft").addEventListener("click", () => this.send("open", 2 * this.selected));
    this.part("openRight").addEventListener("click", () => this.send("open", 2 * this.selected + 1));
  }

  read(bytes, settings) {
    const decoded = decode(bytes);
    const { flagsRight: flags, valueRight: value, callsLeft, callsRight, pathsLeft, pathsRight, overLeft, overRight } = decoded.columns;
    this.root.classList.toggle("small", settings.small);
    this.titles = { left: settings.left, right: settings.right };
    this.tree = new SideTree(decoded, callsLeft);
    const right = new SideTree({ ...decoded, columns: { ...decoded.columns, flags, value } }, callsRight);
    this.sides = { left: new Presence(this.tree, callsLeft, pathsLeft, overLeft), right: new Presence(right, callsRight, pathsRight, overRight) };
    this.steps = { length: Math.max(pathsLeft.length, pathsRight.length) + 1 };
    this.speed = Math.max(SLOWEST, this.steps.length / PLAYED_IN);
    this.counts = countSets(callsLeft, callsRight);
    this.differences = topmostDifferences(this.tree, callsLeft, callsRight);
    this.layout = wholeTree(this.tree);
    this.levels = this.tree.height + 1;
    for (const side of SIDES) this.head(side);
  }

  head(side) {
    const title = this.titles[side];
    this.part(`${side}Name`).textContent = title;
    this.part(side).setAttribute("aria-label", `paths of ${title}`);
    const { both, [side]: alone } = this.counts;
    this.part(`${side}Count`).textContent = `${counted(both + alone, "path")}, ${thousands(alone)} of them only here`;
  }

  paint() {
    const { layout, selected, sides } = this;
    const framed = this.differences.length <= MOST_FRAMED ? this.differences : [];
    const scene = { ...this.scene(themeOf(this.root)), layout, selected, framed };
    for (const pane of this.panes) {
      const side = sides[pane.name];
      side.selected = selected;
      pane.nearest = drawWhole(this.part(pane.name), { ...scene, tree: side.tree, steps: side });
    }
    this.part("sentence").textContent = selected !== NONE ? this.said(selected) : this.t < this.steps.length - 1 ? this.soFar() : this.together();
    for (const name of SIDES) this.offer(name);
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

  /** How far either is at the time. */
  soFar() {
    const [left, right] = SIDES.map((name) => {
      const side = this.sides[name];
      const seen = `${this.titles[name]} has looked at ${counted(side.seenAt(this.t), "path")}`;
      return side.isOver(this.t) ? `${seen} and is done` : seen;
    });
    return `After ${counted(this.t, "call")} of either search: ${left}; ${right}.`;
  }

  /** Of the selected path: who looks there, how often, and what came back last. */
  said(row) {
    const names = this.tree.path(row).slice(1).map((each) => this.tree.moveName(each));
    const where = names.length ? `After ${names.join(", ")}: ` : "At the root: ";
    const [here, away] = [...SIDES].sort((a, b) => (this.sides[b].calls[row] > 0) - (this.sides[a].calls[row] > 0));
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
    this.go(this.steps.length - 1); // all of it is looked at
    this.selected = by > 0 ? next : previous;
    this.pause();
  }
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function counted(count, one) {
  return `${thousands(count)} ${one}${count === 1 ? "" : "s"}`;
}

export const show = shownBy(Sets);
