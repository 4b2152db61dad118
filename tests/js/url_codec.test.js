// What a link says of the view, on the textbook tree.

import assert from "node:assert/strict";
import test from "node:test";

import { aimOf, cameraOf } from "../../visualizer/viewer/assets/model/camera.js";
import { readParams, readStep, writeParams } from "../../visualizer/viewer/assets/input/url_codec.js";
import { Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook } from "./textbook.js";
import { VIEWER_PARAMS } from "./viewer_params.js";

const tree = new Tree(textbook());
const read = (text) => readParams(new URLSearchParams(text), VIEWER_PARAMS, tree);
const write = (state) => writeParams(state, VIEWER_PARAMS, tree);
const CHECKED = VIEWER_PARAMS.map(({ name }) => name).filter((name) => name !== "step" && name !== "marks"); // those are read elsewhere

test("what is usual is not said", () => {
  assert.deepEqual(new Set(Object.values(write({}))), new Set([""]));
  assert.deepEqual(read("game=nim&step=4"), { wrong: [] });
});

test("what is seen comes back from a link as it went in", () => {
  const state = { viewName: "path", aim: { middle: 2.25, across: 4.5 }, folded: [1, 5], tab: "node", selected: 6, best: true, lecture: true };
  const text = new URLSearchParams(Object.entries(write(state)).filter(([, part]) => part)).toString();
  assert.equal(decodeURIComponent(text), "view=path&cam=2.25,4.5&fold=1,5&tab=node&node=6&best=1&lecture=1"); // as in links of before
  assert.deepEqual(read(text), { ...state, wrong: [] });
  assert.equal(write({ t: 4, bookmarks: [{ step: 2, note: "x" }] }).marks, '[[2,"x"]]');
});

test("what a link says wrongly is left out, and named", () => {
  const bad = {
    view: ["", "pathy", "<b>", "constructor"],
    cam: ["", "1", "1,0", "1,-2", "1,2,3", "NaN,1", "1e9,1", "Infinity,1", "1,0x10", "9999999999,1"],
    colour: ["", "red", "constructor"],
    range: ["", "3", "5-2", "2-2", "0-99", "-1-2", "1-2-3", "a-b"],
    fold: ["", "99", "2", "-1", "1,", "1,a", "1.5", "0x1", `${"1,".repeat(200)}1`],
    tab: ["", "toString", "Code"],
    node: ["", "11", "-1", "1e1", "1 ", "9".repeat(40)],
    pass: ["", "0", "1", "x"], // the textbook search has no driver
    best: ["", "0", "yes"],
    lecture: ["", "true"],
  };
  assert.deepEqual(Object.keys(bad), CHECKED);
  for (const [name, texts] of Object.entries(bad)) {
    for (const text of texts) assert.deepEqual(read(new URLSearchParams({ [name]: text })).wrong, [name], `${name}=${text}`);
  }
  assert.deepEqual(read("fold=1,99").folded, [1]); // what can be used of it is
});

test("any text is read without harm", () => {
  let seed = 7;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const signs = "0123456789,.-+eE xpath[]{}<>%\u0000\ud800∞";
  for (let round = 0; round < 2000; round++) {
    const parameters = new URLSearchParams(CHECKED.map((name) => [name, Array.from({ length: random(12) }, () => signs[random(signs.length)]).join("")]));
    const seen = read(parameters);
    for (const row of [...(seen.folded ?? []), ...(seen.wrong.includes("node") ? [] : [seen.selected])]) assert.ok(row >= 0 && row < tree.count);
    if (seen.aim) assert.ok(seen.aim.across > 0 && Number.isFinite(seen.aim.middle));
  }
});

test("a camera shows the same in another width", () => {
  const aim = aimOf({ scale: 40, shift: -80 }, 800);
  assert.deepEqual(cameraOf(aim, 800), { scale: 40, shift: -80 });
  assert.deepEqual(cameraOf(aim, 400), { scale: 20, shift: -40 });
});

test("a step is one of the tree's, or none", () => {
  const named = ["5", "32", "-1", "x", ""].map((step) => readStep(new URLSearchParams({ step }), 32));
  assert.deepEqual([...named, readStep(new URLSearchParams(), 32)], [5, null, null, null, null, null]);
});
