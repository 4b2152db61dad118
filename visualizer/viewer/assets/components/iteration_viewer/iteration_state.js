// What a link or a notebook saves of the viewer of searches in iterations: iteration and phase, bookmarks, view and tab.

import { readBookmarks } from "../../input/bookmarks.js";
import { readParams, writeParams } from "../../input/url_codec.js";
import { phaseText } from "../../model/iteration_blocks.js";

const SAVE_DELAY = 300; // ms: not on every frame
const VIEWS = ["whole", "overview"];

export class IterationState {
  constructor(view) {
    this.view = view;
    this.timer = null;
    this.isReady = false;
  }

  /** Show the state that the host has saved. */
  open(saved) {
    const { view } = this;
    const { meta } = view.steps;
    this.isReady = false;
    view.bookmarks = readBookmarks(saved.get("marks"), view.steps.length);
    view.bookmarksTab.show();
    const { iteration, phase = { phase: "select", turn: 1 }, viewName, lecture, wrong } = readParams(saved, meta.urlParams, view.steps);
    view.setView(VIEWS.includes(viewName) ? viewName : VIEWS[0]);
    view.showTab(view.tab);
    if (lecture) view.lecture.enter();
    else view.lecture.leave();
    if (wrong.length) view.note(`Parts of this link could not be used: ${wrong.join(", ")}`, 8000);
    this.isReady = true;
    view.loader.isOpening = iteration !== undefined;
    if (iteration !== undefined) view.goToIteration(iteration, phase.phase, phase.turn);
  }

  /** Save soon. */
  save() {
    if (this.isReady && !this.view.loader.isOpening) this.timer ??= setTimeout(() => this.saveNow(), SAVE_DELAY);
  }

  saveNow() {
    this.cancel();
    const { view } = this;
    const declared = view.steps.meta.urlParams;
    const state = { iteration: view.here.iteration.number, phase: phaseText(view.here), bookmarks: view.bookmarks };
    if (view.viewName !== VIEWS[0]) state.viewName = view.viewName;
    if (view.lecture.on) state.lecture = true;
    view.host.saveState(writeParams(state, declared, view.steps), declared);
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}
