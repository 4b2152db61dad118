import assert from "node:assert/strict";
import { test } from "node:test";

import { number, sentence } from "../../visualizer/viewer/assets/sentences.js";
import { Steps, Tree } from "../../visualizer/viewer/assets/trace.js";
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
  const templates = { "enter.full": "{mover} tries {move}.", "side.max": "MAX", "stopped.": "" };
  assert.equal(sentence({ templates }, tree, new Steps(tree), 1), "MAX tries move {side} $& <b>.");
});
