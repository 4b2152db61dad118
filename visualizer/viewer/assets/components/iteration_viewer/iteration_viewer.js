// The viewer of a search in iterations, for any host: see tree_viewer.js, which says what a host has.

import { mountedView } from "../../input/mounted_view.js";
import { IterationViewer } from "./iterations.js";

/** Show a payload of build_iteration_payload in an element that holds the markup of iteration_viewer.html. Return the viewer. */
export function showPayload(element, payload, settings, host) {
  const viewer = mountedView(element, () => new IterationViewer(element));
  viewer.update(payload, settings, host);
  return viewer;
}
