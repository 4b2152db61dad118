// The state of the view as URL parameters, so that a link opens what was seen. Which parameters there are is declared in
// visualizer/viewer/viewer_params.py and sent with the tree: [{name, field, codec, remembered}]. A link is untrusted: every value is checked.

import { readPhase } from "../model/iteration_blocks.js";
import { writeBookmarks } from "./bookmarks.js";

export const VIEWS = ["path", "whole", "overview", "graph", "text"];
export const ZOOMED = ["whole", "overview", "graph"]; // views with a camera
const COLOURINGS = ["how-left", "value", "saved", "node-type"];
const TABS = ["code", "stack", "node", "table", "marks"];
const NUMBER = "-?\\d{1,9}(?:\\.\\d{1,3})?";
const CAMERA = new RegExp(`^(${NUMBER}),(${NUMBER})$`);
const RANGE = /^(\d{1,9})-(\d{1,9})$/;
const ROW = /^\d{1,9}$/;
const STEP = /^\d{1,11}$/;
const MAX_FOLDED = 100;

/** `write` returns the text of a value. `read` returns {value, isWrong}. The step and the bookmarks are read elsewhere. */
const CODECS = {
  step: { write: String },
  bookmarks: { write: writeBookmarks },
  view: { write: String, read: (text) => oneOf(VIEWS, text) },
  colouring: { write: String, read: (text) => oneOf(COLOURINGS, text) },
  tab: { write: String, read: (text, tree) => oneOf(tree.meta.table ? TABS : TABS.filter((tab) => tab !== "table"), text) },
  flag: { write: () => "1", read: (text) => ({ value: text === "1", isWrong: text !== "1" }) },
  row: { write: (row, tree) => String(tree.number(row)), read: (text, tree) => checked(parseRow(text, tree)) },
  rows: {
    write: (rows, tree) => rows.slice(0, MAX_FOLDED).map((row) => tree.number(row)).join(),
    read: (text, tree) => {
      const rows = text.split(",", MAX_FOLDED + 1).map((part) => parseRow(part, tree));
      const value = rows.filter((row) => row !== undefined && tree.end(row) > row + 1).slice(0, MAX_FOLDED);
      return { value, isWrong: value.length !== rows.length };
    },
  },
  camera: {
    write: ({ middle, across }) => [middle, across].map((part) => Number(part.toFixed(3))).join(),
    read: (text) => {
      const [, middle, across] = CAMERA.exec(text)?.map(Number) ?? [];
      return checked(across > 0 ? { middle, across } : undefined);
    },
  },
  range: {
    write: ({ first, last }) => `${first}-${last}`,
    read: (text, tree) => {
      const [, first, last] = RANGE.exec(text)?.map(Number) ?? [];
      return checked(first < last && last <= tree.meta.expanded ? { first, last } : undefined);
    },
  },
  iteration: { write: String, read: (text, { meta }) => checked(ROW.test(text) && Number(text) >= 1 && Number(text) <= meta.iterations ? Number(text) : undefined) },
  phase: { write: String, read: (text) => checked(readPhase(text)) },
  pass: {
    write: (root, tree) => String(tree.passAt(root).number + 1),
    read: (text, tree) => checked(tree.meta.passes?.find(({ number }) => String(number + 1) === text)?.first),
  },
};

function checked(value) {
  return { value, isWrong: value === undefined };
}

function oneOf(choices, text) {
  return checked(choices.find((choice) => choice === text));
}

/** The row of a node named by its number; undefined if there is none. */
function parseRow(text, tree) {
  const row = ROW.test(text) ? tree.rowOf(Number(text)) : -1;
  return row < 0 ? undefined : row;
}

/** The state of a view as texts by the names of the declared parameters, "" for what the state leaves out. */
export function writeParams(state, declared, tree) {
  const write = ({ field, codec }) => (state[field] === undefined ? "" : CODECS[codec].write(state[field], tree));
  return Object.fromEntries(declared.map((parameter) => [parameter.name, write(parameter)]));
}

/** The state that URL parameters describe, only with the fields that they have, and in `wrong` the names of those that are not valid. */
export function readParams(parameters, declared, tree) {
  const state = { wrong: [] };
  for (const { name, field, codec } of declared) {
    const { read } = CODECS[codec];
    if (!read || !parameters.has(name)) continue;
    const { value, isWrong } = read(parameters.get(name), tree);
    if (value !== undefined) state[field] = value;
    if (isWrong) state.wrong.push(name);
  }
  return state;
}

/** Return the step of the parameters; null if it is missing or not below `length`. */
export function readStep(parameters, length) {
  const text = parameters.get("step") ?? "";
  return STEP.test(text) && Number(text) < length ? Number(text) : null;
}
