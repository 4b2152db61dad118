// The cause of a cutoff, as the pictures show it: the path from the node up to the ancestor where the other side has something better,
// and down to the move that guarantees it. If the other side stands pat there, the ancestor itself is the cause.

import { numberFormat } from "../draw/formatting.js";
import { distinctFormat } from "./numbers.js";
import { lineNumbers } from "./pseudocode.js";
import { otherSidesBound } from "./step_facts.js";

/** The cutoff to show: that of the first candidate which has been cut off by step t, or else the one of this step. */
export function visibleCutoff(tree, steps, t, candidates = []) {
  const asked = candidates.find((row) => row >= 0 && steps.areStubsVisible(row, t) && !tree.hidden(row));
  const step = steps.at(asked === undefined ? t : steps.leave(asked));
  if (step.kind !== "cutoff") return null;
  const { node, value, cause } = step;
  const bound = otherSidesBound(tree, node);
  const short = numberFormat(tree, node);
  const format = value === bound || short(value) !== short(bound) ? short : distinctFormat([value, bound]);
  const source = `${tree.failsHigh(node) ? "β" : "α"} = ${format(bound)}`;
  const standsPat = cause?.child === null;
  const test = lineNumbers(tree, steps, step, format) || source;
  return {
    node,
    ancestor: cause?.ancestor ?? -1,
    child: standsPat ? cause.ancestor : cause?.child ?? -1,
    standsPat,
    route: cause ? tree.path(node).slice(tree.depth(cause.ancestor) + 1) : [], // below the ancestor, down to the node
    test, // "30 ≥ β = 10"
    shortTest: test.replace(/ [αβ] = /, " "), // "30 ≥ 10", where there is little room
    source: standsPat ? `${source}, stands pat` : source,
  };
}
