// The tab "Table": what the transposition table holds at the step, what was stored last, hit, overwritten. Markup from numbers and
// escaped names only.

import { number, thousands } from "../../draw/formatting.js";
import { escape } from "../../draw/panels.js";
import { MOST_LISTED, Table } from "../../model/table_replay.js";

const SLICE = 12; // milliseconds of work at a time
const LONGEST_PATH = 6; // moves that are named
const WHAT = { // what happened to the entry last: a word, and what it means
  new: ["stored", "A new entry"],
  renewed: ["stored", "In place of an entry of the same position, searched to another depth"],
  narrowed: ["narrowed", "Together with what an earlier call proved of the same position, to the same depth"],
  overwritten: ["overwrote", "In place of the entry of another position"],
  hit: ["hit", "It answered a call"],
};
export const ONLY_PARTS = "The table can be followed only where all nodes of a search are here: this is a part of it.";

/** The tab of a view. */
export class TablePanel {
  constructor(view) {
    this.view = view;
    this.place = view.part("table");
    this.place.addEventListener("click", ({ target }) => {
      const row = target.closest("[data-row]")?.dataset.row;
      if (row !== undefined) view.jumpTo(Number(row));
    });
  }

  /** Only searches with a table have this tab. */
  offer() {
    const { tree, root } = this.view;
    root.querySelector('[data-tab="table"]').hidden = !tree.meta.table;
    this.table = this.html = null;
  }

  show() {
    const { tree, steps, t } = this.view;
    if (!tree.meta.table) return;
    if (!tree.columns.position || tree.columns.hidden) {
      this.place.textContent = ONLY_PARTS;
      return;
    }
    this.table ??= new Table(tree, steps);
    clearTimeout(this.working);
    if (!this.table.work(performance.now() + SLICE)) {
      this.place.textContent = `Following the table through ${thousands(tree.count)} nodes: ${Math.floor(100 * this.table.share)}% …`;
      this.html = null;
      this.working = setTimeout(() => this.view.tab === "table" && this.show()); // the page is not kept waiting
      return;
    }
    const html = tableHtml(tree, this.table.at(t));
    if (html !== this.html) this.place.innerHTML = this.html = html;
  }
}

export function tableHtml(tree, { entries, stored, hits, overwritten, kept, lines }) {
  const { slots } = tree.meta.table;
  const counts = [
    `<b>${thousands(entries)}</b> ${entries === 1 ? "entry" : "entries"}${slots ? ` in ${thousands(slots)} ${slots === 1 ? "slot" : "slots"}` : ""}`,
    `${thousands(stored)} stored`, `${thousands(hits)} ${hits === 1 ? "hit" : "hits"}`,
    slots ? `${thousands(overwritten)} overwritten` : "nothing is overwritten",
    ...(kept ? [`${thousands(kept)} not stored: deeper ones were kept`] : []),
  ];
  const head = ["last", "after", "plies", "worth", ""].map((name) => `<th>${name}</th>`).join("");
  const rows = lines.map((line) => lineHtml(tree, line)).join("");
  const more = entries > lines.length ? `<p class="more">The last ${thousands(MOST_LISTED)} are listed.</p>` : "";
  return `<p class="counts">${counts.join(" · ")}</p>${lines.length ? `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>` : ""}${more}`;
}

function lineHtml(tree, { kind, row, entry, old }) {
  const source = Math.max(entry.lowRow, entry.highRow);
  const left = tree.pliesLeft(source);
  const [word, meaning] = WHAT[kind];
  const over = kind === "overwritten" ? `, that of node ${thousands(tree.number(Math.max(old.lowRow, old.highRow)))}` : "";
  const by = `<button data-row="${row}">node ${thousands(tree.number(row))}</button>`;
  const cells = [`<span title="${meaning}${over}">${word}</span>`, path(tree, source), left === null ? "end" : left, worth(entry), by];
  return `<tr class="${kind}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

/** The moves that lead to the position, as it was reached when its entry was made. */
function path(tree, row) {
  const names = tree.path(row).slice(1).map((node) => tree.shortName(tree.move(node)) ?? tree.moveName(node));
  if (!names.length) return "root";
  return escape((names.length > LONGEST_PATH ? ["…", ...names.slice(-LONGEST_PATH)] : names).join(" "));
}

/** What is proved of it. */
export function worth({ low, high }) {
  if (low === high) return number(low);
  if (low === -Infinity) return `≤ ${number(high)}`;
  return high === Infinity ? `≥ ${number(low)}` : `${number(low)} to ${number(high)}`;
}
