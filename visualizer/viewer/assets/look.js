// Colours, sizes and number formats of the viewer. Colour means side only; state is outline, fill, thickness and crosses.

export const MAX = "#0072B2";
export const MIN = "#D55E00";

export function sideColour(maximizing) {
  return maximizing ? MAX : MIN;
}

/** The colours of the theme that Streamlit has chosen, read from its CSS variables. */
export function themeOf(element) {
  const style = getComputedStyle(element);
  const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  return {
    text: read("--st-text-color", "#31333F"),
    background: read("--st-background-color", "#FFFFFF"),
    panel: read("--st-secondary-background-color", "#F0F2F6"),
    border: read("--st-border-color", "#8a8d98"),
    font: read("--st-font", "sans-serif"),
  };
}

/** A number for people: true minus sign, infinity sign, at most five characters where that is possible. */
export function number(value) {
  if (value === null || value === undefined) return "";
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  const size = Math.abs(value);
  let text;
  if (Number.isInteger(value)) {
    text = size >= 1e6 ? `${trim(size / 1e6)}M` : size >= 1e5 ? `${trim(size / 1e3)}k` : String(size);
  } else {
    text = String(Number(size.toPrecision(3)));
  }
  return (value < 0 ? "−" : "") + text;
}

function trim(value) {
  return String(Number(value.toPrecision(3)));
}

export function withBound(value, bound) {
  return ({ lower: "≥", upper: "≤" }[bound] ?? "") + number(value);
}

export function thousands(value) {
  return value.toLocaleString("en-US");
}

/** A count in few letters: 950, 12k, 3.4M. */
export function compact(count) {
  if (count < 1000) return String(count);
  return count < 1e6 ? `${trim(count / 1e3)}k` : `${trim(count / 1e6)}M`;
}

/** A window as it stands beside a node. */
export function windowText(alpha, beta) {
  return `[${number(alpha)}, ${number(beta)}]`;
}
