import assert from "node:assert/strict";
import { test } from "node:test";

import { Steps, Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook } from "./textbook.js";

const tree = new Tree(textbook());
const steps = new Steps(tree);
const all = Array.from({ length: steps.length }, (_, t) => steps.at(t));

test("the tree answers about its nodes", () => {
  assert.deepEqual(tree.children(0), [1, 5, 7]);
  assert.deepEqual(tree.children(2), []);
  assert.deepEqual(tree.path(9), [0, 7, 9]);
  assert.deepEqual([0, 1, 6].map((i) => tree.parent(i)), [-1, 0, 5]);
  assert.deepEqual([0, 5, 6].map((i) => tree.status(i)), ["exhausted", "cutoff", "terminal"]);
  assert.deepEqual([0, 1, 5, 7].map((i) => tree.bound(i)), ["exact", "exact", "upper", "exact"]);
  assert.deepEqual(tree.principalVariation(), [0, 1, 2]);
  assert.deepEqual(tree.skippedMoves(5), [1, 2]);
  assert.deepEqual(tree.skippedMoves(7), []);
  assert.deepEqual([tree.size(0), tree.size(5), tree.size(6)], [11, 2, 1]);
});

test("every node is entered, left and comes back", () => {
  assert.equal(steps.length, 3 * tree.count - 1);
  const counted = (kind) => all.filter((step) => step.kind === kind).length;
  assert.deepEqual(["enter", "evaluate", "cutoff", "leave", "return"].map(counted), [11, 7, 1, 3, 10]);
  for (let i = 0; i < tree.count; i++) {
    assert.deepEqual([all[steps.enter(i)].kind, all[steps.enter(i)].node], ["enter", i]);
    assert.deepEqual([all[steps.leave(i)].node, all[steps.leave(i)].value], [i, tree.value(i)]);
  }
});

test("the cutoff names its cause", () => {
  const cutoff = all.find((step) => step.kind === "cutoff");
  assert.deepEqual(cutoff.cause, { ancestor: 0, child: 1, bound: 3 });
  assert.deepEqual([cutoff.node, cutoff.value, cutoff.bound, cutoff.skippedMoves], [5, 2, "upper", [1, 2]]);
});

test("nothing of the future is seen", () => {
  for (let t = 0; t < steps.length; t++) {
    for (let i = 0; i < tree.count; i++) {
      const left = t >= steps.leave(i);
      const state = t < steps.enter(i) ? "future" : !left ? "path" : i === 5 ? "cut" : "done";
      assert.equal(steps.stateAt(i, t), state);
      assert.equal(steps.visibleValue(i, t), left ? tree.value(i) : null);
      assert.equal(steps.areStubsVisible(i, t), left && i === 5);
    }
    assert.equal(steps.expandedAt(t), all.slice(0, t + 1).filter((step) => step.kind === "enter").length);
  }
});

test("the path at any time is the current node and what is above it", () => {
  for (const { number, kind, node } of all) {
    const path = tree.path(node).filter((i) => steps.stateAt(i, number) === "path");
    assert.deepEqual(path, kind === "enter" || kind === "return" ? tree.path(node) : tree.path(node).slice(0, -1));
  }
});

test("a node's window and value so far are those of its last step", () => {
  for (const { number, node, alpha, beta, best } of all) assert.deepEqual(steps.windowAt(node, number), { alpha, beta, best });
});

test("jumps find the nearest step of their kind, or null", () => {
  const first = (t, wanted) => all.find((step) => step.number > t && wanted(step))?.number ?? null;
  const last = (t, wanted) => all.findLast((step) => step.number < t && wanted(step))?.number ?? null;
  for (let t = 0; t < steps.length; t++) {
    assert.equal(steps.next("cutoff", t), first(t, (step) => step.kind === "cutoff"));
    assert.equal(steps.previous("cutoff", t), last(t, (step) => step.kind === "cutoff"));
    assert.equal(steps.nextLeaf(t), first(t, (step) => step.kind === "evaluate"));
    assert.equal(steps.nextRootChange(t), first(t, (step) => step.kind === "return" && step.node === 0 && step.improves));
  }
});

test("step over leaves the node, step out comes back to its parent", () => {
  for (const { number, kind, node } of all) {
    const next = Math.min(number + 1, steps.length - 1);
    assert.equal(steps.stepOver(number), kind === "enter" ? steps.leave(node) : next);
    const out = all[steps.stepOut(number)];
    if (node === 0) assert.equal(out.number, steps.length - 1);
    else assert.deepEqual([out.kind, out.node, out.child], ["return", tree.parent(node), node]);
  }
});

test("a step that does not exist is an error", () => {
  for (const t of [-1, 0.5, steps.length, NaN]) assert.throws(() => steps.at(t), /the search has 32/);
});
