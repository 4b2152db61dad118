// Minimax and alpha-beta over each other: both trees in the places of minimax.

import { visibleCutoff } from "../../model/cause.js";
import { decode } from "../../model/payload.js";
import { sentence } from "../../model/sentences.js";
import { wholeTree } from "../../model/tidy_layout.js";
import { countText, number, readTheme, thousands, withBound } from "../../draw/formatting.js";
import { AlignedSteps, alignedLayout } from "../../model/alignment.js";
import { PictureTree } from "../../model/picture_tree.js";
import { Steps } from "../../model/trace.js";
import { showPayloadWith, TwoPanes } from "../../draw/two_panes.js";
import { drawWholeTree } from "../../draw/whole_tree_view.js";

/** Split the bytes into both trees and, for each row of alpha-beta, its row in minimax. The lengths of both trees come first. */
function unpack(bytes) {
  const lengths = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const middle = 8 + lengths.getUint32(0, true);
  const end = middle + lengths.getUint32(4, true);
  return { minimax: bytes.slice(8, middle), alphabeta: bytes.slice(middle, end), rows: new Int32Array(bytes.slice(end).buffer) };
}

/** The steps are those of alpha-beta, the places those of minimax. */
class MinimaxOverlay extends TwoPanes {
  constructor(host) {
    const buttons = ["first", "previousCut", "back", "play", "forward", "nextCut", "last"];
    super(host, { names: ["minimax", "alphabeta"], buttons, sliderLabel: "Step" });
    this.showName("minimax", "minimax", "Tree of minimax");
    this.showName("alphabeta", "alpha-beta", "Tree of alpha-beta");
    this.part("open").addEventListener("click", () => this.host.request("open", this.cutoffStep()));
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
    this.aligned = new AlignedSteps(this.minimax, this.alphabeta, this.steps, rows);
    this.layout = wholeTree(this.minimax);
    this.levels = this.minimax.height + 1;
    this.alphabetaLayout = alignedLayout(this.layout, this.minimax, this.alphabeta, rows);
  }

  paint() {
    const { minimax, alphabeta, steps, aligned, t, layout, alphabetaLayout } = this;
    const scene = this.scene(readTheme(this.root));
    const row = aligned.rowOf(this.selected);
    const cutoff = visibleCutoff(alphabeta, steps, t, [row]);
    const [minimaxScene, alphabetaScene] = [
      { ...scene, tree: minimax, steps: aligned, layout, selected: this.selected, framed: this.framedRows() },
      { ...scene, tree: alphabeta, steps, layout: alphabetaLayout, selected: row, cutoff },
    ];
    this.panes[0].nearest = drawWholeTree(this.part("minimax"), minimaxScene);
    this.panes[1].nearest = drawWholeTree(this.part("alphabeta"), alphabetaScene);
    const saved = aligned.savedAt(t);
    const visited = steps.expandedAt(t);
    this.part("minimaxCount").textContent = `${thousands(visited + saved)} of ${thousands(minimax.count)} nodes`;
    this.part("alphabetaCount").textContent = `${thousands(visited)} of ${thousands(alphabeta.count)} nodes · ${countText(saved, "node")} saved`;
    this.part("sentence").textContent = this.describe(row);
    this.part("open").hidden = this.cutoffStep() === null || !this.host.offers("open");
  }

  /** Describe the selected node, or else the step. */
  describe(row) {
    const { minimax, alphabeta, steps, aligned, t } = this;
    if (this.selected < 0) return sentence(alphabeta, steps, t);
    const value = `Minimax gives this node ${number(minimax.value(this.selected))}.`;
    if (row < 0) return `${value} Alpha-beta never visits it: it lies below a move that a cutoff skipped.`;
    if (!alphabeta.isPruned(row)) return `${value} Alpha-beta gives it ${withBound(alphabeta, row)}.`;
    return `${sentence(alphabeta, steps, steps.leave(row))} That skips ${countText(aligned.savedBy(row), "node")}.`;
  }

  /** The step of the cutoff at the selected node, or of the one that happens now; null if there is none. */
  cutoffStep() {
    const row = this.aligned.rowOf(this.selected);
    if (row >= 0 && this.alphabeta.isPruned(row)) return this.steps.leave(row);
    return this.selected < 0 && this.steps.at(this.t).kind === "cutoff" ? this.t : null;
  }

  /** The subtrees that this cutoff saved, as rows of minimax. */
  framedRows() {
    const step = this.cutoffStep();
    return step === null ? [] : this.aligned.skippedBy(this.steps.at(step).node);
  }
}

export const showPayload = showPayloadWith(MinimaxOverlay);
