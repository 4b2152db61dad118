import assert from "node:assert/strict";
import test from "node:test";
import { colouringsOf, MIN_BAR, overviewBand, overviewLayout, shareHeight } from "../../visualizer/viewer/assets/model/overview.js";
import { PictureTree } from "../../visualizer/viewer/assets/model/picture_tree.js";

/** A random generator that is the same in every run. */
function randomFrom(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

/** A random tree in pre-order, with the columns that the overview reads. */
function randomTree(seed) {
  const random = randomFrom(seed);
  const columns = { depth: [], flags: [], skipped: [], value: [], alpha: [], beta: [], end: [], move: [], skippedMoves: [], skippedTurns: [] };
  const grow = (depth) => {
    const row = columns.depth.length;
    const children = depth < 5 && row < 400 ? random(5) : 0;
    const isCut = children > 0 && random(3) === 0;
    for (const [name, entry] of Object.entries({ depth, skipped: isCut ? 1 + random(9) : 0, value: random(9) - 4, alpha: -5, beta: random(6), move: random(4), end: 0 })) columns[name].push(entry);
    columns.flags.push((children === 0 ? 1 + random(2) : isCut ? 4 : 3) | ((depth % 2 ? 0 : 1) << 3));
    for (let child = 0; child < children; child++) grow(depth + 1);
    columns.end[row] = columns.depth.length;
  };
  grow(0);
  const typed = { alpha: null, beta: null };
  for (const [name, column] of Object.entries(columns)) typed[name] = (name === "depth" ? Uint8Array : Int32Array).from(column);
  const meta = { words: { howLeft: {} }, windows: true, cutOnEqual: true, passes: null, K: 5, moveNames: {} };
  return new PictureTree({ count: columns.depth.length, meta, columns: typed });
}

test("every node of a view is a bar or counted in the cell where it starts", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const tree = randomTree(seed);
    const random = randomFrom(seed + 1000);
    const layout = overviewLayout(tree);
    const width = 20 + random(300);
    const camera = { scale: (0.2 + random(30) / 5) * (width / tree.count), shift: -random(50) };
    for (const colouring of colouringsOf(tree)) {
      layout.levels.forEach((rows, depth) => {
        const { bars, cells } = overviewBand(tree, layout, depth, camera, width, colouring);
        const wide = [...rows].filter((row) => {
          const [left, right] = [row * camera.scale + camera.shift, tree.end(row) * camera.scale + camera.shift];
          return right - left >= MIN_BAR && right > 0 && left < width;
        });
        assert.deepEqual(bars.map(({ row }) => row), wide);
        for (let pixel = 0; pixel < width; pixel++) {
          const starting = [...rows].filter((row) => !wide.includes(row) && Math.floor(row * camera.scale + camera.shift) === pixel);
          const counts = colouring.classes.map((_, code) => starting.filter((row) => colouring.classOf(row) === code).length);
          const shown = [...cells.subarray(pixel * counts.length, (pixel + 1) * counts.length)];
          if (starting.length) assert.deepEqual(shown, counts);
          else assert.ok(shown.reduce((sum, count) => sum + count, 0) <= 1);
        }
      });
    }
  }
});

test("a single cutoff among a thousand nodes keeps a pixel", () => {
  const sharesOf = (counts, height) => {
    const heights = new Uint16Array(counts.length);
    assert.equal(shareHeight([7, ...counts], 1, height, heights), counts.some((count) => count > 0));
    return Array.from(heights);
  };
  assert.deepEqual(sharesOf([1, 999], 10), [1, 9]);
  assert.deepEqual(sharesOf([1, 1], 10), [5, 5]);
  assert.deepEqual(sharesOf([0, 0], 10), [0, 0]);
  for (let height = 2; height < 30; height++) assert.equal(sharesOf([3, 400], height).reduce((a, b) => a + b), height);
});

test("the bars of a layout reach over their subtrees", () => {
  const tree = randomTree(7);
  const { places, reach, levels } = overviewLayout(tree);
  assert.equal(places, tree.count + 1);
  assert.deepEqual(reach(0), { left: 0, right: tree.count });
  assert.equal(levels.reduce((sum, rows) => sum + rows.length, 0), tree.count);
});

test("every node has one class of every colouring", () => {
  const tree = randomTree(3);
  for (const { classes, classOf } of colouringsOf(tree)) {
    for (let row = 0; row < tree.count; row++) assert.ok(classes[classOf(row)]);
  }
});
