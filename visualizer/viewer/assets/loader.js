// Entry point of every component: turns modules that were sent as text into ES modules, and calls `show` of one of them.
// Streamlit finds asset folders only if a distribution has the name of its import package, and ours has not.

const FOLDER = new URL(".", document.querySelector('script[src*="/static/js/"]')?.src.replace(/static\/js\/.*$/, "") ?? window.location.href).href;
const SOURCES = "__SOURCES__";
const ENTRY = "__ENTRY__";
const VERSION = `${ENTRY} __VERSION__`;

const loaded = (globalThis.plyscopeModules ??= {});
loaded[VERSION] ??= import(address(ENTRY));
globalThis.plyscopeHistory ??= import(address("page_history")); // once, by the first component on the page

/** Return a blob URL for a module whose imports are replaced by blob URLs too. */
function address(name, known = {}) {
  const text = SOURCES[name].replace(/from "[./\w]*\/(\w+)\.js"/g, (_, other) => `from "${(known[other] ??= address(other, known))}"`);
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}

export default function (component) {
  const { parentElement } = component;
  parentElement.latest = component;
  loaded[VERSION].then(({ show }) => parentElement.latest && show(parentElement.latest));
  return () => {
    delete parentElement.latest;
    parentElement.view?.destroy();
    delete parentElement.view;
  };
}
