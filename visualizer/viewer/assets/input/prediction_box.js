// "Predict", for every viewer that plays a search: the box with the question, the outcome of the answer, and the score.

/** The score in words: right, wrong, and right by kind of question. `score` has {right, answered} for each kind. */
export function scoreText(score) {
  const kinds = Object.entries(score);
  const [right, answered] = ["right", "answered"].map((name) => kinds.reduce((sum, [, count]) => sum + count[name], 0));
  const listed = kinds.map(([kind, count]) => `${kind} ${count.right} of ${count.answered}`).join(", ");
  return `${answered} ${answered === 1 ? "prediction" : "predictions"}: ${right} right, ${answered - right} wrong. Right by kind: ${listed}.`;
}

/** Base of the predictions of a viewer. Subclasses have `kinds` of questions, `findQuestion(t)` and `start(t)`, which goes to the first question
 *  from a step on. A question is {kind, words, choices, answer, outcome, reason}: see predict.js. */
export class PredictionBox {
  constructor(view) {
    this.view = view;
    this.on = false;
    this.outcome = null; // {t, words} of the last answer, while its step is shown
  }

  setEnabled(on) {
    const { view } = this;
    this.on = on;
    view.root.classList.toggle("predicting", on);
    if (!on && this.isScored) view.note(this.scoreText(), 8000);
    this.score = {};
    this.outcome = null;
    this.shown = null;
    if (on) this.start(view.t);
    view.draw();
  }

  get isScored() {
    return Object.keys(this.score ?? {}).length > 0;
  }

  /** The score, by kinds in their usual order. */
  scoreText() {
    return scoreText(Object.fromEntries(this.kinds.filter((kind) => this.score[kind]).map((kind) => [kind, this.score[kind]])));
  }

  /** The summary, which is shown at the end of the search. */
  summary() {
    const { steps, t, playing } = this.view;
    return this.on && !playing && !this.outcome && !this.question() && t === steps.length - 1 && this.isScored ? `The search is done. ${this.scoreText()}` : null;
  }

  /** The question that waits for an answer. */
  question() {
    const { t, playing } = this.view;
    return this.on && !playing && !this.outcome ? this.findQuestion(t) : null;
  }

  /** Show the outcome of the last answer, the question of this step, or the summary, if there is one. */
  ask() {
    const { t, part } = this.view;
    if (this.outcome?.t !== t) this.outcome = null; // the user went elsewhere
    const question = this.question();
    const summary = this.summary();
    const words = this.outcome?.words ?? question?.words ?? summary;
    part("prediction").hidden = !words;
    if (!words || this.shown === `${t} ${words}`) return;
    this.shown = `${t} ${words}`;
    part("question").textContent = words;
    const choices = question ? question.choices.map((choice, index) => button(choice, `key ${index + 1}`, () => this.answer(index))) : [];
    part("choices").replaceChildren(...choices, ...(question ? [] : [button(summary ? "Start again" : "Continue", "Enter", () => this.goOn())]));
  }

  /** Go to the step that shows the outcome, and pause there. */
  answer(index) {
    const question = this.question();
    if (!question || index >= question.choices.length) return;
    const { kind, choices, answer, outcome, reason } = question;
    const right = index === answer;
    const score = (this.score[kind] ??= { right: 0, answered: 0 });
    score.right += Number(right);
    score.answered++;
    const counts = Object.values(this.score);
    const [total, answered] = [counts.reduce((sum, count) => sum + count.right, 0), counts.reduce((sum, count) => sum + count.answered, 0)];
    const verdict = right ? "Correct." : `Not quite, the answer is "${choices[answer]}".`;
    this.view.go(outcome);
    this.outcome = { t: outcome, words: `${verdict} ${reason} (${total} of ${answered} correct)`.replace("  ", " ") };
    this.view.root.focus({ preventScroll: true });
  }

  /** Continue to the next question, which may be at the same step. After the summary, begin again. */
  goOn() {
    if (this.summary()) {
      this.score = {};
      this.start(0);
    }
    if (!this.outcome) return;
    this.outcome = null;
    if (this.question()) this.view.draw();
    else this.view.continuePlaying();
    this.view.root.focus({ preventScroll: true });
  }
}

function button(words, key, press) {
  const made = document.createElement("button");
  made.append(words, " ", Object.assign(document.createElement("kbd"), { textContent: key }));
  made.addEventListener("click", press);
  return made;
}
