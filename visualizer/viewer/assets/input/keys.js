// The keys of the viewer, declared once. The help and the reminder in the viewer are built from this list, and visualizer/viewer/keys.py
// reads it for the about page and the guide: the list is JSON.

/** Each row of the help: its keys as [label, event.key, action], what they do, and a short form for the reminder in lecture mode. */
export const KEY_ROWS = [
  {"keys": [["←", "ArrowLeft", "back"], ["→", "ArrowRight", "forward"]], "does": "one step back or forward", "reminder": "step"},
  {"keys": [["Space", " ", "play"]], "does": "play or pause", "reminder": "play"},
  {"keys": [["Home", "Home", "first"], ["End", "End", "last"]], "does": "first or last step"},
  {"keys": [["N", "n", "nextCut"], ["P", "p", "previousCut"]], "does": "next or previous cutoff", "reminder": "cutoff"},
  {"keys": [["O", "o", "over"], ["U", "u", "out"]], "does": "step over this subtree or out to the parent"},
  {"keys": [["L", "l", "leaf"]], "does": "next leaf"},
  {"keys": [["G", "g", "root"]], "does": "next change of the root's value"},
  {"keys": [["B", "b", "mark"]], "does": "bookmark this step"},
  {"keys": [["V", "v", "nextView"]], "does": "next view: path, whole tree, overview, positions or text", "reminder": "view"},
  {"keys": [["M", "m", "bestLine"]], "does": "show or hide the best line"},
  {"keys": [["T", "t", "nextPass"]], "does": "cycle through single passes and all", "reminder": "passes"},
  {"keys": [["+", "+", "zoomIn"], ["−", "-", "zoomOut"], ["0", "0", "showAll"]], "does": "zoom in, zoom out, show the whole tree"},
  {"keys": [["1", "1", "answer1"], ["2", "2", "answer2"], ["3", "3", "answer3"]], "does": "answer a prediction"},
  {"keys": [["Enter", "Enter", "continue"]], "does": "continue after a prediction"},
  {"keys": [["F", "f", "lecture"]], "does": "lecture mode; press again for full screen", "reminder": "full screen"},
  {"keys": [["H", "h", "hideReminder"]], "does": "hide the reminder of the keys in lecture mode"},
  {"keys": [["Esc", "Escape", "escape"]], "does": "leave lecture mode and clear the selection", "reminder": "leave"}
];

/** The keys of a viewer. */
export class KeyList {
  constructor(rows) {
    this.rows = rows;
    const keys = rows.flatMap((row) => row.keys);
    this.actionByKey = new Map(keys.map(([, key, action]) => [key, action]));
    this.labelByAction = new Map(keys.map(([label, , action]) => [action, label]));
  }

  /** The action of a pressed key; undefined if it has none or is pressed together with Ctrl, Alt or Meta. */
  actionOf(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
    return this.actionByKey.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  }

  /** A title with the key of its action: "Next leaf (L)". */
  withKey(title, action) {
    return `${title} (${this.labelByAction.get(action)})`;
  }

  /** The rows of the help dialog. */
  helpHtml() {
    return this.rows.map(({ keys, does }) => `<dt>${keys.map(([label]) => label).join(" ")}</dt><dd>${does}</dd>`).join("");
  }

  /** The keys that lecture mode reminds of. */
  reminderHtml() {
    const rows = this.rows.filter(({ reminder }) => reminder);
    return rows.map(({ keys, reminder }) => {
      const labels = keys.map(([label]) => `<kbd>${label}</kbd>`).join(" ");
      return `<span data-reminder="${keys[0][2]}">${labels} ${reminder}</span>`;
    }).join(" ");
  }
}

export const TREE_KEYS = new KeyList(KEY_ROWS);

export const actionOf = (event) => TREE_KEYS.actionOf(event);
export const withKey = (title, action) => TREE_KEYS.withKey(title, action);
export const helpHtml = () => TREE_KEYS.helpHtml();
export const reminderHtml = () => TREE_KEYS.reminderHtml();
