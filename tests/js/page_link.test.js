// The link of a page.

import assert from "node:assert/strict";
import test from "node:test";

import { noteFor } from "../../visualizer/viewer/assets/components/page_link/page_link.js";

test("a code says why others cannot open it", () => {
  assert.equal(noteFor({ link: "https://lab7.example.org/play?moves=3", svg: "<svg/>" }), "");
  for (const host of ["localhost:8501", "127.0.0.1:8501", "[::1]:8501"]) {
    assert.match(noteFor({ link: `http://${host}/`, svg: "<svg/>" }), /only on this computer/);
  }
  assert.match(noteFor({ link: "https://lab7.example.org/", svg: "" }), /too long/);
});
