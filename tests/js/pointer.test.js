// Dragging on the timeline: steps, a range, the frame of the shown part; two fingers on the tree. And the queries of a large tree that the server has dropped.

import assert from "node:assert/strict";
import test from "node:test";

import { PageHost } from "../../visualizer/viewer/assets/hosts/streamlit/page_host.js";
import { listenToTimeline, listenToTree } from "../../visualizer/viewer/assets/input/pointer.js";

/** A strip of 100 pixels, the calls that it makes, and a function that sends it an event. */
function createStrip(part) {
  const [handlers, calls] = [{}, []];
  const strip = { clientWidth: 100, setPointerCapture() {}, addEventListener: (name, act) => (handlers[name] = act) };
  const note = (name) => (...numbers) => calls.push([name, ...numbers.map((x) => Number(x.toFixed(6)))]);
  listenToTimeline({ t: 21, go: note("go"), steps: { length: 101 } }, strip, {
    brush: note("brush"), endBrush: note("endBrush"), frame: () => part, moveFrame: note("moveFrame"),
  });
  return { calls, send: (name, offsetX, more = {}) => handlers[name]({ button: 0, offsetX, ...more }) };
}

test("dragging the frame of the shown part moves it, and a click in it goes there", () => {
  const { calls, send } = createStrip({ from: 0.2, to: 0.4 });
  send("pointerdown", 30);
  for (const x of [32, 40, 45]) send("pointermove", x); // two pixels are still a click
  send("pointerup", 45);
  assert.deepEqual(calls.splice(0), [["moveFrame", 0.1], ["moveFrame", 0.05]]);
  send("pointerdown", 30);
  send("pointerup", 30);
  send("pointerdown", 60); // outside the frame
  send("pointermove", 70);
  assert.deepEqual(calls.splice(0), [["go", 30], ["go", 60], ["go", 70]]);
  send("pointerup", 70);
  send("pointerdown", 23); // at the mark of the step, inside the frame
  send("pointermove", 33);
  assert.deepEqual(calls, [["go", 23], ["go", 33]]);
});

test("two fingers zoom around the one that rests, and neither drags nor selects", () => {
  const [handlers, calls] = [{}, []];
  const canvas = { clientWidth: 100, setPointerCapture() {}, addEventListener: (name, act) => (handlers[name] = act) };
  listenToTree({ zoomable: true, zoom: (...numbers) => calls.push(numbers), select: (row) => calls.push(["select", row]) }, canvas);
  const send = (name, pointerId, offsetX) => handlers[name]({ button: 0, pointerType: "touch", pointerId, offsetX });
  send("pointerdown", 1, 20);
  send("pointerdown", 2, 60);
  send("pointermove", 2, 100); // 40 pixels apart become 80
  send("pointermove", 1, 60); // and 40 again
  send("pointerup", 2, 100);
  send("pointerup", 1, 60);
  assert.deepEqual(calls, [[2, 20], [0.5, 100]]);
});

test("Shift, or a finger that rests, chooses a range", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { calls, send } = createStrip(null);
  send("pointerdown", 10, { shiftKey: true });
  send("pointermove", 50);
  send("pointerup", 50);
  assert.deepEqual(calls.splice(0), [["brush", 0.1, 0.5], ["endBrush"]]);
  send("pointerdown", 20, { pointerType: "touch" });
  context.mock.timers.tick(500);
  send("pointermove", 60);
  send("pointerup", 60);
  assert.deepEqual(calls.splice(0), [["go", 20], ["brush", 0.2, 0.6], ["endBrush"]]);
  send("pointerdown", 20, { pointerType: "touch" });
  send("pointermove", 30); // a finger that moves at once scrubs
  context.mock.timers.tick(500);
  send("pointermove", 40);
  assert.deepEqual(calls, [["go", 20], ["go", 30], ["go", 40]]);
});

test("a tree that the server has dropped is asked for once, and the query again until it is there", async (context) => {
  const answers = [404, null, 404, 200];
  const asked = [];
  globalThis.window = { addEventListener() {}, location: { href: "http://localhost/" } };
  globalThis.document = { querySelector: () => null };
  context.mock.method(globalThis, "setTimeout", (act) => act());
  context.mock.method(globalThis, "fetch", async () => {
    const status = answers.shift();
    if (status === null) throw new TypeError("no connection");
    return { ok: status === 200, status, arrayBuffer: async () => new Uint8Array([7]).buffer };
  });
  const host = new PageHost({});
  host.update({ name: "tree", whole: { address: "abc" } }, (name) => asked.push(name));
  assert.deepEqual([...(await host.askTree("block", { row: 1 }))], [7]);
  assert.deepEqual(asked, ["lost"]);
  answers.push(400);
  assert.equal(await host.askTree("block", { row: -1 }), null);
});
