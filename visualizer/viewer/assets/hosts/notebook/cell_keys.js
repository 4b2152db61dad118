// Keys in a cell. JupyterLab sees every key first, and D D would delete the cell that the viewer is in.

const SUPPRESS = "data-lm-suppress-shortcuts"; // JupyterLab ignores keys that are pressed in an element with this attribute

/** Reserve keys that are pressed in an element for it, but not those with Ctrl, Alt or Cmd: they still save the notebook. Return the function
 *  that ends it. */
export function reserveKeys(element) {
  const onKeyDown = ({ ctrlKey, altKey, metaKey }) => {
    if (ctrlKey || altKey || metaKey) element.removeAttribute(SUPPRESS);
    else element.setAttribute(SUPPRESS, "true");
  };
  window.addEventListener("keydown", onKeyDown, true); // before JupyterLab, which listens to the document
  return () => window.removeEventListener("keydown", onKeyDown, true);
}
