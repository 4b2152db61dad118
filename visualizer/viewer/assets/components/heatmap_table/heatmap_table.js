// The heat maps of a tournament: a cell is a button that opens its games.

export function show({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector('[data-part="panels"]');
  place.replaceChildren(...data.panels.map((panel) => table(panel, data.selected, setTriggerValue)));
  parentElement.view ??= { destroy() {} };
}

function table({ title, rows, columns, cells }, selected, send) {
  const made = element("table");
  made.append(element("caption", title));
  const head = element("tr");
  head.append(element("th", "MAX ↓  MIN →"), ...columns.map((depth) => element("th", String(depth))));
  made.append(head);
  for (const depth of rows) {
    const line = element("tr");
    line.append(element("th", String(depth)));
    for (const other of columns) line.append(cellOf(cells[`${depth} ${other}`], selected, send));
    made.append(line);
  }
  return made;
}

function cellOf(cell, selected, send) {
  const place = element("td");
  if (!cell) {
    place.append(Object.assign(element("span", "…"), { className: "missing" }));
    return place;
  }
  const button = element("button", cell.text);
  button.style.backgroundColor = cell.colour;
  button.title = cell.words;
  button.setAttribute("aria-label", cell.words);
  button.setAttribute("aria-pressed", String(cell.number === selected));
  button.addEventListener("click", () => send("cell", cell.number));
  place.append(button);
  return place;
}

/** An element with words in it; whatever they are, they stay words. */
function element(name, words = "") {
  const made = document.createElement(name);
  made.textContent = words;
  return made;
}
