// What the pictures are made of: layouts and questions, on the textbook tree.

import assert from "node:assert/strict";
import test from "node:test";

import { firstAtLeast, fit, pathRows, wholeTree } from "../../visualizer/viewer/assets/layout.js";
import { number, withBound } from "../../visualizer/viewer/assets/look.js";
import { nextQuestion, questionAt } from "../../visualizer/viewer/assets/predict.js";
import { Steps, Tree } from "../../visualizer/viewer/assets/steps.js";
import { textbook } from "./textbook.js";

const made = () => {
  const tree = new Tree(textbook());
  return { tree, steps: new Steps(tree) };
};

test("leaves stand side by side and parents above the middle of their children", () => {
  const { x, levels, leaves } = wholeTree(made().tree);
  assert.equal(leaves, 7);
  assert.deepEqual([...levels[1]], [1, 5, 7]);
  assert.deepEqual([x[2], x[3], x[4], x[1]], [0, 1, 2, 1]);
  assert.equal(x[5], x[6]);
  assert.equal(x[0], (x[1] + x[7]) / 2);
});

test("a row of the path view holds every move once, skipped ones too", () => {
  const rows = pathRows(made().tree, [0, 5]);
  assert.deepEqual(rows.map((row) => row.map((item) => item.kind)), [["node"], ["node", "node", "node"], ["node", "stub", "stub"]]);
  assert.deepEqual(rows[2].map((item) => item.name), ["0", "1", "2"]);
});

test("visible nodes are found by halving", () => {
  const rows = Uint32Array.of(0, 1, 2, 3);
  const x = Float64Array.of(0, 10, 20, 30);
  assert.deepEqual([-1, 0, 5, 30, 31].map((left) => firstAtLeast(rows, x, left)), [0, 0, 1, 3, 4]);
});

test("fitting shows both ends", () => {
  const { scale, shift } = fit(10, 20, 1000, 400, 3);
  assert.ok(10 * scale + shift >= 0 && 20 * scale + shift <= 1000);
});

test("predictions are asked where the search decides", () => {
  const { tree, steps } = made();
  const first = nextQuestion(tree, steps, 0);
  assert.equal(steps.at(first).kind, "return");
  assert.equal(questionAt(tree, steps, first).answer, false);
  const before = steps.nextCutoff(0) - 1;
  assert.deepEqual(questionAt(tree, steps, before), { side: "MIN", answer: true });
  assert.equal(questionAt(tree, steps, 0), null);
});

test("numbers keep to five characters where they can, with true minus signs", () => {
  assert.deepEqual([-3, 1e6, -120000, 0.08148, Infinity].map(number), ["−3", "1M", "−120k", "0.0815", "∞"]);
  assert.equal(withBound(-5, "upper"), "≤−5");
});
