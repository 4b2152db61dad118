// The tree of an exercise: what is below what, where nodes stand, and where a key leads. Pure functions over the list of nodes.

/** The children of every row, in the order in which they are to be tried: that of the answer, or as they are. */
export function childrenOf(nodes, orders = {}) {
  const below = nodes.map(() => []);
  for (const { row, parent } of nodes) if (parent >= 0) below[parent].push(row);
  return below.map((rows, row) => (orders[row] ? orders[row].map((place) => rows[place]) : rows));
}

/** All rows of a subtree; rows are in pre-order. */
export function subtree(nodes, row) {
  const found = new Set([row]);
  for (const node of nodes) if (found.has(node.parent)) found.add(node.row);
  return [...found];
}

/** The depth of every row. */
export function depthsOf(nodes) {
  const depths = [];
  for (const { row, parent } of nodes) depths[row] = parent < 0 ? 0 : depths[parent] + 1;
  return depths;
}

/** Where nodes stand, x and y from 0 to 1 in leaves and levels: leaves side by side, a parent in the middle above its children. */
export function layout(nodes, children) {
  const depths = depthsOf(nodes);
  const x = new Array(nodes.length);
  let places = 0;
  const visit = (row) => {
    children[row].forEach(visit);
    const below = children[row];
    x[row] = below.length ? (x[below[0]] + x[below.at(-1)]) / 2 : places++;
  };
  visit(0);
  return { x, depths, places, levels: Math.max(...depths) + 1 };
}

/** The row that an arrow key leads to; the same where there is none. */
export function towards(key, row, nodes, children, { x, depths }) {
  if (key === "ArrowUp") return Math.max(nodes[row].parent, 0);
  if (key === "ArrowDown") return children[row][0] ?? row;
  const level = nodes.map((node) => node.row).filter((other) => depths[other] === depths[row]).sort((a, b) => x[a] - x[b]);
  return level[level.indexOf(row) + (key === "ArrowLeft" ? -1 : 1)] ?? row;
}
