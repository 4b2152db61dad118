// The tree of an exercise: children, layout, and moving the focus. Pure functions over the list of nodes.

/** List the children of every row, in the order of the answer or in their original order. */
export function listChildren(nodes, orders = {}) {
  const children = nodes.map(() => []);
  for (const { row, parent } of nodes) if (parent >= 0) children[parent].push(row);
  return children.map((rows, row) => (orders[row] ? orders[row].map((index) => rows[index]) : rows));
}

/** List all rows of a subtree. Rows are in pre-order. */
export function listSubtree(nodes, row) {
  const rows = new Set([row]);
  for (const node of nodes) if (rows.has(node.parent)) rows.add(node.row);
  return [...rows];
}

/** List the depth of every row. */
export function listDepths(nodes) {
  const depths = [];
  for (const { row, parent } of nodes) depths[row] = parent < 0 ? 0 : depths[parent] + 1;
  return depths;
}

/** Lay out the tree in columns and levels: one column for each leaf, and a parent centred above its children. */
export function layOutTree(nodes, children) {
  const depths = listDepths(nodes);
  const x = new Array(nodes.length);
  let columns = 0;
  const visit = (row) => {
    children[row].forEach(visit);
    const below = children[row];
    x[row] = below.length ? (x[below[0]] + x[below.at(-1)]) / 2 : columns++;
  };
  visit(0);
  return { x, depths, columns, levels: Math.max(...depths) + 1 };
}

/** Return the smallest column width at which no two nodes of a level come closer than the gap. */
export function minColumnWidth({ x, depths }, widths, gap) {
  const rows = [...x.keys()].sort((one, other) => depths[one] - depths[other] || x[one] - x[other]);
  const pairs = rows.slice(1).map((row, index) => [rows[index], row]).filter(([left, right]) => depths[left] === depths[right]);
  return Math.max(0, ...pairs.map(([left, right]) => ((widths[left] + widths[right]) / 2 + gap) / (x[right] - x[left])));
}

/** Lay out a sideways tree from top to bottom: each node has the height that it needs, centred on the nodes below it. */
export function layOutSideways(children, heights) {
  const y = new Array(heights.length);
  const totals = new Array(heights.length); // of a node with everything below it
  const childTotal = (row) => children[row].reduce((sum, child) => sum + totals[child], 0);
  const measure = (row) => {
    children[row].forEach(measure);
    totals[row] = Math.max(heights[row], childTotal(row));
  };
  const place = (row, top) => {
    y[row] = top + totals[row] / 2;
    let childTop = y[row] - childTotal(row) / 2;
    for (const child of children[row]) {
      place(child, childTop);
      childTop += totals[child];
    }
  };
  measure(0);
  place(0, 0);
  return { y, height: totals[0] };
}

const SIDEWAYS_KEYS = { ArrowLeft: "ArrowUp", ArrowUp: "ArrowLeft", ArrowRight: "ArrowDown", ArrowDown: "ArrowRight" };

/** Translate an arrow key for a sideways tree, with the root on the left. */
export function rotateKey(key) {
  return SIDEWAYS_KEYS[key] ?? key;
}

/** Return the row that an arrow key leads to, or the same row if there is none. */
export function findNeighbour(key, row, nodes, children, { x, depths }) {
  if (key === "ArrowUp") return Math.max(nodes[row].parent, 0);
  if (key === "ArrowDown") return children[row][0] ?? row;
  const level = nodes.map((node) => node.row).filter((other) => depths[other] === depths[row]).sort((a, b) => x[a] - x[b]);
  return level[level.indexOf(row) + (key === "ArrowLeft" ? -1 : 1)] ?? row;
}
