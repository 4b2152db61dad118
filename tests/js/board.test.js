// What is drawn of a position.

import assert from "node:assert/strict";
import { test } from "node:test";

import { boardSvg, positionAt } from "../../visualizer/viewer/assets/board.js";

const sizeOf = (svg) => /viewBox="([^"]*)"/.exec(svg)[1];

test("heaps keep their size while sticks are taken, and leave little of their place empty", () => {
  const takes = [0, 12, 1003]; // from the root: 12 sticks of heap 0, then 3 of heap 1
  const tree = { meta: { kind: "nim", root: { heaps: [12, 3] } }, path: (row) => [0, 1, 2].slice(0, row + 1), move: (row) => takes[row], maximizing: (row) => row % 2 === 0 };
  const sizes = [0, 1, 2].map((row) => sizeOf(boardSvg(positionAt(tree, row))));
  assert.equal(new Set(sizes).size, 1);
  const [, , width, height] = sizeOf(boardSvg({ kind: "nim", heaps: [3, 4, 5] })).split(" ").map(Number);
  assert.ok(width < 240 && height < 140, `${width} × ${height} for heaps of 3, 4 and 5`);
});
