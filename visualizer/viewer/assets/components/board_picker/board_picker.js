// A board to play on. Hovering previews a move; a click, a digit, or the arrow keys and Enter play it.

import { boardSvg, drawnSticks, gridAt, pieceSvg, stickAt } from "../../draw/board.js";
import { number, readTheme, SIDE } from "../../draw/formatting.js";
import { escape } from "../../draw/panels.js";
import { mountedView } from "../../input/mounted_view.js";
import { drawTreeBoard } from "./tree_board.js";

const MAX_CELL = { holes: "max(78px, 9vh)", squares: "max(100px, 14vh)" }; // small boards are not blown up, large screens are used
const MAX_HEAPS_PX = 640;
const HINT_LINE = { holes: 11, squares: 16, heaps: 11 }; // height of a line of a hint, in units of the picture

export function show({ data, parentElement, setTriggerValue }) {
  const picker = mountedView(parentElement, () => new BoardPicker(parentElement));
  picker.update(data.position, setTriggerValue);
}

/** The clickable areas: {move, x, y, width, height, hint}; `hint` is where the value of the move is written. */
export function clickTargets({ board, cells }) {
  if (!board) return [];
  const zones = board.shape === "heaps" ? sticks : areas;
  return Object.entries(cells).flatMap(([move, listed]) => zones(board, listed).map((zone) => ({ move: Number(move), ...zone })));
}

/** One area for all cells of a move if they fill a rectangle, else one for each cell. Areas at the edge of the board reach to the edge of the picture. */
function areas(board, cells) {
  const { rows, cols, falls } = board;
  const [left, right] = range(cells.map((cell) => cell % cols));
  const [top, bottom] = range(cells.map((cell) => Math.floor(cell / cols)));
  if (cells.length < (right - left + 1) * (bottom - top + 1)) return cells.flatMap((cell) => areas(board, [cell]));
  const first = gridAt(board, top * cols + left);
  const y = top === 0 ? 0 : first.top;
  const end = bottom === rows - 1 ? first.height : first.top + (bottom - top + 1) * first.size;
  const width = (right - left + 1) * first.size;
  return [{ x: first.left, y, width, height: end - y, hint: { x: first.left + width / 2, y: falls ? 20 : first.top + first.size * 0.62 } }];
}

function range(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)];
}

function sticks({ cells, cols }, places) {
  const standing = places.map((place) => [Math.floor(place / cols), place % cols]);
  return standing.filter(([heap, stick]) => stick < drawnSticks(cells[heap])).map(([heap, stick]) => {
    const { x, y, height } = stickAt(heap, stick);
    return { x: x - 3, y: y - 5, width: 13, height: height + 10, hint: { x: x + 3.5, y: y - 2.5 } }; // its underline ends above the stick
  });
}

/** Preview of a move: the pieces it places or the sticks it takes. */
export function previewSvg({ board, changes, toMove }, move) {
  if (!board) return "";
  return (changes[move] ?? []).map(([cell, now]) => {
    if (board.shape !== "heaps") return now ? pieceSvg(board, cell, now) : "";
    const { x, y, height } = stickAt(cell, now);
    const right = stickAt(cell, drawnSticks(board.cells[cell]) - 1).x + 7;
    return `<rect x="${x - 3}" y="${y - 3}" width="${right - x + 6}" height="${height + 6}" rx="5" fill="${SIDE[toMove]}"/>`;
  }).join("");
}

/** The board after a move. The cells that it filled are marked, or else those that it changed. */
export function boardAfter({ board, changes }, move) {
  const cells = [...board.cells];
  for (const [cell, now] of changes[move]) cells[cell] = now;
  const changed = board.shape === "heaps" ? [] : changes[move].filter(([, now]) => now).map(([cell]) => cell);
  const filled = changed.filter((cell) => !board.cells[cell]);
  return { board: { ...board, cells }, last: filled.length ? filled : changed, line: [] };
}

/** The nearest target in the direction of an arrow key; null if there is none. */
export function nearestInDirection(listed, from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];
  const [x, y] = middle(from);
  const ahead = listed.map((target) => {
    const [tx, ty] = middle(target);
    return { target, along: (tx - x) * dx + (ty - y) * dy, aside: Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx) };
  }).filter(({ along, aside }) => along > 1 && along >= aside);
  ahead.sort((a, b) => a.along + 3 * a.aside - b.along - 3 * b.aside);
  return ahead[0]?.target ?? null;
}

/** The result of a move in words if it is known, else its value. */
export function valueText({ value, words }) {
  return words || (value === null ? "?" : number(value));
}

/** The same in lines for a column: "wins" above "in 7". */
export function hintLines(worth) {
  const [verb, ...rest] = valueText(worth).split(" ");
  return rest.length ? [verb, rest.join(" ")] : [verb];
}

