// Exercises in the browser: answers, the layout of the tree, and a learner's progress.

import assert from "node:assert/strict";
import { test } from "node:test";

import { chooseMove, countAnswered, countMissing, isReadable, moveBy, moveFirst, normalizeNumber, setText, toggleMarks } from "../../visualizer/viewer/assets/components/exercise/exercise_answer.js";
import { findFirstAnswer, saveProgress, loadProgress, nextDifficulty, countProgress, addExercise } from "../../visualizer/viewer/assets/components/exercise/exercise_progress.js";
import { findFirstWrong, callStatesAt } from "../../visualizer/viewer/assets/components/exercise/exercise_calls.js";
import { localStore } from "../../visualizer/viewer/assets/input/local_store.js";
import { clearMarks, markSolved, loadMarks, describeProgress } from "../../visualizer/viewer/assets/components/lesson_checkmarks/lesson_progress.js";
import { listChildren, layOutTree, minColumnWidth, layOutSideways, listSubtree, findNeighbour, rotateKey } from "../../visualizer/viewer/assets/components/exercise/exercise_tree.js";
import { labelShare } from "../../visualizer/viewer/assets/components/exercise/exercise_nodes.js";

// 0 has 1 and 4; 1 has the leaves 2 and 3, 4 has 5, 6 and 7
const PARENTS = [-1, 0, 1, 1, 0, 4, 4, 4];
const NODES = PARENTS.map((parent, row) => ({ row, parent, value: [0, 1, 4].includes(row) ? null : String(row) }));

test("a parent is centred above its children in every order", () => {
  const { x, depths, columns, levels } = layOutTree(NODES, listChildren(NODES));
  assert.deepEqual([columns, levels, depths[5]], [5, 3, 2]);
  assert.deepEqual([x[2], x[3], x[1], x[4], x[0]], [0, 1, 0.5, 3, 1.75]);
  const reordered = layOutTree(NODES, listChildren(NODES, { 0: [1, 0], 4: [2, 0, 1] }));
  assert.deepEqual([reordered.x[7], reordered.x[5], reordered.x[6], reordered.x[2]], [0, 1, 2, 3]);
});

test("a column is as wide as the two closest nodes of a level need", () => {
  const layout = layOutTree(NODES, listChildren(NODES));
  const widths = [200, 60, 30, 30, 60, 30, 30, 30];
  assert.equal(minColumnWidth(layout, widths, 10), 40); // leaves side by side
  assert.equal(minColumnWidth(layout, widths.with(1, 190), 10), (125 + 10) / 2.5);
  assert.equal(minColumnWidth(layOutTree([NODES[0]], [[]]), [40], 10), 0);
});

test("a sideways tree gives every node its height, and no two nodes of a level overlap", () => {
  const needs = [90, 80, 40, 40, 30, 40, 40, 40];
  const { y, height } = layOutSideways(listChildren(NODES), needs);
  assert.equal(height, 200);
  assert.deepEqual(y, [100, 40, 20, 60, 140, 100, 140, 180]);
  const high = layOutSideways(listChildren(NODES), [10, 200, 40, 40, 10, 40, 40, 40]);
  assert.deepEqual([high.height, high.y[1], high.y[2], high.y[3]], [320, 100, 80, 120]);
  assert.deepEqual(["ArrowLeft", "ArrowDown", "Enter"].map(rotateKey), ["ArrowUp", "ArrowRight", "Enter"]);
});

test("a call is open from the event that enters it to the event that leaves it", () => {
  const calls = [[0, false], [1, false], [1, true], [0, true]].map(([row, left], place) => ({ row, left, wrong: place === 2 }));
  assert.deepEqual([...callStatesAt(calls, 1)], [[0, "open"], [1, "open"]]);
  assert.deepEqual([...callStatesAt(calls, 2)], [[0, "open"], [1, "left"]]);
  assert.deepEqual([findFirstWrong(calls), findFirstWrong(calls.slice(0, 2))], [2, 1]);
});

