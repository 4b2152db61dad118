// Goes to another page of the app with one entry in the history, so that Back returns to the page before.
// Streamlit's own switch puts the new parameters on the old page first, and Back would land there.

import { appFolder } from "../../hosts/streamlit/app_folder.js";

export function show({ data, parentElement }) {
  if (parentElement.handledToken === data.token) return;
  parentElement.handledToken = data.token;
  parentElement.view ??= { destroy() {} };
  window.history.pushState(null, "", `${appFolder()}${data.page}?${new URLSearchParams(data.parameters)}`);
  window.dispatchEvent(new PopStateEvent("popstate", { state: null }));
}
