// An exercise in one HTML file: no server, so the file grades the answer.

import { readJson } from "./embedded_data.js";
import { gradeAnswer } from "./exercise_grader.js";
import { followTheme } from "./page_theme.js";

/** Show the exercise of the file. */
export async function openPage({ show }) {
  const element = document.querySelector("main");
  element.hidden = false;
  const [exercise, key] = [await readJson("exercise"), await readJson("key")];
  let graded = 0;
  const setTriggerValue = (name, { answer }) => {
    if (name === "answer") showReply({ token: String(++graded), ...gradeAnswer(exercise, key, answer) });
  };
  const showReply = (reply) => show({ data: { exercise, reply, screen: null, isFile: true }, parentElement: element, setTriggerValue });
  showReply(null);
  followTheme(() => {});
}
