// A tree to build by clicking: select a node, add a child, set its value and names, delete it, undo. Every change is sent to the server
// as the text of the tree. A tree from the server is used only if it did not come from here.

import { exact, number, readTheme } from "../../draw/formatting.js";
import { mountedView } from "../../input/mounted_view.js";
import { addProbabilities, areSumsOne, complementText, fractionText, isOne, readProbability } from "./chance_editing.js";
import { drawPicture, planPicture } from "./builder_picture.js";
import { parseTree, neighbourPath, nextLeaf, nodeAt, layoutTree, readName, readNumber, size, addChild, addSibling, updateNode, removeNode, serializeTree, switchChance } from "./tree_editing.js";

const MAX_UNDO = 200; // edits that can be undone
const [MIN_HEIGHT, MAX_HEIGHT, OTHER_HEIGHT] = [240, 620, 400]; // px of the picture, and of everything else on the page
const MAX_URL_CHARS = 20_000; // of a tree; the server names longer ones
const UNFINISHED = "The probabilities of a chance node do not add up to 1. Until they do, the tree cannot be searched, and the link has the tree before.";

let shownEdition = null; // of the tree that this tab has shown last

export function show({ data, parentElement, setTriggerValue }) {
  const builder = mountedView(parentElement, () => new Builder(parentElement));
  builder.update(data.tree, setTriggerValue);
}

