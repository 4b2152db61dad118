// The progress on this page: the learner's name, the answered exercises, and the button that deletes them.

import { addExercise, loadProgress, saveProgress } from "./exercise_progress.js";
import { clearMarks } from "../lesson_checkmarks/lesson_progress.js";
import { localStore } from "../../input/local_store.js";

const MAX_NAME_CHARS = 80;

export class ProgressStore {
  /** `onChange` is called after every change, in this tab or another. */
  constructor(root, onChange) {
    this.onChange = onChange;
    this.progress = loadProgress(localStore());
    this.isStored = true; // false if the browser stores nothing
    this.name = root.querySelector('[data-part="learner"]');
    this.button = root.querySelector('[data-action="forget"]');
    this.name.value = this.progress.learner;
    this.name.addEventListener("change", () => this.change((progress) => ({ ...progress, learner: this.name.value.slice(0, MAX_NAME_CHARS) })));
    this.button.addEventListener("blur", () => this.confirm(false));
    this.reload = () => {
      this.progress = this.latest();
      this.name.value = this.progress.learner;
      this.onChange();
    };
  }

  attach() {
    window.addEventListener("storage", this.reload); // another tab has changed it
  }

  destroy() {
    window.removeEventListener("storage", this.reload);
  }

  /** Return the stored progress. Other tabs change it, too. */
  latest() {
    return this.isStored ? loadProgress(localStore()) : this.progress;
  }

  change(update) {
    this.progress = update(this.latest());
    this.isStored = saveProgress(localStore(), this.progress);
    this.onChange();
  }

  add(done) {
    this.change((progress) => addExercise(progress, done));
  }

  /** Delete everything. The first click asks for confirmation. */
  forget() {
    if (this.isConfirmed) {
      this.change(() => ({ learner: "", exercises: [] }));
      this.name.value = "";
      clearMarks(localStore());
    }
    this.confirm(!this.isConfirmed);
  }

  /** Set whether the next click deletes everything. Leaving the button resets it. */
  confirm(isConfirmed) {
    this.isConfirmed = isConfirmed;
    this.button.textContent = isConfirmed ? "Really delete all?" : "Delete all";
  }
}
