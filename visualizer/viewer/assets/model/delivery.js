// What the server sends, or says where to fetch: a tree comes once, then the browser has it.

/** The folder of the app's pages: where it runs below another address, that is part of it. Streamlit's own script is in it; the
 *  address of a page does not say it, for the first page has none of its own. */
export function folder() {
  const script = document.querySelector('script[src*="/static/js/"]');
  const address = script ? script.src.replace(/static\/js\/.*$/, "") : window.location.href;
  return new URL(".", address).pathname;
}

/** Hands the bytes of a message and its settings to `take`, when they are here; only those of the latest message. If they cannot be
 *  fetched, the server is asked to send them in a message. */
export async function received({ data, parentElement, setTriggerValue }, take) {
  const holder = parentElement;
  if (holder.message?.data !== data) holder.message = { data, ...withSettings(data) };
  const { settings, bytes } = holder.message;
  if (settings.address === undefined) return take(bytes, settings);
  if (holder.fetched?.address !== settings.address) holder.fetched = { address: settings.address, bytes: fetched(settings.address) };
  const tree = await holder.fetched.bytes;
  if (holder.message.data !== data) return undefined;
  if (tree) return take(tree, settings);
  delete holder.fetched;
  return setTriggerValue("whole", settings.address);
}

/** The bytes at an address of this server; null if there are none. */
async function fetched(address) {
  try {
    const answer = await fetch(`${folder()}plyscope/${address}`);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  } catch {
    return null; // no connection, or something in between that does not let it through
  }
}

/** A message: bytes, then settings as JSON, then the length of the settings in four bytes. */
export function withSettings(data) {
  const all = data instanceof Uint8Array ? data : new Uint8Array(data);
  const end = all.byteLength - 4;
  const start = end - new DataView(all.buffer, all.byteOffset, all.byteLength).getUint32(end, true);
  return { bytes: all.slice(0, start), settings: JSON.parse(new TextDecoder().decode(all.subarray(start, end))) };
}
