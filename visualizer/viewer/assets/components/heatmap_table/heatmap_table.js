// The heat maps of a tournament: a cell is a button that opens its games.

const GAMES = ".st-key-cell_games"; // the section below the heat maps: views/tournament.py
const MAX_WAIT_MS = 3000;

export function show({ data, parentElement, setTriggerValue }) {
  const place = parentElement.querySelector('[data-part="panels"]');
  const chosen = "selected" in parentElement && data.selected !== null && data.selected !== parentElement.selected;
  place.replaceChildren(...data.panels.map((panel) => table(panel, data, setTriggerValue)));
  parentElement.selected = data.selected; // kept if the component is mounted again
  if (chosen) scrollToGames(performance.now() + MAX_WAIT_MS);
}

/** Bring the games of the clicked cell into view, once the page shows them. */
function scrollToGames(until) {
  const games = document.querySelector(GAMES);
  if (games) keepInView(games, until);
  else if (performance.now() < until) setTimeout(scrollToGames, 50, until);
}

/** Scroll again while the section grows: its board comes last. The user's own scrolling ends it. */
function keepInView(games, until) {
  const observer = new ResizeObserver(() => games.scrollIntoView({ block: "start" }));
  const stop = () => observer.disconnect();
  observer.observe(games);
  for (const deed of ["wheel", "touchstart", "pointerdown", "keydown"]) window.addEventListener(deed, stop, { capture: true, once: true });
  setTimeout(stop, Math.max(0, until - performance.now()));
}

function table({ title, rows, columns, cells }, data, send) {
  const made = element("table");
  made.append(element("caption", title));
  const head = element("tr");
  head.append(element("th", "MAX ↓  MIN →"), ...columns.map((label) => element("th", label)));
  made.append(head);
  rows.forEach((label, row) => {
    const line = element("tr");
    line.append(element("th", label), ...cells[row].map((cell) => cellOf(cell, data, send)));
    made.append(line);
  });
  return made;
}

function cellOf(cell, { selected, locked }, send) {
  const place = element("td");
  if (!cell) {
    place.append(Object.assign(element("span", "…"), { className: "missing" }));
    return place;
  }
  const button = element("button", cell.text);
  button.style.backgroundColor = cell.colour;
  button.title = locked ? `${cell.words}. Its games can be opened when all games are played.` : cell.words;
  button.disabled = locked;
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
