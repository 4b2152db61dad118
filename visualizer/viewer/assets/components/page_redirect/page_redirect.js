// Goes to another page of the app: one entry in the history, so that Back returns to where one was.
// Streamlit's own switch puts the new parameters on the old page first, and Back would land there.

import { folder } from "../../model/delivery.js";

export function show({ data, parentElement }) {
  if (parentElement.leapt === data.token) return;
  parentElement.leapt = data.token;
  parentElement.view ??= { destroy() {} };
  window.history.pushState(null, "", `${folder()}${data.page}?${new URLSearchParams(data.parameters)}`);
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
}
