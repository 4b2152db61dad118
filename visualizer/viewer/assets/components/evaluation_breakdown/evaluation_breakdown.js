// Hands the server's breakdown of a leaf's value to the viewer that asked for it.

import { BREAKDOWN_EVENT } from "../../hosts/streamlit/page_host.js";

export function show({ data, parentElement }) {
  if (parentElement.handledToken === data.token) return;
  parentElement.handledToken = data.token;
  parentElement.view ??= { destroy() {} };
  window.dispatchEvent(new CustomEvent(BREAKDOWN_EVENT, { detail: data }));
}
