// What the viewer says about trees, for test_viewer_logic.py: questions as JSON on stdin, the answers as JSON on stdout.
// A question is {payload: file, steps: [numbers], rows: [numbers]}.

import { readFileSync } from "node:fs";

import { boardAt } from "../../../visualizer/viewer/assets/draw/board.js";
import { questionAt } from "../../../visualizer/viewer/assets/components/tree_viewer/predict.js";
import { decode } from "../../../visualizer/viewer/assets/model/payload.js";
import { sentence } from "../../../visualizer/viewer/assets/model/sentences.js";
import { boundText, intervalText } from "../../../visualizer/viewer/assets/draw/formatting.js";
import { PictureTree } from "../../../visualizer/viewer/assets/model/picture_tree.js";
import { ballardBounds } from "../../../visualizer/viewer/assets/model/expectation.js";
import { codeLine, lineNumbers } from "../../../visualizer/viewer/assets/model/pseudocode.js";
import { Steps, Tree } from "../../../visualizer/viewer/assets/model/trace.js";

const { questions } = JSON.parse(readFileSync(0, "utf8"));
const infinities = (_, value) => (value === Infinity ? "inf" : value === -Infinity ? "-inf" : value);
process.stdout.write(JSON.stringify(questions.map(answer), infinities));

function answer({ payload, steps: numbers, rows }) {
  const data = decode(readFileSync(payload));
  const tree = new Tree(data);
  const steps = new Steps(tree);
  const picture = new PictureTree(data);
  return {
    count: tree.count,
    length: steps.length,
    principalVariation: tree.principalVariation(),
    code: tree.meta.words.code.map((line) => line.words),
    steps: numbers.map((t) => ({
      ...steps.at(t),
      sentence: sentence(tree, steps, t),
      line: codeLine(tree, steps, steps.at(t)),
      lineNumbers: lineNumbers(tree, steps, steps.at(t)),
      question: questionAt(tree, steps, t),
      nextCutoff: steps.next("cutoff", t),
      previousCutoff: steps.previous("cutoff", t),
      nextLeaf: steps.nextLeaf(t),
      nextRootChange: steps.nextRootChange(t),
      stepOver: steps.stepOver(t),
      stepOut: steps.stepOut(t),
      expandedAt: steps.expandedAt(t),
      path: tree.path(steps.at(t).node).map((i) => ({ state: steps.stateAt(i, t), known: boundText(steps, i, t), interval: intervalText(steps, i, t), ...steps.windowAt(i, t) })),
    })),
    spared: numbers.map((t) => picture.savingsAt(steps, t)),
    rows: rows.map((i) => ({
      value: tree.value(i),
      alpha: tree.alpha(i),
      beta: tree.beta(i),
      depth: tree.depth(i),
      move: tree.move(i),
      moveName: tree.moveName(i),
      turn: tree.turn(i),
      weight: tree.weight(i),
      status: tree.status(i),
      end: tree.end(i),
      number: tree.number(i),
      size: tree.size(i),
      isLeaf: tree.isLeaf(i),
      isPruned: tree.isPruned(i),
      children: tree.children(i),
      path: tree.path(i),
      parent: tree.parent(i),
      board: boardAt(tree, i)?.cells ?? null,
      moveCell: i === 0 ? null : tree.moveCell(i),
      skippedCells: tree.skippedCells(i),
      skippedMoves: tree.skippedMoves(i),
      skippedValues: tree.skippedValues(i),
      skippedTurns: tree.skippedTurns(i),
      skippedWeights: tree.skippedWeights(i),
      ballard: ballardBounds(tree, i),
      bound: tree.bound(i),
      bestChild: tree.bestChild(i),
      enterStep: steps.enter(i),
      leaveStep: steps.leave(i),
    })),
  };
}
