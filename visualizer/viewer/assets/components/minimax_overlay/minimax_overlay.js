// Two trees of one search on top of each other: minimax, and alpha-beta in the same places.

import { cutoffShown } from "../../model/cause.js";
import { decode } from "../../model/payload.js";
import { sentence } from "../../model/sentences.js";
import { wholeTree } from "../../model/tidy_layout.js";
import { number, themeOf, thousands, withBound } from "../../draw/formatting.js";
import { layoutOfPart, Shadow } from "../../model/alignment.js";
import { PictureTree } from "../../model/picture_tree.js";
import { Steps } from "../../model/trace.js";
import { shownBy, TwoPanes } from "../../draw/two_panes.js";
import { drawWhole } from "../../draw/whole_tree_view.js";

/** The bytes: the lengths of both trees, the trees, and the rows of alpha-beta in minimax. */
function unpack(bytes) {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const middle = 8 + lengths.getUint32(0, true);
  const end = middle + lengths.getUint32(4, true);
  return { minimax: bytes.slice(8, middle), alphabeta: bytes.slice(middle, end), rows: new Int32Array(bytes.slice(end).buffer) };
}

/** The time is that of alpha-beta, and the places are those of minimax. */
class Duo extends TwoPanes {
  constructor(host) {
    super(host, ["minimax", "alphabeta"], ["first", "previousCut", "back", "play", "forward", "nextCut", "last"]);
    this.part("open").addEventListener("click", () => this.send("open", this.cutoffStep()));
  }

  placeOf(name, row) {
    return name === "minimax" ? row : this.rows[row];
  }

  read(bytes) {
    const { minimax, alphabeta, rows } = unpack(bytes);
    this.rows = rows;
    this.minimax = new PictureTree(decode(minimax));
    this.alphabeta = new PictureTree(decode(alphabeta));
    this.steps = new Steps(this.alphabeta);
    this.shadow = new Shadow(this.minimax, this.alphabeta, this.steps, rows);
    this.layout = wholeTree(this.minimax);
    this.levels = this.minimax.height + 1;
    this.partLayout = layoutOfPart(this.layout, this.minimax, this.alphabeta, rows);
  }

  paint() {
    const { minimax, alphabeta, steps, shadow, t, layout, partLayout } = this;
    const scene = this.scene(themeOf(this.root));
    const own = shadow.rowOf(this.selected);
    this.panes[0].nearest = drawWhole(this.part("minimax"), { ...scene, tree: minimax, steps: shadow, layout, selected: this.selected, framed: this.framed() });
    this.panes[1].nearest = drawWhole(this.part("alphabeta"), { ...scene, tree: alphabeta, steps, layout: partLayout, selected: own, cutoff: cutoffShown(alphabeta, steps, t, [own]) });
    const { saved } = shadow.sparedAt(t);
    const seen = steps.expandedAt(t);
    this.part("minimaxCount").textContent = `${thousands(seen + saved)} of ${thousands(minimax.count)} nodes`;
    this.part("alphabetaCount").textContent = `${thousands(seen)} of ${thousands(alphabeta.count)} nodes · ${thousands(saved)} saved`;
    this.part("sentence").textContent = this.said(own);
    this.part("open").hidden = this.cutoffStep() === null;
  }

  /** Of the selected node, or else of the step. */
  said(own) {
    const { minimax, alphabeta, steps, shadow, t } = this;
    if (this.selected < 0) return sentence(alphabeta, steps, t);
    const value = `Minimax gives this node ${number(minimax.value(this.selected))}.`;
    if (own < 0) return `${value} Alpha-beta never looks at it: it lies below a move that a cutoff skipped.`;
    if (!alphabeta.isPruned(own)) return `${value} Alpha-beta gives it ${withBound(alphabeta, own)}.`;
    const saved = shadow.savedBy(own);
    return `${sentence(alphabeta, steps, steps.leave(own))} That saves ${thousands(saved)} ${saved === 1 ? "node" : "nodes"}.`;
  }

  /** The step of the cutoff at the selected node, or of the one that happens now; null if there is none. */
  cutoffStep() {
    const own = this.shadow.rowOf(this.selected);
    if (own >= 0 && this.alphabeta.isPruned(own)) return this.steps.leave(own);
    return this.selected < 0 && this.steps.at(this.t).kind === "cutoff" ? this.t : null;
  }

  /** The subtrees that the cutoff in question saved, as rows of minimax. */
  framed() {
    const step = this.cutoffStep();
    return step === null ? [] : this.shadow.sparedBy(this.steps.at(step).node);
  }
}

export const show = shownBy(Duo);