class BoardPicker {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.board = this.part("board");
    this.resizeObserver = new ResizeObserver(() => this.data?.tree && this.drawTree());
    this.waiting = []; // moves clicked before the server answered the last one
    this.board.addEventListener("pointermove", (event) => this.hover(event.target.dataset?.move));
    this.board.addEventListener("pointerleave", () => this.hover(undefined));
    this.board.addEventListener("click", (event) => event.target.dataset?.move !== undefined && this.pick(Number(event.target.dataset.move)));
    this.board.addEventListener("keydown", (event) => this.press(event));
  }

  attach() {
    this.resizeObserver.observe(this.root);
  }

  /** `data` comes from viewer/board_picker.py. */
  update(data, send) {
    this.send = send;
    if (this.data === data) {
      if (data.tree) this.drawTree(); // the theme may have changed
      return;
    }
    const falling = data.falling && this.shown !== data.ply;
    this.shown = data.ply;
    this.data = data;
    this.sent = false;
    this.targets = data.legal.length ? clickTargets(data) : [];
    if (data.tree) this.drawTree();
    else this.board.innerHTML = data.board ? this.picture(data, falling) : data.text && `<pre>${escape(data.text)}</pre>`;
    this.board.tabIndex = this.targets.length ? 0 : -1;
    this.board.setAttribute("aria-label", data.words);
    this.showBar(data);
    this.showButtons();
    this.showMessage("");
    this.hover(undefined);
    const next = this.waiting.shift();
    if (next !== undefined && data.legal.length) this.pick(next);
    else this.waiting = [];
  }

  drawTree() {
    if (this.board.clientWidth) this.targets = drawTreeBoard(this.board, this.root, this.data); // 0 before it is on the page
  }

  picture({ board, last, line }, falling) {
    const zones = this.targets.map(
      ({ move, x, y, width, height }) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" data-move="${move}" class="target"/>`,
    ).join("");
    const widest = board.shape === "heaps" ? `${MAX_HEAPS_PX}px` : `calc(${board.cols} * ${MAX_CELL[board.shape]})`;
    const drawn = boardSvg({ ...board, last, line, falling }, new Map(), `<g class="preview"></g>${this.values()}${zones}`);
    const beside = this.data.bar ? ' preserveAspectRatio="xMinYMin"' : "";
    return drawn.replace("<svg", `<svg style="max-width:${widest}"${beside}`);
  }

  /** Show the evaluation bar: MAX from below, MIN from above; hatched if the position is not solved. */
  showBar({ bar, board }) {
    const [place, words] = [this.part("bar"), this.part("barText")];
    readTheme(this.root); // the pieces have the colours of the theme
    this.root.classList.toggle("with-bar", Boolean(bar));
    if (!bar) return;
    const { share } = bar;
    const { top, size, height } = board && board.shape !== "heaps" ? gridAt(board, 0) : { top: 0, size: 1, height: 1 };
    place.style.top = `${(100 * top) / height}%`;
    place.style.height = `${height === 1 ? 100 : (100 * board.rows * size) / height}%`;
    const ahead = share === null || share === 0.5 ? "even" : share > 0.5 ? "max" : "min";
    place.className = `bar ${ahead}${share === null ? " unsolved" : ""}`;
    place.style.setProperty("--share", `${100 * (share ?? 0.5)}%`);
    place.querySelector(".label").textContent = bar.label;
    place.setAttribute("aria-label", `Evaluation bar. ${bar.words}`);
    words.textContent = bar.words;
  }

  /** Show a button for each move that has no cell. */
  showButtons() {
    const { legal, names, cells } = this.data;
    const listed = legal.filter((move) => !cells[move]?.length);
    this.part("moves").replaceChildren(...listed.map((move) => {
      const button = document.createElement("button");
      const worth = this.data.values?.[move];
      button.textContent = (names[move] ?? String(move)) + (worth ? ` (${valueText(worth)})` : "");
      button.classList.toggle("best", Boolean(worth?.best));
      button.addEventListener("click", () => this.pick(move));
      return button;
    }));
  }

  /** The value of each move, above its column or in its cell. */
  values() {
    const { values, board } = this.data;
    const apart = HINT_LINE[board.shape];
    const last = board.shape === "squares" ? 0.5 : 1; // lines stand around the middle of a square, and above other places
    return this.targets.filter(({ move }) => values?.[move] !== undefined).map(({ move, hint }) => {
      const { best, words } = values[move];
      const kind = `hint ${board.shape}${words ? " words" : ""}${best ? " best" : ""}`;
      return hintLines(values[move]).map((line, at, all) =>
        `<text x="${hint.x}" y="${hint.y + apart * (at + last * (1 - all.length))}" class="${kind}">${escape(line)}</text>`).join("");
    }).join("");
  }

  hover(move) {
    const target = this.targets.find((one) => String(one.move) === String(move));
    const legal = target && this.data.legal.includes(target.move);
    this.at = target ?? this.at;
    const place = this.board.querySelector(".preview");
    if (place) place.innerHTML = legal ? previewSvg(this.data, target.move) : "";
  }

  press(event) {
    if (!this.targets.length) return;
    if (event.key.startsWith("Arrow")) {
      const from = this.targets.includes(this.at) ? this.at : this.targets[Math.floor(this.targets.length / 2)];
      this.at = this.targets.includes(this.at) ? nearestInDirection(this.targets, from, event.key) ?? from : from;
      this.hover(this.at.move);
      this.showMessage(this.data.names[this.at.move] ?? "");
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.targets.includes(this.at)) this.pick(this.at.move);
    } else if (/^\d$/.test(event.key) && this.data.digits) this.pick(Number(event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Send a move. A move picked before the server has answered is queued. */
  pick(move) {
    if (this.sent) {
      this.waiting.push(move);
      return;
    }
    if (!this.data.legal.includes(move)) {
      this.showMessage(this.data.refused[move] ?? "This is not a legal move here.");
      return;
    }
    this.sent = true;
    this.send("move", { move, ply: this.data.ply });
    if (this.data.falling) this.showPlayed(move);
  }

  /** Show the board after a move at once, before the server answers. */
  showPlayed(move) {
    const { board, changes, ply } = this.data;
    if (!board || !changes[move]) return;
    this.shown = ply + 1;
    this.board.innerHTML = this.picture(boardAfter(this.data, move), true);
  }

  showMessage(words) {
    this.part("message").textContent = words;
  }

  destroy() {
    this.resizeObserver.disconnect();
  }
}
