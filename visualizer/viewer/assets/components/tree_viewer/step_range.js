// A range of nodes that the user has brushed in the overview or on the timeline. Playback, the next cutoff and the counts keep to it.

import { countText, thousands } from "../../draw/formatting.js";

const MIN_NODES = 2; // a shorter range is a slip of the hand

export class StepRange {
  constructor(view) {
    this.view = view;
    this.current = null; // {first, last, from, to, nodes, cutoffs, skipped}: nodes up to `last` without it, and steps from `from` to `to`
    this.draft = null; // {first, last} while it is dragged
    view.part("range").addEventListener("click", () => this.clear());
  }

  /** Forget the range: another tree is shown. */
  reset() {
    this.current = this.draft = this.wanted = null;
    this.show();
  }

  /** Whether all nodes are known, here or at the server. */
  get isPossible() {
    const { tree, largeTree } = this.view;
    return Boolean(largeTree) || !tree.columns.hidden;
  }

  /** Drag from one node to another, given by their numbers, which may lie outside the search. */
  drag(one, other) {
    const [first, last] = this.limit(Math.min(one, other), Math.max(one, other) + 1);
    this.draft = { first, last };
    this.view.drawPicture();
  }

  limit(first, last) {
    const { expanded } = this.view.tree.meta;
    return [Math.floor(first), Math.ceil(last)].map((number) => Math.min(Math.max(number, 0), expanded));
  }

  /** Keep what was dragged. */
  drop() {
    const { draft } = this;
    this.draft = null;
    if (draft && draft.last - draft.first >= MIN_NODES) this.choose(draft);
    else this.view.drawPicture();
  }

  /** Restrict the viewer to the nodes from `first` up to `last`. */
  async choose({ first, last }) {
    const { view } = this;
    const wanted = (this.wanted = { first, last });
    const counts = view.largeTree ? await view.largeTree.askJson("count", wanted) : countRange(view.tree, view.steps, wanted);
    if (!counts || this.wanted !== wanted) return;
    this.current = { ...wanted, ...counts };
    this.show();
    view.saveAndDraw();
  }

  clear() {
    this.reset();
    this.view.saveAndDraw();
    this.view.root.focus({ preventScroll: true });
  }

  show() {
    const button = this.view.part("range");
    const { current } = this;
    button.hidden = !current;
    if (!current) return;
    const { first, last, nodes, cutoffs, skipped } = current;
    const counts = this.view.tree.pruning ? `, ${countText(cutoffs, "cutoff")}, ${countText(skipped, "move")} skipped` : "";
    button.innerHTML = `<span class="words">Nodes ${thousands(first)} to ${thousands(last - 1)}: </span>play all`;
    button.title = `Only these nodes are played: ${countText(nodes, "node")}${counts}. Click to play all.`;
  }

  /** The counts of the range in words; null without one. */
  get words() {
    const { tree } = this.view;
    if (!this.current) return null;
    const { nodes, cutoffs, skipped } = this.current;
    return [`in the range ${countText(nodes, "node")}`, ...(tree.pruning ? [countText(cutoffs, "cutoff"), `${countText(skipped, "move")} skipped`] : [])].join(" · ");
  }

  /** The first and the last step that are played. */
  get limits() {
    return { from: this.current?.from ?? 0, to: this.current?.to ?? this.view.steps.length - 1 };
  }

  contains(t) {
    return t >= this.limits.from && t <= this.limits.to;
  }
}

/** The counts and steps of a range of a tree that is all here. */
export function countRange(tree, steps, { first, last }) {
  let [cutoffs, skipped] = [0, 0];
  for (let row = first; row < last; row++) {
    if (tree.isPruned(row)) cutoffs++;
    skipped += tree.columns.skipped[row];
  }
  return { nodes: last - first, cutoffs, skipped, from: steps.enter(first), to: (last < tree.count ? steps.enter(last) : steps.length) - 1 };
}
