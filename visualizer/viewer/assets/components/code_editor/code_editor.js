// An editor for a program: line numbers, and findings at their lines. The text stays in the browser until it is run.

const LINE_HEIGHT = 20, PADDING = 6; // px, as in code_editor.css

export function show({ data, parentElement, setTriggerValue }) {
  const part = (name) => parentElement.querySelector(`[data-part="${name}"]`);
  const text = part("text");
  const state = (parentElement.editor ??= { version: null });
  if (state.version !== data.version) {
    state.version = data.version;
    text.value = data.text;
    part("pane").scrollTop = 0;
  }
  state.marks = data.marks;
  text.readOnly = part("run").disabled = data.locked;
  const run = () => !data.locked && setTriggerValue("run", text.value);
  const refresh = () => draw(part, text, state.marks, (number) => setTriggerValue("mark", number));
  text.oninput = () => {
    state.marks = []; // they belong to the text that was run
    refresh();
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
  refresh();
  if (data.scrollTo && state.scrolled !== `${data.version} ${data.scrollTo}`) {
    state.scrolled = `${data.version} ${data.scrollTo}`;
    part("pane").scrollTop = Math.max(0, (data.scrollTo - 6) * LINE_HEIGHT);
  }
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
        made.onclick = () => select(mark.number);
      }
      return made;
    }),
  );
  part("marks").replaceChildren(
    ...[...byLine.values()].map((mark) => {
      const band = Object.assign(document.createElement("div"), { className: mark.kind });
      band.style.top = `${PADDING + (mark.line - 1) * LINE_HEIGHT}px`;
      band.append(Object.assign(document.createElement("span"), { textContent: mark.words }));
      return band;
    }),
  );
  text.style.height = `${lines.length * LINE_HEIGHT + 2 * PADDING}px`;
  text.style.width = `${Math.max(...lines.map((line) => line.length)) + 40}ch`;
}
