// Alpha-beta laid over minimax, on the textbook tree.

import assert from "node:assert/strict";
import test from "node:test";

import { wholeTree } from "../../visualizer/viewer/assets/model/tidy_layout.js";
import { layoutOfPart, Shadow } from "../../visualizer/viewer/assets/model/alignment.js";
import { Steps, Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook, textbookMinimax } from "./textbook.js";

const minimax = new Tree(textbookMinimax());
const alphabeta = new Tree(textbook());
const steps = new Steps(alphabeta);
const rows = Int32Array.of(0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12);
const shadow = new Shadow(minimax, alphabeta, steps, rows);

test("what the cutoff skipped is spared from then on", () => {
  const cut = steps.leave(5);
  assert.deepEqual(shadow.sparedBy(5), [7, 8]);
  assert.equal(shadow.savedBy(5), 2);
  assert.deepEqual([shadow.stateAt(7, cut - 1), shadow.stateAt(7, cut)], ["future", "spared"]);
  assert.deepEqual([shadow.sparedAt(cut - 1).saved, shadow.sparedAt(cut).saved], [0, 2]);
  assert.deepEqual([shadow.rowOf(9), shadow.rowOf(7), shadow.rowOf(-1)], [7, -1, -1]);
});

test("the rest of minimax is seen as alpha-beta goes", () => {
  for (let t = 0; t < steps.length; t++) {
    rows.forEach((row, own) => {
      const state = steps.stateAt(own, t);
      assert.equal(shadow.stateAt(row, t), state === "cut" ? "done" : state);
      assert.equal(shadow.valueShown(row, t), state === "cut" || state === "done" ? minimax.value(row) : null);
    });
    assert.equal(shadow.at(t).node, rows[steps.at(t).node]);
  }
});

test("what is known so far of a node of minimax comes from the values that are shown there", () => {
  const cut = steps.leave(5);
  assert.equal(shadow.soFar(0, cut + 1).best, 3);
  assert.equal(shadow.soFar(9, steps.leave(8) + 1).best, 14);
  assert.deepEqual([shadow.boundSoFar(0, cut + 1), shadow.boundSoFar(9, steps.leave(8) + 1)], ["lower", "upper"]);
  assert.equal(shadow.soFar(9, steps.enter(8)).best, null);
});

test("alpha-beta stands in the places of minimax", () => {
  const layout = wholeTree(minimax);
  const part = layoutOfPart(layout, minimax, alphabeta, rows);
  assert.deepEqual([...part.x], Array.from(rows, (row) => layout.x[row]));
  assert.deepEqual(part.stubs[2], { x: [layout.x[7], layout.x[8]], owner: [5, 5], index: [0, 1] });
});
