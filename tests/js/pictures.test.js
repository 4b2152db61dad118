// What the pictures are made of: layouts and questions, on the textbook tree.

import assert from "node:assert/strict";
import test from "node:test";

import {
  fit, moved, pathRows, visibleRows, visibleSlots, wholeTree, withoutOverlap, zoomed,
} from "../../visualizer/viewer/assets/model/tidy_layout.js";
import { firstAtLeast } from "../../visualizer/viewer/assets/model/binary_search.js";
import { compact, numberFormat, number, windowText, withBound } from "../../visualizer/viewer/assets/draw/formatting.js";
import { foldedCode } from "../../visualizer/viewer/assets/model/pseudocode.js";
import { PILL_HEIGHT } from "../../visualizer/viewer/assets/draw/canvas.js";
import { pillBelow, trayOutline } from "../../visualizer/viewer/assets/draw/path_view.js";
import { cardHtml, nodeHtml, standPatText, windowSvg } from "../../visualizer/viewer/assets/draw/panels.js";
import { nextQuestion, questionAt } from "../../visualizer/viewer/assets/components/tree_viewer/predict.js";
import { scoreText } from "../../visualizer/viewer/assets/input/prediction_box.js";
import { Steps, Tree } from "../../visualizer/viewer/assets/model/trace.js";
import { textbook, textbookMinimax } from "./textbook.js";

const made = () => {
  const tree = new Tree(textbook());
  return { tree, steps: new Steps(tree) };
};

test("leaves and skipped moves stand side by side, parents above the middle of what they have", () => {
  const { x, levels, places, stubs } = wholeTree(made().tree);
  assert.equal(places, 9);
  assert.deepEqual([...levels[1]], [1, 5, 7]);
  assert.deepEqual([x[2], x[3], x[4], x[1]], [0, 1, 2, 1]);
  assert.deepEqual(stubs[2], { x: [4, 5], owner: [5, 5], index: [0, 1] });
  assert.deepEqual([x[6], x[5]], [3, 4]);
  assert.equal(x[0], (x[1] + x[7]) / 2);
});

test("a folded subtree takes one place, with all that is below it there", () => {
  const { x, levels, places, stubs, reach } = wholeTree(made().tree, new Set([5]));
  assert.equal(places, 7);
  assert.deepEqual([x[5], x[6]], [3, 3]);
  assert.deepEqual([...levels[2]], [2, 3, 4, 8, 9, 10]);
  assert.deepEqual(stubs, []);
  assert.deepEqual(reach(7), { left: 4, right: 6 });
});

test("a subtree reaches as far as its skipped moves", () => {
  assert.deepEqual(wholeTree(made().tree).reach(5), { left: 3, right: 5 });
});

test("a deep path shows the rows down to one below the current depth", () => {
  assert.deepEqual(visibleRows(3, 3, 440), { first: 0, count: 4 });
  assert.deepEqual(visibleRows(20, 0, 440), { first: 0, count: 7 });
  assert.deepEqual(visibleRows(20, 10, 440), { first: 5, count: 7 });
  assert.deepEqual(visibleRows(20, 20, 440), { first: 14, count: 7 });
});

test("of more moves than fit, those around the path are shown", () => {
  const items = Array.from({ length: 100 }, (_, slot) => ({ kind: "node", row: slot, slot, slots: 100 }));
  const seen = (row) => {
    const { items: shown, before, after } = visibleSlots(items, row, 10);
    return [shown.length, shown[0].row, shown[0].slot, shown[0].slots, before, after];
  };
  assert.deepEqual(seen(0), [10, 0, 0, 10, 0, 90]);
  assert.deepEqual(seen(50), [10, 45, 0, 10, 45, 45]);
  assert.deepEqual(seen(99), [10, 90, 0, 10, 90, 0]);
  assert.equal(visibleSlots(items, 3, 100).items, items);
});

test("a camera never loses the tree", () => {
  const start = { scale: 10, shift: 0 };
  let camera = start;
  for (let i = 0; i < 50; i++) camera = zoomed(camera, 0.5, 300, 100, 900);
  assert.ok(camera.scale * 99 > 300 && camera.shift < 900 && camera.shift + 99 * camera.scale > 0);
  const aside = moved(start, 1e6, 100, 900);
  assert.ok(aside.shift < 900);
  assert.equal(moved(start, 5, 100, 900).shift, 5);
});

test("labels never lie on each other", () => {
  const items = [0, 10, 20, 30, 60].map((x) => ({ text: "abc", x }));
  const kept = withoutOverlap(items, (text) => text.length * 6, 2, 3);
  assert.deepEqual(kept.map(({ x, line }) => [x, line]), [[0, 0], [10, 1], [30, 0], [60, 0]]);
});

test("a row of the path view holds every move once, skipped ones too", () => {
  const rows = pathRows(made().tree, [0, 5]);
  assert.deepEqual(rows.map((row) => row.map((item) => item.kind)), [["node"], ["node", "node", "node"], ["node", "stub", "stub"]]);
  assert.deepEqual(rows[2].map((item) => item.name), ["0", "1", "2"]);
});

