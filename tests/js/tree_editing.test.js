// What an edit makes of a tree that is being built.

import assert from "node:assert/strict";
import test from "node:test";

import {
  parseTree, neighbourPath, nextLeaf, nodeAt, layoutTree, readName, readNumber, size, addChild, addSibling, updateNode, removeNode, serializeTree, switchChance,
} from "../../visualizer/viewer/assets/components/tree_builder/tree_editing.js";
import { addProbabilities, areSumsOne, complementText, fractionText, readFraction, readProbability } from "../../visualizer/viewer/assets/components/tree_builder/chance_editing.js";
import { planPicture } from "../../visualizer/viewer/assets/components/tree_builder/builder_picture.js";

const SENT = [[3, { name: "x", value: 12 }], { name: "C", move: "right", children: [2, 4, -6.5] }, 7];

test("a tree that was sent is written as it was", () => {
  assert.deepEqual(serializeTree(parseTree(SENT)), SENT);
  assert.deepEqual(serializeTree(parseTree(5)), 5);
  assert.equal(JSON.stringify(serializeTree(parseTree({ name: "a", value: 1 }))), '{"name":"a","value":1}');
});

test("a child is added behind the others; a leaf hands its value down", () => {
  const tree = parseTree(SENT);
  const inner = addChild(tree, [1]);
  assert.deepEqual([inner.path, nodeAt(inner.tree, [1, 3]).value, size(inner.tree)], [[1, 3], 0, size(tree) + 1]);
  const leaf = addChild(tree, [2]);
  assert.deepEqual([leaf.path, serializeTree(leaf.tree)[2]], [[2, 0], [7]]);
  assert.deepEqual(serializeTree(tree), SENT);
});

test("a node is deleted with all below it, the root never, and a node without children is a leaf", () => {
  const tree = parseTree(SENT);
  assert.deepEqual(serializeTree(removeNode(tree, [1]).tree), [SENT[0], 7]);
  assert.deepEqual(removeNode(tree, [2]).path, [1]);
  assert.equal(removeNode(tree, []).tree, tree);
  const only = removeNode(parseTree([[5], 1]), [0, 0]);
  assert.deepEqual([serializeTree(only.tree), only.path], [[0, 1], [0]]);
});

test("facts are of one node only", () => {
  const { tree } = updateNode(parseTree(SENT), [0, 0], { value: 9, move: "a" });
  assert.deepEqual(serializeTree(tree)[0], [{ move: "a", value: 9 }, SENT[0][1]]);
  assert.deepEqual(serializeTree(tree).slice(1), SENT.slice(1));
});

test("arrow keys go to neighbours, and stay where there are none", () => {
  const tree = parseTree(SENT);
  const pressed = (path, ...keys) => keys.reduce((at, key) => neighbourPath(tree, at, `Arrow${key}`), path);
  assert.deepEqual(pressed([], "Up", "Left", "Right"), []);
  assert.deepEqual(pressed([], "Down", "Right", "Down", "Right", "Right", "Right"), [1, 2]);
  assert.deepEqual(pressed([1, 2], "Down"), [1, 2]);
  assert.deepEqual(pressed([1, 2], "Up", "Left"), [0]);
  assert.deepEqual([nextLeaf(tree, [0, 1]), nextLeaf(tree, [2])], [[1, 0], [2]]);
});

test("leaves stand side by side, parents above the middle of their children", () => {
  const { nodes, leaves, height } = layoutTree(parseTree(SENT));
  assert.deepEqual([leaves, height, nodes.length], [6, 2, 9]);
  const x = Object.fromEntries(nodes.map((place) => [place.path.join(), place.x]));
  assert.deepEqual([x["0,0"], x["0,1"], x["0"], x["1"], x["2"]], [0, 1, 0.5, 3, 5]);
  assert.equal(x[""], (x["0"] + x["2"]) / 2);
});

