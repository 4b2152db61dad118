// Buttons and actions of the viewer of searches in iterations.

import { icon } from "../../draw/icons.js";
import { actionButton, changeMode, closeMenu, offerSpeeds } from "../../input/controls.js";
import { ITERATION_KEYS } from "../../input/iteration_keys.js";
import { iterationAt } from "../../draw/iteration_timeline.js";
import { pointOn } from "../../draw/canvas.js";

const BUTTONS = [
  ["first", "First step"],
  ["previousIteration", "Previous iteration"],
  ["back", "One step back"],
  ["play", "Play or pause"],
  ["forward", "One step forward", "Step"],
  ["nextPhase", "Next phase", "Phase"],
  ["nextIteration", "Next iteration", "Iteration"],
  ["last", "Last step"],
  ["nextChange", "Next time that the best move changes", "Best move"],
  ["nextVisit", "Next iteration through the selected node", "Same node"],
]; // [action, title, word beside the icon]
const GROUP_STARTS = ["nextChange"];
const RARE_BUTTONS = ["first", "last", "nextVisit"]; // on all but very wide screens they are under "More"
const PHONE_BUTTONS = ["back", "play", "forward", "nextIteration"];
const ICONS = { previousIteration: "previousCut", nextIteration: "nextCut", nextPhase: "over", nextChange: "root", nextVisit: "leaf" };

/** The actions of keys and buttons, by name. iteration_keys.js gives the keys. */
export const ITERATION_ACTIONS = {
  first: (view) => view.go(0),
  last: (view) => view.go(view.steps.length - 1),
  back: (view) => view.go(view.t - 1),
  forward: (view) => view.go(view.t + 1),
  play: (view) => view.toggle(),
  previousIteration: (view) => view.goToPreviousIteration(),
  nextIteration: (view) => view.goToIteration(view.here.iteration.number + 1),
  nextPhase: (view) => view.goToNextPhase(),
  nextChange: (view) => view.goToNextChange(),
  nextVisit: (view) => view.goToNextVisit(),
  mark: (view) => view.bookmark(),
  nextView: (view) => view.setView(view.viewName === "whole" ? "overview" : "whole"),
  moreNodes: (view) => view.showNodes(2),
  fewerNodes: (view) => view.showNodes(0.5),
  lecture: (view) => view.lecture.expand(),
  hideReminder: (view) => view.lecture.hideReminder(),
  answer1: (view) => view.predictions.answer(0),
  answer2: (view) => view.predictions.answer(1),
  answer3: (view) => view.predictions.answer(2),
  continue: (view) => view.predictions.goOn(),
  escape: (view) => {
    closeMenu(view);
    view.select(-1);
    view.lecture.leave();
  },
};

/** Build the buttons of a viewer and listen to its elements. */
export function listenToIterations(view) {
  const { root } = view;
  buildButtons(view);
  offerSpeeds(view);
  listenToKeys(view);
  const onClick = (selector, act) => root.querySelectorAll(selector).forEach((button) => button.addEventListener("click", () => act(button)));
  onClick("[data-view]", (button) => view.setView(button.dataset.view));
  onClick("[data-tab]", (button) => view.showTab(button.dataset.tab));
  onClick("[data-mode]", (button) => changeMode(view, button));
  onClick("[data-phase]", (button) => view.goToPhase(button.dataset.phase));
  for (const [name, sign] of [["moreNodes", "plus"], ["fewerNodes", "minus"]]) {
    view.part(name).innerHTML = icon(sign);
    view.part(name).addEventListener("click", () => ITERATION_ACTIONS[name](view));
  }
  view.part("legendButton").addEventListener("click", () => view.showLegend(view.part("legend").hidden));
  view.part("tree").addEventListener("click", (event) => {
    const { x, y } = pointOn(view.part("tree"), event);
    view.select(view.nearest?.(x, y) ?? -1);
  });
  view.part("numbers").addEventListener("click", ({ target }) => {
    const ply = target.closest("[data-ply]")?.dataset.ply;
    if (ply) view.film.show(Number(ply));
    const row = target.closest("[data-row]")?.dataset.row;
    if (row) view.select(Number(row));
  });
  view.part("iterationForm").addEventListener("submit", (event) => {
    event.preventDefault();
    view.goToTypedIteration(view.part("iterationNumber").value);
  });
  listenToTimeline(view, view.part("timeline"));
}

function buildButtons(view) {
  for (const [name, title, word] of BUTTONS) {
    const press = () => view.tree && ITERATION_ACTIONS[name](view);
    const label = ITERATION_KEYS.withKey(title, name);
    const drawn = ICONS[name] ?? name;
    const button = actionButton(drawn, label, press, word ? `<span class="word">${word}</span>` : "");
    button.dataset.action = name;
    button.classList.toggle("desktop-only", !PHONE_BUTTONS.includes(name));
    button.classList.toggle("wide-only", RARE_BUTTONS.includes(name));
    button.classList.toggle("group-start", GROUP_STARTS.includes(name));
    view.part("buttons").append(button);
    if (PHONE_BUTTONS.includes(name)) continue;
    const entry = actionButton(drawn, label, press, `<span>${label}</span>`);
    entry.dataset.action = name;
    entry.classList.toggle("phone-only", !RARE_BUTTONS.includes(name));
    view.part("menuActions").append(entry);
  }
}

function listenToKeys(view) {
  const { root } = view;
  root.tabIndex = 0;
  root.addEventListener("keydown", (event) => {
    root.classList.add("keyboard"); // show the focus to keyboard users
    if (event.key === "Tab") view.clickedSelect = null;
    view.pressKey(event);
  });
  root.addEventListener("pointerdown", ({ target }) => {
    if (!view.part("more").contains(target)) closeMenu(view);
    root.classList.remove("keyboard");
    view.clickedSelect = target.closest("select");
  });
  root.addEventListener("click", ({ detail, target }) => {
    if (detail > 0 && target.closest("button, summary") && !view.part("help").open) root.focus({ preventScroll: true });
  });
}

/** Press or drag to go to an iteration. */
function listenToTimeline(view, strip) {
  const scrub = (event) => view.goToIteration(iterationAt(event.offsetX / strip.clientWidth, view.steps.meta.iterations));
  let down = false;
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !view.tree) return;
    down = true;
    strip.setPointerCapture(event.pointerId);
    scrub(event);
  });
  strip.addEventListener("pointermove", (event) => down && scrub(event));
  for (const end of ["pointerup", "pointercancel"]) strip.addEventListener(end, () => (down = false));
}
