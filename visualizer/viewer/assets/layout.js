// Where nodes stand. Pure functions: no canvas, no time beyond what is passed in.

/** The rows of the path view: the root, then for each node of the path the moves that could be made there, in fixed slots.
 *
 * An item is {kind: "node" | "stub", row, owner, move, name, slot, slots}; a stub is a skipped move, and looks like a child not yet visited
 * until its owner is cut.
 */
export function pathRows(tree, path) {
  const rows = [[{ kind: "node", row: path[0], owner: -1, move: -1, slot: 0, slots: 1 }]];
  for (const owner of path) {
    const items = tree.children(owner).map((row) => ({ kind: "node", row, owner, move: tree.move(row), name: tree.moveName(row) }));
    const names = tree.skippedNames(owner);
    tree.skippedMoves(owner).forEach((move, index) => items.push({ kind: "stub", row: -1, owner, move, name: names[index] }));
    if (items.length === 0) break;
    rows.push(placeInSlots(tree, items));
  }
  return rows;
}

/** On boards with columns or squares a move keeps its place; elsewhere moves stand in their own order. */
function placeInSlots(tree, items) {
  const fixed = { connect: tree.meta.cols, tictactoe: 9 }[tree.meta.kind];
  const slots = fixed ?? items.length;
  items.forEach((item, index) => {
    item.slot = fixed ? item.move : index;
    item.slots = slots;
  });
  return items.sort((a, b) => a.slot - b.slot);
}

/** The whole tree: leaves side by side, a parent in the middle above its children. x by row, in leaves; nodes listed by depth. */
export function wholeTree(tree) {
  const { depth, end } = tree.columns;
  const count = tree.count;
  const x = new Float64Array(count);
  let height = 0;
  for (let row = 0; row < count; row++) height = Math.max(height, depth[row]);
  const sizes = new Uint32Array(height + 1);
  for (let row = 0; row < count; row++) sizes[depth[row]]++;
  const levels = Array.from(sizes, (size) => new Uint32Array(size));
  const filled = new Uint32Array(height + 1);
  let leaves = 0;
  for (let row = 0; row < count; row++) {
    levels[depth[row]][filled[depth[row]]++] = row;
    if (end[row] === row + 1) x[row] = leaves++;
  }
  const first = new Float64Array(height + 2).fill(-1); // x of the first and last child seen, from the right, by depth
  const last = new Float64Array(height + 2).fill(-1);
  for (let row = count - 1; row >= 0; row--) {
    const d = depth[row];
    if (end[row] > row + 1) x[row] = (first[d + 1] + last[d + 1]) / 2;
    last[d + 1] = first[d + 1] = -1;
    first[d] = x[row];
    if (last[d] < 0) last[d] = x[row];
  }
  return { x, levels, leaves, height };
}

/** Index of the first entry of a sorted array of rows whose x is at least `left`. */
export function firstAtLeast(rows, x, left) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[rows[middle]] < left) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Scale and offsets that show x from `left` to `right` (in leaves) in a box; y is by depth. */
export function fit(left, right, width, height, levels, margin = 34) {
  const span = Math.max(right - left, 1e-9);
  const scale = Math.min((width - 2 * margin) / span, 120);
  const middle = (left + right) / 2;
  return { scale, shift: width / 2 - middle * scale, rowGap: (height - 2 * margin) / Math.max(levels - 1, 1), top: margin };
}
