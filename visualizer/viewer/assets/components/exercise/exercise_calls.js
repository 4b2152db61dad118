// A recorded search, call by call: a call begins, or it is left. The tree above is shown as it was then.

/** By row what a call is after so many events: "open" or "left"; calls that come later are missing. */
export function standingAt(calls, time) {
  const standing = new Map();
  for (const { row, left } of calls.slice(0, time + 1)) standing.set(row, left ? "left" : "open");
  return standing;
}

/** The event that the record proves wrong first; the last one if there is none. */
export function firstWrong(calls) {
  const found = calls.findIndex(({ wrong }) => wrong);
  return found < 0 ? calls.length - 1 : found;
}

/** The panel below an exercise in which such a search is stepped through. */
export class Calls {
  constructor(root) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.part("time").addEventListener("input", (event) => this.goTo(Number(event.target.value)));
  }

  /** All of a search, at its end; without calls there is nothing to show. */
  show(calls, elements = []) {
    Object.assign(this, { calls, elements });
    this.part("calls").hidden = !calls.length;
    this.part("time").max = calls.length - 1;
    if (calls.length) this.at(calls.length - 1);
  }

  /** What was not entered yet is pale, what was not left has no value. */
  at(time) {
    const { calls, elements } = this;
    this.time = Math.min(Math.max(time, 0), calls.length - 1);
    const { row, words, wrong } = calls[this.time];
    const standing = standingAt(calls, this.time);
    this.part("time").value = this.time;
    this.part("when").textContent = `${this.time + 1} of ${calls.length}`;
    this.part("event").textContent = words;
    this.part("event").className = wrong ? "wrong" : "";
    elements.forEach((element, place) => {
      const value = element.querySelector("[data-result]"); // what is never visited has none
      element.classList.toggle("now", place === row && this.time < calls.length - 1);
      element.classList.toggle("notyet", Boolean(value) && !standing.has(place));
      if (value) value.textContent = standing.get(place) === "left" ? value.dataset.result : "…";
    });
  }

  goTo(time) {
    this.at(time);
    this.elements[this.calls[this.time].row].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  step(by) {
    this.goTo(this.time + by);
  }

  showMistake() {
    this.goTo(firstWrong(this.calls));
  }
}
