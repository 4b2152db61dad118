// What was done so far on this page: the learner's name, what is added, and the button that forgets it.

import { keep, kept, withDone } from "./exercise_progress.js";
import { forgetMarks } from "../lesson_checkmarks/lesson_progress.js";
import { localStore } from "../../input/local_store.js";

const LONGEST_NAME = 80;

export class Keeper {
  /** `changed` is called after every change, by whichever page of this browser. */
  constructor(root, changed) {
    this.changed = changed;
    this.progress = kept(localStore());
    this.keeps = true; // the browser does
    this.name = root.querySelector('[data-part="learner"]');
    this.button = root.querySelector('[data-action="forget"]');
    this.name.value = this.progress.learner;
    this.name.addEventListener("change", () => this.change((progress) => ({ ...progress, learner: this.name.value.slice(0, LONGEST_NAME) })));
    this.button.addEventListener("blur", () => this.arm(false));
    this.elsewhere = () => {
      this.progress = this.latest();
      this.name.value = this.progress.learner;
      this.changed();
    };
    window.addEventListener("storage", this.elsewhere);
  }

  destroy() {
    window.removeEventListener("storage", this.elsewhere);
  }

  /** What is kept is the truth, since other pages of this browser add to it and forget it, too. */
  latest() {
    return this.keeps ? kept(localStore()) : this.progress;
  }

  change(change) {
    this.progress = change(this.latest());
    this.keeps = keep(localStore(), this.progress);
    this.changed();
  }

  add(done) {
    this.change((progress) => withDone(progress, done));
  }

  /** The first click asks, the second forgets. */
  forget() {
    if (this.sure) {
      this.change(() => ({ learner: "", exercises: [] }));
      this.name.value = "";
      forgetMarks(localStore());
    }
    this.arm(!this.sure);
  }

  /** Whether the next click forgets; not any more once somebody does something else. */
  arm(sure) {
    this.sure = sure;
    this.button.textContent = sure ? "Really forget all?" : "Forget all";
  }
}
