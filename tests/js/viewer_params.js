// The URL parameters of the viewer, as visualizer/viewer/viewer_params.py declares them.

import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../../visualizer/viewer/viewer_params.py", import.meta.url), "utf8");
const declared = source.matchAll(/ViewerParam\("(\w+)", "(\w+)", "(\w+)"(, remembered=False)?\)/g);
export const VIEWER_PARAMS = [...declared].map(([, name, field, codec, forgotten]) => ({ name, field, codec, remembered: !forgotten }));
