// Bookmarks, breakpoints and the timeline, on the textbook tree.

import assert from "node:assert/strict";
import test from "node:test";

import { writeBookmarks, nextStop, readBookmarks, stopSteps, addBookmark } from "../../visualizer/viewer/assets/input/bookmarks.js";
import { PictureTree } from "../../visualizer/viewer/assets/model/picture_tree.js";
import { Steps, Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { summarizeSteps } from "../../visualizer/viewer/assets/draw/timeline.js";
import { textHtml } from "../../visualizer/viewer/assets/draw/text.js";
import { textbook } from "./textbook.js";

const tree = new Tree(textbook());
const steps = new Steps(tree);

test("bookmarks come back from a link as they went in", () => {
  const marks = addBookmark(addBookmark([], 9, "why? & <b>"), 3, "");
  assert.deepEqual(marks.map(({ step }) => step), [3, 9]);
  assert.deepEqual(readBookmarks(writeBookmarks(marks), steps.length), marks);
  assert.equal(writeBookmarks([]), "");
});

test("one bookmark a step, and not too many", () => {
  assert.deepEqual(addBookmark([{ step: 3, note: "a" }], 3, "b"), [{ step: 3, note: "b" }]);
  assert.deepEqual(addBookmark([{ step: 3, note: "a" }], 3, ""), [{ step: 3, note: "a" }]);
  let marks = [];
  for (let step = 0; step < 60; step++) marks = addBookmark(marks, step, "x".repeat(300));
  assert.deepEqual([marks.length, marks[0].note.length], [40, 200]);
});

test("what a link says wrongly is left out", () => {
  for (const text of ["", "{", "7", "null", '{"a":1}']) assert.deepEqual(readBookmarks(text, 32), []);
  assert.deepEqual(readBookmarks('[[5,"a"],[99,"late"],[-1,"x"],["3","x"],[6,7],8]', 32), [{ step: 5, note: "a" }, { step: 6, note: "" }]);
});

test("breakpoints on a node, a depth, a value", () => {
  assert.deepEqual(stopSteps(tree, steps, { kind: "node", at: 5 }), [steps.enter(5), steps.leave(5)]);
  assert.deepEqual(stopSteps(tree, steps, { kind: "depth", at: 1 }), [1, 5, 7].map((row) => steps.enter(row)));
  assert.deepEqual(stopSteps(tree, steps, { kind: "value", at: 2 }), [6, 5, 10, 7].map((row) => steps.leave(row)));
  assert.deepEqual(stopSteps(tree, steps, { kind: "value", at: 77 }), []);
});

test("the next stop is the nearest of all breakpoints", () => {
  const stops = [{ steps: [4, 20] }, { steps: [9] }];
  assert.deepEqual([0, 4, 9, 20].map((t) => nextStop(stops, t)), [4, 9, 20, null]);
});

test("the tree in words names every move on the path, and nothing of the future", () => {
  const text = textHtml(tree, steps, steps.leave(5));
  assert.match(text, /1: ▼ MIN, <b>≤2<\/b>, cut off because 2 ≤ α = 3, skipped: 1, 2/);
  assert.match(text, /2: ▼ MIN, not visited yet/);
  assert.match(textHtml(tree, steps, 0), /root: ▲ MAX, being searched, window \[−∞, ∞\]/);
});

test("a bar of the timeline reaches from the step that enters a node to the step that leaves it", () => {
  const pixels = 10 * steps.length;
  const { bands, cuts } = summarizeSteps(new PictureTree(textbook()), steps, pixels);
  const bars = bands.flatMap((band) => band.bars).sort((a, b) => a.row - b.row);
  assert.deepEqual(bars.map(({ row }) => row), Array.from({ length: tree.count }, (_, row) => row));
  for (const { row, left, right } of bars) assert.deepEqual([left, right].map(Math.round), [10 * steps.enter(row), 10 * (steps.leave(row) + 1)]);
  assert.equal(cuts.reduce((sum, count) => sum + count), bars.filter(({ row }) => tree.isPruned(row)).length);
});