test("a move keeps its place where moves are columns or cells are few", () => {
  const slots = (board, moveCells) => {
    const data = textbook();
    Object.assign(data.meta, { board, moveCells });
    return pathRows(new Tree(data), [0, 5]).slice(1).map((row) => row.map(({ slot, slots }) => `${slot}/${slots}`).join(" "));
  };
  const few = { falls: false, cols: 2, cells: [0, 0, 0, 0] };
  const many = { falls: false, cols: 5, cells: new Array(20).fill(0) };
  assert.deepEqual(slots(few, { 0: 3, 1: 0, 2: 1 }), ["0/4 1/4 3/4", "0/4 1/4 3/4"]);
  assert.deepEqual(slots(many, { 0: 3, 1: 0, 2: 1 }), ["0/3 1/3 2/3", "0/3 1/3 2/3"]);
  assert.deepEqual(slots({ ...many, falls: true }, { 0: 19, 1: 0, 2: 1 }), ["0/5 1/5 4/5", "0/5 1/5 4/5"]);
  assert.deepEqual(slots(few, { 0: 3, 1: 0, 2: 3 }), ["0/3 1/3 2/3", "0/3 1/3 2/3"]); // one is searched again
  assert.deepEqual(slots(few, { 0: 3, 1: 0, 2: null }), ["0/3 1/3 2/3", "0/3 1/3 2/3"]); // no cell stands for one of them
});

test("visible nodes are found by binary search", () => {
  const x = [0, 10, 20, 30];
  assert.deepEqual([-1, 0, 5, 30, 31].map((left) => firstAtLeast(4, (i) => x[i], left)), [0, 0, 1, 3, 4]);
});

test("fitting shows both ends", () => {
  const { scale, shift } = fit(10, 20, 1000, 400, 3);
  assert.ok(10 * scale + shift >= 0 && 20 * scale + shift <= 1000);
});

test("predictions are asked where the search decides", () => {
  const { tree, steps } = made();
  assert.equal(nextQuestion(tree, steps, 0), steps.leave(4)); // before MIN's last child no cut is possible
  const before = steps.next("cutoff", 0) - 1;
  assert.deepEqual(questionAt(tree, steps, before), {
    kind: "cutoffs",
    words: "Will MIN be cut off here?",
    choices: ["Yes, cutoff", "No, it continues"],
    answer: 0,
    outcome: before + 1,
    reason: "2 ≤ α = 3, so the remaining moves cannot change the result.",
  });
  assert.equal(questionAt(tree, steps, 0), null);
});