test("solved screens are stored once, and invalid data is ignored", () => {
  const stored = new Map();
  const storage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) };
  const lessons = [{ name: "a", title: "A", screens: 3 }, { name: "b", title: "B", screens: 1 }];
  const describe = (here) => describeProgress({ lessons: here ? lessons.slice(0, 1) : lessons, here }, loadMarks(storage)).map(({ text }) => text).join("");
  assert.equal(describe(null), "Only this browser remembers which screens you have solved.");
  assert.equal(describe(["a", 1]), "");
  for (const [lesson, screen] of [["a", 3], ["a", 1], ["a", 3], ["b", 1]]) markSolved(storage, lesson, screen);
  assert.deepEqual(loadMarks(storage), { a: [1, 3], b: [1] });
  assert.equal(describe(["a", 1]), "✓ Solved: 1, 3 of 3");
  assert.equal(describe(null), "Solved in this browser: A 2 of 3 · B 1 of 1 ✓");
  markSolved(storage, "a", 2);
  assert.equal(describe(["a", 1]), "✓ All 3 screens are solved.");
  for (const text of ["x", "null", "[]", '{"a": 7}', '{"a": ["<b>", 1]}', '{"a": [99]}']) {
    stored.set("plyscope.lessons", text);
    assert.equal(describe(["a", 1]), "");
  }
  clearMarks(storage);
  assert.deepEqual(loadMarks(storage), {});
  markSolved({ getItem: () => null, setItem: () => { throw new Error("full"); } }, "a", 1);
});

test("arrow keys move up, down and along a level", () => {
  const children = listChildren(NODES);
  const layout = layOutTree(NODES, children);
  const to = (key, row) => findNeighbour(key, row, NODES, children, layout);
  assert.deepEqual([to("ArrowDown", 0), to("ArrowUp", 0), to("ArrowRight", 3), to("ArrowLeft", 5), to("ArrowRight", 7), to("ArrowDown", 7)], [1, 0, 5, 3, 7, 7]);
});

test("a mark is set and removed with everything below it; the root has none", () => {
  assert.deepEqual(listSubtree(NODES, 4), [4, 5, 6, 7]);
  const parts = ["1", "2", "3", "4", "5", "6", "7"];
  const once = toggleMarks(NODES, parts, {}, 4);
  assert.deepEqual(once, { 4: true, 5: true, 6: true, 7: true });
  assert.deepEqual(toggleMarks(NODES, parts, once, 6), { 4: true, 5: true, 7: true });
  assert.deepEqual(toggleMarks(NODES, parts, once, 4), {});
  assert.deepEqual(toggleMarks(NODES, parts, {}, 0), {});
  const some = ["5", "6"]; // only these may be marked
  assert.deepEqual([4, 6, 7].map((row) => toggleMarks(NODES, some, {}, row)), [{ 5: true, 6: true }, { 6: true }, {}]);
  assert.deepEqual(toggleMarks(NODES, some, { 5: true, 6: true }, 4), {});
});

test("a move is chosen only where the exercise asks for one", () => {
  assert.deepEqual(chooseMove(NODES, ["0"], {}, 4), { 0: 1 });
  assert.deepEqual(chooseMove(NODES, ["0"], { 0: 1 }, 5), { 0: 1 });
  assert.deepEqual(chooseMove(NODES, ["0", "4"], { 0: 1 }, 7), { 0: 1, 4: 2 });
});

test("children change places, and none is lost", () => {
  const once = moveFirst(NODES, {}, 7);
  assert.deepEqual(once, { 4: [2, 0, 1] });
  assert.deepEqual(moveFirst(NODES, once, 6), { 4: [1, 2, 0] });
  assert.deepEqual(moveBy(NODES, once, 7, 1), { 4: [0, 2, 1] });
  assert.deepEqual(moveBy(NODES, once, 7, -1), { 4: [2, 0, 1] });
  assert.deepEqual(moveBy(NODES, once, 6, 1), { 4: [2, 0, 1] });
});

