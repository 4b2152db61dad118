// Buttons, actions and menu of the viewer.

import { icon } from "../draw/icons.js";
import { thousands } from "../draw/formatting.js";
import { TREE_KEYS, withKey } from "./keys.js";
import { playMarkup } from "./player.js";

const SPEEDS = [1, 4, 15, 60, 1000];

const BUTTONS = [
  ["first", "First step"],
  ["back", "One step back", "Back"],
  ["play", "Play or pause"],
  ["forward", "One step forward", "Next"],
  ["last", "Last step"],
  ["previousCut", "Previous cutoff"],
  ["nextCut", "Next cutoff", "Next cutoff"],
  ["over", "Step over this subtree", "Step over"],
  ["out", "Step out to the parent", "Step out"],
  ["leaf", "Next leaf", "Next leaf"],
  ["root", "Next change of the root's value", "Root change"],
  ["mark", "Bookmark this step"],
]; // [action, title, word beside the icon]
const GROUP_STARTS = ["previousCut", "over"]; // a gap before these sets them apart
const PHONE_BUTTONS = ["back", "play", "forward", "nextCut"]; // on a phone the others are under "More"
const RARE_BUTTONS = ["over", "out", "leaf", "root"]; // these are there on all but very wide screens

/** The actions of keys and buttons, by name. keys.js gives the keys. */
export const ACTIONS = {
  first: (view) => view.go(0),
  previousCut: (view) => view.goToKind("previous", "cutoff"),
  back: (view) => view.go(view.t - 1),
  play: (view) => view.toggle(),
  forward: (view) => view.go(view.t + 1),
  nextCut: (view) => view.goToKind("next", "cutoff"),
  last: (view) => view.go(view.steps.length - 1),
  over: (view) => view.go(view.steps.stepOver(view.t)),
  out: (view) => view.go(view.steps.stepOut(view.t)),
  leaf: (view) => (view.largeTree ? view.goToKind("next", "evaluate") : view.go(view.steps.nextLeaf(view.t))),
  root: (view) => view.go(view.steps.nextRootChange(view.t)),
  mark: (view) => view.bookmark(),
  nextView: (view) => view.nextView(),
  bestLine: (view) => view.showBestLine(!view.principal),
  zoomIn: (view) => view.treeCamera.zoom(1.5),
  zoomOut: (view) => view.treeCamera.zoom(1 / 1.5),
  showAll: (view) => view.treeCamera.refit(),
  nextPass: (view) => view.passStrip.next(),
  lecture: (view) => view.lecture.expand(),
  hideReminder: (view) => view.lecture.hideReminder(),
  answer1: (view) => view.predictions.answer(0),
  answer2: (view) => view.predictions.answer(1),
  answer3: (view) => view.predictions.answer(2),
  continue: (view) => (view.settings.asks ? view.answerWith(view.steps.at(view.t).node) : view.predictions.goOn()),
  escape: (view) => {
    closeMenu(view);
    view.deselect();
    view.lecture.leave();
  },
};

/** The buttons of these actions: [action, title with its key, markup of the word beside the icon]. */
export function selectButtons(...names) {
  return BUTTONS.filter(([name]) => names.includes(name)).map(([name, title, word]) => [name, withKey(title, name), wordMarkup(word)]);
}

/** The row of buttons and the choice of speed. */
export function buildControls(view) {
  for (const [name, title, word] of BUTTONS) {
    const press = () => view.tree && ACTIONS[name](view);
    const button = actionButton(name, withKey(title, name), press, wordMarkup(word));
    button.classList.toggle("desktop-only", !PHONE_BUTTONS.includes(name));
    button.classList.toggle("wide-only", RARE_BUTTONS.includes(name));
    button.classList.toggle("group-start", GROUP_STARTS.includes(name));
    if (name !== "mark") view.part("buttons").append(button); // it has a place of its own under "Marks"
    if (PHONE_BUTTONS.includes(name)) continue;
    const entry = actionButton(name, withKey(title, name), press, `<span>${withKey(title, name)}</span>`);
    entry.classList.toggle("phone-only", !RARE_BUTTONS.includes(name));
    view.part("menuActions").append(entry);
  }
  offerSpeeds(view);
}

