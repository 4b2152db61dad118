// Shows which screens of lessons are solved in this browser.

import { MARKS_CHANGED, describeProgress, loadMarks, markSolved } from "./lesson_progress.js";
import { localStore } from "../../input/local_store.js";
import { mountedView } from "../../input/mounted_view.js";

export function show({ data, parentElement }) {
  const checkmarks = mountedView(parentElement, () => new Checkmarks(parentElement));
  checkmarks.update(data);
}

const REPLY_DELAY = 250; // milliseconds until the page has drawn the reply

/** Scroll to the reply: on a phone it is above the tree that was tapped. */
function showReply() {
  document.querySelector(".st-key-lesson-reply")?.scrollIntoView({ block: "nearest" });
}

class Checkmarks {
  constructor(host) {
    this.root = host.querySelector(".lesson-marks");
    this.draw = () => this.root.replaceChildren(...describeProgress(this.data, loadMarks(localStore())).map(createElement));
  }

  attach() {
    window.addEventListener(MARKS_CHANGED, this.draw);
    window.addEventListener("storage", this.draw); // another tab
  }

  destroy() {
    window.removeEventListener(MARKS_CHANGED, this.draw);
    window.removeEventListener("storage", this.draw);
  }

  update(data) {
    const isNewAnswer = this.data?.here && data.answer && data.answer !== this.data.answer;
    this.data = data;
    this.root.classList.toggle("card", Boolean(data.card));
    if (isNewAnswer) setTimeout(showReply, REPLY_DELAY);
    if (data.here && data.solved) markSolved(localStore(), ...data.here);
    this.draw();
  }
}

function createElement({ text, strong }) {
  return Object.assign(document.createElement(strong ? "b" : "span"), { textContent: text });
}
