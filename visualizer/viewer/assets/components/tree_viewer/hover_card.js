// The card of the node under the pointer.

import { boardAt, boardSvg } from "../../draw/board.js";
import { pointOn } from "../../draw/canvas.js";
import { countText, windowText } from "../../draw/formatting.js";
import { cardHtml, escape } from "../../draw/panels.js";
import { sentence } from "../../model/sentences.js";

export class HoverCard {
  constructor(view) {
    this.view = view;
    this.tip = view.part("tip");
    this.node = null; // {row, t} under the pointer
    this.far = null; // in the overview of a large tree: the number of the node under the pointer
  }

  /** The row under the pointer, or -1. */
  get row() {
    return this.node?.row ?? -1;
  }

  show(event) {
    const { view, tip } = this;
    const { x, y } = pointOn(view.part("tree"), event);
    const row = view.nearest?.(x, y) ?? -1;
    if (view.largeTree && view.viewName === "overview") {
      this.showFar(row, event.offsetX);
      return;
    }
    const t = view.viewName === "overview" && !view.predictions.on ? view.steps.length - 1 : view.t; // it shows the whole search
    const isInTab = view.tab === "node" && row === view.inspectedRow();
    tip.classList.toggle("shown", row >= 0 && !isInTab && view.steps.enter(row) <= t);
    if (row === this.row && (row < 0 || this.node.t === view.t)) return;
    this.node = row < 0 ? null : { row, t: view.t };
    view.drawPicture(); // the cause of a cutoff is shown
    if (row < 0) return;
    this.fill(view, row, t, event.offsetX);
  }

  /** Show a node of a large tree, given by its number; -1: none. Its rows are fetched first. */
  async showFar(number, offsetX) {
    const { view, tip } = this;
    if (number === this.far) return;
    this.far = number;
    tip.classList.remove("shown");
    if (number < 0 || this.fetching) return;
    this.fetching = true;
    const block = await view.largeTree.peek(number);
    this.fetching = false;
    if (this.far !== number) {
      const latest = this.far;
      this.far = null;
      if (latest !== null) this.showFar(latest, offsetX); // the pointer has moved on
      return;
    }
    if (!block) return;
    const row = block.tree.rowOf(number);
    const t = view.predictions.on ? view.t : block.steps.length - 1;
    if (block.steps.enter(row) > t) return;
    this.fill({ ...block, viewName: view.viewName }, row, t, offsetX);
    tip.classList.add("shown");
  }

  fill({ tree, steps, viewName }, row, t, offsetX) {
    const { view, tip } = this;
    tip.innerHTML = boardSvg(boardAt(tree, row)) + cardHtml(tree, steps, row, t, viewName === "graph") + sizeHtml({ tree, viewName }, row) + cutoffHtml({ tree, steps, t }, row);
    const right = offsetX > view.part("tree").clientWidth / 2;
    tip.style.left = right ? "8px" : "auto";
    tip.style.right = right ? "auto" : "8px";
  }

  hide() {
    this.tip.classList.remove("shown");
    this.far = null;
    if (!this.node) return;
    this.node = null;
    this.view.drawPicture();
  }

  reset() {
    this.node = null;
  }
}

/** In the overview: the window of the node, and how large its subtree is. */
function sizeHtml({ tree, viewName }, row) {
  if (viewName !== "overview") return "";
  const window = tree.pruning ? `window ${windowText(tree, row, { alpha: tree.alpha(row), beta: tree.beta(row) })}<br>` : "";
  return `<p class="card">${window}${countText(tree.size(row) - 1, "node")} below</p>`;
}

/** The reason of a cutoff, once it has happened. */
export function cutoffHtml({ tree, steps, t }, row) {
  if (!steps.areStubsVisible(row, t) || tree.hidden(row)) return "";
  return `<p class="cutoff-reason">${escape(sentence(tree, steps, steps.leave(row)))}</p>`;
}
