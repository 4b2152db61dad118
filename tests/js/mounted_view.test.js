// A component that is mounted again.

import assert from "node:assert/strict";
import test from "node:test";

import { mountedView } from "../../visualizer/viewer/assets/input/mounted_view.js";

function createHost() {
  const host = { root: {}, contains: (element) => element === host.root };
  return host;
}

/** As the loader does before a component is mounted again. */
function unmount(host) {
  host.view.destroy();
  delete host.view;
}

test("the same elements keep their view, and new elements get a new one", () => {
  const host = createHost();
  const create = () => ({ root: host.root, destroy() {} });
  const first = mountedView(host, create);
  assert.equal(mountedView(host, create), first);
  unmount(host);
  assert.equal(mountedView(host, create), first);
  assert.equal(host.view, first);
  host.root = {};
  assert.notEqual(mountedView(host, create), first);
});

test("a view listens to the window once, and again after it is mounted again", () => {
  const host = createHost();
  let listeners = 0;
  const create = () => ({ root: host.root, attach: () => listeners++, destroy: () => listeners-- });
  mountedView(host, create);
  mountedView(host, create);
  assert.equal(listeners, 1);
  unmount(host);
  assert.equal(listeners, 0);
  mountedView(host, create);
  assert.equal(listeners, 1);
});
