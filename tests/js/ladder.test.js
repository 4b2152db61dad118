// Passes, equal positions, bounds of the root: on small trees written out by hand.

import assert from "node:assert/strict";
import test from "node:test";

import { mergedGraph, MAX_POSITIONS, countReached, spaced, explainNoGraph } from "../../visualizer/viewer/assets/model/merged_layout.js";
import { visibleLink, probeRow } from "../../visualizer/viewer/assets/model/table_links.js";
import { PictureTree } from "../../visualizer/viewer/assets/model/picture_tree.js";
import { isNullWindow, rootBounds } from "../../visualizer/viewer/assets/model/root_bounds.js";
import { questionAt } from "../../visualizer/viewer/assets/components/tree_viewer/predict.js";
import { readParams, writeParams } from "../../visualizer/viewer/assets/input/url_codec.js";
import { boundsText } from "../../visualizer/viewer/assets/components/tree_viewer/table_panel.js";
import { pathRows, wholeTree } from "../../visualizer/viewer/assets/model/tidy_layout.js";
import { Steps } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook } from "./textbook.js";
import { VIEWER_PARAMS } from "./viewer_params.js";

const MAX = 8;
const [TERMINAL, EXHAUSTED, TABLE] = [1, 3, 5];
const LOWER = 1 << 5;

/** [3, 5] in two null-window passes, at 5 and at 6; in the second the table answers the first move. */
function twoPasses() {
  const rows = [
    // move, depth, flags, skipped, alpha, beta, value, end, link, position
    [-1, 0, EXHAUSTED | MAX | LOWER, 0, 4, 5, 5, 3, -1, 0],
    [0, 1, TERMINAL, 0, 4, 5, 3, 2, -1, 1],
    [1, 1, TERMINAL, 0, 4, 5, 5, 3, -1, 2],
    [-1, 0, EXHAUSTED | MAX, 0, 5, 6, 5, 6, -1, 0],
    [0, 1, TABLE, 0, 5, 6, 3, 5, 1, 1],
    [1, 1, TERMINAL, 0, 5, 6, 5, 6, -1, 2],
  ];
  const types = { move: Int8Array, depth: Uint8Array, flags: Uint8Array, skipped: Uint8Array, alpha: Float32Array, beta: Float32Array,
    value: Float32Array, end: Int32Array, link: Int32Array, position: Int32Array };
  const columns = Object.fromEntries(Object.entries(types).map(([name, Type], k) => [name, Type.from(rows, (row) => row[k])]));
  const { meta } = textbook();
  const passes = [0, 3].map((first, number) => ({ first, number, K: null, why: "", last: number === 1 }));
  return new PictureTree({
    count: rows.length, meta: { ...meta, passes, positions: 3 },
    columns: { ...columns, skippedMoves: new Int8Array(0), skippedTurns: new Uint8Array(0) },
  });
}

/** [3, [5]] by probes: the second move of the root is probed with (3, 4), and searched again. */
function searchedAgain() {
  const rows = [
    [-1, 0, EXHAUSTED | MAX, 0, -Infinity, Infinity, 5, 4, -1],
    [0, 1, TERMINAL, 0, -Infinity, Infinity, 3, 2, -1],
    [1, 1, TERMINAL, 0, 3, 4, 5, 3, -1],
    [1, 1, TERMINAL, 0, 3, Infinity, 5, 4, 2],
  ];
  const types = { move: Int8Array, depth: Uint8Array, flags: Uint8Array, skipped: Uint8Array, alpha: Float32Array, beta: Float32Array,
    value: Float32Array, end: Int32Array, link: Int32Array };
  const columns = Object.fromEntries(Object.entries(types).map(([name, Type], k) => [name, Type.from(rows, (row) => row[k])]));
  const more = { skippedMoves: new Int8Array(0), skippedTurns: new Uint8Array(0) };
  return new PictureTree({ count: rows.length, meta: textbook().meta, columns: { ...columns, ...more } });
}

const tree = twoPasses();
const steps = new Steps(tree);

test("a single pass has its own rows, and a layout of those only", () => {
  assert.deepEqual(tree.passRows(4), { from: 3, to: 6 });
  const singlePass = wholeTree(tree, new Set(), tree.passRows(4));
  assert.deepEqual(singlePass.levels.map((rows) => [...rows]), [[3], [4, 5]]);
  assert.deepEqual([singlePass.places, singlePass.has(2), singlePass.has(3)], [2, false, true]);
  assert.deepEqual(wholeTree(tree).levels[0].length, 2);
});

test("the passes are the first level of the path, unless one is alone", () => {
  assert.deepEqual(pathRows(tree, [3])[0].map(({ row, name }) => [row, name]), [[0, "pass 1"], [3, "pass 2"]]);
  assert.deepEqual(pathRows(tree, [3], true)[0].map(({ row }) => row), [3]);
});

test("a link opens one pass alone", () => {
  const read = (text) => readParams(new URLSearchParams({ pass: text }), VIEWER_PARAMS, tree);
  assert.equal(read("2").pass, 3);
  for (const wrong of ["0", "3", "x", "1.0"]) assert.deepEqual(read(wrong).wrong, ["pass"]);
  assert.equal(writeParams({ pass: 3 }, VIEWER_PARAMS, tree).pass, "2");
  assert.equal(writeParams({}, VIEWER_PARAMS, tree).pass, "");
});

test("what the table answered leads to where it was found, once it has answered", () => {
  assert.equal(visibleLink(tree, steps, steps.enter(4)), null);
  assert.deepEqual(visibleLink(tree, steps, steps.leave(4)), { row: 4, source: 1, answered: true, words: "from node 1, pass 1" });
  assert.deepEqual(visibleLink(tree, steps, steps.leave(5), [4]).source, 1);
  assert.deepEqual(tree.answersFrom(1), [4]);
  assert.deepEqual(tree.answersFrom(2), []);
});

