// A tree to build by clicking: choose a node, add a child, set its value and its names, delete it, undo. Every change is told to the
// server as the tree's text; what comes back is only taken if it did not come from here.

import { MAX, MIN, number } from "../../draw/formatting.js";
import { escape } from "../../draw/panels.js";
import { grown, neighbour, nextLeaf, nodeAt, placed, readName, readNumber, size, withChild, withFacts, without, written } from "./tree_editing.js";

const ACROSS = 58; // px between leaves
const DOWN = 74; // px between plies
const RADIUS = 20;
const MARGIN = 34;
const KEPT = 200; // edits that can be undone
const LETTERS = 7; // of a name beside a node

export function show({ data, parentElement, setTriggerValue }) {
  const builder = (parentElement.view ??= new Builder(parentElement));
  builder.update(data.tree, setTriggerValue);
}

class Builder {
  constructor(host) {
    this.root = host.querySelector(".ps");
    this.part = (name) => this.root.querySelector(`[data-part="${name}"]`);
    this.drawing = this.part("drawing");
    this.told = new Set();
    this.drawing.addEventListener("click", (event) => this.point(event));
    this.drawing.addEventListener("keydown", (event) => this.press(event));
    for (const button of this.root.querySelectorAll("[data-do]")) button.addEventListener("click", () => this[button.dataset.do]());
    for (const name of ["value", "name", "move"]) {
      this.part(name).addEventListener("change", () => this.commit(name));
      this.part(name).addEventListener("keydown", (event) => this.entered(event, name));
    }
  }

  /** `sent` is what viewer/tree_builder.py makes. */
  update(sent, send) {
    this.send = send;
    this.most = sent.most;
    const text = JSON.stringify(JSON.parse(sent.text));
    if (this.told.has(text) && this.maxFirst === sent.maxFirst) return; // an echo; meanwhile something may be half typed
    this.maxFirst = sent.maxFirst;
    this.tree = grown(JSON.parse(sent.text));
    this.path = [];
    this.before = [];
    this.told = new Set([text]);
    this.draw();
  }

  /** Take over an edit, and tell it. */
  take({ tree, path }, words = "") {
    if (tree === this.tree) return;
    this.before = [...this.before.slice(1 - KEPT), { tree: this.tree, path: this.path }];
    this.tree = tree;
    this.path = path;
    this.tell(words);
  }

  tell(words) {
    const text = JSON.stringify(written(this.tree));
    this.told.add(text);
    this.draw();
    this.say(words);
    this.send("built", text);
  }

  add() {
    if (size(this.tree) >= this.most) this.say(`${this.most} nodes are the most that can be built: write larger trees.`);
    else this.take(withChild(this.tree, this.path), "A child was added.");
    this.drawing.focus();
  }

  remove() {
    if (this.path.length) this.take(without(this.tree, this.path), "Deleted.");
    else this.say("The root stays: delete what is below it.");
    this.drawing.focus();
  }

  undo() {
    const before = this.before.pop();
    if (!before) {
      this.say("There is nothing to undo.");
      return;
    }
    this.tree = before.tree;
    this.path = before.path;
    this.tell("Undone.");
  }

  /** What stands in one of the fields becomes a fact of the chosen node. */
  commit(name) {
    const node = nodeAt(this.tree, this.path);
    const typed = this.part(name).value;
    const fact = name === "value" ? readNumber(typed) : readName(typed);
    if (fact === null) {
      this.say(`“${typed.slice(0, 20)}” is no number: write one such as 3 or -0.5.`);
      this.fill();
    } else if (node[name] !== fact) this.take(withFacts(this.tree, this.path, { [name]: fact }));
  }

