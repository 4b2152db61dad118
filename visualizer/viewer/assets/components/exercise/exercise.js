// One exercise on the page: which one it is, the messages to the server that grades it, the replies, and the progress, which only this
// browser stores. The answer itself is given on the answer sheet.

import { AnswerSheet } from "./answer_sheet.js";
import { CallStepper } from "./exercise_calls.js";
import { countProgress, findFirstAnswer, nextDifficulty } from "./exercise_progress.js";
import { ProgressStore } from "./progress_store.js";
import { markSolved } from "../lesson_checkmarks/lesson_progress.js";
import { localStore } from "../../input/local_store.js";
import { mountedView } from "../../input/mounted_view.js";

const HINT_COUNT = 3;
const SEED_COUNT = 1_000_000_000;
const MAX_DRAFTS = 30;
const KEY_HELP = {
  number: "Enter: next field, then check",
  window: "Type i for ∞ · Enter: next field, then check",
  visits: "Enter: next field, then check",
  mark: "Click a node or press Space to mark it with everything below it · arrow keys move",
  child: "Click a move or press Space · arrow keys move",
  order: "Click a node or press Space to put it first · Shift with ← → moves it",
  count: "Enter: next field, then check",
  call: "Click the call or press Space · arrow keys move",
  reply: "Click the last reply before the cutoff, or press Space · arrow keys move",
};

const drafts = new Map(); // by exercise: the answers that were given in this tab

export function show({ data, parentElement, setTriggerValue }) {
  const card = mountedView(parentElement, () => new Card(parentElement));
  card.update(data, setTriggerValue);
}

