// The tree as words: the path to the current node, with all moves on the way. For screen readers, and for who likes to read.

import { cutoffShown } from "../model/cause.js";
import { pathRows } from "../model/tidy_layout.js";
import { knownSoFar, number, thousands, windowText, withBound } from "./formatting.js";
import { escape } from "./panels.js";

/** Nested lists, one for each row of the path view. */
export function textHtml(tree, steps, t, alone = false) {
  const step = steps.at(t);
  const rows = pathRows(tree, step.kind === "return" ? tree.path(step.child) : tree.path(step.node), alone);
  return listOf(rows, 0);

  function listOf(rows, depth) {
    const lines = rows[depth].map((item) => {
      const below = rows[depth + 1]?.[0].owner === item.row && item.kind === "node" ? listOf(rows, depth + 1) : "";
      const here = item.kind === "node" && item.row === step.node ? ' aria-current="step"' : "";
      return `<li${here}>${words(tree, steps, t, item)}${below}</li>`;
    });
    return `<ul>${lines.join("")}</ul>`;
  }
}

function words(tree, steps, t, item) {
  const name = escape(item.name) + (item.kind === "node" && item.owner >= 0 && tree.probe(item.row) !== null ? ", searched again" : "");
  if (item.kind === "stub") return `${name}: ${steps.stubVisible(item.owner, t) ? skipped(item) : "not visited yet"}`;
  const side = tree.maximizing(item.row) ? "▲ MAX" : "▼ MIN";
  const cause = cutoffShown(tree, steps, t)?.child === item.row ? ": the cause of the cutoff" : "";
  return `${name}: ${side}, ${state(tree, steps, t, item.row)}${cause}`;
}

function skipped({ wouldBe }) {
  return wouldBe === null ? "skipped" : `skipped, would be ${number(wouldBe)}`;
}

/** What was compared at a cut node. */
function tested(tree, steps, t, row) {
  const cutoff = cutoffShown(tree, steps, t, [row]);
  return cutoff?.node === row ? ` because ${cutoff.test}` : "";
}

function state(tree, steps, t, row) {
  const value = withBound(tree, row);
  switch (steps.stateAt(row, t)) {
    case "future":
      return "not visited yet";
    case "path": {
      const known = knownSoFar(steps, row, t);
      return `being searched${known && `, ${known} so far`}${tree.pruning ? `, window ${windowText(tree, row, steps.soFar(row, t))}` : ""}`;
    }
    case "cut":
      return `<b>${value}</b>, cut off${tested(tree, steps, t, row)}, skipped: ${tree.skippedNames(row).map(escape).join(", ") || "not shown"}`;
    default:
      if (tree.isAnswered(row) && tree.link(row) >= 0) return `<b>${value}</b>, answered from the table, by node ${thousands(tree.link(row))}`;
      return `<b>${value}</b>, ${tree.standsPat(row) ? "stands pat, " : ""}${tree.howLeft(row)}`;
  }
}
