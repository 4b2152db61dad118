// "Why 5?": the breakdown of a leaf's value, in words and on its board. The host is asked once for each leaf.

import { boardAt, boardSvg, gridAt, middleOf } from "../../draw/board.js";
import { number } from "../../draw/formatting.js";
import { escape } from "../../draw/panels.js";

/** Whether the value of a node can be broken down, after step t. */
export function hasBreakdown(tree, steps, row, t) {
  return tree.meta.tellsParts && tree.isLeaf(row) && t >= steps.leave(row);
}

/** The breakdown as markup: the sum, a board, and a line for each group of parts. */
export function breakdownHtml({ value, sum, groups, note }, board = "") {
  const lines = groups.map(({ words, points }, index) => `<li tabindex="0" data-group="${index}"><b>${points}</b> ${escape(words)}</li>`);
  return [
    `<h4>Why ${value}?</h4>`,
    sum ? `<p>${value} for MAX is the sum of these parts: ${sum}.</p>` : "",
    note ? `<p>${escape(note)}</p>` : "",
    board,
    `<ul>${lines.join("")}</ul>`,
  ].join("");
}

/** The cells of some parts, drawn over a grid: a line through cells in a straight line, a ring around each of the others. */
export function cellsSvg(board, parts) {
  if (!board || board.shape === "heaps") return "";
  const radius = gridAt(board, 0).size * 0.42;
  return parts.map((cells) => {
    const places = cells.map((cell) => middleOf(board, cell));
    if (isStraight(cells, board.cols)) return `<path d="M${places[0].x} ${places[0].y}L${places.at(-1).x} ${places.at(-1).y}" class="part"/>`;
    return places.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="${radius}" class="part"/>`).join("");
  }).join("");
}

/** Whether two or more cells follow each other in a straight line of a grid with `cols` columns. */
export function isStraight(cells, cols) {
  if (cells.length < 2) return false;
  const step = (index) => [(cells[index] % cols) - (cells[index - 1] % cols), Math.floor(cells[index] / cols) - Math.floor(cells[index - 1] / cols)];
  const [across, down] = step(1);
  if (Math.max(Math.abs(across), Math.abs(down)) !== 1) return false;
  return cells.every((_, index) => index === 0 || (step(index)[0] === across && step(index)[1] === down));
}

export class EvaluationPanel {
  constructor(view) {
    this.view = view;
    this.answers = new Map(); // by the number of the node
    view.part("explain").addEventListener("click", () => this.ask(view.steps.at(view.t).node));
    for (const [event, light] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
      view.part("breakdown").addEventListener(event, ({ target }) => this.highlight(light ? target.closest("[data-group]") : null));
    }
  }

  /** Forget the answers: another tree is shown. */
  reset() {
    this.answers.clear();
    this.asked = null;
  }

  /** Whether the value of a node can be broken down here and now. */
  isAvailable(row) {
    const { tree, steps, t, host } = this.view;
    return hasBreakdown(tree, steps, row, t) && host.offers("why", tree.number(row));
  }

  /** Show the button at the board if the step evaluates a leaf. */
  showButton(step) {
    const { part } = this.view;
    const open = step.kind === "evaluate" && this.isAvailable(step.node);
    part("explain").hidden = !open;
    if (open) part("explain").textContent = `Why ${number(step.value)}?`;
  }

  ask(row) {
    const { view } = this;
    const node = view.tree.number(row);
    this.asked = row;
    view.selected = row;
    view.showTab("node");
    if (this.answers.has(node)) return;
    if (view.largeTree) view.largeTree.explain(node).then((answer) => answer && this.receive(answer));
    else view.host.request("why", node);
  }

  receive(answer) {
    this.answers.set(answer.node, answer);
    this.view.draw();
    if (this.asked !== null) requestAnimationFrame(() => requestAnimationFrame(() => this.view.part("breakdown").scrollIntoView({ block: "nearest" })));
  }

  /** Show the breakdown in the tab "Node". */
  show(row) {
    const { tree, steps, t, part } = this.view;
    const answer = hasBreakdown(tree, steps, row, t) ? this.answers.get(tree.number(row)) : undefined;
    const board = this.view.boardRow() === row ? "board" : "breakdownBoard";
    if (this.shown === answer && this.row === row && this.board === board) return;
    Object.assign(this, { shown: answer, row, board });
    const ownBoard = board === "board" ? "" : '<div data-part="breakdownBoard"></div>';
    part("breakdown").innerHTML = answer ? breakdownHtml(answer, ownBoard) : "";
    if (answer) this.highlight(null);
  }

  /** Highlight the cells of one line of the list (null: none), on the viewer's own board if it shows that position. */
  highlight(line) {
    if (!this.shown) return;
    const { tree } = this.view;
    const cells = line ? this.shown.groups[Number(line.dataset.group)].cells : [];
    const board = boardAt(tree, this.row);
    this.view.part(this.board).innerHTML = boardSvg(board, new Map(), cellsSvg(board, cells));
  }
}
