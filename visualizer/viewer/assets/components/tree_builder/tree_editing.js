// Edits of a tree and its layout, as pure functions. A node is {name, move, value, children}; `children` is null at a leaf. A path is the
// list of child indices that lead to a node.

/** Return the tree that was sent: a number, a list of children, or an object with names. */
export function parseTree(sent) {
  if (typeof sent === "number") return { name: "", move: "", value: sent, children: null };
  const { name = "", move = "", value = null, children = null } = Array.isArray(sent) ? { children: sent } : sent;
  return { name, move, value, children: children && children.map(parseTree) };
}

/** The inverse of `parseTree`. Only nodes with names become objects. */
export function serializeTree({ name, move, value, children }) {
  const inner = children ? children.map(serializeTree) : value;
  if (!name && !move) return inner;
  return { ...(name && { name }), ...(move && { move }), [children ? "children" : "value"]: inner };
}

export function nodeAt(tree, path) {
  return path.reduce((node, child) => node.children[child], tree);
}

export function size({ children }) {
  return 1 + (children ?? []).reduce((sum, child) => sum + size(child), 0);
}

/** The tree after `change` has been made to the node at a path. */
function changed(tree, path, change) {
  if (!path.length) return change(tree);
  const [child, ...rest] = path;
  return { ...tree, children: tree.children.map((node, at) => (at === child ? changed(node, rest, change) : node)) };
}

/** Add a leaf below a node. A leaf passes its value to its first child. */
export function addChild(tree, path) {
  const { children, value } = nodeAt(tree, path);
  const leaf = { name: "", move: "", value: children ? 0 : value, children: null };
  const after = changed(tree, path, (node) => ({ ...node, value: null, children: [...(children ?? []), leaf] }));
  return { tree: after, path: [...path, (children ?? []).length] };
}

/** Add a leaf behind a node and its siblings. */
export function addSibling(tree, path) {
  return addChild(tree, path.slice(0, -1));
}

/** Remove a node and its subtree. The root stays, and a node that loses its last child becomes a leaf. */
export function removeNode(tree, path) {
  if (!path.length) return { tree, path };
  const [above, child] = [path.slice(0, -1), path.at(-1)];
  const after = changed(tree, above, (node) => {
    const children = node.children.filter((_, at) => at !== child);
    return children.length ? { ...node, children } : { ...node, children: null, value: 0 };
  });
  const left = nodeAt(after, above).children?.length ?? 0;
  return { tree: after, path: left ? [...above, Math.min(child, left - 1)] : above };
}

/** Change the value, the name or the move name of a node. */
export function updateNode(tree, path, facts) {
  return { tree: changed(tree, path, (node) => ({ ...node, ...facts })), path };
}

/** The node that an arrow key leads to. */
export function neighbourPath(tree, path, key) {
  const last = path.at(-1);
  if (key === "ArrowUp") return path.slice(0, -1);
  if (key === "ArrowDown") return nodeAt(tree, path).children ? [...path, 0] : path;
  if (!path.length) return path;
  const { length } = nodeAt(tree, path.slice(0, -1)).children;
  const next = last + (key === "ArrowRight" ? 1 : -1);
  return next >= 0 && next < length ? [...path.slice(0, -1), next] : path;
}

/** All nodes with their places: leaves side by side, parents above the middle of their children. */
export function layoutTree(tree) {
  const found = [];
  let leaves = 0;
  const visit = (node, path) => {
    const place = { node, path, depth: path.length, x: 0, childless: !node.children };
    found.push(place);
    const below = (node.children ?? []).map((child, at) => visit(child, [...path, at]));
    place.x = below.length ? (below[0] + below.at(-1)) / 2 : leaves++;
    return place.x;
  };
  visit(tree, []);
  return { nodes: found, leaves, height: Math.max(...found.map(({ depth }) => depth)) };
}

/** The next leaf, from left to right; the same one if it is the last. */
export function nextLeaf(tree, path) {
  const leaves = layoutTree(tree).nodes.filter(({ childless }) => childless).map((place) => place.path);
  const at = leaves.findIndex((leaf) => leaf.join() === path.join());
  return leaves[at + 1] ?? path;
}

/** Return the finite number in a text; null if it is not a number. */
export function readNumber(text) {
  const plain = text.trim().replace("−", "-");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) && Math.abs(Number(plain)) < 1e300 ? Number(plain) : null;
}

/** Return a name on one line, without blanks around it. */
export function readName(text) {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").replace(/\s/gu, " ").trim().slice(0, 60).trim();
}
