// One entry of the history for each change of page, so that Back returns to what was there.
// Streamlit's menu makes two: the parameters of the new page on the path of the old one and then the new path, or the new path and
// then its parameters. The first of them is a page that the user never saw; the second replaces it, unless the user did something meanwhile.

/** Patch the history of a window for as long as it is open. */
export function mend(window) {
  const { history } = window;
  const push = history.pushState.bind(history);
  let latest = ""; // what the latest entry changed: "path" or "parameters"; empty after a user event
  for (const deed of ["pointerdown", "keydown", "popstate"]) window.addEventListener(deed, () => (latest = ""), true);
  history.pushState = (state, title, address) => {
    const changes = new URL(address ?? "", window.location.href).pathname === window.location.pathname ? "parameters" : "path";
    const completes = latest && latest !== changes;
    latest = completes && changes === "parameters" ? "" : changes;
    return completes ? history.replaceState(state, title, address) : push(state, title, address);
  };
}
