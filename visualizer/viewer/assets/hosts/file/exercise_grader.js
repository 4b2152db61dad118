// Grades an answer against the key that the file holds.

import { isReadable } from "../../components/exercise/exercise_answer.js";

/** The reply to an answer, as the server gives it: the grade, or a refusal if a text is not a number. */
export function gradeAnswer(exercise, key, answer) {
  const { id, format } = exercise;
  const texts = Object.values(answer).flat().filter((value) => typeof value === "string");
  const unreadable = texts.find((text) => !isReadable(format, text));
  if (unreadable !== undefined) return { id, kind: "refused", text: `"${unreadable}" is not a number that fits here` };
  const given = Object.fromEntries(Object.entries(answer).filter(([, value]) => isGiven(value)));
  const parts = Object.entries(key.parts).filter(([part, { accepted }]) => part in given || isExpected(accepted));
  const right = parts.filter(([part, { accepted }]) => part in given && Object.values(accepted).some((value) => isEqual(given[part], value)));
  const wrong = parts.filter((part) => !right.includes(part));
  const [points, total] = countPoints(format, parts, right);
  return {
    id,
    kind: "grade",
    answer: given,
    right: points,
    total,
    headline: describePoints(points, total, key.rule),
    explanation: format === "call" && points === total ? right[0][1].reason : "", // the mistake that was found
    misconception: "",
    right_parts: right.map(([part]) => part),
    corrections: groupByReason(wrong),
    rows: parts.flatMap(([, { rows }]) => rows),
    calls: key.calls,
  };
}

function isGiven(value) {
  return Array.isArray(value) ? value.every((end) => end !== "") : value !== "" && value !== false;
}

/** Whether a part has a right answer. A node that is visited has none: it should not be marked. */
function isExpected(accepted) {
  return Object.keys(accepted).length > 0;
}

/** One point for each part. A wrong mark cancels a right one. */
function countPoints(format, parts, right) {
  if (format !== "mark") return [right.length, parts.length];
  const expected = parts.filter(([, { accepted }]) => isExpected(accepted)).length;
  return [Math.max(0, right.length - (parts.length - expected)), expected];
}

function describePoints(points, total, rule) {
  if (points === total) return total > 1 ? "Everything is right." : "That is right.";
  const words = `${points} of ${total} ${total === 1 ? "point" : "points"}`;
  return rule && total > 1 ? `${words}: ${rule}.` : `${words}.`;
}

/** Parts with the same reason are explained together. */
function groupByReason(wrong) {
  const groups = new Map();
  for (const item of wrong) groups.set(item[1].reason, [...(groups.get(item[1].reason) ?? []), item]);
  return [...groups].map(([reason, items]) => ({
    parts: items.map(([part]) => part),
    rows: items.flatMap(([, { rows }]) => rows),
    solution: items.map(([, { solution }]) => solution).join(" "),
    reason,
    step: null, // no page Step to show it
  }));
}

/** Compare an answer as it was typed or clicked with a right one. */
function isEqual(given, accepted) {
  if (Array.isArray(accepted)) return accepted.every((value, place) => isEqual(given[place], value));
  return typeof accepted === "boolean" ? given === accepted : readNumber(given) === readNumber(accepted);
}

/** Read a number as a learner types it: "−3", "2,5", "∞". */
export function readNumber(raw) {
  const text = String(raw).trim().replace(/[−–]/, "-").replace(",", ".").replace(/inf|∞|oo/, "Infinity");
  return text === "" ? NaN : Number(text);
}
