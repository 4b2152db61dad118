// One exercise: a tree to answer on. The answer is graded by the server; what was done is kept in this browser only.

import { boardSvg } from "../../draw/board.js";
import { chosen, filled, first, marked, missing, shifted, typed, written } from "./exercise_answer.js";
import { Calls } from "./exercise_calls.js";
import { Keeper } from "./progress_store.js";
import { judge, makeNodes, nameOf, place } from "./exercise_nodes.js";
import { firstOf, nextDifficulty, sums } from "./exercise_progress.js";
import { childrenOf, layout, towards, turned } from "./exercise_tree.js";
import { markSolved } from "../lesson_checkmarks/lesson_progress.js";
import { localStore } from "../../input/local_store.js";

const HINTS = 3;
const KEYS = {
  number: "Enter: next field, then check",
  window: "i is ∞ · Enter: next field, then check",
  mark: "Click a node or press space: it is marked with all below it · arrows move",
  child: "Click a move or press space · arrows move",
  order: "Click a node or press space: it comes first · Shift with ← → moves it",
  count: "Enter: next field, then check",
  call: "Click the call or press space · arrows move",
  reply: "Click the reply after which the rest is skipped, or press space · arrows move",
};

export function show({ data, parentElement, setTriggerValue }) {
  const card = (parentElement.view ??= new Card(parentElement));
  card.update(data, setTriggerValue);
}

