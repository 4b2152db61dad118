// Data from the server: in the message, or at an address that the message names. The browser fetches each tree once.

import { appFolder } from "./app_folder.js";

/** Call `use` with the bytes and the settings of the latest message. If the bytes cannot be fetched, ask the server to send them in a
 *  message. */
export async function receiveData({ data, parentElement, setTriggerValue }, use) {
  const holder = parentElement;
  if (holder.message?.data !== data) holder.message = { data, ...splitMessage(data) };
  const { settings, bytes } = holder.message;
  if (settings.address === undefined) return use(bytes, settings);
  if (holder.fetched?.address !== settings.address) holder.fetched = { address: settings.address, bytes: fetchBytes(settings.address) };
  const tree = await holder.fetched.bytes;
  if (holder.message?.data !== data) return undefined; // a later message came, or the component was unmounted
  if (tree) return use(tree, settings);
  delete holder.fetched;
  return setTriggerValue("whole", settings.address);
}

/** Return the bytes at an address of this server; null if there are none. */
async function fetchBytes(address) {
  try {
    const answer = await fetch(`${appFolder()}plyscope/${address}`);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  } catch {
    return null; // no connection, or a proxy that blocks it
  }
}

/** Split a message: bytes, then settings as JSON, then the length of the settings in four bytes. */
export function splitMessage(data) {
  const all = data instanceof Uint8Array ? data : new Uint8Array(data);
  const end = all.byteLength - 4;
  const start = end - new DataView(all.buffer, all.byteOffset, all.byteLength).getUint32(end, true);
  return { bytes: all.slice(0, start), settings: JSON.parse(new TextDecoder().decode(all.subarray(start, end))) };
}
