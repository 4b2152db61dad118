// Bookmarks with a note, saved in the link, and breakpoints: steps at which playback pauses.

const MAX_BOOKMARKS = 40; // in a link
const MAX_NOTE_CHARS = 200; // letters of a note

/** Read the bookmarks of a link: [step, note] pairs as JSON. A link is untrusted: invalid entries are left out. */
export function readBookmarks(text, length) {
  let listed;
  try {
    listed = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  if (!Array.isArray(listed)) return [];
  const known = listed.filter((entry) => Array.isArray(entry) && Number.isInteger(entry[0]) && entry[0] >= 0 && entry[0] < length);
  return known.slice(0, MAX_BOOKMARKS).map(([step, note]) => ({ step, note: typeof note === "string" ? note.slice(0, MAX_NOTE_CHARS) : "" }));
}

export function writeBookmarks(bookmarks) {
  return bookmarks.length ? JSON.stringify(bookmarks.map(({ step, note }) => [step, note])) : "";
}

/** Add a bookmark, in order of steps, one per step. A full list stays unchanged. */
export function addBookmark(bookmarks, step, note) {
  const others = bookmarks.filter((mark) => mark.step !== step);
  if (others.length >= MAX_BOOKMARKS) return bookmarks;
  const before = bookmarks.find((mark) => mark.step === step)?.note ?? "";
  return [...others, { step, note: note.slice(0, MAX_NOTE_CHARS) || before }].sort((a, b) => a.step - b.step);
}

/** The steps at which a breakpoint {kind: "node" | "depth" | "value", at} pauses, in order. `at` is a node's number, a depth or a value. */
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

function describeSteps(steps) {
  return { steps, count: steps.length, first: steps[0] };
}

/** The first stop after step t, or null. */
export function nextStop(stops, t) {
  const following = stops.map((stop) => stop.steps.find((step) => step > t)).filter((step) => step !== undefined);
  return following.length ? Math.min(...following) : null;
}

/** The tab "Marks", which shows and changes `bookmarks` of the view, and `stops` if it has them. */
export class BookmarksTab {
  constructor(view) {
    this.view = view;
    this.part = view.part;
    this.part("bookmarkForm").addEventListener("submit", (event) => {
      event.preventDefault();
      this.bookmark(this.part("note").value.trim());
      this.part("note").value = "";
    });
    this.part("stopForm")?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.addStop();
    });
  }

  bookmark(note) {
    const { view } = this;
    view.bookmarks = addBookmark(view.bookmarks, view.t, note);
    this.update();
  }

  async addStop() {
    const text = this.part("stopAt").value.trim().replace("−", "-").replaceAll(",", "");
    const at = Number(text);
    if (text === "" || Number.isNaN(at)) this.view.note(`"${text}" is not a number: write a number such as 7 or -3`);
    else if (await this.addStopAt({ kind: this.part("stopKind").value, at })) this.part("stopAt").value = "";
  }

  /** Add a breakpoint. In a large tree the server finds its steps. Return a promise of whether it has any. */
  async addStopAt({ kind, at }) {
    const { view } = this;
    const isKnown = () => view.stops.some((stop) => stop.kind === kind && stop.at === at);
    if (isKnown()) return true;
    const { largeTree } = view;
    const stop = largeTree ? await largeTree.findStop(kind, at) : describeSteps(stopSteps(view.tree, view.steps, { kind, at }));
    if (!stop?.count) {
      view.note(stop === null ? "The server did not answer" : `There is no ${kind} ${at} in the tree shown here`);
      return false;
    }
    if (!isKnown()) view.stops.push({ kind, at, steps: [], ...stop });
    this.update();
    return true;
  }

  toggleStopAt(number) {
    const { view } = this;
    const index = view.stops.findIndex((stop) => stop.kind === "node" && stop.at === number);
    if (index < 0) this.addStopAt({ kind: "node", at: number });
    else this.remove(view.stops, index);
  }

  remove(list, index) {
    list.splice(index, 1);
    this.update();
  }

  update() {
    this.show();
    this.view.saveState();
    this.view.draw();
  }

  show() {
    const { bookmarks, stops } = this.view;
    this.fillList("bookmarks", bookmarks, ({ step, note }) => [`${this.view.nameStep?.(step) ?? `step ${step.toLocaleString("en-US")}`}${note ? `: ${note}` : ""}`, step],
      "No bookmarks yet. The link saves them.");
    if (stops) this.fillList("stops", stops, ({ kind, at, count, first }) => [describeStop(kind, at, count), first], "No breakpoints: playback runs to the end.");
  }

  /** Fill a list with buttons that go to a step, each with a button that removes it. Notes are inserted as text, never as markup. */
  fillList(name, entries, describe, empty) {
    const list = this.part(name);
    list.replaceChildren(...entries.map((entry, index) => {
      const [words, step] = describe(entry);
      const item = document.createElement("li");
      item.append(button(words, "go", () => this.view.go(step)), button("Remove", "remove", () => this.remove(entries, index), `Remove ${words}`));
      return item;
    }));
    if (!entries.length) list.textContent = empty;
  }
}

function describeStop(kind, at, count) {
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
