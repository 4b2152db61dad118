// A notebook cell as a host, by the front-end protocol of anywidget. The model has the payload, and the state that Python sees.

import { CellHost } from "./cell_host.js";
import { reserveKeys } from "./cell_keys.js";
import { followTheme } from "./cell_theme.js";

/** Return the front-end module of the widget. `markup` has the HTML and the styles of the component. */
export function createWidget({ showPayload }, markup) {
  return { render: ({ model, el }) => renderCell(model, el, markup, showPayload) };
}

function renderCell(model, el, markup, showPayload) {
  const cell = document.createElement("div");
  el.append(cell);
  const root = cell.attachShadow({ mode: "open" }); // styles of the notebook stay out
  root.innerHTML = markup;
  const host = new CellHost(model, root);
  const show = () => showPayload(root, bytesOf(model.get("payload")), { name: "tree", height: model.get("height") }, host);
  const releaseKeys = reserveKeys(cell);
  const stopTheme = followTheme(cell, () => root.view?.updateTheme());
  const listeners = {
    "change:step": () => host.openStep(),
    "change:view": () => host.openView(),
    "change:selection": () => host.openSelection(),
    "change:height": show,
    "msg:custom": ({ breakdown }) => breakdown && root.view.receiveBreakdown(breakdown),
  };
  show();
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
    releaseKeys();
    stopTheme();
    root.view.destroy();
    cell.remove();
  };
}

/** Return the bytes of a binary traitlet, which comes as a DataView. */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
