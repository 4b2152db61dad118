// The position of a node as an SVG picture, by the kind of game. Built from the root position and the moves of the path.

import { MAX, MIN } from "./look.js";

/** SVG markup of the position after the moves; `marks` says of each move whether it is "tried", "untried" or "skipped" here. */
export function boardSvg(tree, row, marks) {
  const moves = tree.path(row).slice(1).map((node) => ({ move: tree.move(node), max: !tree.maximizing(node) }));
  const draw = { connect: connectBoard, tictactoe: ticTacToeBoard, nim: nimBoard, literal: literalBoard }[tree.meta.kind];
  return draw ? draw(tree, moves, marks, row) : "";
}

function connectBoard(tree, moves, marks) {
  const { rows, cols, root } = tree.meta;
  const heights = new Array(cols).fill(0);
  const discs = [];
  for (const [column, row] of root.max) place(column, row, true);
  for (const [column, row] of root.min) place(column, row, false);
  for (const { move, max } of moves) place(move, heights[move], max);
  function place(column, row, max) {
    heights[column] = Math.max(heights[column], row + 1);
    discs.push({ column, row, max });
  }
  const cell = 40;
  const parts = [`<rect x="0" y="30" width="${cols * cell}" height="${rows * cell}" rx="10" class="frame"/>`];
  for (let column = 0; column < cols; column++) {
    for (let row = 0; row < rows; row++) parts.push(circle(column, row, 'class="hole"', 15));
    const mark = marks.get(column);
    if (mark) parts.push(markSvg(mark, (column + 0.5) * cell, 15));
    parts.push(`<text x="${(column + 0.5) * cell}" y="${30 + rows * cell + 20}" class="small">${column}</text>`);
  }
  for (const { column, row, max } of discs) parts.push(circle(column, row, `fill="${max ? MAX : MIN}"`, 15));
  const last = moves.length ? discs[discs.length - 1] : null;
  if (last) parts.push(circle(last.column, last.row, 'class="last"', 7));
  function circle(column, row, attributes, radius) {
    return `<circle cx="${(column + 0.5) * cell}" cy="${30 + (rows - row - 0.5) * cell}" r="${radius}" ${attributes}/>`;
  }
  return svg(cols * cell, 30 + rows * cell + 26, parts, "board");
}

function markSvg(mark, x, y) {
  if (mark === "skipped") return `<path d="M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12" class="mark strong"/>`;
  if (mark === "tried") return `<path d="M${x - 6} ${y}l4 5 8-10" class="mark"/>`;
  return `<circle cx="${x}" cy="${y}" r="3" class="mark"/>`;
}

function ticTacToeBoard(tree, moves, marks) {
  const cells = new Map();
  for (const square of tree.meta.root.max) cells.set(square, "X");
  for (const square of tree.meta.root.min) cells.set(square, "O");
  for (const { move, max } of moves) cells.set(move, max ? "X" : "O");
  const parts = ['<path d="M60 6v168M120 6v168M6 60h168M6 120h168" class="grid"/>'];
  for (let square = 0; square < 9; square++) {
    const x = (square % 3) * 60 + 30;
    const y = Math.floor(square / 3) * 60 + 30;
    const owner = cells.get(square);
    if (owner === "X") parts.push(`<path d="M${x - 16} ${y - 16}l32 32M${x + 16} ${y - 16}l-32 32" stroke="${MAX}" class="stone"/>`);
    else if (owner === "O") parts.push(`<circle cx="${x}" cy="${y}" r="17" stroke="${MIN}" class="stone"/>`);
    else if (marks.get(square)) parts.push(markSvg(marks.get(square), x, y));
  }
  return svg(180, 180, parts, "board");
}

function nimBoard(tree, moves) {
  const heaps = [...tree.meta.root.heaps];
  for (const { move } of moves) heaps[Math.floor(move / 1000)] -= move % 1000;
  const parts = [];
  heaps.forEach((size, heap) => {
    const y = 24 + heap * 34;
    parts.push(`<text x="4" y="${y + 5}" class="small left">heap ${heap}</text>`);
    for (let i = 0; i < Math.min(size, 24); i++) parts.push(`<rect x="${64 + i * 13}" y="${y - 12}" width="7" height="24" rx="3" class="match"/>`);
    if (size === 0) parts.push(`<text x="64" y="${y + 5}" class="small left">empty</text>`);
    if (size > 24) parts.push(`<text x="${70 + 24 * 13}" y="${y + 5}" class="small left">${size}</text>`);
  });
  return svg(Math.max(320, 80 + 13 * Math.min(24, Math.max(...heaps, 1))), Math.max(160, 20 + heaps.length * 34), parts, "heaps");
}

function literalBoard(tree, moves, marks, row) {
  const children = tree.children(row);
  const shown = tree.isLeaf(row) ? String(tree.value(row)) : `${children.length + tree.skippedMoves(row).length} children`;
  const where = moves.length ? `after ${moves.map(({ move }) => move).join(", ")}` : "the root";
  return svg(260, 70, [`<text x="130" y="26" class="small">${where}</text>`, `<text x="130" y="56" class="big">${shown}</text>`], "node");
}

function svg(width, height, parts, name) {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}" preserveAspectRatio="xMidYMid meet">${parts.join("")}</svg>`;
}
