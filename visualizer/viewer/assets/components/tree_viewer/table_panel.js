// The tab "Table": the transposition table at the current step, with its latest entries, hits and replacements. The markup contains
// only numbers and escaped names.

import { number, thousands } from "../../draw/formatting.js";
import { escape } from "../../draw/panels.js";
import { MAX_LISTED, Table } from "../../model/table_replay.js";

const SLICE_MS = 12; // work done at a time, so that the page stays responsive
const MAX_PATH_MOVES = 6; // moves that are named
const EVENTS = { // the last event of an entry: a word and its tooltip
  new: ["stored", "A new entry"],
  renewed: ["stored", "Replaced an entry of the same position that was searched to another depth"],
  narrowed: ["narrowed", "Combined with the bounds of an earlier call of the same position, searched to the same depth"],
  overwritten: ["overwrote", "Replaced the entry of another position"],
  hit: ["hit", "The entry answered a call"],
};
export const INCOMPLETE_NOTE = "The table needs all nodes of the search, and this is only a part of the tree.";

/** The tab of a view. */
export class TablePanel {
  constructor(view) {
    this.view = view;
    this.panel = view.part("table");
    this.panel.addEventListener("click", ({ target }) => {
      const row = target.closest("[data-row]")?.dataset.row;
      if (row !== undefined) view.jumpTo(Number(row));
    });
  }

  /** Only searches with a table have this tab. */
  reset() {
    const { tree, root } = this.view;
    root.querySelector('[data-tab="table"]').hidden = !tree.meta.table;
    this.table = this.html = null;
  }

  show() {
    const { tree, steps, t } = this.view;
    if (!tree.meta.table) return;
    if (!tree.columns.position || tree.columns.hidden) {
      this.panel.textContent = INCOMPLETE_NOTE;
      return;
    }
    this.table ??= new Table(tree, steps);
    clearTimeout(this.working);
    if (!this.table.work(performance.now() + SLICE_MS)) {
      this.panel.textContent = `Replaying the table for ${thousands(tree.count)} nodes: ${Math.floor(100 * this.table.share)}% …`;
      this.html = null;
      this.working = setTimeout(() => this.view.tab === "table" && this.show());
      return;
    }
    const html = tableHtml(tree, this.table.at(t));
    if (html !== this.html) this.panel.innerHTML = this.html = html;
  }
}

export function tableHtml(tree, { entries, stored, hits, overwritten, kept, lines }) {
  const { slots } = tree.meta.table;
  const counts = [
    `<b>${thousands(entries)}</b> ${entries === 1 ? "entry" : "entries"}${slots ? ` in ${thousands(slots)} ${slots === 1 ? "slot" : "slots"}` : ""}`,
    `${thousands(stored)} stored`, `${thousands(hits)} ${hits === 1 ? "hit" : "hits"}`,
    slots ? `${thousands(overwritten)} overwritten` : "never overwritten",
    ...(kept ? [`${thousands(kept)} not stored: the slot kept a deeper entry`] : []),
  ];
  const head = ["last event", "position after", "plies", "value", ""].map((name) => `<th>${name}</th>`).join("");
  const rows = lines.map((line) => lineHtml(tree, line)).join("");
  const more = entries > lines.length ? `<p class="more">Only the latest ${thousands(MAX_LISTED)} are listed.</p>` : "";
  return `<p class="counts">${counts.join(" · ")}</p>${lines.length ? `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>` : ""}${more}`;
}

function lineHtml(tree, { kind, row, entry, old }) {
  const source = Math.max(entry.lowRow, entry.highRow);
  const left = tree.pliesLeft(source);
  const [word, meaning] = EVENTS[kind];
  const over = kind === "overwritten" ? ` (node ${thousands(tree.number(Math.max(old.lowRow, old.highRow)))})` : "";
  const by = `<button data-row="${row}">node ${thousands(tree.number(row))}</button>`;
  const cells = [`<span title="${meaning}${over}">${word}</span>`, path(tree, source), left === null ? "end" : left, boundsText(entry), by];
  return `<tr class="${kind}">${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
}

/** The moves that lead to the position, as it was reached when its entry was made. */
function path(tree, row) {
  const names = tree.path(row).slice(1).map((node) => tree.shortName(tree.move(node)) ?? tree.moveName(node));
  if (!names.length) return "root";
  return escape((names.length > MAX_PATH_MOVES ? ["…", ...names.slice(-MAX_PATH_MOVES)] : names).join(" "));
}

/** The proved bounds of an entry. */
export function boundsText({ low, high }) {
  if (low === high) return number(low);
  if (low === -Infinity) return `≤ ${number(high)}`;
  return high === Infinity ? `≥ ${number(low)}` : `${number(low)} to ${number(high)}`;
}
