// Bookmarks with a note, kept in the link, and breakpoints: steps at which playing stops.

const MOST = 40; // bookmarks of a link
const LONGEST = 200; // letters of a note

/** The bookmarks of a link: [step, note] pairs as JSON. A link is foreign text: what is not understood is left out. */
export function readBookmarks(text, length) {
  let listed;
  try {
    listed = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(listed)) return [];
  const known = listed.filter((entry) => Array.isArray(entry) && Number.isInteger(entry[0]) && entry[0] >= 0 && entry[0] < length);
  return known.slice(0, MOST).map(([step, note]) => ({ step, note: typeof note === "string" ? note.slice(0, LONGEST) : "" }));
}

export function bookmarksText(bookmarks) {
  return bookmarks.length ? JSON.stringify(bookmarks.map(({ step, note }) => [step, note])) : "";
}

/** With one more, in the order of time; one bookmark a step. Full: unchanged. */
export function withBookmark(bookmarks, step, note) {
  const others = bookmarks.filter((mark) => mark.step !== step);
  if (others.length >= MOST) return bookmarks;
  const before = bookmarks.find((mark) => mark.step === step)?.note ?? "";
  return [...others, { step, note: note.slice(0, LONGEST) || before }].sort((a, b) => a.step - b.step);
}

/** The steps at which a breakpoint {kind: "node" | "depth" | "value", at} stops, rising. A node is named by its number. */
export function stopSteps(tree, steps, { kind, at }) {
  if (kind === "node") {
    const row = tree.rowOf(at);
    return row < 0 ? [] : [steps.enter(row), steps.leave(row)].filter(Number.isFinite);
  }
  const found = [];
  for (let row = 0; row < tree.count; row++) {
    if (kind === "depth" && tree.depth(row) === at) found.push(steps.enter(row));
    if (kind === "value" && tree.value(row) === at && !tree.isOpen(row)) found.push(steps.leave(row));
  }
  return found.sort((a, b) => a - b);
}

/** The first stop after step t, or null. */
export function nextStop(stops, t) {
  const following = stops.map((stop) => stop.steps.find((step) => step > t)).filter((step) => step !== undefined);
  return following.length ? Math.min(...following) : null;
}

/** The tab "Marks" shows and changes both; `view` has `bookmarks` and `stops`. */
export class Marks {
  constructor(view) {
    this.view = view;
    this.part = view.part;
    this.part("mark").addEventListener("submit", (event) => {
      event.preventDefault();
      this.bookmark(this.part("note").value.trim());
      this.part("note").value = "";
    });
    this.part("stop").addEventListener("submit", (event) => {
      event.preventDefault();
      this.addStop();
    });
  }

  bookmark(note) {
    const { view } = this;
    view.bookmarks = withBookmark(view.bookmarks, view.t, note);
    this.changed();
  }

  addStop() {
    const text = this.part("stopAt").value.trim().replace("−", "-").replaceAll(",", "");
    const at = Number(text);
    if (text === "" || Number.isNaN(at)) this.view.note(`"${text}" is no number`);
    else if (this.addStopAt({ kind: this.part("stopKind").value, at })) this.part("stopAt").value = "";
  }

  addStopAt({ kind, at }) {
    const { view } = this;
    if (view.stops.some((stop) => stop.kind === kind && stop.at === at)) return true;
    const steps = stopSteps(view.tree, view.steps, { kind, at });
    if (!steps.length) {
      view.note(`No ${kind} ${at} is shown here`);
      return false;
    }
    view.stops.push({ kind, at, steps });
    this.changed();
    return true;
  }

  toggleStopAt(number) {
    const { view } = this;
    const index = view.stops.findIndex((stop) => stop.kind === "node" && stop.at === number);
    if (index < 0) this.addStopAt({ kind: "node", at: number });
    else this.drop(view.stops, index);
  }

  drop(list, index) {
    list.splice(index, 1);
    this.changed();
  }

  changed() {
    this.show();
    this.view.remember();
    this.view.draw();
  }

  show() {
    const { bookmarks, stops } = this.view;
    this.fill("bookmarks", bookmarks, ({ step, note }) => [`step ${step.toLocaleString("en-US")}${note ? `: ${note}` : ""}`, step],
      "None yet. They are kept in the link.");
    this.fill("stops", stops, ({ kind, at, steps }) => [stopWords(kind, at, steps.length), steps[0]], "None: playing goes on to the end.");
  }

  /** A list of buttons that go to a step, each with one that takes it off the list. Foreign words go in as text only. */
  fill(name, entries, describe, empty) {
    const list = this.part(name);
    list.replaceChildren(...entries.map((entry, index) => {
      const [words, step] = describe(entry);
      const item = document.createElement("li");
      item.append(button(words, "go", () => this.view.go(step)), button("×", "drop", () => this.drop(entries, index), `Remove ${words}`));
      return item;
    }));
    if (!entries.length) list.textContent = empty;
  }
}

function stopWords(kind, at, count) {
  const what = { node: `node ${at.toLocaleString("en-US")}`, depth: `depth ${at}`, value: `value ${String(at).replace("-", "−")}` }[kind];
  return `${what} (${count.toLocaleString("en-US")} ${count === 1 ? "step" : "steps"})`;
}

function button(words, name, act, title = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.className = name;
  made.textContent = words;
  if (title) made.setAttribute("aria-label", title);
  made.addEventListener("click", act);
  return made;
}
