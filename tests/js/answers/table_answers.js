// What the viewer says of the table at some steps, for test_ladder_view.py: {payload, steps} as JSON on stdin, the answers on stdout.

import { readFileSync } from "node:fs";

import { decode } from "../../../visualizer/viewer/assets/model/payload.js";
import { Table } from "../../../visualizer/viewer/assets/model/table_replay.js";
import { Steps, Tree } from "../../../visualizer/viewer/assets/model/trace.js";

const infinities = (_, value) => (value === Infinity ? "inf" : value === -Infinity ? "-inf" : value);
const { questions } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(questions.map(answer), infinities));

function answer({ payload, steps: numbers }) {
  const tree = new Tree(decode(readFileSync(payload)));
  const table = new Table(tree, new Steps(tree));
  while (!table.work(0)); // in pieces, as a page does
  return numbers.map((t) => {
    const { lines, ...counts } = table.at(t);
    return { ...counts, lines: lines.map(({ slot, entry }) => ({ slot, ...entry })) };
  });
}
