// Mouse, pen and touch on the tree and the timeline.

import { pointOn, sizeOf } from "../draw/canvas.js";
import { moved } from "../model/tidy_layout.js";

/** Hovering shows a node, a click selects it, a double click fits its subtree. Views with a camera can be dragged, and zoomed by the
 *  wheel (with Ctrl if the page scrolls). With Shift, dragging chooses a range where the view has one. */
export function listenToTree(view, canvas) {
  let drag = null;
  const nearest = (event) => {
    const { x, y } = pointOn(canvas, event);
    return view.nearest?.(x, y) ?? -1;
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: pointOn(canvas, event).x, moved: false, brushes: event.shiftKey && Boolean(view.canBrush) };
    drag.start = drag.x;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag?.brushes) {
      const { x } = pointOn(canvas, event);
      drag.moved ||= Math.abs(x - drag.start) > 3;
      if (drag.moved) view.brush(drag.start, x);
    } else if (drag && view.zoomable) {
      const { x } = pointOn(canvas, event);
      const by = x - drag.x;
      if (Math.abs(by) > 3 || drag.moved) {
        drag.moved = true;
        drag.x = x;
        view.moveCamera(moved(view.camera, by, view.layout.places, sizeOf(canvas).width));
      }
    }
    if (drag?.moved) view.unhover();
    else view.hover(event);
  });
  canvas.addEventListener("pointerup", (event) => {
    const click = drag && !drag.moved;
    if (drag?.brushes && drag.moved) view.endBrush();
    drag = null;
    if (!click) return;
    const row = nearest(event);
    if (row >= 0) view.select(row);
    else view.deselect();
  });
  canvas.addEventListener("pointercancel", () => {
    if (drag?.brushes) view.endBrush();
    drag = null;
  });
  canvas.addEventListener("pointerleave", () => view.unhover());
  canvas.addEventListener("dblclick", (event) => {
    const row = nearest(event);
    if (row >= 0) view.fitSubtree(row);
  });
  canvas.addEventListener("wheel", (event) => {
    if (!view.zoomable || (view.pageScrolls && !event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    view.zoom(Math.exp(-event.deltaY * 0.0015), pointOn(canvas, event).x);
  }, { passive: false });
}

/** Press or drag to go to a step. With Shift, dragging chooses a range: `brush(from, to)` gets shares of the search, `endBrush` its end. Views
 *  without ranges leave both out. */
export function listenToTimeline(view, strip, { brush, endBrush } = {}) {
  const share = (event) => event.offsetX / strip.clientWidth;
  const scrub = (event) => view.go(Math.round(share(event) * (view.steps.length - 1)));
  let [down, start] = [false, null]; // where a range starts
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    down = true;
    start = event.shiftKey && brush ? share(event) : null;
    strip.setPointerCapture(event.pointerId);
    if (start === null) scrub(event);
  });
  strip.addEventListener("pointermove", (event) => {
    if (down && start === null) scrub(event);
    else if (down) brush(start, share(event));
  });
  for (const end of ["pointerup", "pointercancel"]) {
    strip.addEventListener(end, () => {
      if (down && start !== null) endBrush();
      down = false;
    });
  }
}
