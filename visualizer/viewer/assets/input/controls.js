// Buttons, keys and modes of the viewer.

import { icon } from "../draw/icons.js";
import { thousands } from "../draw/formatting.js";
import { playMarkup } from "./player.js";

const SPEEDS = [1, 4, 15, 60, 1000];

const BUTTONS = [
  ["first", "First step (Home)", (v) => v.go(0)],
  ["previousCut", "Previous cutoff (P)", (v) => v.go(v.steps.previous("cutoff", v.t))],
  ["back", "One step back (←)", (v) => v.go(v.t - 1)],
  ["play", "Play or pause (Space)", (v) => v.toggle()],
  ["forward", "One step forward (→)", (v) => v.go(v.t + 1)],
  ["nextCut", "Next cutoff (N)", (v) => v.go(v.steps.next("cutoff", v.t))],
  ["last", "Last step (End)", (v) => v.go(v.steps.length - 1)],
  ["over", "Step over this subtree (O)", (v) => v.go(v.steps.stepOver(v.t))],
  ["out", "Step out to the parent (U)", (v) => v.go(v.steps.stepOut(v.t))],
  ["leaf", "Next leaf (L)", (v) => v.go(v.steps.nextLeaf(v.t))],
  ["root", "Next change of the root's value (G)", (v) => v.go(v.steps.nextRootChange(v.t))],
  ["mark", "Bookmark this step (B)", (v) => v.bookmark()],
];
const ON_A_PHONE = ["back", "play", "forward", "nextCut"]; // the others are under "More" there
const COMMANDS = {
  v: (view) => view.nextView(),
  m: (view) => view.showBestLine(!view.principal),
  "+": (view) => view.zoom(1.5),
  "-": (view) => view.zoom(1 / 1.5),
  0: (view) => view.refit(),
  t: (view) => view.passes.next(),
  f: (view) => view.lecture.further(),
  h: (view) => view.lecture.forget(),
  1: (view) => view.predictions.answer(0),
  2: (view) => view.predictions.answer(1),
  3: (view) => view.predictions.answer(2),
  Enter: (view) => (view.settings.asks ? view.answerWith(view.steps.at(view.t).node) : view.predictions.goOn()),
}; // what keys do that have no button in the row
export const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", " ": "play", Home: "first", End: "last", n: "nextCut", p: "previousCut",
  o: "over", u: "out", l: "leaf", g: "root", b: "mark",
};

/** Of the actions, those with these names: [name, title, act]. */
export function actions(...names) {
  return BUTTONS.filter(([name]) => names.includes(name));
}

/** The row of buttons and the choice of speed. */
export function buildControls(view) {
  for (const [name, title, act] of BUTTONS) {
    const press = () => view.tree && act(view);
    const button = actionButton(name, title, press);
    button.classList.toggle("rare", !ON_A_PHONE.includes(name));
    if (name !== "mark") view.part("buttons").append(button); // it has a place of its own under "Marks"
    if (ON_A_PHONE.includes(name)) continue;
    view.part("rest").append(actionButton(name, title, press, `<span>${title.replace(/ \(.*/, "")}</span>`));
  }
  for (const speed of [view.part("speed"), view.part("speedOnAPhone")]) {
    for (const value of SPEEDS) speed.add(new Option(`${thousands(value)} ${value === 1 ? "step" : "steps"} a second`, value, false, value === view.speed));
    speed.addEventListener("change", () => {
      view.speed = Number(speed.value);
      view.began = null;
      view.root.focus({ preventScroll: true });
    });
  }
}

/** A button that does what a key does too; `words` stand beside its icon. */
export function actionButton(name, title, press, words = "") {
  const button = document.createElement("button");
  button.innerHTML = name === "play" ? playMarkup(false) : icon(name) + words;
  button.title = title;
  button.setAttribute("aria-label", title);
  button.dataset.action = name;
  button.addEventListener("click", press);
  return button;
}

/** A key that means something here goes no further: Streamlit has keys of its own. A focused button keeps its space bar. */
export function pressKey(view, event) {
  if (view.part("help").open) return;
  if (event.key === "Escape") {
    closeMenu(view);
    view.deselect();
    view.lecture.leave();
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const act = COMMANDS[key] ?? BUTTONS.find(([name]) => name === KEYS[key])?.[2];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
  if ([" ", "Enter"].includes(event.key) && ["BUTTON", "SUMMARY"].includes(event.target.tagName)) return;
  event.preventDefault();
  event.stopPropagation();
  if (view.tree) act(view);
}

/** What stands under "More". */
export function changeMode(view, button) {
  closeMenu(view);
  const name = button.dataset.mode;
  if (name === "predict") {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    view.predictions.turn(on);
  } else if (name === "lecture") {
    view.lecture.enter();
  } else if (name === "copySentence") {
    copied(view, navigator.clipboard?.writeText(view.part("sentence").textContent));
  } else if (name === "copyPicture") {
    if (view.shownAs === "text") view.note("The text view has no picture");
    else pictureOf(view).toBlob((blob) => copied(view, navigator.clipboard?.write([new ClipboardItem({ "image/png": blob })])));
  } else {
    view.part("help").showModal();
  }
}

/** The canvas on the background of the page: on its own it is transparent. */
function pictureOf(view) {
  const shown = view.part("tree");
  const picture = Object.assign(document.createElement("canvas"), { width: shown.width, height: shown.height });
  const pen = picture.getContext("2d");
  pen.fillStyle = view.theme.background;
  pen.fillRect(0, 0, picture.width, picture.height);
  pen.drawImage(shown, 0, 0);
  return picture;
}

function copied(view, done) {
  if (!done) view.note("This browser does not let a page copy");
  else done.then(() => view.note("Copied"), () => view.note("The browser did not allow the copy"));
}

/** Close "More" and give the keys back to the viewer. */
export function closeMenu(view) {
  const menu = view.part("more");
  if (!menu.open) return;
  menu.open = false;
  view.root.focus({ preventScroll: true });
}
