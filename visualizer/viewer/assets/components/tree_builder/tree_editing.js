// Edits of a tree and its layout, as pure functions. A node is {name, move, value, children, chance, p}; `children` is null at a leaf,
// `chance` is true if chance moves there, and `p` is the probability of an outcome. A path is the list of child indices that lead to a node.

import { shareWithNew, shareWithout, toggleChance } from "./chance_editing.js";

/** Return the tree that was sent: a number, a list of children, or an object with names. */
export function parseTree(sent) {
  if (typeof sent === "number") return { name: "", move: "", value: sent, children: null, chance: false, p: "" };
  const { name = "", move = "", value = null, children = null, chance = null, p = "" } = Array.isArray(sent) ? { children: sent } : sent;
  const below = chance ?? children;
  return { name, move, value, children: below && below.map(parseTree), chance: chance !== null, p };
}

/** The inverse of `parseTree`. Only nodes with names, chance nodes and outcomes become objects. */
export function serializeTree({ name, move, value, children, chance, p }) {
  const inner = children ? children.map(serializeTree) : value;
  if (!name && !move && !chance && p === "") return inner;
  const kind = chance ? "chance" : children ? "children" : "value";
  return { ...(p !== "" && { p }), ...(name && { name }), ...(move && { move }), [kind]: inner };
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
  const { children, value, chance } = nodeAt(tree, path);
  const leaf = { ...parseTree(children ? 0 : value) };
  const all = chance ? shareWithNew(children, leaf) : [...(children ?? []), leaf];
  const after = changed(tree, path, (node) => ({ ...node, value: null, children: all }));
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
    if (node.children.length === 1) return { ...node, children: null, value: 0, chance: false };
    return { ...node, children: node.chance ? shareWithout(node.children, child) : node.children.filter((_, at) => at !== child) };
  });
  const left = nodeAt(after, above).children?.length ?? 0;
  return { tree: after, path: left ? [...above, Math.min(child, left - 1)] : above };
}

/** Let chance move at a node with children, or a side again. */
export function switchChance(tree, path) {
  return { tree: changed(tree, path, toggleChance), path };
}

/** Change the value, the name, the move name or the probability of a node. */
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

/** All nodes with their places: leaves side by side, parents above the middle of their children. `turn` is "chance", or the turn of the
 *  side that moves first ("first") or of the other: sides alternate from list to list, and chance nodes do not count. */
export function layoutTree(tree) {
  const found = [];
  let leaves = 0;
  const visit = (node, path, lists) => {
    const turn = node.chance ? "chance" : lists % 2 === 0 ? "first" : "other";
    const place = { node, path, turn, depth: path.length, x: 0, childless: !node.children };
    found.push(place);
    const below = (node.children ?? []).map((child, at) => visit(child, [...path, at], lists + (node.chance ? 0 : 1)));
    place.x = below.length ? (below[0] + below.at(-1)) / 2 : leaves++;
    return place.x;
  };
  visit(tree, [], 0);
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
