import assert from "node:assert/strict";
import test from "node:test";
import { ITERATION_ACTIONS } from "../../visualizer/viewer/assets/components/iteration_viewer/iteration_actions.js";
import { IterationLoader } from "../../visualizer/viewer/assets/components/iteration_viewer/iteration_loader.js";
import { drawIterationTimeline, iterationAt, shareOf } from "../../visualizer/viewer/assets/draw/iteration_timeline.js";
import { ITERATION_KEY_ROWS } from "../../visualizer/viewer/assets/input/iteration_keys.js";
import { readParams, writeParams } from "../../visualizer/viewer/assets/input/url_codec.js";
import { IterationBlocks, isAdded, phaseText, reachedPath, readPhase, stepOfPhase } from "../../visualizer/viewer/assets/model/iteration_blocks.js";
import { VisitTree } from "../../visualizer/viewer/assets/model/visit_tree.js";
import { ITERATION_PARAMS } from "./viewer_params.js";
import { legendHtml } from "../../visualizer/viewer/assets/components/iteration_viewer/visit_legend.js";

// Two iterations: the first adds row 1 below the root, the second selects it and adds row 2 below it.
const STEPS = [
  [["expand", 0], ["simulate", 1], ["backup", 1], ["backup", 0]],
  [["select", 0], ["expand", 1], ["simulate", 2], ["backup", 2], ["backup", 1], ["backup", 0]],
].map((steps) => steps.map(([kind, depth]) => ({ kind, depth })));
const PICTURE = {
  time: 2, rows: [0, 1, 2], parents: [-1, 0, 1], names: ["", "a", "b"], turns: ["max", "min", "max"], into: [false, true, false],
  over: [false, false, false], born: [0, 1, 2], visits: [2, 2, 1],
};
const BLOCK = {
  first: 1, picture: 2, visits: [0, 0, 0], totals: [0, 0, 0],
  iterations: [
    { number: 1, start: 0, path: [0, 1], outcome: 2, steps: STEPS[0] },
    { number: 2, start: 4, path: [0, 1, 2], outcome: 0, steps: STEPS[1] },
  ],
};
const META = { steps: 10, iterations: 2, blockIterations: 4, timeline: { starts: [0, 1], steps: [0, 4] } };
const blocks = () => new IterationBlocks({ meta: META, blocks: [BLOCK], pictures: [PICTURE] });

test("every key of iterations has an action, and every action a key of its own", () => {
  const keys = ITERATION_KEY_ROWS.flatMap((row) => row.keys);
  assert.deepEqual(keys.map(([, , action]) => action).sort(), Object.keys(ITERATION_ACTIONS).sort());
  assert.equal(new Set(keys.map(([, key]) => key)).size, keys.length);
});

test("counts change one node at a time, and only when a step backs up", () => {
  const steps = blocks();
  const visits = Array.from({ length: 10 }, (_, t) => steps.countsAt(steps.at(t)).visits.join(""));
  assert.deepEqual(visits, ["000", "000", "010", "110", "110", "110", "110", "111", "121", "221"]);
  assert.deepEqual(steps.countsAt(steps.at(9)).totals, [2, 2, 0]);
});

test("a node is there from the step that expands", () => {
  const steps = blocks();
  assert.deepEqual([3, 4, 5, 9].map((t) => isAdded(2, steps.at(t))), [false, false, true, true]);
  assert.deepEqual(reachedPath(steps.at(4)), [0, 1]);
  assert.deepEqual(reachedPath(steps.at(5)), [0, 1, 2]);
});

test("a step that is not loaded is not there, nor one whose picture is missing", () => {
  assert.equal(blocks().at(10), null);
  const bare = new IterationBlocks({ meta: META, blocks: [BLOCK], pictures: [] });
  assert.equal(bare.isLoaded(0), false);
  assert.equal(bare.iteration(1), undefined);
  bare.addPicture(PICTURE);
  assert.equal(bare.iteration(2).start, 4);
  assert.equal(bare.nearestIteration(70), 2);
  assert.deepEqual([0, 3, 4, 9].map((t) => bare.nearIteration(t)), [1, 1, 2, 2]);
});

test("phase and turn name every step, and lead back to it", () => {
  const steps = blocks();
  for (let t = 0; t < 10; t++) {
    const { phase, turn } = readPhase(phaseText(steps.at(t)));
    assert.equal(stepOfPhase(steps.at(t).iteration, phase, turn), t);
  }
  assert.equal(stepOfPhase(BLOCK.iterations[0], "select"), 0); // it has none: the next phase
  assert.equal(stepOfPhase(BLOCK.iterations[1], "backup", 99), 9);
  for (const text of ["", "selec", "select-0", "select-1x", "select--1", "Select", "backup-99999"]) assert.equal(readPhase(text), undefined, text);
});

test("a link holds iteration and phase, and wrong ones are named", () => {
  const read = (text) => readParams(new URLSearchParams(text), ITERATION_PARAMS, { meta: META });
  const texts = writeParams({ iteration: 2, phase: "backup-2", bookmarks: [] }, ITERATION_PARAMS, { meta: META });
  assert.equal(texts.iteration, "2");
  assert.deepEqual(read(texts.phase ? `iteration=2&phase=${texts.phase}` : ""), { wrong: [], iteration: 2, phase: { phase: "backup", turn: 2 } });
  for (const bad of ["0", "3", "-1", "1e0", "", "x"]) assert.deepEqual(read(`iteration=${bad}`).wrong, ["iteration"], bad);
});

