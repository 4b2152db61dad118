// Data inside the file: compressed, as base64, in script elements that are not run.

/** Return the bytes of an element; null if there is none with this id. */
export async function readBytes(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  const packed = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** Return the value that an element holds as JSON; null if there is none with this id. */
export async function readJson(id) {
  const bytes = await readBytes(id);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}
