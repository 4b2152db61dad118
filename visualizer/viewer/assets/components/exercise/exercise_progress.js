// What a learner has done, kept in this browser and nowhere else; and how hard the next exercise should be.

const PLACE = "plyscope.learn";
const MOST = 2000;
const FIELDS = ["kind", "seed", "difficulty", "answer", "points", "total", "hints"];

/** What is kept; nothing if there is nothing that can be read. */
export function kept(storage) {
  try {
    const { learner, exercises } = JSON.parse(storage.getItem(PLACE));
    const whole = Array.isArray(exercises) && exercises.every((done) => FIELDS.every((name) => name in done));
    if (whole && typeof learner === "string") return { learner, exercises };
  } catch {
    // nothing was kept, or nothing that can be read
  }
  return { learner: "", exercises: [] };
}

/** Keep it; whether that worked: a browser that keeps nothing goes on with what is in memory. */
export function keep(storage, progress) {
  try {
    storage.setItem(PLACE, JSON.stringify(progress));
    return true;
  } catch {
    return false;
  }
}

/** The same exercise as it was answered first, if it was. */
export function firstOf({ exercises }, done) {
  return exercises.find((other) => same(other, done));
}

/** The progress with one more; what was answered before counts as it was answered first. */
export function withDone(progress, done) {
  if (firstOf(progress, done) || progress.exercises.length >= MOST) return progress;
  return { ...progress, exercises: [...progress.exercises, done] };
}

function same(one, other) {
  return ["kind", "seed", "difficulty"].every((name) => one[name] === other[name]);
}

/** The difficulty of the next one: two solved in a row without the solution of a part make it harder, two that were not easier. */
export function nextDifficulty({ exercises }, kind, difficulty, hardest = 5) {
  const last = exercises.filter((done) => done.kind === kind && done.difficulty === difficulty).slice(-2);
  if (last.length < 2) return difficulty;
  const solved = last.map(({ points, total, hints }) => points === total && hints < 3);
  if (solved.every(Boolean)) return Math.min(difficulty + 1, hardest);
  return solved.some(Boolean) ? difficulty : Math.max(difficulty - 1, 1);
}

/** Exercises, those that were solved, points, of all and by kind. */
export function sums({ exercises }, kind = null) {
  const counted = exercises.filter((done) => kind === null || done.kind === kind);
  const add = (name) => counted.reduce((sum, done) => sum + done[name], 0);
  return { done: counted.length, solved: counted.filter(({ points, total }) => points === total).length, points: add("points"), total: add("total") };
}
