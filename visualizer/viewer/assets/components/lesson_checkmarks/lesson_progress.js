// The screens of lessons that were solved, kept in this browser and nowhere else.

const PLACE = "plyscope.lessons";
const MOST = 1000; // screens, whatever somebody has written there
export const MARKED = "plyscope-lessons"; // happens in this page when something was marked

/** By name of a lesson the numbers of its solved screens; nothing where nothing can be read. */
export function marksIn(storage) {
  try {
    const found = JSON.parse(storage.getItem(PLACE));
    const right = Object.entries(found).filter(([, screens]) => Array.isArray(screens) && screens.every(Number.isInteger));
    return Object.fromEntries(right.map(([name, screens]) => [name, screens.slice(0, MOST)]));
  } catch {
    return {};
  }
}

/** Mark one more; a browser that keeps nothing goes on without. */
export function markSolved(storage, lesson, screen) {
  const marks = marksIn(storage);
  const solved = new Set(marks[lesson] ?? []).add(screen);
  write(storage, { ...marks, [lesson]: [...solved].sort((one, other) => one - other) });
}

/** Forget all of them. */
export function forgetMarks(storage) {
  write(storage, {});
}

function write(storage, marks) {
  try {
    storage.setItem(PLACE, JSON.stringify(marks));
  } catch {
    // nothing is remembered
  }
  globalThis.dispatchEvent?.(new Event(MARKED));
}

/** What is said, in pieces: of the lesson that is shown, or of all of them. */
export function wordsFor({ lessons, here }, marks) {
  const counts = lessons.map(({ name, title, screens }) => ({ title, screens, solved: (marks[name] ?? []).filter((place) => place >= 1 && place <= screens) }));
  if (here) {
    const { screens, solved } = counts[0];
    if (!solved.length) return [];
    return solved.length === screens ? [{ words: `✓ All ${screens} screens are solved.`, strong: true }] : [{ words: `✓ Solved: ${solved.join(", ")}`, strong: true }, { words: ` of ${screens}` }];
  }
  const begun = counts.filter(({ solved }) => solved.length);
  if (!begun.length) return [{ words: "The screens that you solve are remembered in this browser only." }];
  const said = begun.map(({ title, screens, solved }) => ({ words: `${title} ${solved.length} of ${screens}${solved.length === screens ? " ✓" : ""}`, strong: solved.length === screens }));
  return [{ words: "Solved in this browser: " }, ...said.flatMap((piece, place) => (place ? [{ words: " · " }, piece] : [piece]))];
}
