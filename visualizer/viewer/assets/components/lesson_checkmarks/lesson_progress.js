// The solved screens of lessons, stored only in this browser.

const STORAGE_KEY = "plyscope.lessons";
const MAX_SCREENS = 1000; // the stored data may be anything
export const MARKS_CHANGED = "plyscope-lessons"; // an event of this page

/** Load the solved screens by lesson name. The result is empty if nothing valid is stored. */
export function loadMarks(storage) {
  try {
    const stored = JSON.parse(storage.getItem(STORAGE_KEY));
    const valid = Object.entries(stored).filter(([, screens]) => Array.isArray(screens) && screens.every(Number.isInteger));
    return Object.fromEntries(valid.map(([name, screens]) => [name, screens.slice(0, MAX_SCREENS)]));
  } catch {
    return {};
  }
}

/** Mark a screen as solved. Nothing happens if the browser stores nothing. */
export function markSolved(storage, lesson, screen) {
  const marks = loadMarks(storage);
  const solved = new Set(marks[lesson] ?? []).add(screen);
  saveMarks(storage, { ...marks, [lesson]: [...solved].sort((one, other) => one - other) });
}

/** Delete all marks. */
export function clearMarks(storage) {
  saveMarks(storage, {});
}

function saveMarks(storage, marks) {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify(marks));
  } catch {
    // the browser stores nothing
  }
  globalThis.dispatchEvent?.(new Event(MARKS_CHANGED));
}

/** Describe the progress in pieces of text: in the current lesson, on the card of a lesson, or in all lessons. */
export function describeProgress({ lessons, here, card }, marks) {
  const counts = lessons.map(({ name, title, screens }) => ({ title, screens, solved: (marks[name] ?? []).filter((number) => number >= 1 && number <= screens) }));
  if (card) {
    const { screens, solved } = counts[0];
    return solved.length ? [{ text: solved.length === screens ? "✓ All screens are solved." : `${solved.length} of ${screens} solved`, strong: solved.length === screens }] : [];
  }
  if (here) {
    const { screens, solved } = counts[0];
    if (!solved.length) return [];
    return solved.length === screens ? [{ text: `✓ All ${screens} screens are solved.`, strong: true }] : [{ text: `✓ Solved: ${solved.join(", ")}`, strong: true }, { text: ` of ${screens}` }];
  }
  const started = counts.filter(({ solved }) => solved.length);
  if (!started.length) return [{ text: "Only this browser remembers which screens you have solved." }];
  const pieces = started.map(({ title, screens, solved }) => ({ text: `${title} ${solved.length} of ${screens}${solved.length === screens ? " ✓" : ""}`, strong: solved.length === screens }));
  return [{ text: "Solved in this browser: " }, ...pieces.flatMap((piece, index) => (index ? [{ text: " · " }, piece] : [piece]))];
}