test("after a probe it is asked whether the move is searched again, and the probe counts for nothing", () => {
  const probing = searchedAgain();
  const time = new Steps(probing);
  assert.deepEqual([probeRow(probing, 3), probeRow(probing, 2)], [2, -1]);
  assert.equal(visibleLink(probing, time, time.enter(3)).words, "re-search");
  const question = questionAt(probing, time, time.leave(2) + 1);
  assert.deepEqual([question.choices[question.answer], question.outcome], ["Yes, again", time.enter(3)]);
  assert.equal(question.reason, "5 lies inside the window 3 to ∞: the probe proved only a bound.");
  assert.equal(questionAt(probing, time, time.leave(3)).reason, "MAX takes the largest of 3 and 5.");
});

test("the bounds of the root close in as passes are over", () => {
  assert.deepEqual(rootBounds(tree, steps, 0), { low: -Infinity, high: Infinity, alpha: 4, beta: 5 });
  assert.deepEqual(rootBounds(tree, steps, steps.leave(0)), { low: 5, high: Infinity, alpha: 4, beta: 5 });
  assert.deepEqual(rootBounds(tree, steps, steps.leave(3)), { low: 5, high: 5, alpha: 5, beta: 6 });
  const open = new PictureTree(textbook());
  assert.equal(rootBounds(open, new Steps(open), 3), null);
});

test("a null window has no value inside", () => {
  assert.ok(isNullWindow(3, 4, "whole") && !isNullWindow(3, 5, "whole") && !isNullWindow(3, 3, "whole"));
  assert.ok(isNullWindow(Number.MAX_VALUE, Infinity, "whole") && isNullWindow(-Infinity, -Number.MAX_VALUE, ""));
  assert.ok(!isNullWindow(-Infinity, 4, "whole") && !isNullWindow(3, 4, ""));
  for (const value of [0.1, 3, -3, 0, 1e300]) {
    const next = value + Math.max(Math.abs(value) * 2 ** -53, 5e-324);
    if (next > value) assert.ok(isNullWindow(value, next, ""), `${value}`);
  }
  assert.ok(isNullWindow(-0, 5e-324, "") && isNullWindow(1, Math.fround(1 + 2 ** -23), "float32"));
});

test("equal positions are one node, with all calls that reached it", () => {
  const graph = mergedGraph(tree);
  assert.deepEqual(graph.positions.map(({ rows }) => rows), [[0, 3], [1, 4], [2, 5]]);
  assert.deepEqual(graph.edges.map(({ above, below, rows }) => [above, below, rows]), [[0, 1, [1, 4]], [0, 2, [2, 5]]]);
  assert.deepEqual(graph.levels, [[0], [1, 2]]);
  assert.deepEqual(graph.positions.map(({ x }) => x), [0.5, 0, 1]);
  assert.deepEqual(mergedGraph(tree, { from: 3, to: 6 }).positions.map(({ rows }) => rows), [[3], [4], [5]]);
  assert.deepEqual(countReached(steps, graph.positions[1], steps.leave(1)), { count: 1, left: 1 });
  assert.deepEqual(countReached(steps, graph.positions[1], steps.enter(4)), { count: 2, left: 1 });
  assert.deepEqual(countReached(steps, graph.positions[2], 0), { count: 0, left: -1 });
});

test("too many positions are refused in a sentence that names the limit", () => {
  const many = { columns: { position: Int32Array.from({ length: MAX_POSITIONS + 1 }, (_, i) => i) }, meta: {} };
  assert.match(explainNoGraph(many, { from: 0, to: MAX_POSITIONS + 1 }), /up to 2,000 positions: there are 2,001 here\.$/);
  assert.equal(explainNoGraph(many, { from: 0, to: MAX_POSITIONS }), "");
  assert.match(explainNoGraph({ columns: {}, meta: { positions: 12345 } }, {}), /this search has 12,345\.$/);
  assert.match(explainNoGraph({ columns: {}, meta: { positions: null } }, {}), /too many nodes to count them\.$/);
  assert.match(explainNoGraph({ columns: {}, meta: { positions: 7, positionsLater: true } }, {}), /^Looking for equal positions/);
});

test("places are as near to the wanted ones as a distance of 1 allows", () => {
  assert.deepEqual(spaced([0, 5, 9]), [0, 5, 9]);
  assert.deepEqual(spaced([2, 2, 2]), [1, 2, 3]);
  assert.deepEqual(spaced([]), []);
  let seed = 3;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 200; round++) {
    const wanted = Array.from({ length: 20 }, () => random() * 15).sort((a, b) => a - b);
    const placed = spaced(wanted);
    placed.forEach((at, i) => i && assert.ok(at - placed[i - 1] > 1 - 1e-9));
    const cost = (at) => at.reduce((sum, x, i) => sum + (x - wanted[i]) ** 2, 0);
    for (let i = 0; i < 20; i++) { // moving one of them, as far as it may, brings nothing
      for (const by of [-0.01, 0.01]) {
        const moved = placed.map((x, k) => (k === i ? x + by : x));
        if (moved.every((x, k) => !k || x - moved[k - 1] >= 1 - 1e-9)) assert.ok(cost(moved) >= cost(placed) - 1e-9);
      }
    }
  }
});

test("an entry shows its bounds", () => {
  const said = [[3, 3], [-Infinity, 4], [2, Infinity], [-2, 4]].map(([low, high]) => boundsText({ low, high }));
  assert.deepEqual(said, ["3", "≤ 4", "≥ 2", "−2 to 4"]);
});
