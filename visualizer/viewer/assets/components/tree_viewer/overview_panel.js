// The overview in the viewer: which colouring is chosen, and the legend that explains it.

import { cellsLegend, drawOverview, overviewLegend } from "../../draw/overview_view.js";
import { escape } from "../../draw/panels.js";
import { colouringsOf } from "../../model/overview.js";

const DEFAULT_COLOURING = "how-left";
export const MIN_OVERVIEW_NODES = 20_000; // a tree with more nodes opens with its overview

export class OverviewPanel {
  constructor(view) {
    this.view = view;
    this.chosen = DEFAULT_COLOURING;
    view.part("legend").addEventListener("change", ({ target }) => {
      this.choose(target.value);
      view.root.focus({ preventScroll: true });
    });
  }

  /** Forget the colourings: another tree is shown. */
  reset() {
    this.colourings = this.legend = null;
  }

  /** Colour the nodes in another way, given by its name. */
  choose(name) {
    this.chosen = name;
    this.legend = null;
    this.view.saveAndDraw();
  }

  /** The name for a link; false for the default. */
  get saved() {
    return this.chosen !== DEFAULT_COLOURING && this.chosen;
  }

  /** The chosen colouring, or the first if this tree does not have it. */
  get colouring() {
    this.colourings ??= colouringsOf(this.view.tree);
    return this.colourings.find(({ name }) => name === this.chosen) ?? this.colourings[0];
  }

  /** The number of the first node in the picture. */
  get firstNumber() {
    const { tree, singlePass, treeCamera } = this.view;
    return singlePass ? tree.number(treeCamera.layoutStart) : 0;
  }

  /** The number of the node at a pixel of the picture, not rounded. */
  numberAt(x) {
    const { camera } = this.view.treeCamera;
    return (x - camera.shift) / camera.scale + this.firstNumber;
  }

  /** Draw the overview. Return the function that finds the node at a point. */
  paint(canvas, scene) {
    const { predictions, largeTree, stepRange } = this.view;
    const { firstNumber } = this;
    const range = { from: firstNumber, to: firstNumber + scene.layout.places - 1 };
    const pictures = largeTree?.pictures;
    return drawOverview(canvas, { ...scene, colouring: this.colouring, hideFuture: predictions.on, firstNumber, pictures, range, brushed: stepRange.draft ?? stepRange.current });
  }

  /** The legend with the choice of colouring. */
  legendHtml() {
    const { theme, tree, largeTree } = this.view;
    const { colouring } = this;
    const whole = largeTree?.pictures.cells.whole;
    if (largeTree && whole?.colour !== colouring.name) this.legend = { items: [] }; // not here yet
    else if (this.legend?.theme !== theme) this.legend = { theme, items: whole ? cellsLegend(whole, theme) : overviewLegend(tree, colouring, theme) };
    const options = this.colourings.map(({ name, title }) => `<option value="${name}"${name === colouring.name ? " selected" : ""}>${escape(title)}</option>`);
    const items = this.legend.items.map(([colour, words]) => `<span><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M0 0H14V14H0z" fill="${colour}"/></svg> ${escape(words)}</span>`);
    return `<label>Colour <select aria-label="Colour">${options.join("")}</select></label>${items.join("")}<span>one bar per node, as wide as its subtree</span>`;
  }
}
