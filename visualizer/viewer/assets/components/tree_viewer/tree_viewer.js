// What the component shows: called on every change of data or theme.

import { received } from "../../model/delivery.js";
import { View } from "./viewer.js";

export function show(component) {
  component.parentElement.view ??= new View(component.parentElement);
  received(component, (bytes, settings) => component.parentElement.view?.update(bytes, settings, component.setTriggerValue));
}
