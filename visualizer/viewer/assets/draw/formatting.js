// Colours, sizes and number formats of the viewer. Colour means the side; state is outline, fill, thickness and crosses. Three lines
// have a colour and a stroke of their own: what causes a cutoff (dashes and dots), best play (a broad band), and what goes back to an
// earlier node (dots).

import { expectationAt } from "../model/expectation.js";
import { neighbours } from "../model/numbers.js";
import { TURNS } from "../model/record_model.js";

export const MAX = TURNS.max.colour;
export const MIN = TURNS.min.colour;
export const CAUSE = "#C2428F";
export const BEST = "#009E73";
export const BACK = "#B07D00";

/** The colour of a side in SVG and HTML, in the theme that `readTheme` has read. */
export const SIDE = Object.fromEntries(Object.entries(TURNS).map(([turn, { colour }]) => [turn, `var(--${turn}, ${colour})`]));

/** The colours of MIN, MAX and chance on a background, "#rrggbb" or "rgb(r, g, b)": brighter ones on a dark one. */
export function sideColours(background) {
  const parts = background.startsWith("#") ? [1, 3, 5].map((at) => parseInt(background.slice(at, at + 2), 16)) : (background.match(/\d+/g) ?? []).slice(0, 3).map(Number);
  const isDark = parts.length === 3 && 0.3 * parts[0] + 0.6 * parts[1] + 0.1 * parts[2] < 110;
  return Object.fromEntries(Object.entries(TURNS).map(([turn, { colour, onDark }]) => [turn, isDark ? onDark : colour]));
}

/** Who moves at a node, for people. */
export function moverName(tree, row) {
  return TURNS[tree.turn(row)].title;
}

/** The same with the shape of the node. */
export function sideLabel(tree, row) {
  return `${TURNS[tree.turn(row)].sign} ${moverName(tree, row)}`;
}

/** The colours of the theme that Streamlit has chosen, read from its CSS variables. The colours of the sides follow from its background; SVG
 *  and HTML take them from the variables --min, --max and --chance. */
export function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (name, fallback) => style.getPropertyValue(name).trim() || fallback;
  const background = read("--st-background-color", "#FFFFFF");
  const sides = sideColours(background);
  for (const [turn, colour] of Object.entries(sides)) element.style.setProperty(`--${turn}`, colour);
  return {
    text: read("--st-text-color", "#31333F"),
    background,
    sides,
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
  if (Math.abs(value) === Number.MAX_VALUE) return value < 0 ? "−∞+1" : "∞−1"; // as sentences write it
  const size = Math.abs(value);
  const text = size >= 1e12 ? size.toExponential(1).replace("+", "") : size >= 1e6 ? `${trim(size / 1e6)}M` : size >= 1e5 ? `${trim(size / 1e3)}k` : small(size);
  return (value < 0 ? "−" : "") + text;
}

function small(size) {
  if (Number.isInteger(size)) return String(size);
  return size >= 1000 ? String(Math.round(size)) : size > 0 && size < 1e-3 ? size.toExponential(0).replace("-", "−") : trim(size);
}

/** The number as it was recorded, every digit. */
export function exact(value) {
  if (!Number.isFinite(value) || Math.abs(value) === Number.MAX_VALUE) return number(value);
  return String(value).replace("-", "−");
}

function trim(value) {
  return String(Number(value.toPrecision(3)));
}

/** The value of a node that was left, with the sign of what it proves. */
export function withBound(tree, row) {
  return tree.meta.words.signs[tree.bound(row)] + number(tree.value(row));
}

/** The bound on a node that is still searched, after step t: "≥ 3"; empty if no child has returned. */
export function boundText(steps, row, t) {
  const { best } = steps.windowAt(row, t);
  if (best !== null && steps.tree.isChance?.(row)) return sumText(steps, row, t); // outcomes that are left may lower or raise it
  return best === null ? "" : `${steps.tree.meta.words.signs[steps.boundSoFar(row, t)]} ${number(best)}`;
}

/** The sum at a chance node after step t, with the number of outcomes in it: "sum 2.5 (3 of 6)". */
function sumText(steps, row, t) {
  const { total, counted, outcomes } = expectationAt(steps, row, t);
  return `sum ${number(total)}${outcomes === null ? "" : ` (${counted} of ${outcomes})`}`;
}

/** The bounds of the expectation at a chance node that is still searched: "1.2 to 4.1"; empty if nothing has come back, or no range is known. */
export function intervalText(steps, row, t, between = " to ") {
  const { tree } = steps;
  if (!tree.isChance?.(row)) return "";
  const { bounds } = expectationAt(steps, row, t);
  const isNew = bounds !== null && bounds.some((bound, end) => bound !== tree.meta.valueRange[end]);
  return isNew ? bounds.map(number).join(between) : "";
}

export function thousands(value) {
  return value.toLocaleString("en-US");
}

/** A count with its noun: "1 node", "2 nodes". */
export function countText(count, singular) {
  return `${thousands(count)} ${singular}${count === 1 ? "" : "s"}`;
}

/** A count in few letters: 950, 12k, 3.4M. */
export function compact(count) {
  if (count < 1000) return String(count);
  return count < 1e6 ? `${trim(count / 1e3)}k` : `${trim(count / 1e6)}M`;
}

/** Return a function that writes the numbers of a node. If both ends of its window are neighbouring numbers, one is written as "just
 *  below 0", or with `sign` as "0⁻". `write` writes all other numbers. */
export function numberFormat(tree, row, sign = false, write = number) {
  const beside = neighbours([tree.alpha(row), tree.beta(row)]);
  if (!beside.size) return write;
  return (value) => {
    const { above, other } = beside.get(value) ?? {};
    if (other === undefined) return write(value);
    return sign ? `${write(other)}${above ? "⁺" : "⁻"}` : `just ${above ? "above" : "below"} ${write(other)}`;
  };
}

/** A window as it is written beside a node. */
export function windowText(tree, row, { alpha, beta }) {
  const format = numberFormat(tree, row, true);
  return `[${format(alpha)}, ${format(beta)}]`;
}
