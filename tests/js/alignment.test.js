// Alpha-beta laid over minimax, on the textbook tree.

import assert from "node:assert/strict";
import test from "node:test";

import { wholeTree } from "../../visualizer/viewer/assets/model/tidy_layout.js";
import { alignedLayout, AlignedSteps } from "../../visualizer/viewer/assets/model/alignment.js";
import { Steps, Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook, textbookMinimax } from "./textbook.js";

const minimax = new Tree(textbookMinimax());
const alphabeta = new Tree(textbook());
const steps = new Steps(alphabeta);
const rows = Int32Array.of(0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12);
const aligned = new AlignedSteps(minimax, alphabeta, steps, rows);

test("moves that a cutoff skipped are grey from then on", () => {
  const cut = steps.leave(5);
  assert.deepEqual(aligned.skippedBy(5), [7, 8]);
  assert.equal(aligned.savedBy(5), 2);
  assert.deepEqual([aligned.stateAt(7, cut - 1), aligned.stateAt(7, cut)], ["future", "skipped"]);
  assert.deepEqual([aligned.savedAt(cut - 1), aligned.savedAt(cut)], [0, 2]);
  assert.deepEqual([aligned.rowOf(9), aligned.rowOf(7), aligned.rowOf(-1)], [7, -1, -1]);
});

test("the rest of minimax is seen as alpha-beta goes", () => {
  for (let t = 0; t < steps.length; t++) {
    rows.forEach((row, own) => {
      const state = steps.stateAt(own, t);
      assert.equal(aligned.stateAt(row, t), state === "cut" ? "done" : state);
      assert.equal(aligned.visibleValue(row, t), state === "cut" || state === "done" ? minimax.value(row) : null);
    });
    assert.equal(aligned.at(t).node, rows[steps.at(t).node]);
  }
});

test("what is known so far of a node of minimax comes from the values that are shown there", () => {
  const cut = steps.leave(5);
  assert.equal(aligned.windowAt(0, cut + 1).best, 3);
  assert.equal(aligned.windowAt(9, steps.leave(8) + 1).best, 14);
  assert.deepEqual([aligned.boundSoFar(0, cut + 1), aligned.boundSoFar(9, steps.leave(8) + 1)], ["lower", "upper"]);
  assert.equal(aligned.windowAt(9, steps.enter(8)).best, null);
});

test("alpha-beta stands in the places of minimax", () => {
  const layout = wholeTree(minimax);
  const part = alignedLayout(layout, minimax, alphabeta, rows);
  assert.deepEqual([...part.x], Array.from(rows, (row) => layout.x[row]));
  assert.deepEqual(part.stubs[2], { x: [layout.x[7], layout.x[8]], owner: [5, 5], index: [0, 1] });
});
