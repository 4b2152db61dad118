// An editor for a program: line numbers, and findings at their lines. A program that is pasted or dropped goes to the server. What
// is typed stays in the browser until it is run or another file is chosen. The tab keeps the program when the page is loaded again, or shown again after another one.

const LINE_HEIGHT = 20, PADDING = 6, LEFT_PADDING = 10; // px, as in code_editor.css
const TAB_WIDTH = 4;
const ARROW_WIDTH = 16; // px, from words to their line
const DRAFT = "plyscope program"; // the text that was typed, and the text of the server that it comes from
const FILES = "plyscope program files"; // the name of the file in the editor, and the other files
const NOT_STORED = "The browser has no room to keep this program: it is lost when this page is loaded again";
const SIGNS = { certain: "!", likely: "?" };

export function show({ data, parentElement, setTriggerValue }) {
  const part = (name) => parentElement.querySelector(`[data-part="${name}"]`);
  const text = part("text");
  const state = (parentElement.editor ??= { version: null });
  const base = data.text.replaceAll(/\r\n?/g, "\n"); // as a text field has it
  const keepDraft = () => {
    resetHint(part("hint"), state);
    const isStored = store(DRAFT, { base, text: text.value }) && state.hasStoredFiles;
    if (!isStored && text.value) refuse(part("hint"), NOT_STORED);
  };
  if (state.version !== data.version) {
    const draft = state.version === null ? readStored(DRAFT) : null; // a program that was opened replaces it
    const files = draft && data.isBlank ? readStored(FILES) : null; // the page was loaded again: the server has no program yet
    state.version = data.version;
    text.value = typeof draft?.text === "string" && (draft.base === base || data.isBlank) ? draft.text : base;
    if (files && (text.value || files.others?.length)) setTriggerValue("restore", { ...files, text: text.value });
    state.hasStoredFiles = files !== null || store(FILES, { shown: data.shown, others: data.others });
    keepDraft();
    part("pane").scrollTop = 0;
  }
  state.marks = text.value === base ? data.marks : []; // they belong to the text that was run
  text.readOnly = part("run").disabled = data.locked;
  const run = () => !data.locked && setTriggerValue("run", text.value);
  const refresh = () => draw(part, text, state.marks, (number) => setTriggerValue("mark", number));
  text.onpaste = () => (state.isFirstText = data.isBlank && !text.value && !data.locked);
  text.oninput = (event) => {
    state.marks = []; // they belong to the text that was run
    keepDraft();
    refresh();
    if (event.inputType === "insertFromPaste" && state.isFirstText) {
      setTriggerValue("drop", [[data.shown, toBase64(new TextEncoder().encode(text.value))]]); // so that its search is looked for
    }
    state.isFirstText = false;
  };
  text.onkeydown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    } else if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && !event.altKey && !text.readOnly) {
      event.preventDefault();
      document.execCommand("insertText", false, "    "); // keeps undo
    } else if (event.key === "Escape") text.blur(); // so that Tab leaves the editor
  };
  part("run").onclick = run;
  offerFiles(part("file"), text, data, (chosen) => setTriggerValue("choose", chosen));
  part("pane").onclick = ({ target }) => !target.closest("[data-sign]") && text.focus({ preventScroll: true });
  takeDrops(part("pane"), data, (sent) => setTriggerValue("drop", sent), (words) => refuse(part("hint"), words));
  refresh();
  if (data.scrollTo && state.scrolled !== `${data.version} ${data.scrollTo}`) {
    state.scrolled = `${data.version} ${data.scrollTo}`;
    part("pane").scrollTop = Math.max(0, (data.scrollTo - 6) * LINE_HEIGHT);
  }
}

function readStored(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null; // there is no storage, or something else in it
  }
}

