// What this browser keeps for us from visit to visit.

/** The store; null where the browser forbids even to ask for it. */
export function localStore() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
