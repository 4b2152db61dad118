// Entry of the component: called on every change of data or theme.

import { receiveData } from "../../model/delivery.js";
import { TreeViewer } from "./viewer.js";

export function show(component) {
  component.parentElement.view ??= new TreeViewer(component.parentElement);
  receiveData(component, (bytes, settings) => component.parentElement.view?.update(bytes, settings, component.setTriggerValue));
}
