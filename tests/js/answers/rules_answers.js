// What the browser's interpreter makes of rules and facts, for test_rules.py: [{rules, facts, slots}] as JSON on stdin, on stdout
// for each the words, or null where there is no rule.

import { readFileSync } from "node:fs";

import { renderRule } from "../../../visualizer/viewer/assets/model/rules.js";

const told = JSON.parse(readFileSync(0, "utf8")).map(({ rules, facts, slots }) => {
  try {
    return renderRule(rules, "", facts, slots);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
});
process.stdout.write(JSON.stringify(told));
