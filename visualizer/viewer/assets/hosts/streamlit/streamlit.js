// The Streamlit page as a host: every component is mounted by the function that `createMount` returns.

import { receiveData } from "./delivery.js";
import { mend } from "./page_history.js";
import { PageHost } from "./page_host.js";

/** Return the function that Streamlit calls on every change of data or theme. A component has `show(component)`, or `showPayload` if its
 *  data are bytes: see tree_viewer.js. */
export function createMount({ show, showPayload }) {
  globalThis.plyscopeHistory ??= (mend(window), true); // once, by the first component on the page
  return (component) => {
    if (showPayload) receiveData(component, (payload, settings) => showOnPage(component, payload, settings, showPayload));
    else show(component);
    return () => unmount(component.parentElement);
  };
}

function showOnPage(component, payload, settings, showPayload) {
  const element = component.parentElement;
  element.pageHost ??= new PageHost(element);
  element.pageHost.update(settings, component.setTriggerValue);
  showPayload(element, payload, settings, element.pageHost);
}

function unmount(element) {
  element.view?.destroy();
  element.pageHost?.destroy();
  for (const name of ["view", "pageHost", "message", "fetched"]) delete element[name];
}
