// Two searches over each other, on a small tree of paths: root, 0 (00, 01), 1 (10).

import assert from "node:assert/strict";
import test from "node:test";

import { countPaths, OverlaySteps, SideTree, topmostDifferences } from "../../visualizer/viewer/assets/model/overlay.js";

const CUTOFF = 4;
const columns = {
  move: Int8Array.of(-1, 0, 0, 1, 1, 0),
  depth: Int8Array.of(0, 1, 2, 2, 1, 2),
  end: Int8Array.of(6, 4, 3, 4, 6, 6),
  flags: Uint8Array.of(8, CUTOFF, 8, 8, 0, 8),
  skipped: new Uint8Array(6),
  value: Float32Array.of(3, 3, 3, 0, 0, 0),
  skippedMoves: new Int32Array(0),
  skippedTurns: new Uint8Array(0),
};
const meta = { windows: false, moveNames: { 0: "0", 1: "1" } };
const left = Uint32Array.of(1, 2, 1, 0, 0, 0);
const right = Uint32Array.of(1, 1, 1, 1, 1, 1);
const tree = new SideTree({ count: 6, meta, columns }, left);

test("the sets add up, and differences are the topmost", () => {
  assert.deepEqual(countPaths(left, right), { left: 0, both: 3, right: 3 });
  assert.deepEqual(topmostDifferences(tree, left, right), [3, 4]);
  assert.deepEqual(topmostDifferences(tree, right, right), []);
});

const paths = Int32Array.of(0, 1, 2, 1); // of the left search: 1 is called again
const over = Int32Array.of(4, 4, 3, 0, 0, 0);

test("a search is seen where it came, and grey elsewhere", () => {
  const side = new OverlaySteps(tree, left, paths, over);
  assert.deepEqual([0, 1, 2, 3, 4].map((row) => side.stateAt(row, 4)), ["done", "cut", "done", "skipped", "skipped"]);
  assert.deepEqual([side.visibleValue(2, 4), side.visibleValue(3, 4)], [3, null]);
  assert.equal(side.at(4).node, 0);
  assert.ok(side.isDone(4) && side.isDone(9));
});

test("the time counts calls", () => {
  const side = new OverlaySteps(tree, left, paths, over);
  const states = (t) => [0, 1, 2, 3].map((row) => side.stateAt(row, t));
  assert.deepEqual(states(0), ["future", "future", "future", "skipped"]);
  assert.deepEqual(states(1), ["path", "future", "future", "skipped"]);
  assert.deepEqual(states(3), ["path", "path", "done", "skipped"]);
  assert.deepEqual([0, 1, 2, 3, 4, 9].map((t) => side.visitedAt(t)), [0, 1, 2, 3, 3, 3]);
  assert.deepEqual([1, 2, 3].map((t) => side.at(t).node), [0, 1, 2]);
  assert.deepEqual([side.visibleValue(1, 3), side.visibleValue(2, 3)], [null, 3]); // called again: what it gives is still to come
  assert.deepEqual([0, 1, 2].map((row) => side.enter(row)), [1, 2, 3]);
  side.selected = 2;
  assert.equal(side.at(1).node, 2);
});

test("a subtree is as large as what the search called of it", () => {
  assert.deepEqual([0, 1, 4].map((row) => tree.size(row)), [3, 2, 0]);
});
