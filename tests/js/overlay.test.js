// Two searches over each other, on a small tree of paths: root, 0 (00, 01), 1 (10).

import assert from "node:assert/strict";
import test from "node:test";

import { countSets, Presence, SideTree, topmostDifferences } from "../../visualizer/viewer/assets/overlay.js";

const CUTOFF = 4;
const columns = {
  move: Int8Array.of(-1, 0, 0, 1, 1, 0),
  depth: Int8Array.of(0, 1, 2, 2, 1, 2),
  end: Int8Array.of(6, 4, 3, 4, 6, 6),
  flags: Uint8Array.of(8, CUTOFF, 8, 8, 0, 8),
  skipped: new Uint8Array(6),
  value: Float32Array.of(3, 3, 3, 0, 0, 0),
  skippedMoves: new Int32Array(0),
  skippedMax: new Uint8Array(0),
};
const meta = { windows: false, moveNames: { 0: "0", 1: "1" } };
const left = Uint32Array.of(1, 2, 1, 0, 0, 0);
const right = Uint32Array.of(1, 1, 1, 1, 1, 1);
const tree = new SideTree({ count: 6, meta, columns }, left);

test("the sets add up, and differences are the topmost", () => {
  assert.deepEqual(countSets(left, right), { left: 0, both: 3, right: 3 });
  assert.deepEqual(topmostDifferences(tree, left, right), [3, 4]);
  assert.deepEqual(topmostDifferences(tree, right, right), []);
});

test("a search is seen where it came, and grey elsewhere", () => {
  const side = new Presence(tree, left);
  assert.deepEqual([0, 1, 2, 3, 4].map((row) => side.stateAt(row)), ["done", "cut", "done", "spared", "spared"]);
  assert.deepEqual([side.valueShown(2), side.valueShown(3)], [3, null]);
});

test("a subtree is as large as what the search called of it", () => {
  assert.deepEqual([0, 1, 4].map((row) => tree.size(row)), [3, 2, 0]);
});