test("before the last child comes back, the value of its parent is asked for", () => {
  const { tree, steps } = made();
  const { words, choices, answer, outcome, reason } = questionAt(tree, steps, steps.leave(4));
  assert.match(words, /MIN's last move/);
  assert.deepEqual([choices, choices[answer]], [["3", "8", "12"], "3"]);
  assert.deepEqual([outcome, reason], [steps.leave(1), "MIN takes the smallest of 3, 12 and 8."]);
});

test("the reason of every answer is in the numbers that are seen at its outcome", () => {
  for (const made of [textbook(), textbookMinimax()]) {
    const tree = new Tree(made);
    const steps = new Steps(tree);
    for (let t = 0; t < steps.length; t++) {
      const question = questionAt(tree, steps, t);
      if (!question) continue;
      assert.ok(question.reason.includes(`${steps.windowAt(steps.at(question.outcome).node, question.outcome).best ?? steps.at(t).best}`), question.reason);
      assert.ok(question.outcome === t + 1 || steps.at(question.outcome).kind === "leave");
    }
  }
});

test("numbers keep to five characters where they can, with true minus signs", () => {
  assert.deepEqual([-3, 1e6, -120000, 0.08148, Infinity, -123456.789, 1e-5].map(number), ["−3", "1M", "−120k", "0.0815", "∞", "−123k", "1e−5"]);
  assert.equal(withBound(new Tree(textbook()), 5), "≤2");
  const made = (alpha, beta) => ({ alpha: () => alpha, beta: () => beta });
  const entered = (alpha, beta) => windowText(made(alpha, beta), 0, { alpha, beta });
  assert.equal(entered(-Infinity, -3), "[−∞, −3]");
  assert.equal(entered(-5e-324, 0), "[0⁻, 0]");
  assert.equal(entered(3, 3.0000000000000004), "[3, 3⁺]");
  assert.equal(windowText(made(3, 3.0000000000000004), 0, { alpha: 3, beta: 2 }), "[3, 2]");
  assert.equal(numberFormat(made(-5e-324, 0), 0)(-5e-324), "just below 0");
  assert.equal(numberFormat(made(0.5, 0.5 + 2 ** -24), 0)(0.5 + 2 ** -24), "just above 0.5"); // of 32 bits
  assert.deepEqual([950, 12345, 3.4e6].map(compact), ["950", "12.3k", "3.4M"]);
});

test("how a node was left is said in plain words", () => {
  const { tree, steps } = made();
  const [all, cut, over] = [0, 5, 6].map((row) => nodeHtml(tree, steps, row, steps.leave(0)));
  assert.match(all, /<dt>status<\/dt><dd>all moves tried<\/dd>/);
  assert.match(cut, /<dt>status<\/dt><dd>cutoff<\/dd>/);
  assert.match(over, /<dt>status<\/dt><dd>game over<\/dd>/);
});

test("the panels tell nothing of the future", () => {
  const { tree, steps } = made();
  const before = nodeHtml(tree, steps, 5, steps.leave(5) - 1);
  assert.match(before, /<dt>value<\/dt><dd>not yet<\/dd>/);
  assert.match(before, /being searched/);
  assert.doesNotMatch(before, /cutoff/);
  assert.match(nodeHtml(tree, steps, 5, steps.leave(5)), /<dt>value<\/dt><dd>≤ 2<\/dd>/);
  assert.match(nodeHtml(tree, steps, 7, 0), /not visited yet/);
  const closed = steps.at(steps.next("cutoff", 0));
  assert.match(windowSvg(closed), /closed/);
  assert.doesNotMatch(windowSvg(closed, true), /closed/);
});

test("a noisy move is better than standPatText pat only where that is proved", () => {
  const tree = (standsPat, provingChild) => ({ static: () => 7, standsPat: () => standsPat, provingChild: () => provingChild });
  assert.equal(standPatText(tree(false, 3), 2, true), "7, but a noisy move is better");
  assert.equal(standPatText(tree(false, null), 2, true), "7, but a noisy move may be better");
  assert.equal(standPatText(tree(true, null), 2, true), "7, its value");
  assert.equal(standPatText(tree(false, null), 2, false), "7");
});

test("the end of the predictions sums them up by kind", () => {
  const score = { cutoffs: { right: 2, answered: 3 }, values: { right: 1, answered: 1 } };
  assert.equal(scoreText(score), "4 predictions: 3 right, 1 wrong. Right by kind: cutoffs 2 of 3, values 1 of 1.");
});

test("the card at the pointer says less than the tab of a node", () => {
  const tree = new Tree(textbook());
  const time = new Steps(tree);
  const card = cardHtml(tree, time, 5, time.leave(5));
  assert.match(card, /<b>MIN to move<\/b>, after 1<br><b>≤2, cutoff<\/b>/);
  assert.ok(!card.includes("<dt>"));
  assert.match(cardHtml(tree, time, 0, 0), /the root<br><b>being searched/);
});

const CODE = ["drive(root)", "  loop", "search(state)", "  if MAX:", "    a", "    b", "  else:", "    c", "    d", "    e", "  return"];

test("where code has no room, other functions and then the largest blocks are folded", () => {
  const shown = (current, room) => foldedCode(CODE, current, room).map(({ words }) => words.trim());
  assert.deepEqual(shown(4, 11), CODE.map((line) => line.trim()));
  assert.deepEqual(shown(4, 10), ["drive(root) …", ...CODE.slice(2).map((line) => line.trim())]);
  assert.deepEqual(shown(4, 9), ["drive(root) …", "search(state)", "if MAX:", "a", "b", "else: …", "return"]);
  assert.deepEqual(shown(1, 9), ["drive(root)", "loop", "search(state) …"]);
  assert.deepEqual(foldedCode(["def f():", "  if a:", "    1", "    2", "  else:", "    3"], 0, 5, 3).map(({ index }) => index), [0, 1, 2, 3, 4]);
  assert.deepEqual(foldedCode(CODE, 8, 3).map(({ index }) => index), [0, 2, 3, 6, 7, 8, 9, 10]); // the block of the current line stays
});

test("the moves of the last level stand on a tray that points to their parent and starts below the level above", () => {
  const items = [0, 1, 2].map((slot) => ({ x: 50 + 100 * slot, y: 200, wide: 100 }));
  const [size, text] = [10, 12];
  for (const parent of items.map(({ x }) => ({ x, y: 140 }))) {
    const { left, right, top, bottom, tip } = trayOutline(items, parent, { size, text });
    assert.deepEqual([left, right], [2, 298]);
    assert.equal(tip.x, parent.x);
    assert.ok(parent.y < tip.y && tip.y < top); // it comes out of the parent
    assert.ok(top > parent.y + size && top < 200 - size - text && bottom > 200 + size + text); // names and values are inside
  }
});

test("a label below a node covers neither the node nor the names of the moves below", () => {
  for (let gap = 48; gap <= 140; gap++) {
    const [size, text] = [Math.max(8, Math.min(15, gap * 0.2)), Math.max(10, Math.min(15, gap * 0.24))]; // as drawPath chooses them
    const label = pillBelow({ gap, size, text });
    const [top, bottom] = [-1, 1].map((side) => label.y + (side * label.size * PILL_HEIGHT) / 2);
    assert.ok(top >= size && bottom <= gap - size - text, `${gap}: ${top} ${bottom}`);
    assert.ok(label.size >= 10);
  }
});
