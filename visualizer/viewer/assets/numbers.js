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

/** `number` with as many digits as it takes to see that these values differ; null stands for none. */
export function tellingApart(...values) {
  const different = [...new Set(values.filter((value) => value !== null))];
  let digits = 6;
  while (digits < 17 && new Set(different.map((value) => number(value, digits))).size < different.length) digits++;
  return (value) => number(value, digits);
}
