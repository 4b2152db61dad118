// What is drawn of a board, and where it can be clicked on.

import assert from "node:assert/strict";
import { test } from "node:test";

import { boardAt, boardSvg } from "../../visualizer/viewer/assets/draw/board.js";
import { previewSvg, boardAfter, clickTargets } from "../../visualizer/viewer/assets/components/board_picker/board_picker.js";
import { childTargets } from "../../visualizer/viewer/assets/components/board_picker/tree_board.js";
import { layoutTree, parseTree } from "../../visualizer/viewer/assets/components/tree_builder/tree_editing.js";

const sizeOf = (svg) => /viewBox="([^"]*)"/.exec(svg)[1];
const count = (svg, what) => svg.split(what).length - 1;
const HEAPS = { shape: "heaps", rows: 2, cols: 12, cells: [12, 3], pieces: [], falls: false, labels: ["<b>", "heap 1"] };
const PIECES = [
  { letter: ".", side: "", look: "disc" }, { letter: "X", side: "max", look: "cross" }, { letter: "O", side: "min", look: "ring" },
  { letter: "<", side: "", look: "letter" }, { letter: "D", side: "min", look: "disc" },
];
const GRID = { shape: "squares", rows: 2, cols: 3, cells: [0, 1, 2, 3, 4, 0], pieces: PIECES, falls: false, labels: [] };

/** A line of moves with these changes, from a board. */
function line(board, changes) {
  return { meta: { board }, path: (row) => [...changes.keys(), changes.length].slice(0, row + 1), changes: (row) => changes[row - 1] };
}

test("a board at a node is that of the root with all changes on the way", () => {
  const tree = line(GRID, [[[0, 1]], [[5, 2], [0, 2]], [[4, 1], [5, 0]]]);
  assert.deepEqual([0, 1, 2, 3].map((row) => boardAt(tree, row).cells.join("")), ["012340", "112340", "212342", "212310"]);
  assert.deepEqual([1, 2, 3].map((row) => boardAt(tree, row).last), [[0], [5], [4]]); // what was filled, or else replaced
  assert.equal(boardAt({ meta: { board: null } }, 0), null);
  assert.equal(boardSvg(null), "");
});

test("every piece is drawn once, and letters are text, never markup", () => {
  const svg = boardSvg(GRID, new Map([[0, "tried"], [1, "skipped"]]));
  assert.equal(count(svg, 'class="stone"'), 2);
  assert.equal(count(svg, "<circle"), 2); // the ring and the disc
  assert.ok(svg.includes("&#60;") && !svg.includes("<<"));
  assert.equal(count(svg, 'class="mark'), 1); // none where a piece stands
});

test("an untried move on a square is a dot, which does not look like a piece", () => {
  const untried = (board, cell) => boardSvg(board, new Map([[cell, "untried"]])).match(/<circle[^>]*class="mark[^>]*>/)[0];
  assert.match(untried({ ...GRID, shape: "squares", falls: false }, GRID.cells.indexOf(0)), /class="mark dot"/);
});

test("rows have their names beside the board, and empty squares their own", () => {
  const [top, bottom] = [boardSvg(GRID), boardSvg({ ...GRID, row_labels: ["1", "<2>"], cell_labels: ["a", "b", "c", "d", "e", "f"] })];
  const [left, , width] = sizeOf(bottom).split(" ").map(Number);
  const [, , narrow] = sizeOf(top).split(" ").map(Number);
  assert.equal(width, narrow - 2 - left); // the board itself stays where it is
  assert.ok(bottom.includes(">1</text>") && bottom.includes("&#60;2"));
  assert.deepEqual([..."abcdef"].filter((name) => bottom.includes(`>${name}</text>`)), ["a", "f"]);
});

test("heaps keep their size while sticks are taken, and leave little of their place empty", () => {
  const tree = line(HEAPS, [[[0, 0]], [[1, 0]]]);
  assert.equal(new Set([0, 1, 2].map((row) => sizeOf(boardSvg(boardAt(tree, row))))).size, 1);
  const [, , width, height] = sizeOf(boardSvg({ ...HEAPS, rows: 3, cols: 5, cells: [3, 4, 5] })).split(" ").map(Number);
  assert.ok(width < 240 && height < 140, `${width} × ${height} for heaps of 3, 4 and 5`);
  assert.ok(!boardSvg(HEAPS).includes("<b>"));
});

test("cells that fill a rectangle are one target, others are one each", () => {
  const falling = { ...GRID, shape: "holes", falls: true, labels: ["0", "1", "2"] };
  const [column, ...corners] = clickTargets({ board: falling, cells: { 1: [1, 4], 2: [0, 5] } });
  assert.deepEqual([column.move, column.x, column.y, column.width, column.height], [1, 40, 0, 40, 30 + 80 + 26]);
  assert.deepEqual(corners.map(({ move }) => move), [2, 2]);
  assert.deepEqual(clickTargets({ board: null, cells: {} }), []);
});

test("a stick that is not drawn cannot be clicked on", () => {
  const board = { ...HEAPS, cols: 40, cells: [40, 3] };
  assert.deepEqual(clickTargets({ board, cells: { 1: [39], 17: [23], 1003: [40] } }).map(({ move }) => move), [17, 1003]);
});

test("a move is seen on the board before the server has answered", () => {
  const { board, last } = boardAfter({ board: GRID, changes: { 7: [[0, 2], [4, 2], [3, 0]] } }, 7);
  assert.deepEqual([board.cells[0], board.cells[4], board.cells[3]], [2, 2, 0]);
  assert.deepEqual(last, [0, 4].filter((cell) => !GRID.cells[cell]));
});

test("a move that is pointed at shows all that it would change", () => {
  const shown = previewSvg({ board: GRID, changes: { 7: [[0, 2], [4, 2], [3, 0]] }, toMove: "min" }, 7);
  assert.equal(count(shown, "<circle"), 2);
  assert.equal(previewSvg({ board: GRID, changes: {}, toMove: "min" }, 7), "");
  assert.match(previewSvg({ board: HEAPS, changes: { 2: [[0, 10]] }, toMove: "max" }, 2), /<rect x="191" y="9" width="26"/);
});

test("in a tree of numbers the children of the current node can be clicked, and nothing else", () => {
  const layout = layoutTree(parseTree([[3, 12, 8], [2, 4]]));
  const plan = { column: 40, at: ({ x, depth }) => [40 * x, 100 * depth] };
  const middles = (path) => childTargets(layout, plan, path).map(({ move, x, y, width, height }) => [move, x + width / 2, y + height / 2]);
  assert.deepEqual(middles([]), [[0, 40, 100], [1, 140, 100]]);
  assert.deepEqual(middles([1]), [[0, 120, 200], [1, 160, 200]]);
  assert.deepEqual(middles([1, 0]), []);
});
