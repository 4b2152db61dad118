// What the address says of the view, so that a link opens what was seen: which view, its camera and folded nodes, the tab, the
// selected node, one pass alone, the best line, lecture mode. Steps and bookmarks stand beside it. A link is foreign text: all of it is checked.

export const VIEWS = ["path", "whole", "graph", "text"];
export const ZOOMED = ["whole", "graph"]; // those that have a camera
const TABS = ["code", "stack", "node", "table", "marks"];
const NUMBER = "-?\\d{1,8}(?:\\.\\d{1,3})?";
const CAMERA = new RegExp(`^(${NUMBER}),(${NUMBER})$`);
const ROW = /^\d{1,9}$/;
const MOST_FOLDED = 100;

/** What can be said, by its name in the address: `write` gives its text, "" for what is usual, `read` sets what the text means and
 *  returns whether it means something. */
const PARTS = {
  view: {
    write: (view) => (view.shownAs === view.usualView() ? "" : view.shownAs),
    read: (seen, text) => VIEWS.includes(text) && Boolean((seen.shownAs = text)),
  },
  cam: {
    write: ({ aim, shownAs }) => (aim && ZOOMED.includes(shownAs) ? [aim.middle, aim.across].map((part) => Number(part.toFixed(3))).join() : ""),
    read: (seen, text) => {
      const [, middle, across] = CAMERA.exec(text)?.map(Number) ?? [];
      if (!(across > 0)) return false;
      seen.aim = { middle, across };
      return true;
    },
  },
  fold: {
    write: ({ closed, tree }) => [...closed].slice(0, MOST_FOLDED).map((row) => tree.number(row)).join(),
    read: (seen, text, tree) => {
      const rows = text.split(",", MOST_FOLDED + 1).map((part) => rowNamed(part, tree));
      seen.closed = rows.filter((row) => row >= 0 && tree.end(row) > row + 1).slice(0, MOST_FOLDED);
      return seen.closed.length === rows.length;
    },
  },
  tab: {
    write: ({ tab }) => (tab === "code" ? "" : tab),
    read: (seen, text, tree) => TABS.includes(text) && (text !== "table" || Boolean(tree.meta.table)) && Boolean((seen.tab = text)),
  },
  node: {
    write: ({ selected, tree }) => (selected < 0 ? "" : String(tree.number(selected))),
    read: (seen, text, tree) => (seen.selected = rowNamed(text, tree)) >= 0,
  },
  pass: {
    write: ({ alone, tree, steps, t }) => (alone ? String(tree.passAt(steps.at(t).node).number + 1) : ""),
    read: (seen, text, tree) => {
      const found = tree.meta.passes?.find(({ number }) => String(number + 1) === text);
      if (found) seen.pass = found.first;
      return Boolean(found);
    },
  },
  best: {
    write: ({ principal }) => (principal ? "1" : ""),
    read: (seen, text) => (seen.best = text === "1"),
  },
  lecture: {
    write: ({ lecture }) => (lecture.on ? "1" : ""),
    read: (seen, text) => (seen.lecture = text === "1"),
  },
};
export const NAMES = Object.keys(PARTS);

/** The row of a node named by its number; -1 if there is none. */
function rowNamed(text, tree) {
  return ROW.test(text) ? tree.rowOf(Number(text)) : -1;
}

/** What is seen, as parts of an address: by name, "" for what is usual. */
export function seenIn(view) {
  return Object.fromEntries(NAMES.map((name) => [name, PARTS[name].write(view)]));
}

/** What parts of an address say of a tree: {shownAs, aim, closed, tab, selected, pass, best, lecture}, each only if it is said, and in
 *  `wrong` the names of those that could not be used. */
export function readSeen(parameters, tree) {
  const seen = {};
  const wrong = NAMES.filter((name) => parameters.has(name) && !PARTS[name].read(seen, parameters.get(name), tree));
  return { ...seen, wrong };
}
