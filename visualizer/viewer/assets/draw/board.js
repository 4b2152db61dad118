// A board as an SVG picture: a grid or heaps, as the game declares it (engine/games/boards.py). This module knows no rules.

import { SIDE } from "./formatting.js";
import { escape } from "./panels.js";

const SIZES = { holes: 40, squares: 60 }; // px of a cell
const ABOVE = 30; // px for the marks where pieces fall
const BELOW = 26; // px for the labels of columns
const LEFT = 22; // px for the labels of rows
const STICKS = 24; // of a heap that are drawn

/** The board at a node: that of the root with the changes of the moves on the path. null if the game has none. */
export function boardAt(tree, row) {
  return tree.meta.board ? boardAfter(tree.meta.board, tree.path(row).slice(1).map((node) => tree.changes(node))) : null;
}

/** A board after moves, each given by its changes [cell, content]. */
export function boardAfter(board, moves) {
  const cells = [...board.cells];
  const widest = Math.max(...cells);
  let last = [];
  for (const changes of moves) {
    const filled = changes.filter(([, now]) => now > 0);
    const placed = filled.filter(([cell]) => cells[cell] === 0);
    last = (placed.length ? placed : filled).map(([cell]) => cell);
    for (const [cell, now] of changes) cells[cell] = now;
  }
  return { ...board, cells, last, widest };
}

/** SVG markup, empty without a board; `marks` says of a cell whether its move is "tried", "untried" or "skipped" here, `over` goes on top. */
export function boardSvg(board, marks = new Map(), overlay = "") {
  if (!board) return "";
  return board.shape === "heaps" ? heaps(board, overlay) : grid(board, marks, overlay);
}

// ---- grids

/** The geometry of a grid: size, left and top of a cell, width and height of the picture. */
export function gridAt({ shape, rows, cols, falls, labels }, cell) {
  const size = SIZES[shape];
  const above = falls ? ABOVE : 0;
  return {
    size,
    left: (cell % cols) * size,
    top: above + Math.floor(cell / cols) * size,
    width: cols * size,
    height: above + rows * size + (labels.length ? BELOW : 0),
  };
}

/** The middle of a cell. */
export function middleOf(board, cell) {
  const { size, left, top } = gridAt(board, cell);
  return { x: left + size / 2, y: top + size / 2 };
}

function grid(board, marks, overlay) {
  const { cells, cols, labels, cell_labels: names = [], row_labels: beside = [], falls, falling, last = [], line = [] } = board;
  const { width, height } = gridAt(board, 0);
  const parts = board.shape === "holes" ? holes(board) : squares(board);
  const kind = board.shape === "squares" ? "large" : "small";
  labels.forEach((label, column) => parts.push(`<text x="${middleOf(board, column).x}" y="${height - 6}" class="${kind}">${escape(label)}</text>`));
  beside.forEach((label, row) => parts.push(`<text x="${-LEFT / 2}" y="${middleOf(board, row * cols).y + 7}" class="${kind}">${escape(label)}</text>`));
  names.forEach((label, cell) => {
    const { left, top } = gridAt(board, cell);
    if (cells[cell] === 0) parts.push(`<text x="${left + 8}" y="${top + 20}" class="small left name">${escape(label)}</text>`);
  });
  for (const [cell, mark] of marks) {
    const { x, y } = middleOf(board, cell);
    if (falls) parts.push(markSvg(mark, x, ABOVE / 2));
    else if (cells[cell] === 0) parts.push(mark === "untried" ? dotSvg(x, y) : markSvg(mark, x, y));
  }
  cells.forEach((content, cell) => {
    if (content === 0) return;
    const from = -(Math.floor(cell / cols) + 1) * gridAt(board, cell).size;
    const drops = falls && falling && last.includes(cell) ? ` class="falling" style="--from:${from}px"` : "";
    parts.push(pieceSvg(board, cell, content, drops));
  });
  if (board.shape === "holes") {
    for (const cell of line) parts.push(circle(board, cell, 10, 'class="line"'));
    for (const cell of last) parts.push(circle(board, cell, line.length ? 3 : 7, `class="last${falling ? " late" : ""}"`));
  }
  return svg(width, height, parts, overlay, "board", beside.length ? LEFT : 0);
}

/** A frame with a hole for each cell. */
function holes(board) {
  const { size, top } = gridAt(board, 0);
  const frame = `<rect x="0" y="${top}" width="${board.cols * size}" height="${board.rows * size}" rx="10" class="frame"/>`;
  return [frame, ...board.cells.map((_, cell) => circle(board, cell, 15, 'class="hole"'))];
}

