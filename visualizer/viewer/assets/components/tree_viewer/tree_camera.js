// The camera of the whole tree and of the positions, with the layout that it looks at.

import { levelMargin, sizeOf } from "../../draw/canvas.js";
import { drawGraph, drawRefusal } from "../../draw/graph.js";
import { drawWholeTree } from "../../draw/whole_tree_view.js";
import { ZOOMED } from "../../input/url_codec.js";
import { aimOf, cameraOf } from "../../model/camera.js";
import { explainNoGraph, mergedGraph } from "../../model/merged_layout.js";
import { overviewLayout } from "../../model/overview.js";
import { fit, moved, wholeTree, zoomed } from "../../model/tidy_layout.js";

const EDGE = 20; // px: a node nearer to the edge is moved to the middle

export class TreeCamera {
  constructor(view) {
    this.view = view;
    this.reset();
  }

  /** Forget the layout: another tree is shown. */
  reset() {
    this.layout = this.graphRefusal = this.aim = null;
  }

  /** Lay out another block of the same large tree. The overview shows all of it and keeps its camera. */
  replaceTree() {
    this.layout = this.graphRefusal = null;
    if (this.view.viewName !== "overview") this.aim = null;
  }

  /** Show everything, laid out again. */
  resetLayout() {
    this.layout = this.aim = null;
  }

  get canvas() {
    return this.view.part("tree");
  }

  /** Draw the whole tree. Return the function that finds the node at a point. */
  paintTree(canvas, scene, node) {
    this.buildLayout(node);
    this.look(node);
    return drawWholeTree(canvas, { ...scene, layout: this.layout, camera: this.camera, folded: this.view.folded });
  }

  /** Draw every node as a bar as wide as its subtree. */
  paintOverview(canvas, scene, node) {
    this.buildLayout(node);
    this.look(node);
    return this.view.overviewPanel.paint(canvas, { ...scene, layout: this.layout, camera: this.camera });
  }

  /** Draw equal positions as one node, or the reason why there are too many. */
  paintPositions(canvas, scene, node) {
    const refused = this.buildGraph(node);
    if (refused) return drawRefusal(canvas, scene, refused);
    this.look(node);
    return drawGraph(canvas, { ...scene, graph: this.layout, camera: this.camera });
  }

  /** Lay out all nodes, or those of the single pass that is shown. */
  buildLayout(node) {
    const { tree, folded, singlePass, viewName, largeTree } = this.view;
    const pass = singlePass ? tree.passRows(node) : undefined;
    const wanted = viewName === "overview" ? "overview" : "whole";
    if (this.layout && this.kind === wanted && this.layoutStart === pass?.from) return;
    if (this.layout) this.aim = null; // another pass is shown as a whole first
    this.kind = wanted;
    this.layout = wanted === "overview" ? overviewLayout(tree, pass, largeTree?.facts.depths) : wholeTree(tree, folded, pass);
    this.layoutStart = pass?.from;
  }

  /** Make the graph of the shown rows the layout. Return the reason if that is not possible. */
  buildGraph(node) {
    const { tree, singlePass } = this.view;
    const rows = singlePass ? tree.passRows(node) : { from: 0, to: tree.count };
    if (this.layout && this.kind === "graph" && this.layoutStart === rows.from) return "";
    const { from, to } = this.graphRefusal ?? {};
    if (from !== rows.from || to !== rows.to) this.graphRefusal = { ...rows, why: explainNoGraph(tree, rows) };
    if (this.graphRefusal.why) return this.graphRefusal.why;
    if (this.layout) this.aim = null;
    this.kind = "graph";
    this.layout = mergedGraph(tree, rows);
    this.layoutStart = rows.from;
    return "";
  }

  /** Whether the picture has a camera. */
  get zoomable() {
    const { viewName } = this.view;
    return Boolean(this.layout) && ZOOMED.includes(viewName) && viewName === this.kind;
  }

  /** The camera as the user has set it, or else one that shows everything. */
  currentCamera() {
    const { places } = this.layout;
    if (!this.aim) return this.cameraFor(0, places - 1);
    const { width } = sizeOf(this.canvas);
    return zoomed(cameraOf(this.aim, width), 1, width / 2, places, width); // some of the tree stays visible
  }

  cameraFor(left, right) {
    const { width, height } = sizeOf(this.canvas);
    const edge = this.kind === "overview" ? 4 : undefined; // bars need no room beside them
    return fit(left, right, width, height, this.layout.levels.length, { margin: levelMargin(width), edge });
  }

  /** Set the camera for a picture of this step. */
  look(node) {
    this.follow(node, sizeOf(this.canvas).width);
    this.camera = this.currentCamera();
  }

  /** The part of the search that the overview shows, as shares of its nodes; null: all of it. */
  shownPart() {
    if (this.kind !== "overview" || !this.aim || this.view.viewName !== "overview" || this.view.singlePass) return null;
    const { width } = sizeOf(this.canvas);
    const share = (x) => Math.min(Math.max((x - this.camera.shift) / this.camera.scale / (this.layout.places - 1), 0), 1);
    return { from: share(levelMargin(width)), to: share(width) };
  }

  /** Move the part that the overview shows by a share of the search. */
  moveFrame(share) {
    const { width } = sizeOf(this.canvas);
    this.stay();
    this.moveTo(moved(this.currentCamera(), -share * (this.layout.places - 1) * this.camera.scale, this.layout.places, width));
  }

  /** Keep the current node visible when the tree is zoomed in, unless the user has just moved the camera. */
  follow(node, width) {
    if (!this.aim || this.followed === this.view.t) return;
    this.followed = this.view.t;
    const { scale, shift } = cameraOf(this.aim, width);
    const x = this.layout.x[node] * scale + shift;
    if (x < EDGE || x > width - EDGE) this.aim = { ...this.aim, middle: this.layout.x[node] };
  }

  /** Let the camera stay where it is until another step than this one. */
  stay(t = this.view.t) {
    this.followed = t;
  }

  moveTo(camera) {
    this.aim = aimOf(camera, sizeOf(this.canvas).width);
    this.view.saveState();
    this.view.drawPicture();
  }

  zoom(factor, at) {
    if (!this.zoomable) return;
    const { width } = sizeOf(this.canvas);
    this.moveTo(zoomed(this.currentCamera(), factor, at ?? width / 2, this.layout.places, width));
  }

  refit() {
    this.aim = null;
    this.view.saveAndDraw();
  }

  fitSubtree(row) {
    const { view } = this;
    if (view.viewName === "graph") return; // positions have no subtree of their own
    const { node } = view.steps.at(view.t);
    if (!view.isInView(row, node)) return;
    view.setView("whole");
    this.buildLayout(node);
    const { left, right } = this.layout.reach(row);
    this.stay();
    this.moveTo(this.cameraFor(left, right));
  }
}
