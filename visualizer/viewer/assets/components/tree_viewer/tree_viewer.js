// The viewer without a host: a Streamlit page, a notebook or a file shows it with this one function.

import { mountedView } from "../../input/mounted_view.js";
import { TreeViewer } from "./viewer.js";

/** Show a payload in an element that holds the markup of tree_viewer.html. Return the viewer. Call it again when anything changes.
 *
 *  Settings: `name` identifies the tree: the same name keeps what the user sees. `step` is where it opens; without it, it opens as the saved
 *  state says, or plays to the first cutoff. `view` is the picture it opens with, `plain` leaves out code and call stack, `asks` makes a
 *  click on a node a request "pick", `height` is the height in pixels; without it, the viewer ends where the window ends.
 *
 *  The host has
 *  - `readState(declared)`: the saved state as URLSearchParams. `declared` lists the parameters: viewer_params.py.
 *  - `saveState(texts, declared)`: save the state, given as texts by name.
 *  - `offers(request, node)`: whether `request` can be answered: "why", "open", "export", "positions" or "pick".
 *  - `request(request, value)`: ask for more. Answers: `receiveBreakdown` of the viewer, or another payload.
 *  - `askTree(query, parameters)`: a promise of bytes about a large tree, of which the payload has only a block of rows; `settings.whole` has
 *    its size. Only a host with a server has it: tree_queries.py.
 *  - `takeFocus(root)`: called when a tree is shown. A page gives it the keyboard, a notebook does nothing.
 *
 *  The theme is six CSS variables that the host sets: see readTheme in formatting.js. After a change of theme it calls `showPayload` again,
 *  or `updateTheme` of the viewer. */
export function showPayload(element, payload, settings, host) {
  const viewer = mountedView(element, () => new TreeViewer(element));
  viewer.update(payload, settings, host);
  return viewer;
}
