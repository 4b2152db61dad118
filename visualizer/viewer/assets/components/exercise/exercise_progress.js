// A learner's progress, stored only in this browser, and the difficulty of the next exercise.

const STORAGE_KEY = "plyscope.learn";
const MAX_EXERCISES = 2000;
const FIELDS = ["kind", "seed", "difficulty", "answer", "points", "total", "hints"];

/** Load the progress. It is empty if nothing valid is stored. */
export function loadProgress(storage) {
  try {
    const { learner, exercises } = JSON.parse(storage.getItem(STORAGE_KEY));
    const valid = Array.isArray(exercises) && exercises.every((done) => FIELDS.every((name) => name in done));
    if (valid && typeof learner === "string") return { learner, exercises };
  } catch {
    // nothing is stored, or it is not valid
  }
  return { learner: "", exercises: [] };
}

/** Save the progress. Return false if the browser stores nothing; then the progress stays in memory. */
export function saveProgress(storage, progress) {
  try {
    storage.setItem(STORAGE_KEY, JSON.stringify(progress));
    return true;
  } catch {
    return false;
  }
}

/** Find the first answer to the same exercise. */
export function findFirstAnswer({ exercises }, done) {
  return exercises.find((other) => isSameExercise(other, done));
}

/** Add an exercise. Only the first answer to an exercise counts. */
export function addExercise(progress, done) {
  if (findFirstAnswer(progress, done) || progress.exercises.length >= MAX_EXERCISES) return progress;
  return { ...progress, exercises: [...progress.exercises, done] };
}

function isSameExercise(one, other) {
  return ["kind", "seed", "difficulty"].every((name) => one[name] === other[name]);
}

/** Return the next difficulty: harder after two solved in a row without the third hint, easier after two that were not. */
export function nextDifficulty({ exercises }, kind, difficulty, maximum = 5) {
  const last = exercises.filter((done) => done.kind === kind && done.difficulty === difficulty).slice(-2);
  if (last.length < 2) return difficulty;
  const solved = last.map(({ points, total, hints }) => points === total && hints < 3);
  if (solved.every(Boolean)) return Math.min(difficulty + 1, maximum);
  return solved.some(Boolean) ? difficulty : Math.max(difficulty - 1, 1);
}

/** Count exercises, solved exercises and points, in total or for one kind. */
export function countProgress({ exercises }, kind = null) {
  const counted = exercises.filter((done) => kind === null || done.kind === kind);
  const add = (name) => counted.reduce((sum, done) => sum + done[name], 0);
  return { done: counted.length, solved: counted.filter(({ points, total }) => points === total).length, points: add("points"), total: add("total") };
}