class Card {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.button = (action) => this.root.querySelector(`[data-action="${action}"]`);
    this.part("difficulty").addEventListener("change", (event) => this.open(this.data.kind, this.data.seed, Number(event.target.value)));
    this.sheet = new AnswerSheet(this.root, () => this.check());
    this.calls = new CallStepper(this.root);
    this.store = new ProgressStore(this.root, () => this.data && this.drawAll());
    this.root.addEventListener("click", (event) => this.act(event.target.closest("[data-action]")?.dataset.action));
    this.root.addEventListener("keydown", (event) => event.key === "Enter" && event.ctrlKey && this.check());
  }

  attach() {
    this.sheet.attach();
    this.store.attach();
  }

  destroy() {
    this.keepDraft();
    this.sheet.destroy();
    this.store.destroy();
  }

  update({ exercise, reply, screen, isFile = false }, send) {
    this.send = send;
    this.screen = screen; // the lesson and screen number, if it is part of a lesson
    this.isFile = isFile; // one file without a server
    this.root.classList.toggle("embedded", Boolean(screen) || isFile);
    this.root.classList.toggle("in-file", isFile);
    if (exercise.id !== this.data?.id) this.start(exercise);
    if (reply && reply.token !== this.lastToken) {
      this.lastToken = reply.token;
      if (!this.hasAsked) this.restore(reply); // a reply from before the user left this page
      else if (reply.id === exercise.id || reply.kind === "summary") this.handleReply(reply);
    }
  }

  /** Keep the answer of the exercise that is shown, for when the user returns to it. */
  keepDraft() {
    const { answer, grade } = this.sheet;
    drafts.delete(this.data.id);
    drafts.set(this.data.id, { answer, grade, hints: this.hints });
    if (drafts.size > MAX_DRAFTS) drafts.delete(drafts.keys().next().value);
  }

  /** Show the answer that this tab had before the user went to another exercise. */
  restoreDraft() {
    const draft = drafts.get(this.data.id);
    if (!draft) return;
    this.hints = draft.hints;
    this.sheet.restore(draft.answer);
    if (draft.grade) this.showGrade(draft.grade);
    else this.draw();
  }

  /** Restore the graded answer when the user returns to this page, for example from Step. */
  restore(reply) {
    if (reply.kind !== "grade" || reply.id !== this.data.id) return;
    this.sheet.restore(reply.answer);
    this.showGrade(reply);
  }

  /** Start another exercise. */
  start(exercise) {
    if (this.data) this.keepDraft();
    this.data = exercise;
    this.root.dataset.exercise = exercise.id;
    this.hints = 0;
    this.part("title").textContent = exercise.title;
    this.part("prompt").textContent = exercise.prompt;
    this.part("seed").textContent = exercise.own ? "your own tree, not in the summary" : `seed ${exercise.seed}`;
    this.part("seed").title = "Everyone who opens the URL of this page gets the same tree";
    this.part("keys").textContent = KEY_HELP[exercise.format];
    this.part("difficulty").parentElement.hidden = exercise.own;
    this.part("difficulty").replaceChildren(...exercise.difficulties.map((level) => new Option(level, level, false, level === exercise.difficulty)));
    this.sheet.start(exercise);
    this.showUngraded();
    this.showKinds();
    this.restoreDraft();
  }

  /** Remove the answer and the grade. */
  clear() {
    this.sheet.clear();
    this.showUngraded();
  }

  showUngraded() {
    this.warnedMissing = 0; // empty parts that the user was warned about
    this.calls.show([]);
    this.showFeedback("");
    this.part("corrections").replaceChildren();
    this.draw();
  }

  // ---- messages to the server

  act(action) {
    const { kind, seed, difficulty } = this.data;
    if (action === "check") this.check();
    else if (action === "hint") this.ask("hint", { answer: this.sheet.answer, number: Math.min(this.hints + 1, HINT_COUNT) });
    else if (action === "clear") this.clear();
    else if (["new", "next"].includes(action) && this.data.own) this.openRandom(kind);
    else if (action === "new") this.open(kind, this.nextSeed(seed), difficulty);
    else if (action === "next") this.open(kind, this.nextSeed(seed), nextDifficulty(this.store.progress, kind, difficulty));
    else if (action === "summary") this.ask("summary", { exercises: this.store.progress.exercises, learner: this.store.progress.learner });
    else if (action === "forget") this.store.forget();
    else if (action === "earlier") this.calls.step(-1);
    else if (action === "later") this.calls.step(1);
    else if (action === "mistake") this.calls.showMistake();
    else if (action === "answers") this.showAnswers();
  }

  /** Return the next seed. A class that starts with the same exercise continues with the same ones. */
  nextSeed(seed) {
    return (seed + 1) % SEED_COUNT;
  }

  check() {
    const { sheet } = this;
    if (sheet.grade) return;
    if (sheet.isEmpty) {
      this.showFeedback("There is nothing to check yet: answer first.");
      return;
    }
    const { missing } = sheet;
    if (missing && missing !== this.warnedMissing) {
      this.showFeedback(`${missing} of ${this.data.parts.length} are still empty. Press Check again to grade it anyway.`);
    } else this.ask("answer", { answer: sheet.answer });
    this.warnedMissing = missing;
  }

  open(kind, seed, difficulty) {
    this.ask("open", { kind, seed, difficulty });
  }

  /** Open another kind of exercise about the user's own tree. */
  openUserTree(kind) {
    this.ask("open", { kind, own: true });
  }

  /** Open an exercise with a random tree. */
  openRandom(kind) {
    this.open(kind, Math.floor(Math.random() * SEED_COUNT), lastDifficulty(this.store.progress, kind));
  }

  ask(name, message) {
    this.hasAsked = true;
    this.send(name, { id: this.data.id, ...message });
  }

  // ---- replies from the server

  handleReply(reply) {
    if (reply.kind === "grade") this.showGrade(reply);
    else if (reply.kind === "hint") this.showHint(reply);
    else if (reply.kind === "summary") download(reply.name, reply.text);
    else {
      this.showFeedback(`${reply.text}.`, "wrong");
      this.sheet.markUnreadable();
    }
  }

  showGrade(reply) {
    const { kind, seed, difficulty } = this.data;
    this.sheet.showGrade(reply);
    const done = { kind, seed, difficulty, answer: reply.answer, points: reply.right, total: reply.total, hints: this.hints };
    const isCounted = !this.data.own && !this.isFile;
    if (isCounted) this.store.add(done);
    const first = (isCounted && findFirstAnswer(this.store.progress, done)) || done;
    const note = first.points === done.points ? "" : `The summary keeps your first answer: ${first.points} of ${first.total}.`;
    const solved = reply.right === reply.total;
    if (solved && this.screen) markSolved(localStore(), ...this.screen);
    this.showFeedback([reply.headline, reply.explanation, reply.misconception, note], solved ? "right" : "wrong");
    const list = document.createElement("ol");
    list.append(...reply.corrections.map((correction) => this.createCorrection(correction)));
    this.part("corrections").replaceChildren(...(reply.corrections.length ? [list] : []));
    this.draw();
    this.calls.show(reply.calls, this.sheet.elements);
    this.button(this.isFile ? "clear" : "next").focus({ preventScroll: true });
    this.part("feedback").scrollIntoView({ block: "nearest" });
  }

  createCorrection({ rows, solution, reason, step }) {
    const item = document.createElement("li");
    const text = Object.assign(document.createElement("span"), { textContent: `${solution} ${reason}` });
    text.prepend(Object.assign(document.createElement("i"), { className: "mark wrong", textContent: "✗", ariaHidden: "true" }));
    item.append(text);
    const { calls } = this.sheet.grade;
    if (calls.length) item.append(createButton("Show me", () => this.calls.showMistake()));
    if (step !== null) item.append(createButton(calls.length ? "Show the right search" : "Show me", () => this.ask("show", { step })));
    for (const [event, isOn] of [["pointerenter", true], ["pointerleave", false], ["focusin", true], ["focusout", false]]) item.addEventListener(event, () => this.sheet.highlight(rows, isOn));
    return item;
  }

  /** Return from the recorded search to the graded answers. */
  showAnswers() {
    this.calls.showEnd();
    this.part("feedback").scrollIntoView({ block: "nearest" });
  }

  showHint({ number, text, part }) {
    this.hints = Math.max(this.hints, number);
    this.showFeedback([`Hint ${number} of ${HINT_COUNT}: ${text}`]);
    this.sheet.highlightOnly(number > 1 ? part : "");
    this.draw();
  }

  showFeedback(texts, result = "") {
    const lines = (Array.isArray(texts) ? texts : [texts]).filter(Boolean);
    const feedback = this.part("feedback");
    feedback.className = `feedback ${result}`;
    feedback.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
    const sign = { right: "✓", wrong: "✗" }[result];
    if (sign && lines.length) feedback.firstChild.prepend(Object.assign(document.createElement("i"), { className: `mark ${result}`, textContent: sign, ariaHidden: "true" }));
  }

  // ---- drawing

  drawAll() {
    this.showKinds();
    this.draw();
  }

  showKinds() {
    const { kinds, kind, seed, difficulty, own } = this.data;
    this.part("kinds").replaceChildren(...kinds.map(({ name, title }) => {
      const { done, solved } = countProgress(this.store.progress, name);
      const button = Object.assign(document.createElement("button"), { textContent: title });
      if (done) button.append(Object.assign(document.createElement("small"), { textContent: `${solved}/${done}` }));
      button.setAttribute("aria-pressed", String(name === kind));
      button.addEventListener("click", () => own ? this.openUserTree(name) : this.open(name, seed, name === kind ? difficulty : nextDifficulty(this.store.progress, name, lastDifficulty(this.store.progress, name))));
      return button;
    }));
    const bar = this.part("kinds");
    const current = bar.querySelector('[aria-pressed="true"]');
    bar.scrollLeft = current.offsetLeft - bar.offsetLeft - (bar.clientWidth - current.offsetWidth) / 2;
    const all = countProgress(this.store.progress);
    this.part("progress").textContent = all.done
      ? `In this browser: ${all.done} exercise${all.done === 1 ? "" : "s"}, ${all.points} of ${all.total} point${all.total === 1 ? "" : "s"}.`
      : "Your answers are stored only in this browser.";
  }

  draw() {
    const isGraded = Boolean(this.sheet.grade);
    const { progress } = this.store;
    for (const [action, shown] of Object.entries({ check: !isGraded, hint: !isGraded, next: isGraded, clear: true })) this.button(action).hidden = !shown;
    this.button("hint").textContent = this.hints ? `Hint (${Math.min(this.hints + 1, HINT_COUNT)} of ${HINT_COUNT})` : "Hint";
    this.button("clear").textContent = isGraded ? "Try again" : "Start over";
    this.part("keys").hidden = isGraded;
    for (const name of ["summary", "forget"]) this.button(name).hidden = !progress.exercises.length;
    this.part("learner").hidden = !progress.exercises.length;
    const next = nextDifficulty(progress, this.data.kind, this.data.difficulty);
    this.button("next").textContent = this.data.own ? "Next, a random tree" : next > this.data.difficulty ? "Next, harder" : next < this.data.difficulty ? "Next, easier" : "Next";
  }
}

function createButton(text, onClick) {
  const button = Object.assign(document.createElement("button"), { textContent: text });
  button.addEventListener("click", onClick);
  return button;
}

/** Return the difficulty of the last exercise of a kind. */
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
