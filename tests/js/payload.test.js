import assert from "node:assert/strict";
import { test } from "node:test";

import { decode } from "../../visualizer/viewer/assets/model/payload.js";
import { textbook, textbookBytes } from "./textbook.js";

test("columns come back as they were sent", () => {
  assert.deepEqual(decode(textbookBytes()), textbook());
  assert.deepEqual(decode(textbookBytes().buffer), textbook());
});

test("bytes at any place of a larger frame are read", () => {
  const bytes = textbookBytes();
  for (let shift = 1; shift < 9; shift++) {
    const frame = new Uint8Array(bytes.length + shift + 3);
    frame.set(bytes, shift);
    assert.deepEqual(decode(frame.subarray(shift, shift + bytes.length)), textbook());
  }
});

test("data that is cut short is refused at any length", () => {
  const bytes = textbookBytes();
  for (let length = 0; length < bytes.length - 8; length++) {
    assert.throws(() => decode(bytes.slice(0, length)), /cut short/, `${length} bytes`);
  }
});

test("another version is refused with a word on what to do", () => {
  assert.throws(() => decode(textbookBytes({ version: 2 })), /version 2, this viewer reads version 1: reload/);
});

test("a damaged header is refused", () => {
  const bytes = textbookBytes();
  bytes[4] = 0;
  assert.throws(() => decode(bytes), /is not JSON/);
});
