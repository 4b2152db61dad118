// Pictures of the overview of a large tree. The server sends the cells of a view. Until those of a new view are there, the pictures that
// are there are scaled: the whole search, and over it the last view.

import { OverviewCells } from "../model/overview_cells.js";
import { paintBands } from "./overview_bars.js";

const MAX_CELLS = 1 << 19; // pixels × depths of one view: cells.py
const MAX_PIXELS = 8192;
const SPARE = 0.5; // of the width, on both sides of what is seen, so that a small move needs no new view

export class OverviewPictures {
  /** `ask(query, parameters)` returns a promise of bytes, or of null if there is no answer. `facts` has the rows and depths of the tree. */
  constructor(facts, ask, redraw) {
    Object.assign(this, { facts, ask, redraw });
    this.cells = { whole: null, detail: null }; // the latest view of the whole search, and of the part that is seen
    this.wanted = this.asked = null;
  }

  /** Draw a range of the search under a camera, with what is there, and ask for what is missing. `range` has `from` and `to`, the numbers
   *  of the first node and of one past the last. */
  draw(drawing, range) {
    const { pen, camera, height } = drawing;
    this.want(drawing, range);
    pen.imageSmoothingEnabled = false;
    for (const name of ["whole", "detail"]) {
      const cells = this.cells[name];
      if (!cells || cells.colour !== drawing.colour || cells.last <= range.from || cells.first >= range.to) continue;
      const picture = paintCells(cells, drawing);
      const left = (cells.first - range.from) * camera.scale + camera.shift;
      const width = (cells.last - cells.first) * camera.scale;
      if (name === "detail") pen.clearRect(left, 0, width, height);
      pen.drawImage(picture, left, 0, width, height);
    }
    pen.imageSmoothingEnabled = true;
  }

  /** The node at a place: see OverviewCells. The finer view knows more. */
  nodeAt(x, depth) {
    const { whole, detail } = this.cells;
    return detail && x >= detail.first && x < detail.last ? detail.nodeAt(x, depth) : whole?.nodeAt(x, depth) ?? null;
  }

  /** Ask for the views of a picture that are not there. */
  want({ camera, width, colour }, { from, to }) {
    const { rows, depths } = this.facts;
    const widest = Math.min(MAX_PIXELS, Math.floor(MAX_CELLS / depths));
    const whole = { colour, first: 0, last: rows, pixels: Math.min(Math.round(width), widest) };
    if (!isSame(this.cells.whole, whole)) return this.request("whole", whole);
    const seen = [0, width].map((x) => from + (x - camera.shift) / camera.scale);
    const spare = SPARE * (seen[1] - seen[0]);
    const within = (x) => Math.min(Math.max(x, from), to);
    const [first, last] = [Math.floor(within(seen[0] - spare)), Math.ceil(within(seen[1] + spare))];
    if (last <= first) return undefined;
    const { detail } = this.cells;
    const covers = detail && detail.first <= within(seen[0]) && detail.last >= within(seen[1]);
    const view = { colour, first, last, pixels: Math.max(1, Math.min(Math.round((last - first) * camera.scale), widest)) };
    const fine = view.pixels / (last - first);
    if (covers && detail.colour === colour && Math.abs(detail.scale / fine - 1) < 0.01) return undefined;
    return this.request("detail", view);
  }

  /** Ask for a view. One is asked for at a time; of those wanted meanwhile only the latest. */
  async request(name, view) {
    if (isSame(this.asked, view) || isSame(this.refused, view)) return;
    this.wanted = { name, view };
    if (this.asked) return;
    while (this.wanted) {
      const { name: place, view: next } = this.wanted;
      this.wanted = null;
      this.asked = next;
      const bytes = await this.ask("overview", next);
      this.asked = null;
      if (bytes) this.cells[place] = new OverviewCells(bytes);
      else this.refused = next;
      this.redraw();
    }
  }
}

/** Whether cells or a view are those of a view. */
function isSame(one, other) {
  return Boolean(one) && ["colour", "first", "last", "pixels"].every((name) => one[name] === other[name]);
}

/** The picture of some cells, painted once for a size and theme. */
function paintCells(cells, { pitch, height, theme, top, named }) {
  const key = [pitch, height, theme.text, theme.background].join();
  if (cells.painted?.key === key) return cells.painted.picture;
  const picture = Object.assign(document.createElement("canvas"), { width: cells.pixels, height: Math.ceil(height) });
  const pen = picture.getContext("2d");
  const colours = cells.classes.map(({ colour }) => named[colour]);
  const bands = Array.from({ length: cells.depths }, (_, depth) => cells.band(depth));
  paintBands(pen, bands, { colours, pitch, top, width: cells.pixels, scale: cells.scale, theme });
  cells.painted = { key, picture };
  return picture;
}
