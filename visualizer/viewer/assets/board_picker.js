// A board to play on: hover shows where a disc would go, a click, a digit or the arrow keys and Enter play it.

import { boardSvg, CELL, cellAt, heightsOf, SQUARE, stickAt, TOP } from "./board.js";
import { MAX, MIN, number } from "./look.js";

export function show({ data, parentElement, setTriggerValue }) {
  const picker = (parentElement.view ??= new Picker(parentElement));
  picker.update(data, setTriggerValue);
}

/** Where a click means a move: {move, x, y, width, height}, and the ghost of what it would put there. */
export function targets(position) {
  if (position.kind === "connect") return columns(position);
  if (position.kind === "tictactoe") return squares(position);
  return position.kind === "nim" ? sticks(position) : [];
}

function columns({ rows, cols, max, min, toMove }) {
  const heights = heightsOf({ cols, max, min });
  return heights.map((height, column) => {
    const { x, y } = cellAt(rows, column, height);
    const ghost = height < rows ? `<circle cx="${x}" cy="${y}" r="15" fill="${colour(toMove)}"/>` : "";
    return { move: column, x: column * CELL, y: 0, width: CELL, height: TOP + rows * CELL + 26, ghost };
  });
}

function squares({ toMove }) {
  return Array.from({ length: 9 }, (_, square) => {
    const x = (square % 3) * SQUARE;
    const y = Math.floor(square / 3) * SQUARE;
    const ghost = `<rect x="${x + 6}" y="${y + 6}" width="${SQUARE - 12}" height="${SQUARE - 12}" rx="8" fill="${colour(toMove)}"/>`;
    return { move: square, x, y, width: SQUARE, height: SQUARE, ghost };
  });
}

/** A click on a stick takes it and all to the right of it. */
function sticks({ heaps, toMove }) {
  return heaps.flatMap((size, heap) => Array.from({ length: Math.min(size, 24) }, (_, stick) => {
    const { x, y, height } = stickAt(heap, stick);
    const right = stickAt(heap, Math.min(size, 24) - 1).x + 7;
    const ghost = `<rect x="${x - 3}" y="${y - 3}" width="${right - x + 6}" height="${height + 6}" rx="5" fill="${colour(toMove)}"/>`;
    return { move: heap * 1000 + size - stick, x: x - 3, y: y - 5, width: 13, height: height + 10, ghost };
  }));
}

function colour(side) {
  return side === "max" ? MAX : MIN;
}

/** The nearest target in the direction of an arrow key; null if there is none. */
export function towards(listed, from, key) {
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

class Picker {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.board = this.part("board");
    this.waiting = []; // moves clicked before the answer to the last one
    this.board.addEventListener("pointermove", (event) => this.point(event.target.dataset?.move));
    this.board.addEventListener("pointerleave", () => this.point(undefined));
    this.board.addEventListener("click", (event) => event.target.dataset?.move !== undefined && this.pick(Number(event.target.dataset.move)));
    this.board.addEventListener("keydown", (event) => this.press(event));
  }

  /** `data`: kind, size, what stands where, last, line, toMove, legal, names, words, values, ply, falling. */
  update(data, send) {
    if (this.data === data) return;
    const falling = data.falling && this.data?.ply !== data.ply;
    this.data = data;
    this.send = send;
    this.sent = false;
    this.targets = data.legal.length ? targets(data) : [];
    const zones = this.targets.map(
      ({ move, x, y, width, height }) => `<rect x="${x}" y="${y}" width="${width}" height="${height}" data-move="${move}" class="target"/>`,
    );
    this.board.innerHTML = boardSvg({ ...data, falling }, new Map(), `<g class="ghost"></g>${this.values()}${zones.join("")}`);
    const drawn = this.board.querySelector("svg"); // small boards are not blown up
    if (drawn) drawn.style.maxWidth = `${{ connect: data.cols * 78, tictactoe: 300, nim: 640 }[data.kind] ?? 420}px`;
    this.board.tabIndex = this.targets.length ? 0 : -1;
    this.board.setAttribute("aria-label", data.words);
    this.showButtons();
    this.say("");
    this.point(undefined);
    const next = this.waiting.shift();
    if (next !== undefined && data.legal.length) this.pick(next);
    else this.waiting = [];
  }

  /** Where there is no picture to click on, the moves are buttons. */
  showButtons() {
    const { legal, names } = this.data;
    const listed = this.targets.length ? [] : legal;
    this.part("moves").replaceChildren(...listed.map((move) => {
      const button = document.createElement("button");
      const worth = this.data.values?.[move];
      button.textContent = (names[move] ?? String(move)) + (worth ? ` (${worth.value === null ? "?" : number(worth.value)})` : "");
      button.classList.toggle("best", Boolean(worth?.best));
      button.addEventListener("click", () => this.pick(move));
      return button;
    }));
  }

  /** What each move is worth, above its column or in its square. */
  values() {
    const { values, kind } = this.data;
    return this.targets.filter(({ move }) => values?.[move] !== undefined).map(({ move, x, y, width }) => {
      const below = { tictactoe: y + 36, nim: y + 4 }[kind] ?? 20;
      const { value, best } = values[move];
      return `<text x="${x + width / 2}" y="${below}" class="hint${best ? " best" : ""}">${value === null ? "?" : number(value)}</text>`;
    }).join("");
  }

  point(move) {
    const target = this.targets.find((one) => String(one.move) === String(move));
    const legal = target && this.data.legal.includes(target.move);
    this.at = target ?? this.at;
    const ghost = this.board.querySelector(".ghost");
    if (ghost) ghost.innerHTML = legal ? target.ghost : "";
  }

  press(event) {
    if (!this.targets.length) return;
    if (event.key.startsWith("Arrow")) {
      const from = this.targets.includes(this.at) ? this.at : this.targets[Math.floor(this.targets.length / 2)];
      this.at = this.targets.includes(this.at) ? towards(this.targets, from, event.key) ?? from : from;
      this.point(this.at.move);
      this.say(this.data.names[this.at.move] ?? "");
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.targets.includes(this.at)) this.pick(this.at.move);
    } else if (/^\d$/.test(event.key) && this.data.kind !== "nim") this.pick(Number(event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Tell the server; a click before its answer waits for it. */
  pick(move) {
    if (this.sent) {
      this.waiting.push(move);
      return;
    }
    if (!this.data.legal.includes(move)) {
      const { kind, cols } = this.data;
      if (kind === "connect" && move < cols) this.say(`Column ${move} is full: try another.`);
      else this.say(kind === "tictactoe" && move < 9 ? `Square ${move} is taken: try another.` : "That is no move here.");
      return;
    }
    this.sent = true;
    this.send("move", { move, ply: this.data.ply });
  }

  say(words) {
    this.part("said").textContent = words;
  }

  destroy() {}
}
