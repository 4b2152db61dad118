// The part of an exercise that is answered: the tree with its fields, the answer as it is typed or clicked, and the marks of its grade.

import { boardSvg } from "../../draw/board.js";
import { chooseMove, countAnswered, countMissing, isReadable, moveBy, moveFirst, normalizeNumber, setText, toggleMarks } from "./exercise_answer.js";
import { createNodes, describeNode, placeNodes, showResult } from "./exercise_nodes.js";
import { findNeighbour, layOutTree, listChildren, rotateKey } from "./exercise_tree.js";

const MAX_FIELD_CHARS = 4; // longer texts are written in smaller letters
const INPUTS = ".node input, .fields input";

export class AnswerSheet {
  /** `onComplete` is called when Enter is pressed and no field is empty. */
  constructor(root, onComplete) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.tree = this.part("tree");
    this.onComplete = onComplete;
    this.resizeObserver = new ResizeObserver(() => this.layOut());
  }

  attach() {
    this.resizeObserver.observe(this.part("scroll"));
  }

  destroy() {
    this.resizeObserver.disconnect();
  }

  /** Take another exercise, without an answer. */
  start(exercise) {
    this.data = exercise;
    this.part("board").innerHTML = exercise.board ? boardSvg({ ...exercise.board, last: exercise.last }) : "";
    this.clear();
  }

  /** Remove the answer and the grade. */
  clear() {
    const { format, counts } = this.data;
    this.answer = {};
    this.grade = null;
    this.elements = createNodes(this.data, (name, ...details) => this[name](...details));
    const background = Object.assign(document.createElement("div"), { className: "background" });
    this.tree.replaceChildren(background, ...this.elements);
    this.part("fields").replaceChildren(...(format === "reply" ? this.createReplyFields() : Object.entries(counts).map((count) => this.createCountField(count))));
    this.part("scroll").scrollLeft = 0;
    this.layOut();
    this.draw();
  }

  /** Show an answer that was given before. */
  restore(answer) {
    this.answer = answer;
    for (const input of this.inputs()) {
      const { part, end } = input.dataset;
      const value = end === undefined ? answer[part] : answer[part]?.[end];
      input.value = String(value ?? "").replace("inf", "∞");
      fitText(input);
    }
    this.layOut();
    this.draw();
  }

  /** Show which parts are right. The answer can no longer be changed. */
  showGrade(grade) {
    this.grade = grade;
    this.draw();
  }

  get isEmpty() {
    return !countAnswered(this.answer) && !["mark", "order"].includes(this.data.format);
  }

  get missing() {
    return countMissing(this.data, this.answer);
  }

  inputs() {
    return [...this.root.querySelectorAll(INPUTS)];
  }

  highlight(rows, isOn) {
    for (const row of rows) this.elements[row]?.classList.toggle("highlighted", isOn);
  }

  highlightOnly(part) {
    this.elements.forEach((element, row) => element.classList.toggle("highlighted", String(row) === part));
  }

  /** Mark the fields whose text is not a number, and go to the first of them. */
  markUnreadable() {
    const unreadable = this.inputs().filter(({ value }) => !isReadable(this.data.format, value));
    for (const input of unreadable) input.classList.add("wrong");
    unreadable[0]?.focus();
  }

  // ---- fields

  createCountField([name, label]) {
    const field = Object.assign(document.createElement("label"), { textContent: label });
    const input = Object.assign(document.createElement("input"), { inputMode: "numeric", maxLength: 6, autocomplete: "off" });
    input.dataset.part = name;
    input.addEventListener("input", () => this.type(name, input, null));
    input.addEventListener("keydown", (event) => this.key(name, event));
    field.append(input);
    return field;
  }

  createReplyFields() {
    const { alpha, beta } = this.data;
    const entryWindow = Object.assign(document.createElement("b"), { textContent: `Window on entry: α = ${alpha}, β = ${beta}` });
    const none = Object.assign(document.createElement("button"), { textContent: "No cutoff: the search tries all replies" });
    none.dataset.none = "";
    none.addEventListener("click", () => {
      if (!this.grade) this.answer = { after: 0 };
      this.draw();
    });
    return [entryWindow, none];
  }

  // ---- answering

  pick(row) {
    const { format, nodes, parts } = this.data;
    if (this.grade) return;
    if (format === "mark") this.answer = toggleMarks(nodes, parts, this.answer, row);
    else if (format === "child") this.answer = chooseMove(nodes, parts, this.answer, row);
    else if (format === "order") this.answer = moveFirst(nodes, this.answer, row);
    else if (format === "call") this.answer = { call: row };
    else if (format === "reply" && row > 0) this.answer = { after: row };
    if (format === "order") this.layOut();
    this.draw();
  }

  type(part, input, end) {
    const text = normalizeNumber(input.value);
    if (text !== input.value) input.value = text;
    input.classList.remove("wrong");
    fitText(input);
    this.answer = setText(this.answer, part, text, end);
  }

  key(row, event) {
    const { format, nodes } = this.data;
    const isField = event.target.tagName === "INPUT";
    if (isField && event.key === "Enter" && !event.ctrlKey) this.focusNextField(event.target);
    else if (event.key.startsWith("Arrow") && typeof row === "number") {
      if (isField && ["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      const key = this.isSideways ? rotateKey(event.key) : event.key;
      if (format === "order" && event.shiftKey && ["ArrowLeft", "ArrowRight"].includes(key) && !this.grade) {
        this.answer = moveBy(nodes, this.answer, row, key === "ArrowLeft" ? -1 : 1);
        this.layOut();
        this.draw();
      } else this.focus(findNeighbour(key, row, nodes, this.children, this.layout));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Focus the next empty field. If there is none, the answer is complete. */
  focusNextField(input) {
    const fields = this.inputs();
    const after = fields.slice(fields.indexOf(input) + 1).concat(fields);
    const empty = after.find((other) => other.value === "");
    if (empty) empty.focus();
    else this.onComplete();
  }

  focus(row) {
    const element = this.elements[row];
    (element.querySelector("input") ?? element).focus();
  }

  // ---- drawing

  layOut() {
    if (!this.data) return;
    const orders = this.data.format === "order" ? this.answer : {};
    this.children = listChildren(this.data.nodes, orders);
    this.layout = layOutTree(this.data.nodes, this.children);
    const width = this.part("scroll").clientWidth; // 0 before the card is on the page
    if (width) this.isSideways = placeNodes(this.tree, this.elements, this.data, this.children, this.layout, width);
    this.part("sideways").hidden = !this.isSideways;
    this.drawLines();
  }

  draw() {
    const { format, nodes } = this.data;
    const isGraded = Boolean(this.grade);
    const wrong = new Set(this.grade?.corrections.flatMap(({ parts }) => parts));
    const right = new Set(this.grade?.right_parts);
    this.elements.forEach((element, row) => {
      const part = String(row);
      const picked = isPicked(this.answer, format, nodes, row);
      element.classList.toggle("marked", format === "mark" && Boolean(this.answer[part]));
      element.classList.toggle("picked", picked);
      if (element.tagName === "BUTTON") {
        element.setAttribute("aria-pressed", String(picked || (format === "mark" && Boolean(this.answer[part]))));
        element.setAttribute("aria-label", describeNode(nodes[row], nodes) + (nodes[row].result === undefined ? "" : `, window ${nodes[row].alpha} to ${nodes[row].beta}, value ${nodes[row].result}`));
      }
      const isSingle = isGraded && (format === "call" || format === "reply");
      const isRight = isSingle && this.grade.rows.includes(row);
      element.classList.toggle("solution", isRight);
      showResult(element, isRight || right.has(part) ? true : wrong.has(part) || (isSingle && picked) ? false : null);
    });
    for (const input of this.inputs()) {
      input.readOnly = isGraded;
      input.classList.toggle("wrong", wrong.has(input.dataset.part));
      input.classList.toggle("right", right.has(input.dataset.part));
    }
    const none = this.root.querySelector("[data-none]");
    if (none) {
      none.setAttribute("aria-pressed", String(this.answer.after === 0));
      showResult(none, !isGraded ? null : this.grade.rows.length === 0 ? true : this.answer.after === 0 ? false : null);
    }
    this.drawLines();
  }

  /** Draw the lines to chosen moves thick and the lines to skipped nodes dashed. */
  drawLines() {
    const { format, nodes } = this.data;
    for (const line of this.tree.querySelectorAll("path")) {
      const row = Number(line.dataset.to);
      line.classList.toggle("chosen", format === "child" && isPicked(this.answer, format, nodes, row));
      line.classList.toggle("skipped", !nodes[row].visited || (format === "mark" && Boolean(this.answer[row])));
    }
  }
}

/** Write a long text in smaller letters, and show all of it on hover. */
function fitText(input) {
  const isLong = input.value.length > MAX_FIELD_CHARS;
  input.classList.toggle("long", isLong);
  input.title = isLong ? input.value : "";
}

function isPicked(answer, format, nodes, row) {
  if (format === "call") return answer.call === row;
  if (format === "reply") return row > 0 && answer.after === row;
  const { parent } = nodes[row];
  return format === "child" && parent >= 0 && listChildren(nodes)[parent][answer[parent]] === row;
}
