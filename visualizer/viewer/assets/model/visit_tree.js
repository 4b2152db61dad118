// The nodes of a search in iterations that a picture has room for: those with most visits, as visualizer/viewer/iterations/tree_picture.py
// chooses them. Nodes are in the order of choosing, so the first ones are a tree, too. A place is the number of a node in this order.

export const NO_PLACE = -1;

export class VisitTree {
  /** `picture` has by place: rows, parents (places), names, turns (who is to move: max, min or chance), into (whether the mean is for MAX), over, born, visits. */
  constructor(picture) {
    Object.assign(this, picture);
    this.count = this.rows.length;
    this.placeByRow = new Map(this.rows.map((row, place) => [row, place]));
    this.depths = [];
    this.parents.forEach((parent, place) => (this.depths[place] = parent < 0 ? 0 : this.depths[parent] + 1));
  }

  /** The place of a row of the tree; NO_PLACE if the picture does not have it. */
  place(row) {
    return this.placeByRow.get(row) ?? NO_PLACE;
  }

  /** How many of the first nodes have at most this many leaves among them, and at least `minVisits` visits. */
  countThatFits(maxLeaves, minVisits = 0) {
    const hasChild = new Set();
    let leaves = 1;
    for (let place = 1; place < this.count; place++) {
      if (this.visits[place] < minVisits) return place;
      if (hasChild.has(this.parents[place])) leaves++;
      if (leaves > maxLeaves) return place;
      hasChild.add(this.parents[place]);
    }
    return this.count;
  }

  /** The children of each of the first `count` nodes, in the order in which they were added, down to a depth. */
  childrenOf(count, maxDepth = Infinity) {
    const children = Array.from({ length: count }, () => []);
    for (let place = 1; place < count; place++) if (this.depths[place] <= maxDepth) children[this.parents[place]].push(place);
    for (const list of children) list.sort((a, b) => this.rows[a] - this.rows[b]);
    return children;
  }

  /** A layout of the first `count` nodes, down to a depth: leaves side by side, a parent in the middle above its children. x is counted in
   *  leaves; `places` are the nodes of the layout. */
  layOut(count, maxDepth = Infinity) {
    const children = this.childrenOf(count, maxDepth);
    const x = new Float64Array(count);
    const places = [];
    let leaves = 0;
    const visit = (place) => {
      places.push(place);
      for (const child of children[place]) visit(child);
      x[place] = children[place].length ? (x[children[place][0]] + x[children[place].at(-1)]) / 2 : leaves++;
    };
    visit(0);
    const levels = [];
    for (const place of places) (levels[this.depths[place]] ??= []).push(place);
    return { places: new Set(places), x, leaves, levels };
  }

  /** The mean of a node for the side that moved into it; null without visits. `totals` are half points for MAX. */
  meanOf(place, { visits, totals }) {
    if (!visits[place]) return null;
    const share = totals[place] / (2 * visits[place]);
    return this.into[place] ? share : 1 - share;
  }

  /** The bars of an overview: nodes below each other, as wide as their share of the root's visits. {place, from, to, depth}, 0 to 1. */
  bars(visits, minWidth) {
    const children = this.childrenOf(this.count);
    const found = [];
    const visit = (place, from, width, depth) => {
      if (!visits[place] || width < minWidth) return;
      found.push({ place, from, to: from + width, depth });
      let left = from;
      for (const child of children[place]) {
        const part = (width * visits[child]) / visits[place];
        visit(child, left, part, depth + 1);
        left += part;
      }
    };
    visit(0, 0, 1, 0);
    return found;
  }
}