/** Store a value for this tab. Return false if there is no storage, or no room. */
function store(key, value) {
  try {
    sessionStorage.removeItem(key); // an older value must not come back
    sessionStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** Offer the files of a program that has several. The one that is left goes to the server, as it is now. */
function offerFiles(field, text, { names, shown, locked }, choose) {
  field.hidden = names.length < 2;
  field.disabled = locked;
  field.replaceChildren(...names.map((name) => new Option(name, name, false, name === shown)));
  field.onchange = () => choose({ name: field.value, text: text.value });
}

/** Send dropped files to the server: the names and contents, or tell why not. */
function takeDrops(pane, { locked, maxBytes }, send, tell) {
  const mark = (on) => pane.classList.toggle("dropping", on);
  pane.ondragover = (event) => {
    if (!event.dataTransfer.types.includes("Files")) return; // text is dropped as usual
    event.preventDefault();
    mark(!locked);
  };
  pane.ondragleave = () => mark(false);
  pane.ondrop = async (event) => {
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    event.preventDefault();
    mark(false);
    if (locked) return;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const names = files.length > 1 ? `these ${files.length} files have` : `${files[0].name} has`;
    if (bytes > maxBytes) return tell(`Not opened: ${names} ${(bytes / 1e6).toFixed(1)} MB, and at most ${maxBytes / 1e6} MB are possible`);
    send(await Promise.all(files.map(async (file) => [file.name, toBase64(new Uint8Array(await file.arrayBuffer()))])));
  };
}

/** Show the usual hint again, which is in the HTML file. */
function resetHint(hint, state) {
  hint.textContent = state.hint ??= hint.textContent;
  hint.classList.remove("refused");
}

/** Say why files were not opened, until others are opened or the program changes. */
function refuse(hint, words) {
  hint.textContent = words;
  hint.classList.add("refused");
}

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}

/** The columns that a line takes up. */
function lineWidth(line) {
  return [...line].reduce((width, sign) => width + (sign === "\t" ? TAB_WIDTH - (width % TAB_WIDTH) : 1), 0);
}

function draw(part, text, marks, select) {
  const lines = text.value.split("\n");
  const byLine = new Map(marks.map((mark, number) => [mark.line, { ...mark, number }]).reverse());
  part("gutter").replaceChildren(
    ...lines.map((_, at) => {
      const made = Object.assign(document.createElement("span"), { textContent: String(at + 1) });
      const mark = byLine.get(at + 1);
      if (mark) {
        made.className = mark.kind;
        made.title = mark.words;
        made.dataset.sign = SIGNS[mark.kind]; // beside the number it is in view, however long the line is
        made.onclick = () => select(mark.number);
      }
      return made;
    }),
  );
  part("marks").replaceChildren(
    ...[...byLine.values()].map((mark) => {
      const band = Object.assign(document.createElement("div"), { className: mark.kind });
      band.style.top = `${PADDING + (mark.line - 1) * LINE_HEIGHT}px`;
      band.style.paddingLeft = `calc(${LEFT_PADDING}px + ${lineWidth(lines[mark.line - 1] ?? "") + 2}ch)`; // after the line
      band.append(Object.assign(document.createElement("span"), { textContent: mark.words }));
      return band;
    }),
  );
  const room = part("pane").clientWidth - part("gutter").offsetWidth;
  [...byLine.values()].forEach((mark, at) => placeWords(part("marks").children[at], mark.line, lines, byLine, room));
  text.style.height = `${lines.length * LINE_HEIGHT + 2 * PADDING}px`;
  text.style.width = `${Math.max(...lines.map(lineWidth)) + 40}ch`;
}

/** Move the words of a mark from the end of their line to a neighbour of it, if they are in view only there. */
function placeWords(band, line, lines, byLine, room) {
  const words = band.firstChild;
  const columns = (number) => lineWidth(lines[number - 1] ?? "") + 2;
  const letter = (parseFloat(getComputedStyle(band).paddingLeft) - LEFT_PADDING) / columns(line);
  const fits = (number, extra) => LEFT_PADDING + columns(number) * letter + words.offsetWidth + extra <= room;
  if (fits(line, 0)) return;
  const isFree = (number) => number >= 1 && number <= lines.length && !byLine.has(number);
  const beside = [line + 1, line - 1].find((number) => isFree(number) && fits(number, ARROW_WIDTH));
  if (beside === undefined) return;
  words.dataset.arrow = beside > line ? "↑" : "↓";
  words.style.top = `${(beside - line) * LINE_HEIGHT}px`;
  words.style.left = `${(columns(beside) - columns(line)) * letter}px`;
}
