// The "board" of a game that is a tree of numbers: the whole tree, with the moves made so far. The children of the current node can be clicked.

import { readTheme } from "../../draw/formatting.js";
import { drawPicture, planPicture } from "../tree_builder/builder_picture.js";
import { layoutTree, parseTree } from "../tree_builder/tree_editing.js";

const [MAX_HEIGHT, MAX_NARROW_HEIGHT, NARROW] = [420, 220, 400]; // px; it is narrow in a form, where the fields below stay in sight
const [MIN_LEVEL, MORE_HEIGHT] = [46, 16]; // px: a tree that is higher with levels of this height is scrolled
const [CLICK_HEIGHT, CLICK_WIDTH] = [56, 32]; // px, at least

/** The areas to click on: one for each child of the node at `path`. */
export function childTargets({ nodes }, { at, column }, path) {
  const children = nodes.filter((place) => place.path.length === path.length + 1 && path.every((child, depth) => place.path[depth] === child));
  const width = Math.max(column, CLICK_WIDTH);
  return children.map((place) => {
    const [x, y] = at(place);
    return { move: place.path.at(-1), x: x - width / 2, y: y - CLICK_HEIGHT / 2, width, height: CLICK_HEIGHT };
  });
}

/** Draw the tree into `place`. Return the areas to click on; none if no move can be made. */
export function drawTreeBoard(place, root, { tree, legal }) {
  const layout = layoutTree(parseTree(JSON.parse(tree.text)));
  const theme = readTheme(root);
  place.innerHTML = '<div class="tree-board"><canvas role="img"></canvas></div>';
  const [frame, canvas] = [place.firstChild, place.querySelector("canvas")];
  const measure = (words, size) => {
    const pen = canvas.getContext("2d");
    pen.font = `600 ${size}px ${theme.font}`;
    return pen.measureText(words).width;
  };
  const tall = place.clientWidth < NARROW ? MAX_NARROW_HEIGHT : MAX_HEIGHT;
  const plan = planPicture(layout, { width: place.clientWidth, tall, minLevel: MIN_LEVEL }, measure);
  frame.style.maxHeight = `${tall + MORE_HEIGHT}px`;
  Object.assign(canvas.style, { width: `${plan.width}px`, height: `${plan.height}px` });
  drawPicture(canvas, theme, layout, plan, tree.maxFirst, tree.path.join(), tree.path);
  const here = layout.nodes.find((one) => one.path.join() === tree.path.join());
  frame.scrollLeft = plan.at(here)[0] - frame.clientWidth / 2; // a wide tree is scrolled to its current node
  const targets = legal.length ? childTargets(layout, plan, tree.path) : [];
  for (const { move, x, y, width, height } of targets) {
    const target = Object.assign(document.createElement("span"), { className: "target" });
    target.dataset.move = String(move);
    Object.assign(target.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
    frame.append(target);
  }
  return targets;
}
