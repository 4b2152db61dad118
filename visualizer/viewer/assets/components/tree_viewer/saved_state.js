// What a link or a notebook saves of the viewer: the step, the bookmarks, the view, the camera, the tab and the selection.

import { readBookmarks } from "../../input/bookmarks.js";
import { readParams, readStep, writeParams, ZOOMED } from "../../input/url_codec.js";

const SAVE_DELAY = 300; // ms: not on every frame

export class SavedState {
  constructor(view) {
    this.view = view;
    this.timer = null;
  }

  /** Show the state that the host has saved, and start at its step. `chosen` are settings that come first: `step` and `view`. */
  open(saved, chosen) {
    const { view } = this;
    const { tree, steps } = view;
    view.bookmarks = readBookmarks(saved.get("marks"), steps.length);
    view.bookmarksTab.show();
    const state = readParams(saved, tree.meta.urlParams, tree);
    if (chosen.view && !saved.has("view")) state.viewName = chosen.view;
    applyState(view, state);
    return chosen.step ?? readStep(saved, steps.length) ?? (state.pass === undefined ? null : steps.enter(state.pass));
  }

  /** Save soon. */
  save() {
    this.timer ??= setTimeout(() => this.saveNow(), SAVE_DELAY);
  }

  saveNow() {
    this.cancel();
    const { view } = this;
    const declared = view.tree.meta.urlParams;
    view.host.saveState(writeParams(collectState(view), declared, view.tree), declared);
  }

  cancel() {
    clearTimeout(this.timer);
    this.timer = null;
  }
}

/** The state without default values. Its fields are those of `applyState`, and the step and the bookmarks. */
export function collectState(view) {
  const { t, bookmarks, viewName, treeCamera, overviewPanel, stepRange, folded, tab, selected, singlePass, principal, lecture } = view;
  const all = {
    t,
    bookmarks,
    viewName: viewName !== view.defaultView() && viewName,
    aim: ZOOMED.includes(viewName) && treeCamera.aim,
    colouring: overviewPanel.saved,
    range: stepRange.current ?? false,
    folded: folded.size > 0 && [...folded],
    tab: tab !== "code" && tab,
    selected: selected >= 0 && selected,
    pass: singlePass && view.tree.passAt(view.steps.at(t).node).first,
    best: Boolean(principal),
    lecture: lecture.on,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== false && value !== null));
}

/** Show a state, with default values for missing fields. */
function applyState(view, { viewName = view.defaultView(), aim = null, colouring, range, folded = [], tab = "code", selected = -1, pass, best = false, lecture = false, wrong }) {
  view.folded = new Set(folded);
  view.singlePass = pass !== undefined;
  view.selected = selected;
  view.showBestLine(best);
  view.treeCamera.aim = aim;
  if (colouring) view.overviewPanel.choose(colouring);
  if (range && view.stepRange.isPossible) view.stepRange.choose(range);
  view.setView(viewName);
  view.showTab(tab);
  if (lecture) view.lecture.enter();
  else view.lecture.leave();
  if (wrong.length) view.note(`Parts of this link could not be used: ${wrong.join(", ")}`, 8000);
}
