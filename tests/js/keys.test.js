import assert from "node:assert/strict";
import test from "node:test";
import { ACTIONS } from "../../visualizer/viewer/assets/input/controls.js";
import { actionOf, helpHtml, KEY_ROWS, reminderHtml, withKey } from "../../visualizer/viewer/assets/input/keys.js";

const KEYS = KEY_ROWS.flatMap((row) => row.keys);

test("every key has an action, and every action a key of its own", () => {
  assert.deepEqual(KEYS.map(([, , action]) => action).sort(), Object.keys(ACTIONS).sort());
  assert.equal(new Set(KEYS.map(([, key]) => key)).size, KEYS.length);
});

test("a pressed key means its action, in capitals too, but not together with Ctrl", () => {
  for (const [, key, action] of KEYS) assert.equal(actionOf({ key }), action);
  assert.equal(actionOf({ key: "N" }), "nextCut");
  assert.equal(actionOf({ key: "n", ctrlKey: true }), undefined);
  assert.equal(actionOf({ key: "x" }), undefined);
});

test("help, reminder and titles name the keys", () => {
  for (const [label] of KEYS) assert.ok(helpHtml().includes(label));
  assert.ok(reminderHtml().includes("<kbd>N</kbd> <kbd>P</kbd> cutoff"));
  assert.equal(withKey("Next leaf", "leaf"), "Next leaf (L)");
});
