// A view of the overview of a large tree, as the server computed it: large_trees/overview_cells.py.

import { firstAtLeast } from "./binary_search.js";
import { decodeArrays } from "./payload.js";

export class OverviewCells {
  /** Build it from the bytes of the server. */
  constructor(bytes) {
    const { meta, arrays } = decodeArrays(bytes);
    Object.assign(this, meta); // first, last: nodes; pixels; depths; colour; classes
    this.arrays = arrays;
  }

  /** Pixels for each node. */
  get scale() {
    return this.pixels / (this.last - this.first);
  }

  /** What one depth shows: the wide bars {row, left, right, code, skipped}, and the shares of the classes in each pixel. Left and right
   *  are pixels from the left edge of the view, not rounded. */
  band(depth) {
    const { barRow, barEnd, barClass, barSkipped, barStart, shares } = this.arrays;
    const { first, scale, pixels, classes } = this;
    const bars = [];
    for (let place = barStart[depth]; place < barStart[depth + 1]; place++) {
      const [left, right] = [(barRow[place] - first) * scale, (barEnd[place] - first) * scale];
      bars.push({ row: barRow[place], left, right, code: barClass[place], skipped: barSkipped[place] });
    }
    const size = pixels * classes.length;
    return { bars, cells: shares.subarray(depth * size, (depth + 1) * size) };
  }

  /** The node at a place, which is a number of nodes: {number, others}, where `others` is how many more start in the same pixel; null: none. */
  nodeAt(x, depth) {
    const { barRow, barEnd, barStart, counts, offset } = this.arrays;
    if (!(x >= this.first && x < this.last && depth >= 0 && depth < this.depths)) return null;
    const bars = barStart[depth + 1] - barStart[depth];
    const bar = barStart[depth] + firstAtLeast(bars, (i) => barEnd[barStart[depth] + i], Math.floor(x) + 1);
    if (bar < barStart[depth + 1] && barRow[bar] <= x) return { number: barRow[bar], others: 0 };
    const pixel = Math.floor((x - this.first) * this.scale);
    const cell = depth * this.pixels + pixel;
    if (!counts[cell]) return null;
    return { number: this.#edge(pixel) + offset[cell], others: counts[cell] - 1 };
  }

  /** The first node that starts in a pixel or later. */
  #edge(pixel) {
    return this.first + Math.ceil((pixel * (this.last - this.first)) / this.pixels);
  }

  /** The bars of all depths, and the cutoffs in each pixel: see summarizeSteps in timeline.js. */
  summarize() {
    const { pixels, depths, classes, scale } = this;
    const { cutoffs } = this.arrays;
    const cuts = new Uint32Array(pixels);
    cutoffs.forEach((count, cell) => (cuts[cell % pixels] += count));
    this.#moveCutsToEnds(cuts);
    return { bands: Array.from({ length: depths }, (_, depth) => this.band(depth)), classes, scale, cuts };
  }

  /** A cutoff happens where a node is left. Only wide bars end in another pixel than they start in. */
  #moveCutsToEnds(cuts) {
    const { barRow, barEnd, barSkipped } = this.arrays;
    const pixelOf = (number) => Math.floor((number - this.first) * this.scale);
    for (let bar = 0; bar < barRow.length; bar++) {
      if (!barSkipped[bar]) continue;
      if (barRow[bar] >= this.first) cuts[pixelOf(barRow[bar])]--;
      if (barEnd[bar] <= this.last) cuts[Math.min(pixelOf(barEnd[bar]), this.pixels - 1)]++;
    }
  }
}
