// The moves of a reviewed game with their marks. A click or an arrow key shows the position after a move.

import { mountedView } from "../../input/mounted_view.js";

const STEPS = { ArrowLeft: -1, ArrowUp: -2, ArrowRight: 1, ArrowDown: 2, Home: -Infinity, End: Infinity };

export function show({ data, parentElement, setTriggerValue }) {
  const list = mountedView(parentElement, () => new MoveList(parentElement));
  list.update(data, setTriggerValue);
}

/** The number of moves to show after a key; null if the key does not move. */
export function plyAfterKey(shown, key, count) {
  return key in STEPS ? Math.max(0, Math.min(count, shown + STEPS[key])) : null;
}

class MoveList {
  constructor(host) {
    this.place = this.root = host.querySelector('[data-part="list"]');
    this.place.addEventListener("keydown", (event) => this.press(event));
    this.place.addEventListener("click", (event) => {
      const ply = event.target.closest?.("button")?.dataset.ply;
      if (ply !== undefined) this.look(Number(ply));
    });
  }

  /** `data` comes from viewer/move_list.py. */
  update({ moves, shown, parameter }, send) {
    this.send = send;
    this.parameter = parameter;
    const listed = JSON.stringify(moves);
    if (this.listed !== listed) {
      this.listed = listed;
      this.count = moves.length;
      this.place.replaceChildren(startButton(), ...moves.flatMap(entry));
    }
    this.mark(shown);
  }

  /** Mark the move that the board shows, and keep it in view without moving the page. */
  mark(shown) {
    this.shown = shown;
    for (const button of this.place.querySelectorAll("button")) {
      const here = Number(button.dataset.ply) === shown;
      button.setAttribute("aria-pressed", String(here));
      button.tabIndex = here ? 0 : -1;
      if (!here) continue;
      const above = button.offsetTop - this.place.offsetTop;
      const hidden = above < this.place.scrollTop || above + button.offsetHeight > this.place.scrollTop + this.place.clientHeight;
      if (hidden) this.place.scrollTop = above - this.place.clientHeight / 2;
    }
  }

  look(ply) {
    if (ply === this.shown) return;
    this.mark(ply);
    this.place.querySelector(`[data-ply="${ply}"]`)?.focus({ preventScroll: true });
    this.writeUrl(ply);
    this.send("ply", ply);
  }

  /** Keep the move in the URL, without a history entry for every look. */
  writeUrl(ply) {
    const url = new URL(window.location.href);
    url.searchParams.set(this.parameter, String(ply));
    window.history.replaceState(window.history.state, "", url);
  }

  press(event) {
    const ply = plyAfterKey(this.shown, event.key, this.count);
    if (ply === null) return;
    event.preventDefault();
    event.stopPropagation();
    this.look(ply);
  }

  destroy() {}
}

function startButton() {
  const button = moveButton(0, "Start", "The position before the first move");
  button.className = "start";
  return button;
}

/** A move; the first of two has the number before it. */
function entry({ name, mark, words, side }, at) {
  const button = moveButton(at + 1, name, words);
  button.className = side;
  if (mark) {
    const sign = document.createElement("span");
    sign.className = `mark ${mark === "!" ? "good" : "bad"}`;
    sign.textContent = mark;
    button.append(sign);
  }
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = `${at + 1}.`;
  return at % 2 ? [button] : [number, button];
}

function moveButton(ply, text, words) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.ply = String(ply);
  button.textContent = text;
  button.title = words;
  button.setAttribute("aria-label", words);
  return button;
}
