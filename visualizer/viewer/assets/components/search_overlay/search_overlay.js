// Two searches of one position over each other: each in its own picture, in the same places. Nodes that only the other one visits are grey.
// The slider counts calls: at t each search has made its first t calls, or all of them.

import { countText, readTheme, thousands, withBound } from "../../draw/formatting.js";
import { countPaths, OverlaySteps, SideTree, topmostDifferences } from "../../model/overlay.js";
import { decode } from "../../model/payload.js";
import { wholeTree } from "../../model/tidy_layout.js";
import { NO_PLACE, showPayloadWith, TwoPanes } from "../../draw/two_panes.js";
import { drawWholeTree } from "../../draw/whole_tree_view.js";

const SIDES = ["left", "right"];
const MAX_FRAMED = 2000; // differences that are framed
const PLAY_SECONDS = 20; // for all calls, if there are too many to watch one by one
const MIN_SPEED = 8; // calls a second

class SearchOverlay extends TwoPanes {
  constructor(host) {
    super(host, { names: SIDES, buttons: ["first", "back", "play", "forward", "last"], sliderLabel: "Calls of each search" });
    Object.assign(this.actions, { nextCut: () => this.jump(1), previousCut: () => this.jump(-1) }); // here: to a difference
    this.part("next").addEventListener("click", () => this.jump(1));
    this.part("previous").addEventListener("click", () => this.jump(-1));
    this.part("openLeft").addEventListener("click", () => this.host.request("open", 2 * this.selected));
    this.part("openRight").addEventListener("click", () => this.host.request("open", 2 * this.selected + 1));
  }

  read(bytes, settings) {
    const decoded = decode(bytes);
    const { flagsRight: flags, valueRight: value, callsLeft, callsRight, pathsLeft, pathsRight, overLeft, overRight } = decoded.columns;
    this.root.classList.toggle("small", settings.small);
    this.titles = { left: settings.left, right: settings.right };
    this.tree = new SideTree(decoded, callsLeft);
    const right = new SideTree({ ...decoded, columns: { ...decoded.columns, flags, value } }, callsRight);
    this.sides = { left: new OverlaySteps(this.tree, callsLeft, pathsLeft, overLeft), right: new OverlaySteps(right, callsRight, pathsRight, overRight) };
    this.steps = { length: Math.max(pathsLeft.length, pathsRight.length) + 1 };
    this.speed = Math.max(MIN_SPEED, this.steps.length / PLAY_SECONDS);
    this.counts = countPaths(callsLeft, callsRight);
    this.differences = topmostDifferences(this.tree, callsLeft, callsRight);
    this.layout = wholeTree(this.tree);
    this.levels = this.tree.height + 1;
    for (const side of SIDES) this.showCaption(side);
  }

  showCaption(side) {
    const title = this.titles[side];
    const { both, [side]: onlyHere } = this.counts;
    this.showName(side, title, `Paths of ${title}`);
    this.part(`${side}Count`).textContent = `${countText(both + onlyHere, "path")}, ${thousands(onlyHere)} of them only here`;
  }

  paint() {
    const { layout, selected, sides } = this;
    const framed = this.differences.length <= MAX_FRAMED ? this.differences : [];
    const scene = { ...this.scene(readTheme(this.root)), layout, selected, framed };
    for (const pane of this.panes) {
      const side = sides[pane.name];
      side.selected = selected;
      pane.nearest = drawWholeTree(this.part(pane.name), { ...scene, tree: side.tree, steps: side });
    }
    this.part("sentence").textContent = this.describe();
    for (const name of SIDES) this.showOpenButton(name);
    for (const name of ["previous", "next"]) this.part(name).disabled = this.differences.length === 0;
    this.root.dataset.selected = String(selected);
  }

  /** The button that opens the selected path in one of the searches, or where that search last left the path above it. */
  showOpenButton(name) {
    const button = this.part(name === "left" ? "openLeft" : "openRight");
    button.hidden = this.selected < 0 || !this.host.offers("open");
    if (this.selected < 0) return;
    const isCalled = this.sides[name].calls[this.selected] > 0;
    button.textContent = isCalled ? `Open in ${this.titles[name]}` : `Why not in ${this.titles[name]}?`;
  }

  describe() {
    if (this.selected !== NO_PLACE) return this.describePath(this.selected);
    return this.t < this.steps.length - 1 ? this.describeProgress() : this.describeTotals();
  }

  describeTotals() {
    const { left, both, right } = this.counts;
    const { titles } = this;
    if (left + right === 0) return `Both searches visit the same ${countText(both, "path")}.`;
    return `Only ${titles.left} visits ${countText(left, "path")}, both visit ${thousands(both)}, only ${titles.right} visits ${thousands(right)}. Repeated calls of a path count once.`;
  }

  describeProgress() {
    const [left, right] = SIDES.map((name) => {
      const side = this.sides[name];
      const visited = `${this.titles[name]} has visited ${countText(side.visitedAt(this.t), "path")}`;
      return side.isDone(this.t) ? `${visited} and is done` : visited;
    });
    return `After ${countText(this.t, "call")} of each search: ${left}; ${right}.`;
  }

  /** Which search visits the path, how often, and its last result. */
  describePath(row) {
    const names = this.tree.path(row).slice(1).map((each) => this.tree.moveName(each));
    const where = names.length ? `After ${names.join(", ")}: ` : "At the root: ";
    const [here, away] = [...SIDES].sort((a, b) => (this.sides[b].calls[row] > 0) - (this.sides[a].calls[row] > 0));
    if (this.sides[away].calls[row] > 0) return `${where}both visit this path. ${this.describeCalls("left", row)} ${this.describeCalls("right", row)}`;
    const below = this.tree.end(row) - row - 1;
    const more = below ? ` and ${countText(below, "path")} below it` : "";
    return `${where}only ${this.titles[here]} visits this path${more}; ${this.titles[away]} does not. ${this.describeCalls(here, row)}`;
  }

  describeCalls(side, row) {
    const { tree, calls } = this.sides[side];
    const result = calls[row] === 1 ? "once; the result is" : `${thousands(calls[row])} times; the last result is`;
    return `${capitalize(this.titles[side])} calls it ${result} ${withBound(tree, row)}.`;
  }

  /** Go to the next difference (1) or the previous one (-1); around at the ends. */
  jump(by) {
    const { differences, selected } = this;
    if (differences.length === 0) return;
    const next = differences.find((row) => row > selected) ?? differences[0];
    const previous = differences.findLast((row) => row < selected) ?? differences.at(-1);
    this.go(this.steps.length - 1); // differences are of the complete searches
    this.selected = by > 0 ? next : previous;
    this.pause();
  }
}

function capitalize(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const showPayload = showPayloadWith(SearchOverlay);
