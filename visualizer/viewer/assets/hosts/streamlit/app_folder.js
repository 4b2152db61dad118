// Where the app's pages are.

/** Return the address of the app's pages. Streamlit's own script is in the same folder; the address of the first page does not tell. */
export function appFolder() {
  const script = document.querySelector('script[src*="/static/js/"]');
  const address = script ? script.src.replace(/static\/js\/.*$/, "") : window.location.href;
  return new URL(".", address).href;
}
