// Keeps the state of the viewer in the URL, without a history entry, and in the session for users who come back from another page.

const SESSION = "plyscope";

/** Return the parameters of the URL, or else those that the tree of this name had last. */
export function readState(name, declared) {
  const inUrl = new URL(window.location.href).searchParams;
  return declared.some((parameter) => inUrl.has(parameter.name)) ? inUrl : readFromSession(name);
}

/** Write texts by the names of the declared parameters. `search` are those of the search, which a link needs, too. */
export function saveState(name, texts, declared, search = {}) {
  const url = new URL(window.location.href);
  const added = url.searchParams.has("game") ? {} : search;
  for (const [parameter, text] of Object.entries({ ...added, ...texts })) {
    if (text) url.searchParams.set(parameter, text);
    else url.searchParams.delete(parameter);
  }
  window.history.replaceState(window.history.state, "", url);
  storeInSession(name, Object.fromEntries(declared.filter(({ remembered }) => remembered).map((parameter) => [parameter.name, texts[parameter.name]])));
}

function storeInSession(name, parts) {
  try {
    sessionStorage.setItem(SESSION, JSON.stringify({ name, parts }));
  } catch {
    // the browser stores nothing: the link still holds the state
  }
}

function readFromSession(name) {
  try {
    const found = JSON.parse(sessionStorage.getItem(SESSION));
    if (found?.name === name) return new URLSearchParams(Object.entries(found.parts).filter(([, text]) => text));
  } catch {
    // nothing was stored, or it cannot be read
  }
  return new URLSearchParams();
}
