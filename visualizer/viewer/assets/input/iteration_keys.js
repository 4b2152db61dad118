// The keys of the viewer of searches in iterations, declared once: see keys.js.

import { KeyList } from "./keys.js";

/** Each row of the help: its keys as [label, event.key, action], what they do, and a short form for the reminder in lecture mode. */
export const ITERATION_KEY_ROWS = [
  {"keys": [["←", "ArrowLeft", "back"], ["→", "ArrowRight", "forward"]], "does": "one step back or forward", "reminder": "step"},
  {"keys": [["Space", " ", "play"]], "does": "play or pause", "reminder": "play"},
  {"keys": [["P", "p", "previousIteration"], ["N", "n", "nextIteration"]], "does": "previous or next iteration", "reminder": "iteration"},
  {"keys": [["O", "o", "nextPhase"]], "does": "next phase", "reminder": "phase"},
  {"keys": [["Home", "Home", "first"], ["End", "End", "last"]], "does": "first or last step"},
  {"keys": [["G", "g", "nextChange"]], "does": "next time that the best move changes", "reminder": "best move"},
  {"keys": [["C", "c", "nextVisit"]], "does": "next iteration through the selected node, or through the move that was chosen first"},
  {"keys": [["B", "b", "mark"]], "does": "bookmark this step"},
  {"keys": [["V", "v", "nextView"]], "does": "next view: tree or overview", "reminder": "view"},
  {"keys": [["+", "+", "moreNodes"], ["−", "-", "fewerNodes"]], "does": "show more or fewer nodes"},
  {"keys": [["1", "1", "answer1"], ["2", "2", "answer2"], ["3", "3", "answer3"]], "does": "answer a prediction"},
  {"keys": [["Enter", "Enter", "continue"]], "does": "continue after a prediction"},
  {"keys": [["F", "f", "lecture"]], "does": "lecture mode; press again for full screen", "reminder": "full screen"},
  {"keys": [["H", "h", "hideReminder"]], "does": "hide the reminder of the keys in lecture mode"},
  {"keys": [["Esc", "Escape", "escape"]], "does": "leave lecture mode and clear the selection", "reminder": "leave"}
];

export const ITERATION_KEYS = new KeyList(ITERATION_KEY_ROWS);
