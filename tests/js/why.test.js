// The list of what a value is made of, and its cells on the board.

import assert from "node:assert/strict";
import test from "node:test";

import { Steps, Tree } from "../../visualizer/viewer/assets/trace.js";
import { canBeAsked, cellsSvg, reasonsHtml, straight } from "../../visualizer/viewer/assets/why.js";
import { textbook } from "./textbook.js";

test("a leaf of a board can be asked once its value is known", () => {
  const data = textbook();
  const ask = (kind, row, t) => {
    data.meta.kind = kind;
    const tree = new Tree(data);
    return canBeAsked(tree, new Steps(tree), row, t);
  };
  assert.deepEqual([ask("connect", 2, 3), ask("connect", 2, 2), ask("connect", 1, 30), ask("literal", 2, 3)], [true, false, false, false]);
});

test("cells in a row are joined, others are ringed", () => {
  assert.ok(straight([[0, 0], [1, 1], [2, 2]]));
  assert.ok(!straight([[0, 0], [1, 1], [2, 1]]));
  assert.ok(!straight([[0, 0], [2, 2]]));
  assert.ok(!straight([[3, 3]]));
  assert.match(cellsSvg("connect", 6, [[[0, 0], [0, 1]]]), /^<path/);
  assert.equal(cellsSvg("connect", 6, [[[0, 0], [3, 1]]]).match(/<circle/g).length, 2);
});

test("words are text, never markup", () => {
  const html = reasonsHtml({ value: "5", sum: "MAX +5, MIN 0", note: "", groups: [{ words: "<b>x</b>", points: "+5", cells: [] }] });
  assert.match(html, /Why 5\?/);
  assert.doesNotMatch(html, /<b>x/);
});
