// Which screens of lessons were solved in this browser, in words.

import { MARKED, markSolved, marksIn, wordsFor } from "./lesson_progress.js";
import { localStore } from "../../input/local_store.js";

export function show({ data, parentElement }) {
  const marks = (parentElement.view ??= new Marks(parentElement));
  marks.update(data);
}

class Marks {
  constructor(host) {
    this.root = host.querySelector(".lesson-marks");
    this.draw = () => this.root.replaceChildren(...wordsFor(this.data, marksIn(localStore())).map(written));
    window.addEventListener(MARKED, this.draw);
    window.addEventListener("storage", this.draw); // another tab
  }

  destroy() {
    window.removeEventListener(MARKED, this.draw);
    window.removeEventListener("storage", this.draw);
  }

  update(data) {
    this.data = data;
    if (data.here && data.solved) markSolved(localStore(), ...data.here);
    this.draw();
  }
}

function written({ words, strong }) {
  return Object.assign(document.createElement(strong ? "b" : "span"), { textContent: words });
}