/** Lines between the cells; the last move and a finished line are shaded. */
function squares(board) {
  const { rows, cols, last = [], line = [] } = board;
  const { size, top } = gridAt(board, 0);
  const upright = Array.from({ length: cols - 1 }, (_, k) => `M${(k + 1) * size} ${top + 6}v${rows * size - 12}`);
  const level = Array.from({ length: rows - 1 }, (_, k) => `M6 ${top + (k + 1) * size}h${cols * size - 12}`);
  const shaded = (line.length ? line : last).map((cell) => {
    const { x, y } = middleOf(board, cell);
    return `<rect x="${x - 26}" y="${y - 26}" width="52" height="52" rx="8" class="${line.length ? "won" : "recent"}"/>`;
  });
  return [`<path d="${upright.join("")}${level.join("")}" class="grid"/>`, ...shaded];
}

/** A piece in its cell, in the colour of its side. */
export function pieceSvg(board, cell, content, style = "") {
  const { look, side, letter } = board.pieces[content];
  const colour = SIDE[side] ?? "currentColor";
  const { size } = gridAt(board, cell);
  const { x, y } = middleOf(board, cell);
  if (look === "disc") return circle(board, cell, size * 0.375, `fill="${colour}"${style}`);
  const drawn = look === "letter" ? letterSvg(letter)
    : look === "cross" ? crossSvg((size * 16) / 60)
    : circle(board, cell, (size * 17) / 60, `stroke="${colour}" class="stone"`);
  return style ? `<g${style}>${drawn}</g>` : drawn;

  function letterSvg(text) {
    return `<text x="${x}" y="${y + size * 0.18}" style="fill:${colour};font-size:${size / 2}px">${escape(text)}</text>`;
  }

  function crossSvg(half) {
    const strokes = `M${x - half} ${y - half}l${2 * half} ${2 * half}M${x + half} ${y - half}l${-2 * half} ${2 * half}`;
    return `<path d="${strokes}" stroke="${colour}" class="stone"/>`;
  }
}

function circle(board, cell, radius, attributes) {
  const { x, y } = middleOf(board, cell);
  return `<circle cx="${x}" cy="${y}" r="${radius}" ${attributes}/>`;
}

function markSvg(mark, x, y) {
  if (mark === "skipped") return `<path d="M${x - 6} ${y - 6}l12 12M${x + 6} ${y - 6}l-12 12" class="mark strong"/>`;
  if (mark === "tried") return `<path d="M${x - 6} ${y}l4 5 8-10" class="mark"/>`;
  return `<circle cx="${x}" cy="${y}" r="3" class="mark"/>`;
}

/** A dot on a square, where a ring would look like a small O. */
function dotSvg(x, y) {
  return `<circle cx="${x}" cy="${y}" r="3" class="mark dot"/>`;
}

// ---- heaps

/** Where a stick of a heap stands. */
export function stickAt(heap, stick) {
  return { x: 64 + stick * 13, y: 12 + heap * 34, width: 7, height: 24 };
}

/** The number of sticks that are drawn for a heap of this size. */
export function drawnSticks(size) {
  return Math.min(size, STICKS);
}

function heaps({ cells, cols, labels, widest = cols }, overlay) {
  const parts = [];
  cells.forEach((size, heap) => {
    const y = 29 + heap * 34;
    parts.push(`<text x="4" y="${y}" class="small left">${escape(labels[heap] ?? String(heap))}</text>`);
    for (let stick = 0; stick < drawnSticks(size); stick++) {
      const at = stickAt(heap, stick);
      parts.push(`<rect x="${at.x}" y="${at.y}" width="${at.width}" height="${at.height}" rx="3" class="match"/>`);
    }
    if (size === 0) parts.push(`<text x="64" y="${y}" class="small left">empty</text>`);
    if (size > STICKS) parts.push(`<text x="${stickAt(heap, STICKS).x + 6}" y="${y}" class="small left">${size}</text>`);
  });
  // as wide as it ever is: the board keeps its size while sticks are taken
  return svg(Math.max(220, 80 + 13 * drawnSticks(widest)), Math.max(110, 20 + cells.length * 34), parts, overlay, "heaps");
}

function svg(width, height, parts, overlay, name, left = 0) {
  return `<svg viewBox="${-2 - left} -2 ${width + left + 4} ${height + 4}" role="img" aria-label="${name}" preserveAspectRatio="xMidYMid meet">${parts.join("")}${overlay}</svg>`;
}
