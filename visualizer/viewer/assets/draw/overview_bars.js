// The bars of one depth of the overview: wide ones one by one, narrower ones merged per pixel.

import { shareHeight } from "../model/overview.js";

const GUTTER_SHARE = 1 / 6; // of the pitch: below each band, for the skipped moves
const MIN_SKIPPING_BAR = 8; // px: narrower bars show no skipped moves
const SKIPPED_BAR = 18; // px: the widest empty bar of a skipped move
const RGBA = 4;

/** The heights of a band and of the gutter below it, if depths are `pitch` pixels apart. */
export function bandHeights(pitch) {
  const gutter = Math.max(1, Math.floor(pitch * GUTTER_SHARE));
  return { gutter, height: Math.max(1, Math.floor(pitch) - gutter) };
}

/** Paint the band of one depth at `y`. Its bars have left and right, a class and their skipped moves; its cells have the counts or shares of
 *  the classes in each pixel. `scale` is pixels for each node. */
export function paintBand(pen, { bars, cells }, { colours, pitch, y, width, scale, theme }) {
  const { gutter, height } = bandHeights(pitch);
  pen.imageSmoothingEnabled = false;
  const bottom = Math.floor(y) + height;
  if (cells.some((count) => count > 0)) pen.drawImage(cellsPicture(cells, colours, width, height), 0, bottom - height);
  const styles = colours.map((colour) => resolveColour(pen, colour));
  for (const bar of bars) {
    const left = Math.max(bar.left, -1) + (bar.right - bar.left >= 4 ? 1 : 0); // neighbours are told apart
    pen.fillStyle = styles[bar.code];
    pen.fillRect(left, bottom - height, Math.min(bar.right, width + 1) - left, height);
    if (gutter >= 3) paintSkipped(pen, bar, { bottom, gutter, scale, theme });
  }
}

/** A colour as the canvas writes it, so that it is parsed once. */
function resolveColour(pen, colour) {
  pen.fillStyle = colour;
  return pen.fillStyle;
}

/** The merged bars on a canvas of their own, pixel by pixel: many times as fast as rectangles. */
function cellsPicture(cells, colours, width, height) {
  const picture = new OffscreenCanvas(width, height);
  const pen = picture.getContext("2d", { willReadFrequently: true });
  const inks = new Uint32Array(colours.map((colour) => readColour(pen, colour)));
  const image = pen.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const counts = new Array(colours.length);
  for (let pixel = 0; pixel < width; pixel++) {
    let some = false;
    for (let code = 0; code < counts.length; code++) some = (counts[code] = cells[pixel * counts.length + code]) > 0 || some;
    if (!some) continue;
    let line = height;
    shareHeight(counts, height).forEach((part, code) => {
      for (let end = Math.max(line - part, 0); line > end; ) pixels[--line * width + pixel] = inks[code];
    });
  }
  pen.putImageData(image, 0, 0);
  return picture;
}

/** A colour as the four bytes of a pixel. */
function readColour(pen, colour) {
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return new Uint32Array(pen.getImageData(0, 0, 1, 1).data.slice(0, RGBA).buffer)[0];
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
