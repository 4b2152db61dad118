// What a click does to an answer, where nodes stand, and what is kept of a learner's progress.

import assert from "node:assert/strict";
import { test } from "node:test";

import { chosen, filled, first, marked, missing, shifted, typed, written } from "../../visualizer/viewer/assets/components/exercise/exercise_answer.js";
import { firstOf, keep, kept, nextDifficulty, sums, withDone } from "../../visualizer/viewer/assets/components/exercise/exercise_progress.js";
import { firstWrong, standingAt } from "../../visualizer/viewer/assets/components/exercise/exercise_calls.js";
import { localStore } from "../../visualizer/viewer/assets/input/local_store.js";
import { forgetMarks, markSolved, marksIn, wordsFor } from "../../visualizer/viewer/assets/components/lesson_checkmarks/lesson_progress.js";
import { childrenOf, layout, leastStep, lying, subtree, towards, turned } from "../../visualizer/viewer/assets/components/exercise/exercise_tree.js";

// 0 has 1 and 4; 1 has the leaves 2 and 3, 4 has 5, 6 and 7
const PARENTS = [-1, 0, 1, 1, 0, 4, 4, 4];
const NODES = PARENTS.map((parent, row) => ({ row, parent, value: [0, 1, 4].includes(row) ? null : String(row) }));

test("a parent stands in the middle above its children, in whatever order they are", () => {
  const { x, depths, places, levels } = layout(NODES, childrenOf(NODES));
  assert.deepEqual([places, levels, depths[5]], [5, 3, 2]);
  assert.deepEqual([x[2], x[3], x[1], x[4], x[0]], [0, 1, 0.5, 3, 1.75]);
  const turned = layout(NODES, childrenOf(NODES, { 0: [1, 0], 4: [2, 0, 1] }));
  assert.deepEqual([turned.x[7], turned.x[5], turned.x[6], turned.x[2]], [0, 1, 2, 3]);
});

test("a place is as wide as the two nodes of a depth need that are closest", () => {
  const laid = layout(NODES, childrenOf(NODES));
  const widths = [200, 60, 30, 30, 60, 30, 30, 30];
  assert.equal(leastStep(laid, widths, 10), 40); // leaves side by side
  assert.equal(leastStep(laid, widths.with(1, 190), 10), (125 + 10) / 2.5);
  assert.equal(leastStep(layout([NODES[0]], [[]]), [40], 10), 0);
});

test("a tree on its side gives every node its room, and no two of a depth overlap", () => {
  const needs = [90, 80, 40, 40, 30, 40, 40, 40];
  const { y, height } = lying(childrenOf(NODES), needs);
  assert.equal(height, 200);
  assert.deepEqual(y, [100, 40, 20, 60, 140, 100, 140, 180]);
  const high = lying(childrenOf(NODES), [10, 200, 40, 40, 10, 40, 40, 40]);
  assert.deepEqual([high.height, high.y[1], high.y[2], high.y[3]], [320, 100, 80, 120]);
  assert.deepEqual(["ArrowLeft", "ArrowDown", "Enter"].map(turned), ["ArrowUp", "ArrowRight", "Enter"]);
});

test("a recorded search at one of its events: what was entered is open until it is left", () => {
  const calls = [[0, false], [1, false], [1, true], [0, true]].map(([row, left], place) => ({ row, left, wrong: place === 2 }));
  assert.deepEqual([...standingAt(calls, 1)], [[0, "open"], [1, "open"]]);
  assert.deepEqual([...standingAt(calls, 2)], [[0, "open"], [1, "left"]]);
  assert.deepEqual([firstWrong(calls), firstWrong(calls.slice(0, 2))], [2, 1]);
});

test("solved screens are remembered once, and what is not theirs is not read", () => {
  const stored = new Map();
  const storage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, text) => stored.set(name, text) };
  const lessons = [{ name: "a", title: "A", screens: 3 }, { name: "b", title: "B", screens: 1 }];
  const said = (here) => wordsFor({ lessons: here ? lessons.slice(0, 1) : lessons, here }, marksIn(storage)).map(({ words }) => words).join("");
  assert.equal(said(null), "The screens that you solve are remembered in this browser only.");
  assert.equal(said(["a", 1]), "");
  for (const [lesson, screen] of [["a", 3], ["a", 1], ["a", 3], ["b", 1]]) markSolved(storage, lesson, screen);
  assert.deepEqual(marksIn(storage), { a: [1, 3], b: [1] });
  assert.equal(said(["a", 1]), "✓ Solved: 1, 3 of 3");
  assert.equal(said(null), "Solved in this browser: A 2 of 3 · B 1 of 1 ✓");
  markSolved(storage, "a", 2);
  assert.equal(said(["a", 1]), "✓ All 3 screens are solved.");
  for (const text of ["x", "null", "[]", '{"a": 7}', '{"a": ["<b>", 1]}', '{"a": [99]}']) {
    stored.set("plyscope.lessons", text);
    assert.equal(said(["a", 1]), "");
  }
  forgetMarks(storage);
  assert.deepEqual(marksIn(storage), {});
  markSolved({ getItem: () => null, setItem: () => { throw new Error("full"); } }, "a", 1);
});

