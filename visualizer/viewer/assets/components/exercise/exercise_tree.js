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

/** The least width of a place at which no two nodes of a depth come closer than the gap. */
export function leastStep({ x, depths }, widths, gap) {
  const rows = [...x.keys()].sort((one, other) => depths[one] - depths[other] || x[one] - x[other]);
  const pairs = rows.slice(1).map((row, place) => [rows[place], row]).filter(([left, right]) => depths[left] === depths[right]);
  return Math.max(0, ...pairs.map(([left, right]) => ((widths[left] + widths[right]) / 2 + gap) / (x[right] - x[left])));
}

/** Where nodes stand from top to bottom if the tree lies on its side: each has the room that it needs, in the middle of that of the
 *  nodes below it. */
export function lying(children, needs) {
  const y = new Array(needs.length);
  const rooms = new Array(needs.length);
  const below = (row) => children[row].reduce((sum, child) => sum + rooms[child], 0);
  const measure = (row) => {
    children[row].forEach(measure);
    rooms[row] = Math.max(needs[row], below(row));
  };
  const stand = (row, top) => {
    y[row] = top + rooms[row] / 2;
    let at = y[row] - below(row) / 2;
    for (const child of children[row]) {
      stand(child, at);
      at += rooms[child];
    }
  };
  measure(0);
  stand(0, 0);
  return { y, height: rooms[0] };
}

const ON_ITS_SIDE = { ArrowLeft: "ArrowUp", ArrowUp: "ArrowLeft", ArrowRight: "ArrowDown", ArrowDown: "ArrowRight" };

/** What an arrow key means in a tree that lies on its side: the root is on the left. */
export function turned(key) {
  return ON_ITS_SIDE[key] ?? key;
}

/** The row that an arrow key leads to; the same where there is none. */
export function towards(key, row, nodes, children, { x, depths }) {
  if (key === "ArrowUp") return Math.max(nodes[row].parent, 0);
  if (key === "ArrowDown") return children[row][0] ?? row;
  const level = nodes.map((node) => node.row).filter((other) => depths[other] === depths[row]).sort((a, b) => x[a] - x[b]);
  return level[level.indexOf(row) + (key === "ArrowLeft" ? -1 : 1)] ?? row;
}