class Card {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.tree = this.part("tree");
    this.part("difficulty").addEventListener("change", (event) => this.open(this.data.kind, this.data.seed, Number(event.target.value)));
    this.calls = new Calls(this.root);
    this.keeper = new Keeper(this.root, () => this.data && this.drawAll());
    this.root.addEventListener("click", (event) => this.act(event.target.closest("[data-action]")?.dataset.action));
    this.root.addEventListener("keydown", (event) => event.key === "Enter" && event.ctrlKey && this.check());
    this.sized = new ResizeObserver(() => this.lay());
    this.sized.observe(this.part("scroll"));
  }

  destroy() {
    this.sized.disconnect();
    this.keeper.destroy();
  }

  update({ exercise, reply, screen }, send) {
    this.send = send;
    this.screen = screen; // of a lesson, if it is one
    this.root.classList.toggle("lean", Boolean(screen));
    if (exercise.id !== this.data?.id) this.begin(exercise);
    if (reply && reply.token !== this.heard) {
      this.heard = reply.token;
      if (!this.asked) this.comeBack(reply); // it was said before this page was left
      else if (reply.id === exercise.id || reply.what === "summary") this.hear(reply);
    }
  }

  /** The exercise as it was when the page was left after its answer, to be shown a step, say. */
  comeBack(reply) {
    if (reply.what !== "grade" || reply.id !== this.data.id) return;
    this.answer = reply.answer;
    for (const input of this.root.querySelectorAll(".node input, .fields input")) {
      const { part, end } = input.dataset;
      const given = end === undefined ? this.answer[part] : this.answer[part]?.[end];
      input.value = String(given ?? "").replace("inf", "∞");
    }
    this.lay();
    this.hearGrade(reply);
  }

  /** Another exercise, with nothing answered. */
  begin(exercise) {
    this.data = exercise;
    this.root.dataset.exercise = exercise.id;
    this.hints = 0;
    this.part("title").textContent = exercise.title;
    this.part("prompt").textContent = exercise.prompt;
    this.part("seed").textContent = exercise.own ? "your own tree, which does not count in the summary" : `seed ${exercise.seed}`;
    this.part("seed").title = "Who opens the address of this page gets the same tree";
    this.part("keys").textContent = KEYS[exercise.how];
    this.part("difficulty").parentElement.hidden = exercise.own;
    this.part("difficulty").replaceChildren(...exercise.difficulties.map((level) => new Option(level, level, false, level === exercise.difficulty)));
    this.part("board").innerHTML = exercise.board ? boardSvg({ ...exercise.board, last: exercise.last }) : "";
    this.clear();
    this.showKinds();
  }

  /** Nothing is answered, and nothing judged. */
  clear() {
    const { how, counts } = this.data;
    this.answer = {};
    this.verdict = null;
    this.gaps = 0; // empty parts that were told of
    this.calls.show([]);
    this.elements = makeNodes(this.data, (what, ...told) => this[what](...told));
    const behind = Object.assign(document.createElement("div"), { className: "behind" });
    this.tree.replaceChildren(behind, ...this.elements);
    this.part("fields").replaceChildren(...(how === "reply" ? this.windowAndNone() : Object.entries(counts).map((count) => this.count(count))));
    this.say("");
    this.part("verdict").replaceChildren();
    this.part("scroll").scrollLeft = 0;
    this.lay();
    this.draw();
  }

  count([name, label]) {
    const made = Object.assign(document.createElement("label"), { textContent: label });
    const input = Object.assign(document.createElement("input"), { inputMode: "numeric", maxLength: 6, autocomplete: "off" });
    input.dataset.part = name;
    input.addEventListener("input", () => this.type(name, input, null));
    input.addEventListener("keydown", (event) => this.key(name, event));
    made.append(input);
    return made;
  }

  windowAndNone() {
    const { alpha, beta } = this.data;
    const told = Object.assign(document.createElement("b"), { textContent: `Window on entry: α = ${alpha}, β = ${beta}` });
    const none = Object.assign(document.createElement("button"), { textContent: "No cutoff: all are tried" });
    none.dataset.none = "";
    none.addEventListener("click", () => {
      if (!this.verdict) this.answer = { after: 0 };
      this.draw();
    });
    return [told, none];
  }

  lay() {
    if (!this.data) return;
    const orders = this.data.how === "order" ? this.answer : {};
    this.children = childrenOf(this.data.nodes, orders);
    this.laid = layout(this.data.nodes, this.children);
    const room = this.part("scroll").clientWidth;
    if (room) this.lies = place(this.tree, this.elements, this.data, this.children, this.laid, room); // none before it is on the page
    this.part("lies").hidden = !this.lies;
    this.drawLines();
  }

  // ---- what is answered

  pick(row) {
    const { how, nodes, parts } = this.data;
    if (this.verdict) return;
    if (how === "mark") this.answer = marked(nodes, this.answer, row);
    else if (how === "child") this.answer = chosen(nodes, parts, this.answer, row);
    else if (how === "order") this.answer = first(nodes, this.answer, row);
    else if (how === "call") this.answer = { call: row };
    else if (how === "reply" && row > 0) this.answer = { after: row };
    if (how === "order") this.lay();
    this.draw();
  }

  type(part, input, end) {
    const text = typed(input.value);
    if (text !== input.value) input.value = text;
    this.answer = written(this.answer, part, text, end);
  }

  key(row, event) {
    const { how, nodes } = this.data;
    const field = event.target.tagName === "INPUT";
    if (field && event.key === "Enter" && !event.ctrlKey) this.further(event.target);
    else if (event.key.startsWith("Arrow") && typeof row === "number") {
      if (field && ["ArrowLeft", "ArrowRight"].includes(event.key)) return;
      const pressed = this.lies ? turned(event.key) : event.key;
      if (how === "order" && event.shiftKey && ["ArrowLeft", "ArrowRight"].includes(pressed) && !this.verdict) {
        this.answer = shifted(nodes, this.answer, row, pressed === "ArrowLeft" ? -1 : 1);
        this.lay();
        this.draw();
      } else this.focus(towards(pressed, row, nodes, this.children, this.laid));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** To the next empty field, or if there is none, to the end. */
  further(input) {
    const fields = [...this.root.querySelectorAll(".node input, .fields input")];
    const after = fields.slice(fields.indexOf(input) + 1).concat(fields);
    const empty = after.find((other) => other.value === "");
    if (empty) empty.focus();
    else this.check();
  }

  focus(row) {
    const element = this.elements[row];
    (element.querySelector("input") ?? element).focus();
  }

  // ---- what is asked of the server

  act(action) {
    const { kind, seed, difficulty } = this.data;
    if (action === "check") this.check();
    else if (action === "hint") this.ask("hint", { answer: this.answer, number: Math.min(this.hints + 1, HINTS) });
    else if (action === "clear") this.clear();
    else if (["new", "next"].includes(action) && this.data.own) this.openRandom(kind);
    else if (action === "new") this.open(kind, this.following(seed), difficulty);
    else if (action === "next") this.open(kind, this.following(seed), nextDifficulty(this.keeper.progress, kind, difficulty));
    else if (action === "summary") this.ask("summary", { exercises: this.keeper.progress.exercises, learner: this.keeper.progress.learner });
    else if (action === "forget") this.keeper.forget();
    else if (action === "earlier") this.calls.step(-1);
    else if (action === "later") this.calls.step(1);
  }

  /** The next seed, so that those who began with the same exercise go on with the same. */
  following(seed) {
    return (seed + 1) % 1_000_000_000;
  }

  check() {
    if (this.verdict) return;
    if (!filled(this.answer) && !["mark", "order"].includes(this.data.how)) this.say("Answer first: nothing is there to be checked.");
    else if (this.gaps !== (this.gaps = missing(this.data, this.answer)) && this.gaps) {
      this.say(`${this.gaps} of ${this.data.parts.length} are still empty. Press Check again to have it judged as it is.`);
    } else this.ask("answer", { answer: this.answer });
  }

  open(kind, seed, difficulty) {
    this.ask("open", { kind, seed, difficulty });
  }

  /** Another kind of exercise about the same tree of one's own. */
  openAbout(kind) {
    this.ask("open", { kind, own: true });
  }

  /** Away from one's own tree, to one that is drawn. */
  openRandom(kind) {
    this.open(kind, Math.floor(Math.random() * 1_000_000_000), lastDifficulty(this.keeper.progress, kind));
  }

  ask(what, message) {
    this.asked = true;
    this.send(what, { id: this.data.id, ...message });
  }

  // ---- what it says

  hear(reply) {
    if (reply.what === "grade") this.hearGrade(reply);
    else if (reply.what === "hint") this.hearHint(reply);
    else if (reply.what === "summary") download(reply.name, reply.text);
    else this.say(reply.words, "wrong");
  }

  hearGrade(reply) {
    const { kind, seed, difficulty } = this.data;
    this.verdict = reply;
    const done = { kind, seed, difficulty, answer: reply.answer, points: reply.right, total: reply.total, hints: this.hints };
    if (!this.data.own) this.keeper.add(done);
    const counts = (!this.data.own && firstOf(this.keeper.progress, done)) || done;
    const earlier = counts.points === done.points ? "" : `The summary keeps your first answer: ${counts.points} of ${counts.total}.`;
    const solved = reply.right === reply.total;
    if (solved && this.screen) markSolved(localStore(), ...this.screen);
    this.say([reply.headline, reply.thought, earlier], solved ? "right" : "wrong");
    const list = document.createElement("ol");
    list.append(...reply.wrongs.map((item) => this.told(item)));
    this.part("verdict").replaceChildren(...(reply.wrongs.length ? [list] : []));
    this.draw();
    this.calls.show(reply.calls, this.elements);
    this.root.querySelector('[data-action="next"]').focus({ preventScroll: true });
    this.part("said").scrollIntoView({ block: "nearest" });
  }

  told({ rows, told, reason, step }) {
    const item = document.createElement("li");
    const words = Object.assign(document.createElement("span"), { textContent: `${told} ${reason}` });
    words.prepend(Object.assign(document.createElement("i"), { className: "mark wrong", textContent: "✗", ariaHidden: "true" }));
    item.append(words);
    const { calls } = this.verdict;
    if (calls.length) item.append(button("Show me", () => this.calls.showMistake()));
    if (step !== null) item.append(button(calls.length ? "The right search" : "Show me", () => this.ask("show", { step })));
    const look = (on) => rows.forEach((row) => this.elements[row]?.classList.toggle("looked", on));
    for (const [event, on] of [["pointerenter", true], ["pointerleave", false], ["focusin", true], ["focusout", false]]) item.addEventListener(event, () => look(on));
    return item;
  }

  hearHint({ number, words, part }) {
    this.hints = Math.max(this.hints, number);
    this.say([`Hint ${number} of ${HINTS}: ${words}`]);
    this.elements.forEach((element, row) => element.classList.toggle("looked", number > 1 && String(row) === part));
    this.draw();
  }

  say(words, look = "") {
    const lines = (Array.isArray(words) ? words : [words]).filter(Boolean);
    const said = this.part("said");
    said.className = `said ${look}`;
    said.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
    const sign = { right: "✓", wrong: "✗" }[look];
    if (sign && lines.length) said.firstChild.prepend(Object.assign(document.createElement("i"), { className: `mark ${look}`, textContent: sign, ariaHidden: "true" }));
  }

  // ---- what is seen

  drawAll() {
    this.showKinds();
    this.draw();
  }

  showKinds() {
    const { kinds, kind, seed, difficulty, own } = this.data;
    this.part("kinds").replaceChildren(...kinds.map(({ name, title }) => {
      const { done, solved } = sums(this.keeper.progress, name);
      const button = Object.assign(document.createElement("button"), { textContent: title });
      if (done) button.append(Object.assign(document.createElement("small"), { textContent: `${solved}/${done}` }));
      button.setAttribute("aria-pressed", String(name === kind));
      button.addEventListener("click", () => own ? this.openAbout(name) : this.open(name, seed, name === kind ? difficulty : nextDifficulty(this.keeper.progress, name, lastDifficulty(this.keeper.progress, name))));
      return button;
    }));
    const row = this.part("kinds");
    const here = row.querySelector('[aria-pressed="true"]');
    row.scrollLeft = here.offsetLeft - row.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
    const all = sums(this.keeper.progress);
    this.part("progress").textContent = all.done
      ? `In this browser: ${all.done} exercise${all.done === 1 ? "" : "s"}, ${all.points} of ${all.total} points.`
      : "What you do is kept in this browser only.";
  }

  draw() {
    const { how, nodes } = this.data;
    const done = Boolean(this.verdict);
    for (const [action, shown] of Object.entries({ check: !done, hint: !done, next: done, clear: true })) {
      this.root.querySelector(`[data-action="${action}"]`).hidden = !shown;
    }
    this.root.querySelector('[data-action="hint"]').textContent = this.hints ? `Hint (${Math.min(this.hints + 1, HINTS)} of ${HINTS})` : "Hint";
    this.root.querySelector('[data-action="clear"]').textContent = done ? "Try again" : "Start over";
    this.part("keys").hidden = done;
    for (const name of ["summary", "forget"]) this.root.querySelector(`[data-action="${name}"]`).hidden = !this.keeper.progress.exercises.length;
    this.part("learner").hidden = !this.keeper.progress.exercises.length;
    const next = nextDifficulty(this.keeper.progress, this.data.kind, this.data.difficulty);
    this.root.querySelector('[data-action="next"]').textContent = this.data.own ? "Next, a drawn tree" : next > this.data.difficulty ? "Next, harder" : next < this.data.difficulty ? "Next, easier" : "Next";
    const wrong = new Set(this.verdict?.wrongs.flatMap(({ parts }) => parts));
    const right = new Set(this.verdict?.rights);
    this.elements.forEach((element, row) => {
      const part = String(row);
      const picked = isPicked(this.answer, how, nodes, row);
      element.classList.toggle("marked", how === "mark" && Boolean(this.answer[part]));
      element.classList.toggle("picked", picked);
      if (element.tagName === "BUTTON") {
        element.setAttribute("aria-pressed", String(picked || (how === "mark" && Boolean(this.answer[part]))));
        element.setAttribute("aria-label", nameOf(nodes[row], nodes) + (nodes[row].result === undefined ? "" : `, window ${nodes[row].alpha} to ${nodes[row].beta}, value ${nodes[row].result}`));
      }
      const single = done && (how === "call" || how === "reply");
      const isRight = single && this.verdict.rows.includes(row);
      judge(element, isRight || right.has(part) ? true : wrong.has(part) || (single && picked) ? false : null);
    });
    for (const input of this.root.querySelectorAll(".node input, .fields input")) {
      input.readOnly = done;
      input.classList.toggle("wrong", wrong.has(input.dataset.part));
      input.classList.toggle("right", right.has(input.dataset.part));
    }
    this.root.querySelector("[data-none]")?.setAttribute("aria-pressed", String(this.answer.after === 0));
    this.drawLines();
  }

  /** The lines to chosen moves are thick. */
  drawLines() {
    const { how, nodes } = this.data;
    for (const line of this.tree.querySelectorAll("path")) {
      const row = Number(line.dataset.to);
      line.classList.toggle("chosen", how === "child" && isPicked(this.answer, how, nodes, row));
      line.classList.toggle("gone", !nodes[row].visited || (how === "mark" && Boolean(this.answer[row])));
    }
  }
}

function button(words, does) {
  const made = Object.assign(document.createElement("button"), { textContent: words });
  made.addEventListener("click", does);
  return made;
}

function isPicked(answer, how, nodes, row) {
  if (how === "call") return answer.call === row;
  if (how === "reply") return row > 0 && answer.after === row;
  const { parent } = nodes[row];
  return how === "child" && parent >= 0 && childrenOf(nodes)[parent][answer[parent]] === row;
}

/** How hard the last exercise of a kind was. */
function lastDifficulty({ exercises }, kind) {
  return exercises.findLast((done) => done.kind === kind)?.difficulty ?? 1;
}

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
