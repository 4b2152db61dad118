// What the component shows: called on every change of data or theme.

import { received } from "./delivery.js";
import { View } from "./view.js";

export function show(component) {
  component.parentElement.view ??= new View(component.parentElement);
  received(component, (bytes, settings) => component.parentElement.view?.update(bytes, settings, component.setTriggerValue));
}
