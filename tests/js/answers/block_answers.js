// Compares what the viewer says about steps if it has a block of rows and if it has the whole tree, for test_large_steps.py: a question as
// JSON on stdin, the differences as JSON on stdout. A question is {whole: file, length, blocks: [{payload: file, step}]}.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { boardAt } from "../../../visualizer/viewer/assets/draw/board.js";
import { stackHtml } from "../../../visualizer/viewer/assets/draw/panels.js";
import { LargeSteps } from "../../../visualizer/viewer/assets/model/large_steps.js";
import { decode } from "../../../visualizer/viewer/assets/model/payload.js";
import { PictureTree } from "../../../visualizer/viewer/assets/model/picture_tree.js";
import { codeLine, lineNumbers } from "../../../visualizer/viewer/assets/model/pseudocode.js";
import { sentence } from "../../../visualizer/viewer/assets/model/sentences.js";
import { Steps } from "../../../visualizer/viewer/assets/model/trace.js";

const { questions } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(questions.map(compare)));

function compare({ whole, length, blocks }) {
  const { meta, ...decoded } = decode(readFileSync(whole));
  const tree = new PictureTree({ ...decoded, meta });
  const steps = new Steps(tree);
  const differences = [];
  for (const { payload, step } of blocks) {
    const part = decode(readFileSync(payload));
    const block = new PictureTree({ ...part, meta: { ...meta, ...part.meta } });
    const blockSteps = new LargeSteps(block, length);
    const [expected, found] = [answer(tree, steps, step), answer(block, blockSteps, step)];
    for (const name of Object.keys(expected)) {
      if (!isDeepStrictEqual(found[name], expected[name])) differences.push({ step, name, expected: expected[name], found: found[name] });
    }
    if (!blockSteps.isLoaded(step)) differences.push({ step, name: "isLoaded" });
    differences.push(...findWrongJumps(steps, blockSteps, step));
  }
  return differences;
}

/** All that is shown at a step, with nodes by their numbers. */
function answer(tree, steps, t) {
  const { node, child, cause, probe, again, ...step } = steps.at(t);
  const numberOf = (row) => (row === null || row < 0 ? row : tree.number(row));
  const describe = (row) => ({ number: numberOf(row), move: tree.moveName(row), state: steps.stateAt(row, t), value: steps.visibleValue(row, t), bound: tree.bound(row), size: tree.size(row) });
  return {
    ...step,
    nodes: [node, child, cause?.ancestor ?? null, cause?.child ?? null, probe, again].map(numberOf),
    sentence: sentence(tree, steps, t),
    line: codeLine(tree, steps, steps.at(t)),
    lineNumbers: lineNumbers(tree, steps, steps.at(t)),
    stack: stackHtml(tree, steps, t),
    expanded: steps.expandedAt(t),
    savings: tree.savingsAt(steps, t),
    over: steps.stepOver(t),
    out: steps.stepOut(t),
    rootChange: steps.nextRootChange(t),
    board: boardAt(tree, node)?.cells ?? null,
    skipped: [tree.skippedNames(node), tree.skippedCells(node), tree.skippedValues(node)],
    path: tree.path(node).map((row) => ({ ...describe(row), window: steps.windowAt(row, t), siblings: tree.siblings(row).map(describe) })),
    children: tree.children(node).map(describe),
    best: tree.principalVariation().map(numberOf),
    length: steps.length,
  };
}

/** A jump that the block proves is that of the whole tree. */
function findWrongJumps(steps, blockSteps, t) {
  const wrong = [];
  for (const direction of ["next", "previous"]) {
    for (const kind of ["cutoff", "evaluate"]) {
      const found = blockSteps.find(direction, kind, t);
      if (found !== undefined && found !== steps[direction](kind, t)) wrong.push({ step: t, name: `${direction} ${kind}`, found });
    }
  }
  return wrong;
}
