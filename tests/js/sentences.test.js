import assert from "node:assert/strict";
import { test } from "node:test";

import { number } from "../../visualizer/viewer/assets/model/numbers.js";
import { sentence } from "../../visualizer/viewer/assets/model/sentences.js";
import { codeLine } from "../../visualizer/viewer/assets/model/pseudocode.js";
import { matchesFacts } from "../../visualizer/viewer/assets/model/rules.js";
import { Steps, Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook } from "./textbook.js";

// The choice of words is compared with sentences.py by test_viewer_logic.py; here is what only JavaScript can get wrong.

test("numbers are written for people", () => {
  assert.equal(number(-3), "−3");
  assert.equal(number(-0), "0");
  assert.equal(number(-Infinity), "−∞");
  assert.equal(number(0.1234567), "0.123457");
  assert.equal(number(1e300), "1e300");
  assert.equal(number(-2.5e-7), "−2.5e−7");
});

test("what is filled in is never read as a template", () => {
  const data = textbook();
  data.meta.moveNames[0] = "{side} $& <b>";
  const tree = new Tree(data);
  assert.equal(sentence(tree, new Steps(tree), 1), "MAX tries move {side} $& <b>.");
});

test("a step without words and a fact that is not known are errors", () => {
  const tree = new Tree(textbook());
  assert.throws(() => sentence(tree, new Steps(tree), 0), /there is no rule for {.*"step":"enter"/);
  assert.throws(() => codeLine(tree, new Steps(tree), new Steps(tree).at(0)), /no line of the pseudo-code is for/);
  assert.throws(() => matchesFacts({ weather: "fine" }, { step: "enter" }), /there is no fact weather/);
});