test("numbers are finite, and names have one line", () => {
  assert.deepEqual(["3", " −2.5 ", "+.5", "1e3", "1e999", "nan", "", "0x10", "3a"].map(readNumber), [3, -2.5, 0.5, 1000, null, null, null, null, null]);
  assert.equal(readName(" a\u0000\u202e\nb\t "), "ab");
  assert.equal(readName("x".repeat(80)).length, 60);
});

test("a sibling is added behind the last one", () => {
  const { tree, path } = addSibling(parseTree(SENT), [0, 0]);
  assert.deepEqual([path, nodeAt(tree, [0]).children.length], [[0, 2], 3]);
});

test("thirty leaves with long numbers fit a screen, and no two values overlap", () => {
  const measure = (text, size) => 0.6 * size * text.length;
  const plan = (values, width) => planPicture(layoutTree(parseTree(values)), { width, tall: 320 }, measure);
  const wide = plan(Array.from({ length: 30 }, (_, leaf) => -1234 - leaf), 1230);
  assert.equal(wide.width, 1230);
  assert.ok(wide.column >= measure("−1234", wide.text));
  const phone = plan(Array.from({ length: 30 }, () => 123456789), 360); // scrolls, but does not overlap
  assert.ok(phone.width > 360 && phone.column >= measure("123M", phone.text));
});

const DRAWN = [5, { chance: [{ p: "1/2", children: [4, 9] }, { p: "1/3", name: "b", value: 3 }, { p: 1 / 6, chance: [{ p: "1", value: 0 }] }] }];

test("chance nodes are written as they were sent", () => {
  assert.deepEqual(serializeTree(parseTree(DRAWN)), DRAWN);
  assert.deepEqual(layoutTree(parseTree(DRAWN)).nodes.map(({ turn }) => turn), ["first", "other", "chance", "other", "first", "first", "other", "chance", "other"]);
});

test("probabilities are exact fractions", () => {
  assert.deepEqual(["1/3", "0.25", " 2/4 ", 0.5, "1"].map((given) => fractionText(readFraction(given))), ["1/3", "1/4", "1/2", "1/2", "1"]);
  assert.ok(readFraction(2e-7));
  for (const wrong of ["", "0", "3/2", "1/0", "-1/2", "1e-3", "x", "1/2/3"]) assert.equal(readFraction(wrong), null, wrong);
  assert.equal(fractionText(addProbabilities([{ p: "1/2" }, { p: "1/3" }, { p: "0.1" }])), "14/15");
});

test("a chance node has equal outcomes at first, and its sum stays 1", () => {
  const drawn = switchChance(parseTree(SENT), []).tree;
  assert.deepEqual(drawn.children.map(({ p }) => p), ["1/3", "1/3", "1/3"]);
  assert.deepEqual(addChild(drawn, []).tree.children.map(({ p }) => p), ["1/4", "1/4", "1/4", "1/4"]);
  const fractions = { chance: [{ p: "1/2", value: 1 }, { p: "1/3", value: 2 }, { p: "1/6", value: 3 }] };
  assert.deepEqual(addChild(parseTree(fractions), []).tree.children.map(({ p }) => p), ["1/2", "1/3", "1/12", "1/12"]);
  for (const removed of [0, 1, 2]) assert.ok(areSumsOne(removeNode(parseTree(fractions), [removed]).tree));
  assert.ok(!areSumsOne(updateNode(parseTree(fractions), [1], { p: "1/4" }).tree));
  assert.deepEqual(serializeTree(switchChance(drawn, []).tree), SENT);
});

test("a probability may be typed as a percentage, and the other of two outcomes gets what is left", () => {
  const typed = ["70%", "33.3 %", "100%", "2,5%", "0.25", "1/3", "0%", "101%", "%", "x"];
  assert.deepEqual(typed.map(readProbability), ["0.7", "0.333", "1", "0.025", "0.25", "1/3", null, null, null, null]);
  assert.deepEqual(["0.7", "1/3", "0.125", "1", 0.25].map(complementText), ["0.3", "2/3", "0.875", "", "0.75"]);
});
