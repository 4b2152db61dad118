// Binary search.

/** Index of the first of so many entries, rising by `of`, that is at least `least`; the count if none is. */
export function firstAtLeast(count, valueAt, minimum) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) < minimum) low = middle + 1;
    else high = middle;
  }
  return low;
}