  /** Enter in a field: on to the next leaf, so that values can be typed one after the other. Up and down lead back to the tree. */
  entered(event, name) {
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

  point(event) {
    const chosen = event.target.closest?.("[data-path]");
    if (!chosen) return;
    this.path = chosen.dataset.path ? chosen.dataset.path.split(",").map(Number) : [];
    this.draw();
    this.say("");
  }

  press(event) {
    const edits = { "+": "add", a: "add", Insert: "add", Delete: "remove", Backspace: "remove", u: "undo" };
    const undoing = (event.ctrlKey || event.metaKey) && event.key === "z";
    if (!undoing && (event.ctrlKey || event.metaKey || event.altKey)) return;
    if (event.key.startsWith("Arrow")) {
      this.path = neighbour(this.tree, this.path, event.key);
      this.draw();
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
    const { nodes, leaves, height } = placed(this.tree);
    const at = ({ x, depth }) => [MARGIN + x * ACROSS, MARGIN + depth * DOWN];
    const [width, tall] = [2 * MARGIN + (leaves - 1) * ACROSS, 2 * MARGIN + height * DOWN];
    const places = new Map(nodes.map((place) => [place.path.join(), place]));
    const edges = nodes.filter(({ path }) => path.length).map((place) => {
      const [[x1, y1], [x2, y2]] = [at(places.get(place.path.slice(0, -1).join())), at(place)];
      const name = place.node.move && `<text class="move" x="${(x1 + 2 * x2) / 3}" y="${(y1 + 2 * y2) / 3 - 4}">${short(place.node.move)}</text>`;
      return `<line class="edge" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>${name}`;
    }).join("");
    const drawn = nodes.map((place) => this.nodeSvg(place, ...at(place))).join("");
    this.drawing.innerHTML = `<svg width="${width}" height="${tall}" viewBox="0 0 ${width} ${tall}">${edges}${drawn}</svg>`;
    this.drawing.setAttribute("aria-label", `tree of ${nodes.length} nodes; ${this.words()}`);
    this.drawing.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.fill();
  }

  nodeSvg({ node, path, childless }, x, y) {
    const max = (path.length % 2 === 0) === this.maxFirst;
    const chosen = path.join() === this.path.join() ? " chosen" : "";
    const shape = childless
      ? `<rect x="${x - RADIUS}" y="${y - RADIUS + 3}" width="${2 * RADIUS}" height="${2 * RADIUS - 6}" rx="4"/>`
      : `<circle cx="${x}" cy="${y}" r="${RADIUS}"/>`;
    const words = childless ? number(node.value) : max ? "MAX" : "MIN";
    const name = node.name && `<text class="name" x="${x}" y="${y + (childless ? RADIUS + 13 : -RADIUS - 5)}">${short(node.name)}</text>`;
    return `<g class="node${chosen}${childless ? " leaf" : ""}" data-path="${path.join()}" stroke="${max ? MAX : MIN}">${shape}` +
      `<text x="${x}" y="${y + 5}">${escape(words)}</text>${name}</g>`;
  }

  /** The chosen node in words. */
  words() {
    const { name, value, children } = nodeAt(this.tree, this.path);
    const what = children ? `a node with ${children.length} ${children.length === 1 ? "child" : "children"}` : `a leaf, ${number(value)}`;
    return `chosen: ${this.path.length ? `${what}, ${this.path.length} below the root` : `the root, ${what}`}${name ? `, called ${name}` : ""}`;
  }

  /** The fields show the chosen node. */
  fill() {
    const node = nodeAt(this.tree, this.path);
    const inputs = { value: node.children ? "" : String(node.value), name: node.name, move: node.move };
    for (const [name, text] of Object.entries(inputs)) this.part(name).value = text;
    this.part("value").disabled = Boolean(node.children);
    this.part("move").disabled = !this.path.length;
    this.root.querySelector('[data-do="remove"]').disabled = !this.path.length;
    this.root.querySelector('[data-do="undo"]').disabled = !this.before.length;
  }

  say(words) {
    this.part("said").textContent = words;
  }

  destroy() {}
}

function short(name) {
  return escape([...name].length > LETTERS ? `${[...name].slice(0, LETTERS - 1).join("")}…` : name);
}
