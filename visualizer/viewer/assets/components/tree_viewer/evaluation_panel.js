// "Why 5?": what the value of a leaf is made of, in words and on its board. The server knows; it is asked once for each leaf.

import { boardAt, boardSvg, gridAt, middleOf } from "../../draw/board.js";
import { number } from "../../draw/formatting.js";
import { escape } from "../../draw/panels.js";

export const TOLD = "plyscope-reasons";

/** Whether it can be asked why a node is worth its value, after step t. */
export function canBeAsked(tree, steps, row, t) {
  return tree.meta.tellsParts && tree.isLeaf(row) && t >= steps.leave(row);
}

/** What was told, as markup: the sum, the place for a board, and a line for each group of parts. */
export function reasonsHtml({ value, sum, groups, note }, board = "") {
  const lines = groups.map(({ words, points }, index) => `<li tabindex="0" data-group="${index}"><b>${points}</b> ${escape(words)}</li>`);
  return [
    `<h4>Why ${value}?</h4>`,
    sum ? `<p>${value} for MAX is the sum of what follows: ${sum}.</p>` : "",
    note ? `<p>${escape(note)}</p>` : "",
    board,
    `<ul>${lines.join("")}</ul>`,
  ].join("");
}

/** The cells of some parts, to be laid over a grid: a line through those that stand in one, a ring around each of the others. */
export function cellsSvg(board, parts) {
  if (!board || board.shape === "heaps") return "";
  const radius = gridAt(board, 0).size * 0.42;
  return parts.map((cells) => {
    const places = cells.map((cell) => middleOf(board, cell));
    if (straight(cells, board.cols)) return `<path d="M${places[0].x} ${places[0].y}L${places.at(-1).x} ${places.at(-1).y}" class="part"/>`;
    return places.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="${radius}" class="part"/>`).join("");
  }).join("");
}

/** Whether two or more cells follow each other in a straight line of a grid with so many columns. */
export function straight(cells, cols) {
  if (cells.length < 2) return false;
  const step = (index) => [(cells[index] % cols) - (cells[index - 1] % cols), Math.floor(cells[index] / cols) - Math.floor(cells[index - 1] / cols)];
  const [across, down] = step(1);
  if (Math.max(Math.abs(across), Math.abs(down)) !== 1) return false;
  return cells.every((_, index) => index === 0 || (step(index)[0] === across && step(index)[1] === down));
}

export class Why {
  constructor(view) {
    this.view = view;
    this.answers = new Map(); // by the number of the node
    this.hear = ({ detail }) => this.told(detail);
    window.addEventListener(TOLD, this.hear);
    view.part("why").addEventListener("click", () => this.ask(view.steps.at(view.t).node));
    for (const [event, light] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
      view.part("reasons").addEventListener(event, ({ target }) => this.light(light ? target.closest("[data-group]") : null));
    }
  }

  /** Another tree. */
  forget() {
    this.answers.clear();
    this.asked = null;
  }

  /** The question at the board, at a step that evaluates. */
  offer(step) {
    const { tree, steps, t, part } = this.view;
    const open = step.kind === "evaluate" && canBeAsked(tree, steps, step.node, t);
    part("why").hidden = !open;
    if (open) part("why").textContent = `Why ${number(step.value)}?`;
  }

  ask(row) {
    const { view } = this;
    const node = view.tree.number(row);
    this.asked = row;
    view.selected = row;
    view.showTab("node");
    if (!this.answers.has(node)) view.send("why", node);
  }

  told(answer) {
    this.answers.set(answer.node, answer);
    this.view.draw();
    if (this.asked !== null) requestAnimationFrame(() => requestAnimationFrame(() => this.view.part("reasons").scrollIntoView({ block: "nearest" })));
  }

  /** In the tab "Node". */
  show(row) {
    const { tree, steps, t, part } = this.view;
    const answer = canBeAsked(tree, steps, row, t) ? this.answers.get(tree.number(row)) : undefined;
    const board = this.view.boardRow() === row ? "board" : "reasonsBoard";
    if (this.shown === answer && this.row === row && this.board === board) return;
    Object.assign(this, { shown: answer, row, board });
    const ownBoard = board === "board" ? "" : '<div data-part="reasonsBoard"></div>';
    part("reasons").innerHTML = answer ? reasonsHtml(answer, ownBoard) : "";
    if (answer) this.light(null);
  }

  /** The board with the cells of one line of the list, or without: the viewer's own board if it shows that position. */
  light(line) {
    if (!this.shown) return;
    const { tree } = this.view;
    const cells = line ? this.shown.groups[Number(line.dataset.group)].cells : [];
    const board = boardAt(tree, this.row);
    this.view.part(this.board).innerHTML = boardSvg(board, new Map(), cellsSvg(board, cells));
  }

  destroy() {
    window.removeEventListener(TOLD, this.hear);
  }
}
