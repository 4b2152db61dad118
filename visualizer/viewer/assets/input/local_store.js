// The browser's local storage.

/** Return the local storage; null if the browser blocks access to it. */
export function localStore() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
