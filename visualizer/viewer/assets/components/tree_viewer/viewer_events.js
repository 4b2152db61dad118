// Events of the viewer: keys, buttons, tabs, and the pointer on the tree and the timeline.

import { icon } from "../../draw/icons.js";
import { changeMode, closeMenu } from "../../input/controls.js";
import { listenToTimeline, listenToTree } from "../../input/pointer.js";

/** Listen to the elements of a viewer. */
export function listenToViewer(view) {
  listenToKeys(view);
  listenToButtons(view);
  listenToTree(createPane(view), view.part("tree"));
  const { stepRange } = view;
  const brush = (...shares) => stepRange.isPossible && stepRange.drag(...shares.map((share) => share * (view.tree.meta.expanded - 1)));
  const [frame, moveFrame] = [() => view.treeCamera.shownPart(), (share) => view.treeCamera.moveFrame(share)];
  listenToTimeline(view, view.part("timeline"), { brush, endBrush: () => stepRange.drop(), frame, moveFrame });
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
    const isPointer = detail > 0; // a button that the keyboard pressed keeps the focus
    if (isPointer && target.closest("button, summary") && !view.part("help").open) root.focus({ preventScroll: true });
  });
}

function listenToButtons(view) {
  const { root, treeCamera } = view;
  const tools = { fit: () => treeCamera.refit(), plus: () => treeCamera.zoom(1.5), minus: () => treeCamera.zoom(1 / 1.5) };
  for (const [name, act] of Object.entries(tools)) {
    const button = view.part(name);
    button.innerHTML = icon(name);
    button.addEventListener("click", act);
  }
  const onClick = (selector, act) => root.querySelectorAll(selector).forEach((button) => button.addEventListener("click", () => act(button)));
  onClick("[data-view]", (button) => view.setView(button.dataset.view));
  onClick("[data-tab]", (button) => view.showTab(button.dataset.tab));
  onClick("[data-mode]", (button) => changeMode(view, button));
  view.part("bestLine").addEventListener("click", () => view.showBestLine(!view.principal));
}

/** The tree as the pointer sees it. */
function createPane(view) {
  const { treeCamera, hoverCard } = view;
  const pane = {
    nearest: (x, y) => view.nearest?.(x, y) ?? -1,
    moveCamera: (camera) => treeCamera.moveTo(camera),
    zoom: (factor, at) => treeCamera.zoom(factor, at),
    fitSubtree: (row) => treeCamera.fitSubtree(row),
    hover: (event) => hoverCard.show(event),
    unhover: () => hoverCard.hide(),
    select: (row) => view.select(row),
    deselect: () => view.deselect(),
    brush: (...places) => view.stepRange.drag(...places.map((x) => view.overviewPanel.numberAt(x))),
    endBrush: () => view.stepRange.drop(),
  };
  Object.defineProperty(pane, "canBrush", { get: () => view.viewName === "overview" && view.stepRange.isPossible });
  for (const name of ["camera", "layout", "zoomable"]) Object.defineProperty(pane, name, { get: () => treeCamera[name] });
  return pane;
}
