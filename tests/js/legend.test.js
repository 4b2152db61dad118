// The legend names the marks that a search uses, and no others.

import assert from "node:assert/strict";
import test from "node:test";

import { legendOf } from "../../visualizer/viewer/assets/draw/legend.js";
import { Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook, textbookMinimax } from "./textbook.js";
import { sideColours } from "../../visualizer/viewer/assets/draw/formatting.js";

const marks = (data, more) => legendOf(new Tree(data), more).map(([mark]) => mark);

test("alpha-beta has cutoffs and windows, minimax has not; both are sure of something so far", () => {
  assert.deepEqual(marks(textbook()), ["max", "min", "future", "path", "done", "cut", "skipped", "cause", "≥ ≤", "[α, β]"]);
  assert.deepEqual(marks(textbookMinimax()), ["max", "min", "future", "path", "done", "≥ ≤"]);
});

test("what is turned on is named too", () => {
  const data = textbook();
  data.columns.skippedValues = Int8Array.of(4, 6);
  const shown = marks(data, { best: true, folded: true });
  assert.ok(["(4)", "best", "+12k"].every((mark) => shown.includes(mark)));
});

test("a short name is explained by one of the moves", () => {
  const data = textbook();
  Object.assign(data.meta, { shortNames: { 1: "1<" }, moveNames: { 0: "0", 1: "<one>", 2: "2" } });
  assert.deepEqual(legendOf(new Tree(data)).at(-1), ["1&#60;", "&#60;one&#62;"]);
});

test("windows between two numbers that follow each other are explained where there are some", () => {
  const made = (alpha, beta, link) => ({ count: 1, pruning: true, columns: { link, skipped: [] }, meta: { words: {} }, alpha: () => alpha, beta: () => beta });
  const said = (tree) => legendOf(tree).some(([, words]) => words.startsWith("just above"));
  assert.equal(said(made(0, 5e-324, [-1])), true);
  assert.equal(said(made(0, 1, [-1])), false);
  assert.equal(said(made(0, 5e-324, undefined)), false); // neither probes nor passes
});

/** The contrast of two colours, "#rrggbb": 1 to 21. */
function contrast(one, other) {
  const light = (colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

test("the colours of the sides stand out on every background", () => {
  for (const [background, least] of [["#FFFFFF", 3.5], ["#16181B", 6], ["#0E1117", 6]]) {
    for (const colour of Object.values(sideColours(background))) assert.ok(contrast(colour, background) > least, `${colour} on ${background}`);
  }
  assert.deepEqual(sideColours("rgb(14, 17, 23)"), sideColours("#0E1117"));
});
