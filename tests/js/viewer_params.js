// The URL parameters of the viewers, as visualizer/viewer/viewer_params.py declares them.

import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../../visualizer/viewer/viewer_params.py", import.meta.url), "utf8");

function readDeclared(name) {
  const [, list] = new RegExp(`^${name} = \\((.*?)^\\)`, "ms").exec(source);
  const declared = list.matchAll(/ViewerParam\("(\w+)", "(\w+)", "(\w+)"(, remembered=False)?\)/g);
  return [...declared].map(([, param, field, codec, forgotten]) => ({ name: param, field, codec, remembered: !forgotten }));
}

export const VIEWER_PARAMS = readDeclared("VIEWER_PARAMS");
export const ITERATION_PARAMS = readDeclared("ITERATION_PARAMS");