test("the first nodes are a tree of as many leaves as fit, none with fewer visits than asked", () => {
  const tree = new VisitTree({
    rows: [0, 5, 1, 6, 2, 7], parents: [-1, 0, 0, 1, 2, 1], names: [], turns: [], into: [], over: [], born: [], visits: [9, 5, 4, 3, 2, 1],
  });
  assert.deepEqual([1, 2, 3].map((leaves) => tree.countThatFits(leaves)), [2, 5, 6]);
  assert.equal(tree.countThatFits(99, 3), 4);
  const { x, leaves, levels } = tree.layOut(6);
  assert.equal(leaves, 3);
  assert.deepEqual([...x], [0.75, 1.5, 0, 1, 0, 2]); // children in the order of their rows
  assert.deepEqual(levels, [[0], [2, 1], [4, 3, 5]]);
  assert.deepEqual([...tree.layOut(6, 1).places], [0, 2, 1]); // down to a depth
});

test("bars of the overview lie below their parents and are as wide as their visits", () => {
  const tree = new VisitTree(PICTURE);
  assert.deepEqual(tree.bars([4, 3, 1], 0), [
    { place: 0, from: 0, to: 1, depth: 0 },
    { place: 1, from: 0, to: 0.75, depth: 1 },
    { place: 2, from: 0, to: 0.25, depth: 2 },
  ]);
  assert.equal(tree.bars([4, 3, 1], 0.5).length, 2);
  assert.equal(tree.meanOf(1, { visits: [2, 2, 1], totals: [2, 3, 0] }), 0.75);
  assert.equal(tree.meanOf(2, { visits: [2, 2, 1], totals: [2, 3, 0] }), 1); // MIN moved into it
});

test("the timeline leads to every iteration, also if there is only one", () => {
  for (const count of [1, 2, 1000]) for (const number of [1, count]) assert.equal(iterationAt(shareOf(number, count), count), number);
});

/** A loader whose server answers when the test says so, with the blocks that were asked for. */
function slowLoader() {
  const waiting = [];
  const view = { settings: { whole: {} }, steps: new IterationBlocks({ meta: META, blocks: [], pictures: [PICTURE] }), draw() {} };
  view.host = { askTree: (query, { iteration }) => new Promise((answer) => waiting.push(() => answer(new TextEncoder().encode(JSON.stringify({ ...BLOCK, first: iteration }))))) };
  const loader = (view.loader = new IterationLoader(view));
  const arrived = [];
  const load = (iteration) => loader.load({ iteration }, () => arrived.push(iteration));
  const answer = async () => {
    waiting.shift()();
    await new Promise((done) => setTimeout(done));
  };
  return { view, loader, load, answer, arrived };
}

test("an answer that comes after the reader went elsewhere moves nothing", async () => {
  const { loader, load, answer, arrived } = slowLoader();
  load(1);
  loader.drop();
  await answer();
  assert.deepEqual(arrived, []);
  load(5);
  await answer();
  assert.deepEqual(arrived, [5]);
});

test("a wish in another search is asked for after the answer to the one before", async () => {
  const { view, loader, load, answer, arrived } = slowLoader();
  load(1);
  view.steps = new IterationBlocks({ meta: META, blocks: [], pictures: [PICTURE] });
  loader.drop();
  loader.isOpening = true;
  load(9);
  await answer();
  assert.equal(loader.isOpening, true);
  await answer();
  assert.deepEqual(arrived, [9]);
  assert.equal(loader.isOpening, false);
});

test("the marks at both ends of the timeline are whole", () => {
  const points = [];
  const recorder = { moveTo: (x) => points.push(x), lineTo: (x) => points.push(x) };
  const pen = new Proxy(recorder, { get: (known, name) => known[name] ?? (() => {}), set: () => true });
  globalThis.window ??= {};
  const canvas = { clientWidth: 200, clientHeight: 40, getContext: () => pen };
  const timeline = { starts: [0], low: [0], high: [1], changes: [[1, 0, 0], [50, 0, 0], [100, 0, 0]] };
  drawIterationTimeline(canvas, { timeline, iterations: 100, iteration: 1, bookmarked: [], hideFuture: false, theme: { sides: {} } });
  assert.equal(points.length, 9);
  assert.deepEqual([Math.min(...points), Math.max(...points)], [0, 200]);
});

test("every iteration has a bar of the same width on the timeline, the last one too", () => {
  const bars = [];
  const pen = { setTransform() {}, clearRect() {}, beginPath() {}, fill() {}, arc() {}, fillRect: (x, y, width) => bars.push([x, width]) };
  const canvas = { clientWidth: 90, clientHeight: 40, getContext: () => pen };
  const depths = [0, 1, 2];
  drawIterationTimeline(canvas, { timeline: { starts: depths, low: depths, high: depths, changes: [] }, iterations: 3, iteration: 1, bookmarked: [], hideFuture: false, theme: { sides: {} } });
  assert.deepEqual(bars.slice(0, 3), [[0, 29], [30, 29], [60, 29]]);
});

test("the legend says whose mean the root has, and what has no room", () => {
  assert.match(legendHtml({ rootSide: "MIN" }, "tree"), /mean for the side that moved there \(at the root: MIN\)/);
  assert.doesNotMatch(legendHtml({ rootSide: "MIN" }, "tree"), /not drawn/);
  assert.match(legendHtml({ rootSide: "MAX", hasMeans: false, hasMore: true }, "tree"), /the means are under Numbers.*few visits are not drawn/);
});
