// A component that is mounted again.

import assert from "node:assert/strict";
import test from "node:test";

import { mountedView } from "../../visualizer/viewer/assets/input/mounted_view.js";

test("the same elements keep their view, and new elements get a new one", () => {
  const host = { root: {}, querySelector: () => host.root };
  const create = () => ({ root: host.root });
  const first = mountedView(host, create);
  assert.equal(mountedView(host, create), first);
  delete host.view; // as the loader does before a component is mounted again
  assert.equal(mountedView(host, create), first);
  assert.equal(host.view, first);
  host.root = {};
  assert.notEqual(mountedView(host, create), first);
});
