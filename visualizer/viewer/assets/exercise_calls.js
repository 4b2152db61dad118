// A recorded search, call by call. Pure functions over the list of its events: a call begins, or it is left.

/** By row what a call is after so many events: "open" or "left"; calls that come later are missing. */
export function standingAt(calls, time) {
  const standing = new Map();
  for (const { row, left } of calls.slice(0, time + 1)) standing.set(row, left ? "left" : "open");
  return standing;
}

/** The event that the record proves wrong first; the last one if there is none. */
export function firstWrong(calls) {
  const found = calls.findIndex(({ wrong }) => wrong);
  return found < 0 ? calls.length - 1 : found;
}
