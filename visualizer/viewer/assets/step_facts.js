// What is known of a step, by name: step_facts.py in the browser, where the table says what the facts mean.

const AS_TYPED = "as typed";

/** All facts of a step. */
export function factsOf(tree, steps, step) {
  const { number, kind, node } = step;
  const { K } = tree.passAt(node);
  const [root] = tree.path(node);
  return {
    ...{ first: false, improves: false, narrows: "", proved: false, equal: false, kept: false, started: false },
    ...{ best: false, cause: "", skipped: "", asked: false, again: false },
    step: kind === "hidden" ? "leave" : kind,
    hidden: kind === "hidden",
    status: tree.status(node),
    side: side(tree, node),
    mover: node === root ? "" : side(tree, tree.parent(node)),
    root: node === root,
    driver: tree.hasDriver,
    windows: tree.pruning,
    alpha: tree.alpha(node) === tree.alpha(root) ? "open" : "sure",
    beta: tree.beta(node) === tree.beta(root) ? "open" : "sure",
    "plies left": K === null || tree.depth(node) < K,
    bound: step.bound,
    stopped: number === steps.length - 1 ? tree.meta.stopped : "",
    ...MORE[kind]?.(tree, steps, step),
  };
}

const MORE = {
  enter(tree, steps, { node }) {
    const parent = tree.parent(node);
    if (parent < 0) return {};
    const known = steps.soFar(parent, steps.enter(node));
    return { asked: tree.alpha(node) > known.alpha || tree.beta(node) < known.beta, again: tree.probe(node) !== null };
  },
  return(tree, steps, step) {
    const { node, child, improves, narrows, value, best } = step;
    const first = before(steps, step) === null;
    const equal = value === best;
    const kept = tree.children(node).some((row) => row < child && tree.value(row) === best && tree.proves(row, node));
    const started = best === startValue(tree, node) && !(first && equal);
    return { again: step.again !== null, first, improves, narrows, proved: tree.proves(child, node), equal, kept, started };
  },
  cutoff(tree, steps, { node, value, cause, probe, skippedMoves }) {
    const where = cause === null ? (probe === null ? "" : "probe") : tree.depth(cause.ancestor) === 0 ? "root" : "path";
    return { equal: value === boundReached(tree, node), cause: where, skipped: howMany(skippedMoves.length, tree.meta.words.mostListed) };
  },
  leave(tree, steps, { node, value }) {
    return { best: tree.bestChild(node) !== null, started: value === startValue(tree, node) };
  },
};

function side(tree, node) {
  return tree.maximizing(node) ? "max" : "min";
}

function howMany(count, mostListed) {
  return count === 0 ? "" : count === 1 ? "one" : count <= mostListed ? "few" : "many";
}

/** The value at the node before its child came back; null if that is the first. */
function before(steps, { node, number }) {
  return steps.soFar(node, number - 1).best;
}

/** What the value of the node starts with. */
function startValue(tree, node) {
  if (tree.maximizing(node)) return -Infinity;
  return tree.meta.quirk === AS_TYPED ? 0 : Infinity;
}

/** What the other side is sure of, which a cutoff reaches. */
export function boundReached(tree, node) {
  return tree.maximizing(node) ? tree.beta(node) : tree.alpha(node);
}

/** The numbers of a step, by slot. */
export function numbersOf(tree, steps, step) {
  const { kind, node, child, alpha, beta, value, best } = step;
  const numbers = { alpha, beta };
  if (value !== null) Object.assign(numbers, { value, best });
  if (child !== null) {
    numbers.before = before(steps, step) ?? startValue(tree, node);
    numbers.old = tree.maximizing(node) ? tree.alpha(child) : tree.beta(child);
  }
  if (kind === "cutoff") numbers.bound = boundReached(tree, node);
  return numbers;
}
