// The bars of one depth of the overview: wide ones one by one, narrower ones merged per pixel.

import { shareHeight } from "../model/overview.js";

const GUTTER_SHARE = 1 / 6; // of the pitch: below each band, for the skipped moves
const MIN_SKIPPING_BAR = 8; // px: narrower bars show no skipped moves
const SKIPPED_BAR = 18; // px: the widest empty bar of a skipped move

/** The heights of a band and of the gutter below it, if depths are `pitch` pixels apart. */
export function bandHeights(pitch) {
  const gutter = Math.max(1, Math.floor(pitch * GUTTER_SHARE));
  return { gutter, height: Math.max(1, Math.floor(pitch) - gutter) };
}

/** Paint the bands of all depths, the first at `top`. Bars have left and right, a class and their skipped moves; cells have the counts or shares
 *  of the classes in each pixel. `scale` is pixels for each node. */
export function paintBands(pen, bands, { colours, pitch, top, width, scale, theme }) {
  const { gutter, height } = bandHeights(pitch);
  const tops = bands.map((_, depth) => Math.floor(top + depth * pitch));
  pen.imageSmoothingEnabled = false;
  pen.drawImage(mergedBars(bands, tops, colours, width, height), 0, 0);
  const styles = colours.map((colour) => resolveColour(pen, colour));
  bands.forEach(({ bars }, depth) => {
    for (const bar of bars) {
      const left = Math.max(bar.left, -1) + (bar.right - bar.left >= 4 ? 1 : 0); // neighbours are told apart
      pen.fillStyle = styles[bar.code];
      pen.fillRect(left, tops[depth], Math.min(bar.right, width + 1) - left, height);
      if (gutter >= 3) paintSkipped(pen, bar, { bottom: tops[depth] + height, gutter, scale, theme });
    }
  });
}

/** A colour as the canvas writes it, so that it is parsed once. */
function resolveColour(pen, colour) {
  pen.fillStyle = colour;
  return pen.fillStyle;
}

/** The merged bars on a canvas of their own, pixel by pixel: many times as fast as rectangles. */
function mergedBars(bands, tops, colours, width, height) {
  const picture = new OffscreenCanvas(width, tops.at(-1) + height);
  const pen = picture.getContext("2d");
  const inks = Uint32Array.from(colours, readColour);
  const image = pen.createImageData(picture.width, picture.height);
  const pixels = new Uint32Array(image.data.buffer);
  const heights = new Uint16Array(colours.length);
  bands.forEach(({ cells }, depth) => {
    for (let pixel = 0; pixel < width; pixel++) {
      if (!shareHeight(cells, pixel * heights.length, height, heights)) continue;
      let line = (tops[depth] + height) * width + pixel; // upwards from the bottom
      for (let code = 0; code < heights.length; code++) {
        for (let rest = heights[code]; rest > 0; rest--) pixels[(line -= width)] = inks[code];
      }
    }
  });
  pen.putImageData(image, 0, 0);
  return picture;
}

const INKS = new Map(); // by colour: the four bytes of a pixel

function readColour(colour) {
  if (!INKS.has(colour)) {
    const pen = new OffscreenCanvas(1, 1).getContext("2d");
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    INKS.set(colour, new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0]);
  }
  return INKS.get(colour);
}

/** An empty bar for each skipped move, below the right end of the node that skipped it. */
function paintSkipped(pen, { skipped, left, right }, { bottom, gutter, scale, theme }) {
  if (!skipped || right - left < MIN_SKIPPING_BAR) return;
  const room = right - left - 1;
  const width = Math.max(4, Math.min(SKIPPED_BAR, scale, room / skipped - 2));
  pen.strokeStyle = theme.text;
  pen.globalAlpha = 0.6;
  pen.lineWidth = 1;
  for (let move = 0; move < Math.min(skipped, Math.floor(room / (width + 2))); move++) {
    pen.strokeRect(Math.round(right - move * (width + 2) - width) + 0.5, bottom + 1.5, Math.floor(width) - 1, gutter - 2);
  }
  pen.globalAlpha = 1;
}
