// Prints what the viewer of iterations shows at each step, for test_iteration_view.py: a payload on stdin, a list as JSON on stdout.

import { readFileSync } from "node:fs";

import { questionOf } from "../../../visualizer/viewer/assets/components/iteration_viewer/iteration_predict.js";
import { phaseHtml } from "../../../visualizer/viewer/assets/draw/iteration_panels.js";
import { currentRow, isAdded, IterationBlocks, reachedPath } from "../../../visualizer/viewer/assets/model/iteration_blocks.js";

const steps = new IterationBlocks(JSON.parse(readFileSync(0, "utf8")));
const answers = Array.from({ length: steps.length }, (_, t) => {
  const here = steps.at(t);
  const tree = steps.pictureOf(here.block);
  const counts = steps.countsAt(here);
  const nodes = tree.rows.map((row, place) => [row, counts.visits[place], tree.meanOf(place, counts)]).filter((_, place) => isAdded(tree.born[place], here));
  return { nodes, path: reachedPath(here), current: currentRow(here), words: here.step.words, panel: phaseHtml(steps.meta.board, here), question: questionOf(here),
    hidden: { panel: phaseHtml(steps.meta.board, here, { isHidden: true }), path: reachedPath({ ...here, isHidden: true }), counts: steps.countsAt({ ...here, isHidden: true }), before: t ? steps.countsAt(steps.at(t - 1)) : null } };
});
process.stdout.write(JSON.stringify(answers));
