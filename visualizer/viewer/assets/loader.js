// Entry of the component: turns the modules, sent as text, into ES modules that import each other, and hands on to one of them.
// Streamlit finds a folder of files only for a distribution named like its import package; ours are named differently.

const FOLDER = new URL(".", document.querySelector('script[src*="/static/js/"]')?.src.replace(/static\/js\/.*$/, "") ?? window.location.href).href;
const SOURCES = "__SOURCES__";
const ENTRY = "__ENTRY__";
const VERSION = `${ENTRY} __VERSION__`;

const loaded = (globalThis.plyscopeModules ??= {});
loaded[VERSION] ??= import(address(ENTRY));
globalThis.plyscopeHistory ??= import(address("page_history")); // once, whichever component is the first

/** A blob address for a module, its imports replaced by the addresses of theirs. */
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
