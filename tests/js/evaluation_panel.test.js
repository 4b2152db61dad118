// The list of what a value is made of, and its cells on the board.

import assert from "node:assert/strict";
import test from "node:test";

import { Steps, Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { hasBreakdown, cellsSvg, breakdownHtml, isStraight } from "../../visualizer/viewer/assets/components/tree_viewer/evaluation_panel.js";
import { textbook } from "./textbook.js";

test("a leaf can be asked once its value is known, if the game tells what it is made of", () => {
  const data = textbook();
  const ask = (tellsParts, row, t) => {
    data.meta.tellsParts = tellsParts;
    const tree = new Tree(data);
    return hasBreakdown(tree, new Steps(tree), row, t);
  };
  assert.deepEqual([ask(true, 2, 3), ask(true, 2, 2), ask(true, 1, 30), ask(false, 2, 3)], [true, false, false, false]);
});

test("cells in a row are joined, others are ringed", () => {
  assert.ok(isStraight([0, 8, 16], 7));
  assert.ok(!isStraight([0, 8, 9], 7));
  assert.ok(!isStraight([0, 16], 7));
  assert.ok(!isStraight([6, 7], 7)); // the end of a row and the start of the next
  assert.ok(!isStraight([24], 7));
  const board = { shape: "holes", rows: 6, cols: 7, falls: true, labels: [] };
  assert.match(cellsSvg(board, [[28, 35]]), /^<path/);
  assert.equal(cellsSvg(board, [[35, 31]]).match(/<circle/g).length, 2);
});

test("words are text, never markup", () => {
  const html = breakdownHtml({ value: "5", sum: "MAX +5, MIN 0", note: "", groups: [{ words: "<b>x</b>", points: "+5", cells: [] }] });
  assert.match(html, /Why 5\?/);
  assert.doesNotMatch(html, /<b>x/);
});
