// Mouse, pen and touch on the tree and the timeline.

import { pointOn, sizeOf } from "../draw/canvas.js";
import { moved } from "../model/tidy_layout.js";

const HOLD_MS = 400; // a finger that rests this long chooses a range
const GRIP = 8; // px around the current step: a press there moves the step, also inside the frame

/** Hovering shows a node, a click selects it, a double click fits its subtree. Views with a camera can be dragged, and zoomed by the
 *  wheel (with Ctrl if the page scrolls) or by two fingers. With Shift, or after a finger has rested, dragging chooses a range where the view
 *  has one. */
export function listenToTree(view, canvas) {
  let drag = null;
  const fingers = new Map(); // by pointer: where they are
  const nearest = (event) => {
    const { x, y } = pointOn(canvas, event);
    return view.nearest?.(x, y) ?? -1;
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const { x } = pointOn(canvas, event);
    if (event.pointerType === "touch") fingers.set(event.pointerId, x);
    if (fingers.size > 1) {
      endDrag();
      return;
    }
    drag = { x, start: x, moved: false, brushes: event.shiftKey && Boolean(view.canBrush) };
    if (view.canBrush) waitForHold(event, drag, () => (drag.brushes = true));
  });
  canvas.addEventListener("pointermove", (event) => {
    if (fingers.size > 1) {
      pinch(view, fingers, event.pointerId, pointOn(canvas, event).x);
      return;
    }
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
  const endDrag = () => {
    if (drag?.brushes && drag.moved) view.endBrush();
    clearTimeout(drag?.holding);
    drag = null;
  };
  canvas.addEventListener("pointerup", (event) => {
    const click = drag && !drag.moved;
    fingers.delete(event.pointerId);
    endDrag();
    if (!click) return;
    const row = nearest(event);
    if (row >= 0) view.select(row);
    else view.deselect();
  });
  canvas.addEventListener("pointercancel", (event) => {
    fingers.delete(event.pointerId);
    endDrag();
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

/** Press or drag to go to a step. With Shift, or after a finger has rested for a moment, dragging chooses a range: `brush(from, to)` gets
 *  shares of the search, `endBrush` its end. Dragging the frame of the part that is shown, `frame()`, moves it: `moveFrame` gets a share.
 *  Views without ranges and frames leave them out. */
export function listenToTimeline(view, strip, { brush, endBrush, frame, moveFrame } = {}) {
  const share = (event) => event.offsetX / strip.clientWidth;
  const scrub = (event) => view.go(Math.round(share(event) * (view.steps.length - 1)));
  const isOnFrame = (start) => {
    const part = frame?.();
    const isOnStep = Math.abs(start - view.t / Math.max(view.steps.length - 1, 1)) * strip.clientWidth <= GRIP;
    return Boolean(part) && !isOnStep && start >= part.from && start <= part.to;
  };
  let press = null; // {start, last, mode}: shares, and "scrub", "brush" or "frame"
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const start = share(event);
    const mode = event.shiftKey && brush ? "brush" : isOnFrame(start) ? "frame" : "scrub";
    press = { start, last: start, mode, moved: false };
    if (brush && mode !== "brush") waitForHold(event, press, () => (press.mode = "brush"));
    strip.setPointerCapture(event.pointerId);
    if (mode === "scrub") scrub(event);
  });
  strip.addEventListener("pointermove", (event) => {
    if (!press) return;
    const now = share(event);
    press.moved ||= Math.abs(now - press.start) * strip.clientWidth > 3;
    if (press.mode === "brush") brush(press.start, now);
    else if (press.mode === "scrub") scrub(event);
    else if (press.moved) {
      moveFrame(now - press.last);
      press.last = now;
    }
  });
  for (const end of ["pointerup", "pointercancel"]) {
    strip.addEventListener(end, (event) => {
      if (press?.mode === "brush") endBrush();
      else if (press?.mode === "frame" && !press.moved && end === "pointerup") scrub(event); // a click in the frame goes there
      clearTimeout(press?.holding);
      press = null;
    });
  }
}

/** Zoom as the distance of two fingers grows, around the one that rests. */
function pinch(view, fingers, moving, x) {
  if (!fingers.has(moving)) return;
  const [, resting] = [...fingers].find(([id]) => id !== moving);
  const [before, now] = [fingers.get(moving), x].map((place) => Math.max(Math.abs(place - resting), 1));
  fingers.set(moving, x);
  if (view.zoomable) view.zoom(now / before, resting);
}

/** Call `act` if a finger rests where it was put down, as `press` tells by `moved`. */
function waitForHold({ pointerType }, press, act) {
  if (pointerType === "touch") press.holding = setTimeout(() => !press.moved && act(), HOLD_MS);
}
