// Why a node was cut off, as the pictures show it: the way from the node up to the ancestor where the other side is sure of something
// better, and down to the move there that makes it sure; where it stands pat, that is the ancestor itself.

import { endsOf } from "../draw/formatting.js";
import { tellingApart } from "./numbers.js";
import { lineNumbers } from "./pseudocode.js";
import { boundReached } from "./step_facts.js";

/** The cutoff that is shown: that of the first of these nodes which has been cut off by step t, or else the one that happens now. */
export function cutoffShown(tree, steps, t, candidates = []) {
  const asked = candidates.find((row) => row >= 0 && steps.stubVisible(row, t) && !tree.hidden(row));
  const step = steps.at(asked === undefined ? t : steps.leave(asked));
  if (step.kind !== "cutoff") return null;
  const { node, value, cause } = step;
  const bound = boundReached(tree, node);
  const short = endsOf(tree, node);
  const written = value === bound || short(value) !== short(bound) ? short : tellingApart([value, bound]);
  const source = `${tree.maximizing(node) ? "β" : "α"} = ${written(bound)}`;
  const standsPat = cause?.child === null;
  return {
    node,
    ancestor: cause?.ancestor ?? -1,
    child: standsPat ? cause.ancestor : cause?.child ?? -1,
    standsPat,
    route: cause ? tree.path(node).slice(tree.depth(cause.ancestor) + 1) : [], // below the ancestor, down to the node
    test: lineNumbers(tree, steps, step, written) || source,
    source: standsPat ? `${source}, stands pat` : source,
  };
}