/** Fill the choices of speed. */
export function offerSpeeds(view) {
  for (const speed of [view.part("speed"), view.part("menuSpeed")]) {
    for (const value of SPEEDS) speed.add(new Option(`${thousands(value)} ${value === 1 ? "step" : "steps"} a second`, value, false, value === view.speed));
    speed.addEventListener("change", () => {
      view.speed = Number(speed.value);
      view.began = null;
      view.root.focus({ preventScroll: true });
    });
  }
}

function wordMarkup(word) {
  return word ? `<span class="word">${word}</span>` : "";
}

/** Disable the buttons that do nothing in this search: minimax has no cutoffs. */
export function enableButtons(view) {
  for (const button of view.root.querySelectorAll('[data-action="previousCut"], [data-action="nextCut"]')) button.disabled = !view.tree.pruning;
}

/** Create the button of an action; `words` stand beside its icon. */
export function actionButton(name, title, press, words = "") {
  const button = document.createElement("button");
  button.innerHTML = name === "play" ? playMarkup(false) : icon(name) + words;
  button.title = title;
  button.setAttribute("aria-label", title);
  button.dataset.action = name;
  button.addEventListener("click", press);
  return button;
}

/** Show the keys in the help, in the reminder of lecture mode and on buttons outside the row. */
export function showKeys(view, keys = TREE_KEYS) {
  view.part("keys").innerHTML = keys.helpHtml();
  view.part("reminderKeys").innerHTML = keys.reminderHtml();
  view.part("hideReminder").title = keys.withKey("Hide this reminder", "hideReminder");
  view.part("lectureButton").textContent = keys.withKey("Lecture mode", "lecture");
  view.part("bookmarkButton").title = keys.withKey("Bookmark this step", "mark");
}

/** Act on a key of the viewer, once, and stop it there: the page may have keys of its own. A focused button keeps its space bar. */
export function pressKey(view, event, keys = TREE_KEYS, actions = ACTIONS) {
  const name = keys.actionOf(event);
  if (!name || event.defaultPrevented || view.part("help").open) return;
  if (name === "escape") {
    actions.escape(view);
    return;
  }
  const plays = name === "play" && event.target === view.clickedSelect; // a list that was clicked has done its work
  if (["SELECT", "INPUT"].includes(event.target.tagName) && !plays) return;
  if ([" ", "Enter"].includes(event.key) && ["BUTTON", "SUMMARY"].includes(event.target.tagName)) return;
  event.preventDefault();
  event.stopPropagation();
  if (view.tree) actions[name](view);
}

/** Run an entry of the menu "More". */
export function changeMode(view, button) {
  closeMenu(view);
  const name = button.dataset.mode;
  if (name === "predict") {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    view.predictions.setEnabled(on);
  } else if (name === "lecture") {
    view.lecture.enter();
  } else if (name === "copySentence") {
    reportCopy(view, navigator.clipboard?.writeText(view.part("sentence").textContent));
  } else if (name === "copyPicture") {
    if (view.viewName === "text") view.note("The text view has no picture to copy");
    else opaquePicture(view).toBlob((blob) => reportCopy(view, navigator.clipboard?.write([new ClipboardItem({ "image/png": blob })])));
  } else {
    view.part("help").showModal();
    view.part("help").scrollTop = 0; // browsers keep the place where it was closed
  }
}

/** Return a copy of the transparent canvas on the background of the page. */
function opaquePicture(view) {
  const shown = view.part("tree");
  const picture = Object.assign(document.createElement("canvas"), { width: shown.width, height: shown.height });
  const pen = picture.getContext("2d");
  pen.fillStyle = view.theme.background;
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.drawImage(shown, 0, 0);
  return picture;
}

function reportCopy(view, done) {
  if (!done) view.note("This browser does not support copying");
  else done.then(() => view.note("Copied"), () => view.note("The browser blocked copying"));
}

/** Close "More" and return the focus to the viewer. */
export function closeMenu(view) {
  const menu = view.part("more");
  if (!menu.open) return;
  menu.open = false;
  view.root.focus({ preventScroll: true });
}
