// The theme of a notebook, read from the colours around the cell, so that every notebook works: JupyterLab, VS Code, Colab, marimo.

const DARK_PAGE = [17, 17, 17, 255]; // behind light text if the page has no background of its own
const WHITE_PAGE = [255, 255, 255, 255];
const PANEL_SHARE = 0.07; // of the text colour in the colour of panels
const BORDER_SHARE = 0.25;
const CODE_FONT = 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';

/** Set the CSS variables of the theme on an element, now and after every change. Return the function that ends it. */
export function followTheme(element, onChange) {
  const update = () => {
    for (const [name, value] of Object.entries(readCellTheme(element))) element.style.setProperty(name, value);
    onChange();
  };
  element.style.transition = "color 1ms"; // so that a change of the text colour, for whatever reason, is an event
  element.addEventListener("transitionend", update);
  const visible = new ResizeObserver(update); // the theme may change while the cell is hidden
  visible.observe(element);
  update();
  return () => {
    element.removeEventListener("transitionend", update);
    visible.disconnect();
  };
}

function readCellTheme(element) {
  const { color, fontFamily } = getComputedStyle(element);
  const ink = toPixel(color);
  const paper = colourBehind(element) ?? (brightness(ink) > 128 ? DARK_PAGE : WHITE_PAGE);
  const text = mix(paper, ink, ink[3] / 255);
  return {
    "--st-text-color": toCss(text),
    "--st-background-color": toCss(paper),
    "--st-secondary-background-color": toCss(mix(paper, text, PANEL_SHARE)),
    "--st-border-color": toCss(mix(paper, text, BORDER_SHARE)),
    "--st-font": fontFamily,
    "--st-code-font": CODE_FONT,
  };
}

/** Return the background colour that is seen behind an element; null if all is transparent up to the window. */
function colourBehind(element) {
  for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
    const colour = toPixel(getComputedStyle(at).backgroundColor);
    if (colour[3] > 127) return colour;
  }
  return null;
}

/** Return a CSS colour, written in any way, as red, green, blue and alpha. */
function toPixel(colour) {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data];
}

function mix(from, to, share) {
  return from.map((part, index) => Math.round(part + (to[index] - part) * share));
}

function brightness([red, green, blue]) {
  return 0.3 * red + 0.6 * green + 0.1 * blue;
}

function toCss([red, green, blue]) {
  return `rgb(${red}, ${green}, ${blue})`;
}
