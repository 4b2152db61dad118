// What the component shows: called on every change of data or theme.

import { View } from "./view.js";

export function show({ data, parentElement, setTriggerValue }) {
  const view = (parentElement.view ??= new View(parentElement));
  const { bytes, settings } = unpack(parentElement, data);
  view.update(bytes, settings, setTriggerValue);
}

/** The payload is the tree, then the settings as JSON, then the length of the settings in four bytes. */
function unpack(holder, data) {
  if (holder.unpacked?.data === data) return holder.unpacked;
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const end = bytes.byteLength - 4;
  const start = end - new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
  const settings = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
  holder.unpacked = { data, bytes: bytes.slice(0, start), settings };
  return holder.unpacked;
}
