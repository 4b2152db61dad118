// The list of moves of a reviewed game.

import assert from "node:assert/strict";
import test from "node:test";

import { plyAfterKey } from "../../visualizer/viewer/assets/components/move_list/move_list.js";

test("the arrow keys go through the moves, and no further", () => {
  assert.deepEqual(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].map((key) => plyAfterKey(5, key, 6)), [4, 6, 3, 6, 0, 6]);
  assert.equal(plyAfterKey(0, "ArrowUp", 6), 0);
  assert.equal(plyAfterKey(3, "a", 6), null);
});
