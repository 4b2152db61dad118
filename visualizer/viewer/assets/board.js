// A position as an SVG picture, by the kind of game.

import { MAX, MIN } from "./look.js";

export const CELL = 40; // px of a Connect board
export const TOP = 30; // px above it, for the marks
export const SQUARE = 60; // px of a tic-tac-toe board
const STICKS = 24; // of a heap that are drawn

/** The position of a node: that of the root, and the moves that lead to the node. */
export function positionAt(tree, row) {
  const { kind, rows, cols, root } = tree.meta;
  const moves = tree.path(row).slice(1).map((node) => ({ move: tree.move(node), max: !tree.maximizing(node) }));
  if (kind === "connect") return connectAfter({ kind, rows, cols, ...root, last: null }, moves);
  if (kind === "tictactoe") return ticTacToeAfter({ kind, ...root, last: null }, moves);
  if (kind === "nim") return nimAfter({ kind, ...root }, moves);
  return { kind };
}

function connectAfter(position, moves) {
  const heights = heightsOf(position);
  const sides = { max: [...position.max], min: [...position.min] };
  let { last } = position;
  for (const { move, max } of moves) {
    last = [move, heights[move]++];
    sides[max ? "max" : "min"].push(last);
  }
  return { ...position, ...sides, last };
}

/** How many discs lie in each column. */
export function heightsOf({ cols, max, min }) {
  const heights = new Array(cols).fill(0);
  for (const [column] of [...max, ...min]) heights[column]++;
  return heights;
}

function ticTacToeAfter(position, moves) {
  const squares = (max) => moves.filter((made) => made.max === max).map(({ move }) => move);
  const last = moves.length ? moves.at(-1).move : position.last;
  return { ...position, max: [...position.max, ...squares(true)], min: [...position.min, ...squares(false)], last };
}

function nimAfter(position, moves) {
  const heaps = [...position.heaps];
  for (const { move } of moves) heaps[Math.floor(move / 1000)] -= move % 1000;
  return { ...position, heaps, largest: Math.max(...position.heaps) };
}

/** SVG markup, empty for a game without a board; `marks` says of each move whether it is "tried", "untried" or "skipped" here, `over` goes on top. */
export function boardSvg(position, marks = new Map(), over = "") {
  const draw = { connect: connectBoard, tictactoe: ticTacToeBoard, nim: nimBoard }[position.kind];
  return draw ? draw(position, marks, over) : "";
}

/** The middle of a cell of a Connect board. */
export function cellAt(rows, column, row) {
  return { x: (column + 0.5) * CELL, y: TOP + (rows - row - 0.5) * CELL };
}

function connectBoard({ rows, cols, max, min, last, line = [], falling }, marks, over) {
  const parts = [`<rect x="0" y="${TOP}" width="${cols * CELL}" height="${rows * CELL}" rx="10" class="frame"/>`];
  for (let column = 0; column < cols; column++) {
    for (let row = 0; row < rows; row++) parts.push(circle([column, row], 'class="hole"', 15));
    const mark = marks.get(column);
    if (mark) parts.push(markSvg(mark, (column + 0.5) * CELL, TOP / 2));
    parts.push(`<text x="${(column + 0.5) * CELL}" y="${TOP + rows * CELL + 20}" class="small">${column}</text>`);
  }
  for (const [discs, colour] of [[max, MAX], [min, MIN]]) {
    for (const cell of discs) {
      const drops = falling && last && cell[0] === last[0] && cell[1] === last[1];
      const style = drops ? ` class="falling" style="--from:${-(rows - cell[1]) * CELL}px"` : "";
      parts.push(circle(cell, `fill="${colour}"${style}`, 15));
    }
  }
  for (const cell of line) parts.push(circle(cell, 'class="line"', 10));
  if (last) parts.push(circle(last, `class="last${falling ? " late" : ""}"`, line.length ? 3 : 7));
  return svg(cols * CELL, TOP + rows * CELL + 26, parts, over, "board");

  function circle([column, row], attributes, radius) {
    const { x, y } = cellAt(rows, column, row);
    return `<circle cx="${x}" cy="${y}" r="${radius}" ${attributes}/>`;
  }
}

function markSvg(mark, x, y) {
  if (mark === "skipped") return `<path d="M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12" class="mark strong"/>`;
  if (mark === "tried") return `<path d="M${x - 6} ${y}l4 5 8-10" class="mark"/>`;
  return `<circle cx="${x}" cy="${y}" r="3" class="mark"/>`;
}

function ticTacToeBoard({ max, min, last, line = [] }, marks, over) {
  const parts = ['<path d="M60 6v168M120 6v168M6 60h168M6 120h168" class="grid"/>'];
  for (let square = 0; square < 9; square++) {
    const x = ((square % 3) + 0.5) * SQUARE;
    const y = (Math.floor(square / 3) + 0.5) * SQUARE;
    const strong = line.some(([column, row]) => column === square % 3 && row === 2 - Math.floor(square / 3));
    if (strong || (square === last && !line.length)) parts.push(`<rect x="${x - 26}" y="${y - 26}" width="52" height="52" rx="8" class="${strong ? "won" : "recent"}"/>`);
    if (max.includes(square)) parts.push(`<path d="M${x - 16} ${y - 16}l32 32M${x + 16} ${y - 16}l-32 32" stroke="${MAX}" class="stone"/>`);
    else if (min.includes(square)) parts.push(`<circle cx="${x}" cy="${y}" r="17" stroke="${MIN}" class="stone"/>`);
    else if (marks.get(square)) parts.push(markSvg(marks.get(square), x, y));
  }
  return svg(3 * SQUARE, 3 * SQUARE, parts, over, "board");
}

/** Where a stick of a heap stands. */
export function stickAt(heap, stick) {
  return { x: 64 + stick * 13, y: 12 + heap * 34, width: 7, height: 24 };
}

function nimBoard({ heaps, largest = Math.max(...heaps, 1) }, marks, over) {
  const parts = [];
  heaps.forEach((size, heap) => {
    const y = 29 + heap * 34;
    parts.push(`<text x="4" y="${y}" class="small left">heap ${heap}</text>`);
    for (let stick = 0; stick < Math.min(size, STICKS); stick++) {
      const at = stickAt(heap, stick);
      parts.push(`<rect x="${at.x}" y="${at.y}" width="${at.width}" height="${at.height}" rx="3" class="match"/>`);
    }
    if (size === 0) parts.push(`<text x="64" y="${y}" class="small left">empty</text>`);
    if (size > STICKS) parts.push(`<text x="${stickAt(heap, STICKS).x + 6}" y="${y}" class="small left">${size}</text>`);
  });
  const widest = Math.min(STICKS, largest); // at first: the board keeps its size while sticks are taken
  return svg(Math.max(220, 80 + 13 * widest), Math.max(110, 20 + heaps.length * 34), parts, over, "heaps");
}

function svg(width, height, parts, over, name) {
  return `<svg viewBox="-2 -2 ${width + 4} ${height + 4}" role="img" aria-label="${name}" preserveAspectRatio="xMidYMid meet">${parts.join("")}${over}</svg>`;
}
