// Numbers as text for sentences: numbers.py in the browser.

/** A number for people: true minus sign, at most so many digits unless it is whole. */
export function number(value, digits = 6) {
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size === Infinity) return `${sign}∞`;
  if (size === Number.MAX_VALUE) return sign ? "−∞+1" : "∞−1"; // next to infinity: where SSS* and DUAL* begin
  if (size < 1e15 && Number.isInteger(size)) return sign + size;
  const rounded = Number(size.toPrecision(digits));
  if (rounded >= 1e-4 && rounded < 1e15) return sign + rounded;
  return sign + rounded.toExponential().replace("+", "").replace("-", "−");
}

/** Of these numbers, those that are next to another one, which takes fewer digits: by number {above, other}. null stands for none. */
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

/** Whether no number of their kind, of 64 or 32 bits, is between them; two whole numbers are told apart by their digits. */
function follows(low, high) {
  if (Number.isInteger(low) && Number.isInteger(high)) return false;
  return nextUp(low) === high || (Math.fround(low) === low && nextUp(low, "float32") === high);
}

function digitsOf(value) {
  return value === 0 ? 0 : Math.abs(value).toExponential().split("e")[0].replace(".", "").length;
}

/** The next number of the kind above a finite one. */
export function nextUp(value, kind) {
  const bits = kind === "float32" ? [new Float32Array(1), Int32Array, 1] : [new Float64Array(1), BigInt64Array, 1n];
  const [number, Whole, one] = bits;
  number[0] = value === 0 ? 0 : value;
  const whole = new Whole(number.buffer);
  whole[0] += value >= 0 ? one : -one;
  return number[0];
}

/** `number` with as many digits as it takes to see that these values differ, and in words where no digits would do: a number next to
 *  another one of them, or to one of `window`, is just above or below that. null stands for none. */
export function tellingApart(values, window = []) {
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
