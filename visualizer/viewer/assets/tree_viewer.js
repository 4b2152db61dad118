// What the component shows: called on every change of data or theme.

import { withSettings } from "./payload.js";
import { View } from "./view.js";

export function show({ data, parentElement, setTriggerValue }) {
  const view = (parentElement.view ??= new View(parentElement));
  const { bytes, settings } = unpack(parentElement, data);
  view.update(bytes, settings, setTriggerValue);
}

/** The tree and its settings; the same data need not be read twice. */
function unpack(holder, data) {
  if (holder.unpacked?.data !== data) holder.unpacked = { data, ...withSettings(data) };
  return holder.unpacked;
}
