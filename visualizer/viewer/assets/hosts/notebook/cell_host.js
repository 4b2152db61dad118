// What the viewer asks of a notebook cell: the model keeps the state, and the kernel answers requests.

export class CellHost {
  constructor(model, root) {
    this.model = model;
    this.root = root; // its `view` is the viewer
  }

  /** Return what the model has: all that was saved, and the step, the view and the selection as Python may have set them. */
  readState() {
    const { model } = this;
    const own = { step: model.get("step"), view: model.get("view"), node: model.get("selection") };
    const texts = Object.entries({ ...model.get("_saved"), ...own }).filter(([, value]) => value !== null && value !== "");
    return new URLSearchParams(texts.map(([name, value]) => [name, String(value)]));
  }

  saveState(texts, declared) {
    const { model } = this;
    model.set("_saved", Object.fromEntries(declared.filter(({ remembered }) => remembered).map(({ name }) => [name, texts[name]])));
    for (const [name, value] of Object.entries(this.currentState())) model.set(name, value);
    model.save_changes();
  }

  /** Return the state of the viewer that Python sees. */
  currentState() {
    const { t, viewName, selected, tree } = this.root.view;
    return { step: t, view: viewName, selection: selected < 0 ? null : tree.number(selected) };
  }

  offers(request) {
    return request === "why";
  }

  request(request, node) {
    this.model.send({ request, node });
  }

  takeFocus() {} // a cell does not take the focus from the one that is written in

  // ---- changes by Python, or by another view of the same model

  openStep() {
    const step = this.model.get("step");
    if (step !== null && step !== this.currentState().step) this.root.view.go(step);
  }

  openView() {
    const name = this.model.get("view");
    if (name !== null && name !== this.currentState().view) this.root.view.setView(name);
  }

  openSelection() {
    const node = this.model.get("selection");
    const { view } = this.root;
    if (node === this.currentState().selection) return;
    if (node === null) view.deselect();
    else {
      view.selected = view.tree.rowOf(node);
      view.showTab("node");
    }
  }
}
