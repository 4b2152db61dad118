// What the pictures show of a cutoff, and where words stand: on the textbook tree.

import assert from "node:assert/strict";
import test from "node:test";

import { visibleCutoff } from "../../visualizer/viewer/assets/model/cause.js";
import { fitLabel } from "../../visualizer/viewer/assets/model/edge_labels.js";
import { fit } from "../../visualizer/viewer/assets/model/tidy_layout.js";
import { PictureTree } from "../../visualizer/viewer/assets/model/picture_tree.js";
import { Steps } from "../../visualizer/viewer/assets/model/trace.js";
import { textHtml } from "../../visualizer/viewer/assets/draw/text.js";
import { textbook } from "./textbook.js";

const made = () => {
  const tree = new PictureTree(textbook());
  return { tree, steps: new Steps(tree) };
};

test("at the step of a cutoff the way to its cause is shown, with what is compared", () => {
  const { tree, steps } = made();
  const t = steps.next("cutoff", 0);
  assert.deepEqual(visibleCutoff(tree, steps, t), { node: 5, ancestor: 0, child: 1, route: [5], test: "2 ≤ α = 3", shortTest: "2 ≤ 3", source: "α = 3", standsPat: false });
  assert.equal(visibleCutoff(tree, steps, t - 1), null);
  assert.equal(visibleCutoff(tree, steps, t + 1), null);
});

test("later it is shown for the node that is pointed at, and never before it has happened", () => {
  const { tree, steps } = made();
  const t = steps.next("cutoff", 0);
  assert.equal(visibleCutoff(tree, steps, t + 5, [5]).node, 5);
  assert.equal(visibleCutoff(tree, steps, t + 5, [-1, 5]).node, 5);
  assert.equal(visibleCutoff(tree, steps, t - 1, [5]), null);
  assert.equal(visibleCutoff(tree, steps, t + 5, [1]), null);
});

test("a level has the turns of its nodes", () => {
  const data = textbook();
  assert.deepEqual(new PictureTree(data).turns, [["max"], ["min"], ["max"]]);
  data.columns.flags[3] &= ~8;
  assert.deepEqual(new PictureTree(data).turns, [["max"], ["min"], ["min", "max"]]);
});

test("names of moves take the room they have", () => {
  assert.equal(fitLabel("2 from heap 1", "2/h1", "", 200, 10), "2 from heap 1");
  assert.equal(fitLabel("2 from heap 1", "2/h1", "", 40, 10), "2/h1");
  assert.equal(fitLabel("a long name", undefined, "", 40, 10), "a lon…");
});

test("the tree stands beside the names of the levels, and above what is below it", () => {
  const { scale, shift, rowGap, top } = fit(0, 10, 1000, 400, 3, { margin: 60, bottom: 20 });
  assert.ok(shift >= 60 && 10 * scale + shift <= 1000);
  assert.ok(top + 2 * rowGap <= 380);
});

test("large numbers are short where they still differ", () => {
  const data = textbook();
  for (const row of [6, 5]) data.columns.value[row] = -1_000_000;
  const tree = new PictureTree(data);
  const steps = new Steps(tree);
  assert.equal(visibleCutoff(tree, steps, steps.next("cutoff", 0)).test, "−1M ≤ α = 3");
});

test("the tree in words says what was compared, and which move is the cause", () => {
  const { tree, steps } = made();
  const words = textHtml(tree, steps, steps.next("cutoff", 0));
  assert.match(words, /cut off because 2 ≤ α = 3, skipped: 1, 2/);
  assert.match(words, /0: ▼ MIN, <b>3<\/b>, all moves tried: the cause of the cutoff/);
});