test("arrow keys lead up, down and along a level", () => {
  const children = childrenOf(NODES);
  const laid = layout(NODES, children);
  const to = (key, row) => towards(key, row, NODES, children, laid);
  assert.deepEqual([to("ArrowDown", 0), to("ArrowUp", 0), to("ArrowRight", 3), to("ArrowLeft", 5), to("ArrowRight", 7), to("ArrowDown", 7)], [1, 0, 5, 3, 7, 7]);
});

test("a mark is set and taken away with all below it; the root takes none", () => {
  assert.deepEqual(subtree(NODES, 4), [4, 5, 6, 7]);
  const once = marked(NODES, {}, 4);
  assert.deepEqual(once, { 4: true, 5: true, 6: true, 7: true });
  assert.deepEqual(marked(NODES, once, 6), { 4: true, 5: true, 7: true });
  assert.deepEqual(marked(NODES, once, 4), {});
  assert.deepEqual(marked(NODES, {}, 0), {});
});

test("a move is chosen only where one is asked for", () => {
  assert.deepEqual(chosen(NODES, ["0"], {}, 4), { 0: 1 });
  assert.deepEqual(chosen(NODES, ["0"], { 0: 1 }, 5), { 0: 1 });
  assert.deepEqual(chosen(NODES, ["0", "4"], { 0: 1 }, 7), { 0: 1, 4: 2 });
});

test("children change places, and never get lost", () => {
  const once = first(NODES, {}, 7);
  assert.deepEqual(once, { 4: [2, 0, 1] });
  assert.deepEqual(first(NODES, once, 6), { 4: [1, 2, 0] });
  assert.deepEqual(shifted(NODES, once, 7, 1), { 4: [0, 2, 1] });
  assert.deepEqual(shifted(NODES, once, 7, -1), { 4: [2, 0, 1] });
  assert.deepEqual(shifted(NODES, once, 6, 1), { 4: [2, 0, 1] });
});

test("what is typed: i is infinity, and nothing is too long", () => {
  assert.deepEqual(["-i", "inf", "-Infinity", "12", "9".repeat(30)].map(typed), ["-∞", "∞", "-∞", "12", "9".repeat(16)]);
  assert.deepEqual(written({}, 3, "4"), { 3: "4" });
  assert.deepEqual(written({ 3: ["1", ""] }, 3, "9", 1), { 3: ["1", "9"] });
  assert.deepEqual([missing({ how: "window", parts: ["1", "4"] }, { 1: ["", "2"] }), missing({ how: "mark", parts: ["1"] }, {})], [1, 0]);
  assert.deepEqual([{}, { 1: "" }, { 1: ["", ""] }, { 1: ["", "2"] }, { 1: true }, { after: 0 }].map(filled), [0, 0, 0, 1, 1, 1]);
});

const done = (kind, difficulty, points, seed, hints = 0) => ({ kind, seed, difficulty, answer: {}, points, total: 4, hints });

test("difficulty grows with success and falls without", () => {
  const after = (...points) => nextDifficulty({ exercises: points.map((got, seed) => done("values", 2, got, seed)) }, "values", 2);
  assert.deepEqual([after(), after(4), after(4, 4), after(1, 2), after(4, 1), after(1, 4, 4)], [2, 2, 3, 1, 2, 3]);
  assert.equal(nextDifficulty({ exercises: [done("values", 5, 4, 1), done("values", 5, 4, 2)] }, "values", 5), 5);
  assert.equal(nextDifficulty({ exercises: [done("values", 2, 4, 1, 3), done("values", 2, 4, 2, 3)] }, "values", 2), 1); // shown, not solved
  assert.equal(nextDifficulty({ exercises: [done("move", 2, 4, 1), done("move", 2, 4, 2)] }, "values", 2), 2);
});

test("an exercise counts as it was answered first", () => {
  const once = withDone({ learner: "", exercises: [] }, done("values", 1, 2, 7));
  assert.equal(withDone(once, done("values", 1, 4, 7)), once);
  assert.deepEqual([firstOf(once, done("values", 1, 4, 7)).points, firstOf(once, done("values", 1, 4, 8))], [2, undefined]);
  assert.deepEqual(sums(withDone(once, done("move", 1, 4, 7))), { done: 2, solved: 1, points: 6, total: 8 });
  assert.deepEqual(sums(once, "move"), { done: 0, solved: 0, points: 0, total: 0 });
});

test("what cannot be read is as if nothing were kept", () => {
  const empty = { learner: "", exercises: [] };
  for (const text of [null, "", "{", "[]", '{"learner": 1, "exercises": []}', '{"learner": "", "exercises": [{"kind": 1}]}']) {
    assert.deepEqual(kept({ getItem: () => text }), empty);
  }
  const store = new Map();
  const storage = { getItem: (name) => store.get(name) ?? null, setItem: (name, text) => store.set(name, text) };
  const progress = { learner: "Ada", exercises: [done("values", 1, 2, 7)] };
  assert.equal(keep(storage, progress), true);
  assert.deepEqual(kept(storage), progress);
  assert.equal(keep({ setItem: () => { throw new Error("full"); } }, progress), false);
  assert.equal(localStore(), null); // no browser, or one that forbids it
  assert.deepEqual([kept(null), keep(null, progress)], [empty, false]);
});