test("a typed i is infinity, and long texts are cut", () => {
  assert.deepEqual(["-i", "inf", "-Infinity", "12", "9".repeat(30)].map(normalizeNumber), ["-∞", "∞", "-∞", "12", "9".repeat(16)]);
  assert.deepEqual(setText({}, 3, "4"), { 3: "4" });
  assert.deepEqual(setText({ 3: ["1", ""] }, 3, "9", 1), { 3: ["1", "9"] });
  assert.deepEqual([countMissing({ format: "window", parts: ["1", "4"] }, { 1: ["", "2"] }), countMissing({ format: "mark", parts: ["1"] }, {})], [1, 0]);
  assert.deepEqual([{}, { 1: "" }, { 1: ["", ""] }, { 1: ["", "2"] }, { 1: true }, { after: 0 }].map(countAnswered), [0, 0, 0, 1, 1, 1]);
});

const done = (kind, difficulty, points, seed, hints = 0) => ({ kind, seed, difficulty, answer: {}, points, total: 4, hints });

test("difficulty rises with success and falls without", () => {
  const after = (...points) => nextDifficulty({ exercises: points.map((got, seed) => done("values", 2, got, seed)) }, "values", 2);
  assert.deepEqual([after(), after(4), after(4, 4), after(1, 2), after(4, 1), after(1, 4, 4)], [2, 2, 3, 1, 2, 3]);
  assert.equal(nextDifficulty({ exercises: [done("values", 5, 4, 1), done("values", 5, 4, 2)] }, "values", 5), 5);
  assert.equal(nextDifficulty({ exercises: [done("values", 2, 4, 1, 3), done("values", 2, 4, 2, 3)] }, "values", 2), 1); // shown, not solved
  assert.equal(nextDifficulty({ exercises: [done("move", 2, 4, 1), done("move", 2, 4, 2)] }, "values", 2), 2);
});

test("the first answer to an exercise counts", () => {
  const once = addExercise({ learner: "", exercises: [] }, done("values", 1, 2, 7));
  assert.equal(addExercise(once, done("values", 1, 4, 7)), once);
  assert.deepEqual([findFirstAnswer(once, done("values", 1, 4, 7)).points, findFirstAnswer(once, done("values", 1, 4, 8))], [2, undefined]);
  assert.deepEqual(countProgress(addExercise(once, done("move", 1, 4, 7))), { done: 2, solved: 1, points: 6, total: 8 });
  assert.deepEqual(countProgress(once, "move"), { done: 0, solved: 0, points: 0, total: 0 });
});

test("invalid data counts as no progress", () => {
  const empty = { learner: "", exercises: [] };
  for (const text of [null, "", "{", "[]", '{"learner": 1, "exercises": []}', '{"learner": "", "exercises": [{"kind": 1}]}']) {
    assert.deepEqual(loadProgress({ getItem: () => text }), empty);
  }
  const store = new Map();
  const storage = { getItem: (name) => store.get(name) ?? null, setItem: (name, text) => store.set(name, text) };
  const progress = { learner: "Ada", exercises: [done("values", 1, 2, 7)] };
  assert.equal(saveProgress(storage, progress), true);
  assert.deepEqual(loadProgress(storage), progress);
  assert.equal(saveProgress({ setItem: () => { throw new Error("full"); } }, progress), false);
  assert.equal(localStore(), null); // no browser, or one that forbids it
  assert.deepEqual([loadProgress(null), saveProgress(null, progress)], [empty, false]);
});

test("a text is a number that fits its field, or not", () => {
  const read = (format, ...texts) => texts.map((text) => isReadable(format, text));
  assert.deepEqual(read("number", "", " 7 ", "−3", "2,5", "∞", "abc", "1e3", "--1"), [true, true, true, true, false, false, false, false]);
  assert.deepEqual(read("window", "∞", "-∞", "7", "x"), [true, true, true, false]);
  assert.deepEqual(read("count", "12", "-1", "1.5"), [true, false, false]);
});

test("the name of a move stands in the middle of what is seen of its line", () => {
  assert.equal(labelShare([0, 80], [40, 40], [40, 40]), 0.5);
  assert.equal(labelShare([0, 100], [40, 60], [40, 20]), 0.6); // from 30 to 90
  assert.equal(labelShare([80, 0], [40, 60], [20, 20]), 0.5625); // from 20 to 70
});
