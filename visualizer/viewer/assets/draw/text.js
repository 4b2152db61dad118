// The tree as text: the path to the current node, with all moves along it. For screen readers and for reading.

import { visibleCutoff } from "../model/cause.js";
import { skippedLabels } from "../model/edge_labels.js";
import { pathRows } from "../model/tidy_layout.js";
import { boundText, intervalText, number, sideLabel, thousands, windowText, withBound } from "./formatting.js";
import { escape } from "./panels.js";

/** Nested lists, one for each row of the path view. */
export function textHtml(tree, steps, t, singlePass = false) {
  const step = steps.at(t);
  const rows = pathRows(tree, step.kind === "return" ? tree.path(step.child) : tree.path(step.node), singlePass);
  return listOf(rows, 0);

  function listOf(rows, depth) {
    const lines = rows[depth].map((item) => {
      const below = rows[depth + 1]?.[0].owner === item.row && item.kind === "node" ? listOf(rows, depth + 1) : "";
      const here = item.kind === "node" && item.row === step.node ? ' aria-current="step"' : "";
      return `<li${here}>${itemText(tree, steps, t, item)}${below}</li>`;
    });
    return `<ul>${lines.join("")}</ul>`;
  }
}

function itemText(tree, steps, t, item) {
  const name = escape(item.name) + (item.kind === "node" && item.owner >= 0 && tree.probe(item.row) !== null ? ", searched again" : "");
  if (item.kind === "stub") return `${name}: ${steps.areStubsVisible(item.owner, t) ? skippedText(item) : "not visited yet"}`;
  const side = sideLabel(tree, item.row);
  const cause = visibleCutoff(tree, steps, t)?.child === item.row ? ": the cause of the cutoff" : "";
  return `${name}: ${side}, ${stateText(tree, steps, t, item.row)}${cause}`;
}

function skippedText({ wouldBe }) {
  return wouldBe === null ? "skipped" : `skipped, would be ${number(wouldBe)}`;
}

/** The comparison at a cut node. */
function cutoffReason(tree, steps, t, row) {
  const cutoff = visibleCutoff(tree, steps, t, [row]);
  return cutoff?.node === row ? ` because ${cutoff.test}` : "";
}

function stateText(tree, steps, t, row) {
  const value = withBound(tree, row);
  switch (steps.stateAt(row, t)) {
    case "future":
      return "not visited yet";
    case "path": {
      const known = boundText(steps, row, t);
      const interval = intervalText(steps, row, t, " and ");
      return `being searched${known && `, ${known} so far`}${interval && `, expectation between ${interval}`}${tree.pruning ? `, window ${windowText(tree, row, steps.windowAt(row, t))}` : ""}`;
    }
    case "cut":
      return `<b>${value}</b>, cut off${cutoffReason(tree, steps, t, row)}, skipped: ${skippedLabels(tree, row).map(escape).join(", ") || "not shown"}`;
    default:
      if (tree.isAnswered(row) && tree.link(row) >= 0) return `<b>${value}</b>, answered by the table, from node ${thousands(tree.link(row))}`;
      return `<b>${value}</b>, ${tree.standsPat(row) ? "stands pat, " : ""}${tree.howLeft(row)}`;
  }
}
