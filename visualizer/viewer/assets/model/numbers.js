// Numbers as text for sentences: numbers.py in the browser.

/** A number for people: with a true minus sign, and rounded unless it is whole. */
export function number(value, digits = 6) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size === Infinity) return `${sign}∞`;
  if (size === Number.MAX_VALUE) return sign ? "−∞+1" : "∞−1"; // the number next to infinity, with which SSS* and DUAL* begin
  if (size < 1e15 && Number.isInteger(size)) return sign + size;
  const rounded = Number(size.toPrecision(digits));
  if (rounded >= 1e-4 && rounded < 1e15) return sign + rounded;
  return sign + rounded.toExponential().replace("+", "").replace("-", "−");
}

/** The numbers that are direct neighbours of another one with fewer digits: a map to {above, other}. null entries are ignored. */
export function neighbours(values) {
  const found = new Map();
  const sorted = [...new Set(values.filter((value) => Number.isFinite(value)))].sort((a, b) => a - b);
  for (let i = 1; i < sorted.length; i++) {
    const [low, high] = [sorted[i - 1], sorted[i]];
    if (!follows(low, high) || found.has(low)) continue;
    const above = digitsOf(low) <= digitsOf(high);
    found.set(above ? high : low, { above, other: above ? low : high });
  }
  return found;
}

/** Whether no 64-bit or 32-bit float lies between them. Whole numbers do not count: their digits differ. */
function follows(low, high) {
  if (Number.isInteger(low) && Number.isInteger(high)) return false;
  return nextUp(low) === high || (Math.fround(low) === low && nextUp(low, "float32") === high);
}

function digitsOf(value) {
  return value === 0 ? 0 : Math.abs(value).toExponential().split("e")[0].replace(".", "").length;
}

/** The next float above a finite one. */
export function nextUp(value, kind) {
  const bits = kind === "float32" ? [new Float32Array(1), Int32Array, 1] : [new Float64Array(1), BigInt64Array, 1n];
  const [number, Whole, one] = bits;
  number[0] = value === 0 ? 0 : value;
  const whole = new Whole(number.buffer);
  whole[0] += value >= 0 ? one : -one;
  return number[0];
}

/** A format like `number` with enough digits to tell these values apart. A direct neighbour of another value, or of an end of `window`,
 *  is written as just above or just below it. null entries are ignored. */
export function distinctFormat(values, window = []) {
  const beside = neighbours([...values, ...window]);
  const others = [...beside.values()].map(({ other }) => other);
  const different = [...new Set([...values.filter((value) => value !== null && !beside.has(value)), ...others])];
  let digits = 6;
  while (digits < 17 && new Set(different.map((value) => number(value, digits))).size < different.length) digits++;
  return (value) => {
    const { above, other } = beside.get(value) ?? {};
    return other === undefined ? number(value, digits) : `just ${above ? "above" : "below"} ${number(other, digits)}`;
  };
}
