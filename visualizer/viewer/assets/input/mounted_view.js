// Streamlit sometimes mounts a component again on the same elements, between two updates. The view that listens to these elements goes
// on: a second one would answer every event again, and what the user has just done would be lost.

/** Return the view of a host element, or a new one if its content is new.
 *
 * A view has a `root`, the element that it listens to. If it listens to the window, too, it begins in `attach` and ends in `destroy`.
 */
export function mountedView(host, create) {
  if (!host.mounted || !host.contains(host.mounted.root)) host.mounted = create();
  if (!host.view) host.mounted.attach?.();
  host.view = host.mounted; // the host calls its `destroy`
  return host.view;
}
