// The tab "Node": the recorded fields of a node, and its actions.

import { number } from "../../draw/formatting.js";
import { nodeHtml } from "../../draw/panels.js";
import { cutoffHtml } from "./hover_card.js";

export class Inspector {
  constructor(view) {
    this.view = view;
    this.row = 0;
    this.button = (name) => view.root.querySelector(`[data-node-action="${name}"]`);
    view.part("node").addEventListener("click", ({ target }) => {
      const row = target.closest("[data-row]")?.dataset.row;
      if (row !== undefined) view.jumpTo(Number(row));
    });
    for (const button of view.root.querySelectorAll("[data-node-action]")) {
      button.addEventListener("click", () => this.act(button.dataset.nodeAction));
    }
  }

  show(row) {
    const { tree, steps, t, folded, stops, host, largeTree } = this.view;
    this.row = row;
    this.view.part("node").innerHTML = nodeHtml(tree, steps, row, t) + cutoffHtml(this.view, row);
    this.button("leave").disabled = tree.isOpen(row);
    this.button("fold").disabled = tree.end(row) === row + 1;
    this.button("fold").textContent = folded.has(row) ? "Unfold" : "Fold";
    this.button("stop").setAttribute("aria-pressed", String(stops.some((stop) => stop.kind === "node" && stop.at === tree.number(row))));
    this.button("open").hidden = tree.hidden(row) === 0 || Boolean(largeTree) || !host.offers("open", tree.number(row));
    this.button("export").hidden = !host.offers("export", tree.number(row));
    this.button("why").hidden = !this.view.evaluationPanel.isAvailable(row);
    this.button("why").textContent = `Why ${number(tree.value(row))}?`;
    this.view.evaluationPanel.show(row);
  }

  act(name) {
    const { view, row } = this;
    if (name === "enter") view.go(view.steps.enter(row));
    else if (name === "leave") view.go(view.steps.leave(row));
    else if (name === "fold") view.fold(row);
    else if (name === "stop") view.bookmarksTab.toggleStopAt(view.tree.number(row));
    else if (name === "why") view.evaluationPanel.ask(row);
    else view.host.request(name, view.tree.number(row)); // "open" and "export"
  }
}
