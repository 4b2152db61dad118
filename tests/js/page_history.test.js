// Which entries a window's history gets.

import assert from "node:assert/strict";
import test from "node:test";

import { mend } from "../../visualizer/viewer/assets/hosts/streamlit/page_history.js";

/** A window with a history that notes its entries. */
function opened(address) {
  const entries = [address];
  const put = (place) => (state, title, next) => {
    entries.splice(place(), 1, next);
    window.location.href = `http://here${next}`;
  };
  const window = new EventTarget();
  window.location = { href: `http://here${address}`, get pathname() { return new URL(this.href).pathname; } };
  window.history = { pushState: put(() => entries.length), replaceState: put(() => entries.length - 1) };
  mend(window);
  return { window, entries, push: (next) => window.history.pushState(null, "", next) };
}

test("the menu makes one entry, with the parameters of the new page", () => {
  const { entries, push } = opened("/?game=nim");
  push("/?max=human");
  push("/play?max=human");
  assert.deepEqual(entries, ["/?game=nim", "/play?max=human"]);
});

test("so it does where the path comes first, or is bare before it has parameters", () => {
  const { window, entries, push } = opened("/?game=nim");
  push("/play");
  push("/play?max=human");
  push("/play?max=human&moves=3"); // a move of the computer
  assert.deepEqual(entries, ["/?game=nim", "/play?max=human", "/play?max=human&moves=3"]);
  window.dispatchEvent(new Event("pointerdown"));
  for (const address of ["/play", "/compare", "/compare?game=nim"]) push(address);
  assert.deepEqual(entries.slice(3), ["/compare?game=nim"]);
});

for (const deed of ["pointerdown", "keydown", "popstate"]) {
  test(`what somebody has chosen stays an entry (${deed})`, () => {
    const { window, entries, push } = opened("/");
    for (const address of ["/?game=nim", "/play", "/play?max=human"]) {
      push(address);
      window.dispatchEvent(new Event(deed));
    }
    assert.deepEqual(entries, ["/", "/?game=nim", "/play", "/play?max=human"]);
  });
}

test("other parameters of the same page are entries", () => {
  const { entries, push } = opened("/");
  push("/?game=nim");
  push("/?game=threats");
  assert.deepEqual(entries, ["/", "/?game=nim", "/?game=threats"]);
});