class Builder {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.drawing = this.part("drawing");
    this.canvas = this.part("canvas");
    this.sentTexts = new Set();
    this.resizeObserver = new ResizeObserver(() => this.tree && this.drawTree()); // the user may be typing: the fields stay
    this.drawing.addEventListener("click", (event) => this.selectNode(event));
    this.drawing.addEventListener("keydown", (event) => this.press(event));
    for (const button of this.root.querySelectorAll("[data-edit]")) button.addEventListener("click", () => this[button.dataset.edit]());
    for (const name of ["value", "name", "move", "p"]) {
      this.part(name).addEventListener("change", () => this.commit(name));
      this.part(name).addEventListener("keydown", (event) => this.pressInField(event, name));
    }
  }

  attach() {
    this.resizeObserver.observe(this.drawing);
  }

  /** `sent` comes from viewer/tree_builder.py. */
  update(sent, send) {
    this.send = send;
    this.maxNodes = sent.maxNodes;
    const text = JSON.stringify(JSON.parse(sent.text));
    if (this.sentTexts.has(text) && this.maxFirst === sent.maxFirst && this.edition === sent.edition) {
      this.drawTree(); // our own tree comes back, perhaps in another theme; the user may be typing: the fields stay
      return;
    }
    this.maxFirst = sent.maxFirst;
    this.edition = sent.edition;
    this.undoStack = this.tree ? this.extendUndo() : []; // a template or a file can be undone, too
    this.tree = parseTree(JSON.parse(sent.text));
    this.path = [];
    this.sentTexts = new Set([text]);
    this.draw();
    this.showMessage(areSumsOne(this.tree) ? "" : UNFINISHED);
    if (shownEdition !== null && shownEdition !== sent.edition) this.writeUrl(text); // an edit of the tree before may have written its own
    shownEdition = sent.edition;
  }

  /** Apply an edit and send it. */
  applyEdit({ tree, path }, words = "") {
    if (tree === this.tree) return;
    this.undoStack = this.extendUndo();
    this.tree = tree;
    this.path = path;
    this.sendTree(words);
  }

  /** Return the edits that can be undone, with the one that follows. */
  extendUndo() {
    return [...this.undoStack.slice(1 - MAX_UNDO), { tree: this.tree, path: this.path }];
  }

  /** Send the tree, even an unfinished one, so that it is not lost. Only a finished one goes into the URL. */
  sendTree(words) {
    const text = JSON.stringify(serializeTree(this.tree));
    this.sentTexts.add(text);
    this.draw();
    this.revealSelected();
    const isFinished = areSumsOne(this.tree);
    this.showMessage(isFinished ? words : UNFINISHED);
    if (isFinished) this.writeUrl(text);
    this.send("built", { text, edition: this.edition });
  }

  /** Keep the tree in the URL, without a history entry for every edit. */
  writeUrl(text) {
    const game = `${this.maxFirst ? "tree" : "tree-min"}:${text}`;
    if (game.length > MAX_URL_CHARS) return;
    const url = new URL(window.location.href);
    url.searchParams.set("game", game);
    window.history.replaceState(window.history.state, "", url);
  }

  add() {
    if (size(this.tree) >= this.maxNodes) this.showMessage(`The builder holds at most ${this.maxNodes} nodes: type larger trees as text.`);
    else this.applyEdit(addChild(this.tree, this.path), "Child added.");
    this.drawing.focus();
  }

  sibling() {
    if (!this.path.length) this.showMessage("The root has no siblings: add a child.");
    else if (size(this.tree) >= this.maxNodes) this.add(); // says why not
    else this.applyEdit(addSibling(this.tree, this.path), "Sibling added.");
    this.drawing.focus();
  }

  remove() {
    if (this.path.length) this.applyEdit(removeNode(this.tree, this.path), "Deleted.");
    else this.showMessage("The root cannot be deleted: delete the nodes below it.");
    this.drawing.focus();
  }

  /** Let chance move at the selected node, or a side again. */
  chance() {
    const { children, chance } = nodeAt(this.tree, this.path);
    if (!children) this.showMessage("A leaf has no outcomes: add a child first.");
    else this.applyEdit(switchChance(this.tree, this.path), chance ? "A side moves here." : "Chance moves here: its outcomes have equal probabilities.");
    this.drawing.focus();
  }

  /** Give the other of two outcomes what is left. */
  complete() {
    const [other, p] = this.findComplement();
    this.applyEdit({ tree: updateNode(this.tree, other, { p }).tree, path: this.path }, "The probabilities add up to 1.");
    this.drawing.focus();
  }

  /** Return the path of the other of two outcomes and the probability that is left for it, if the two do not add up to 1. */
  findComplement() {
    const above = this.path.slice(0, -1);
    const { children, chance } = this.path.length ? nodeAt(this.tree, above) : {};
    const p = chance && children.length === 2 && !isOne(addProbabilities(children)) ? complementText(nodeAt(this.tree, this.path).p) : "";
    return [[...above, 1 - this.path.at(-1)], p];
  }

  undo() {
    const edit = this.undoStack.pop();
    if (!edit) {
      this.showMessage("There is nothing to undo.");
      return;
    }
    this.tree = edit.tree;
    this.path = edit.path;
    this.sendTree("Undone.");
  }

  /** Store the text of a field in the selected node. */
  commit(name) {
    const node = nodeAt(this.tree, this.path);
    const typed = this.part(name).value;
    const fact = name === "value" ? readNumber(typed) : name === "p" ? readProbability(typed) : readName(typed);
    if (fact === null) {
      const wanted = name === "p" ? "a probability: write one such as 1/3, 0.25 or 25%" : "a number: write a number such as 3 or -0.5";
      this.showMessage(`“${typed.slice(0, 20)}” is not ${wanted}.`);
      this.showFields();
    } else if (node[name] !== fact) this.applyEdit(updateNode(this.tree, this.path, { [name]: fact }));
  }

  /** Enter goes to the next leaf, so that values can be typed one after the other. Up and down return to the tree. */
  pressInField(event, name) {
    if (event.key !== "Escape") event.stopPropagation();
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      this.commit(name);
      this.drawing.focus();
      this.press(event);
    }
    if (event.key !== "Enter") return;
    this.commit(name);
    if (name !== "value") this.drawing.focus();
    else {
      this.path = nextLeaf(this.tree, this.path);
      this.draw();
      this.part("value").select();
    }
  }

  selectNode(event) {
    const chosen = event.target.closest?.("[data-path]");
    if (!chosen) return;
    this.path = chosen.dataset.path ? chosen.dataset.path.split(",").map(Number) : [];
    this.draw();
    this.showMessage("");
  }

  press(event) {
    const edits = { "+": "add", a: "add", Insert: "add", s: "sibling", c: "chance", Delete: "remove", Backspace: "remove", u: "undo" };
    const undoing = (event.ctrlKey || event.metaKey) && event.key === "z";
    if (!undoing && (event.ctrlKey || event.metaKey || event.altKey)) return;
    if (event.key.startsWith("Arrow")) {
      this.path = neighbourPath(this.tree, this.path, event.key);
      this.draw();
      this.revealSelected();
    } else if (undoing || edits[event.key]) this[undoing ? "undo" : edits[event.key]]();
    else if ((event.key === "Enter" || /^[-\d.]$/.test(event.key)) && !this.part("value").disabled) {
      this.part("value").focus();
      this.part("value").select();
      if (event.key !== "Enter") this.part("value").value = event.key;
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  draw() {
    this.drawTree();
    this.showFields();
  }

  drawTree() {
    const width = this.drawing.clientWidth; // 0 before it is on the page
    if (!width) return;
    const layout = layoutTree(this.tree);
    const theme = readTheme(this.root);
    const tall = Math.max(MIN_HEIGHT, Math.min(window.innerHeight - OTHER_HEIGHT, MAX_HEIGHT));
    const plan = planPicture(layout, { width, tall }, (text, size) => this.measure(theme, text, size));
    Object.assign(this.canvas.style, { width: `${plan.width}px`, height: `${plan.height}px` });
    drawPicture(this.canvas, theme, layout, plan, this.maxFirst, this.path.join());
    this.placeTargets(layout, plan);
    this.drawing.setAttribute("aria-label", `Tree of ${layout.nodes.length} nodes; ${this.describeSelected()}`);
  }

  measure(theme, text, size) {
    const pen = this.canvas.getContext("2d");
    pen.font = `600 ${size}px ${theme.font}`;
    return pen.measureText(text).width;
  }

  /** Place an area to click on at every node. */
  placeTargets({ nodes }, { at, column, size, text }) {
    const targets = nodes.map((place) => {
      const [x, y] = at(place);
      const target = document.createElement("span");
      const isSelected = place.path.join() === this.path.join();
      target.className = `node${place.childless ? " leaf" : ""}${isSelected ? " selected" : ""}`;
      target.dataset.path = place.path.join();
      target.title = [place.childless ? exact(place.node.value) : "", place.node.name].filter(Boolean).join(" · ");
      const [wide, above] = [Math.max(column, 2 * size + 8), size + 8];
      Object.assign(target.style, { left: `${x - wide / 2}px`, top: `${y - above}px`, width: `${wide}px`, height: `${above + size + (place.childless ? text + 8 : 6)}px` });
      return target;
    });
    this.part("targets").replaceChildren(...targets);
  }

  revealSelected() {
    this.part("targets").querySelector(".selected")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Describe the selected node. */
  describeSelected() {
    const { name, value, children, chance } = nodeAt(this.tree, this.path);
    const what = children ? `a ${chance ? "chance " : ""}node with ${children.length} ${children.length === 1 ? "child" : "children"}` : `a leaf with value ${number(value)}`;
    return `selected: ${this.path.length ? `${what}, ${this.path.length} ${this.path.length === 1 ? "level" : "levels"} below the root` : `the root, ${what}`}${name ? `, called ${name}` : ""}`;
  }

  /** Show the selected node in the fields. */
  showFields() {
    const node = nodeAt(this.tree, this.path);
    const inputs = { value: node.children ? "" : String(node.value), name: node.name, move: node.move, p: String(node.p) };
    for (const [name, text] of Object.entries(inputs)) this.part(name).value = text;
    this.part("value").disabled = Boolean(node.children);
    this.part("move").disabled = !this.path.length;
    this.part("p").disabled = node.p === "";
    this.part("sum").textContent = this.describeSum(node);
    const [[, left], complete] = [this.findComplement(), this.root.querySelector('[data-edit="complete"]')];
    complete.hidden = !left;
    complete.textContent = `Set the other to ${left}`;
    const chance = this.root.querySelector('[data-edit="chance"]');
    chance.disabled = !node.children;
    chance.setAttribute("aria-pressed", String(node.chance));
    for (const edit of ["sibling", "remove"]) this.root.querySelector(`[data-edit="${edit}"]`).disabled = !this.path.length;
    this.root.querySelector('[data-edit="undo"]').disabled = !this.undoStack.length;
  }

  /** The sum of the probabilities at the selected chance node, or at the parent of the selected outcome. */
  describeSum(node) {
    const outcomes = node.chance ? node.children : node.p !== "" ? nodeAt(this.tree, this.path.slice(0, -1)).children : [];
    if (!outcomes.length) return "";
    const sum = addProbabilities(outcomes);
    return `${outcomes.map(({ p }) => p).join(" + ")} = ${fractionText(sum)}${isOne(sum) ? "" : ", not 1"}`;
  }

  showMessage(words) {
    this.part("message").textContent = words;
  }

  destroy() {
    this.resizeObserver.disconnect();
  }
}
