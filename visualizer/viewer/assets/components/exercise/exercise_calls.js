// A recorded search, call by call. Each event begins or ends a call. The tree shows the state of the calls at that event.

/** Map rows to the state of their call at an event: "open" or "left". Calls that begin later are missing. */
export function callStatesAt(calls, index) {
  const states = new Map();
  for (const { row, left } of calls.slice(0, index + 1)) states.set(row, left ? "left" : "open");
  return states;
}

/** Find the first event that the record proves wrong, or the last event if there is none. */
export function findFirstWrong(calls) {
  const found = calls.findIndex(({ wrong }) => wrong);
  return found < 0 ? calls.length - 1 : found;
}

/** The panel below an exercise that steps through such a search. */
export class CallStepper {
  constructor(root) {
    this.part = (name) => root.querySelector(`[data-part="${name}"]`);
    this.backButton = root.querySelector('[data-action="answers"]');
    this.part("time").addEventListener("input", (event) => this.goTo(Number(event.target.value)));
  }

  /** Show a search at its last event. Without calls the panel is hidden. */
  show(calls, elements = []) {
    Object.assign(this, { calls, elements });
    this.part("calls").hidden = !calls.length;
    this.stayInSight(false); // the verdict is there
    this.part("time").max = calls.length - 1;
    if (calls.length) this.drawEvent(calls.length - 1);
  }

  /** Draw one event: nodes that are not entered yet are pale, nodes that are not left have no value. */
  drawEvent(index) {
    const { calls, elements } = this;
    this.index = Math.min(Math.max(index, 0), calls.length - 1);
    const { row, words, wrong } = calls[this.index];
    const states = callStatesAt(calls, this.index);
    this.part("time").value = this.index;
    this.part("when").textContent = `${this.index + 1} of ${calls.length}`;
    this.part("event").textContent = words;
    this.part("event").className = wrong ? "wrong" : "";
    elements.forEach((element, elementRow) => {
      const value = element.querySelector("[data-result]"); // nodes that the search never visits have none
      element.classList.toggle("current", elementRow === row && this.index < calls.length - 1);
      element.classList.toggle("pending", Boolean(value) && !states.has(elementRow));
      if (value) value.textContent = states.get(elementRow) === "left" ? value.dataset.result : "…";
    });
  }

  goTo(index) {
    this.stayInSight(true);
    this.drawEvent(index);
    this.elements[this.calls[this.index].row].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Keep the panel at the edge of the screen while the user steps through the calls. */
  stayInSight(isStepping) {
    this.part("calls").classList.toggle("stepping", isStepping);
    this.backButton.hidden = !isStepping;
  }

  step(distance) {
    this.goTo(this.index + distance);
  }

  /** Show the whole search, as at first. */
  showEnd() {
    this.stayInSight(false);
    this.drawEvent(this.calls.length - 1);
  }

  showMistake() {
    this.goTo(findFirstWrong(this.calls));
  }
}
