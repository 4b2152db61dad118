// Chance nodes of a tree that is being built. Probabilities are texts such as "1/3" or "0.25", added as exact fractions.

const TOLERANCE = 1e-9; // of a sum, as the server has it

/** Return a probability as [above, below]; null unless it is greater than 0 and at most 1. */
export function readFraction(given) {
  const text = (typeof given === "number" && given < 1e-6 ? given.toFixed(30) : String(given)).trim(); // small numbers have an exponent
  const fraction = /^(\d{1,38})\s*\/\s*(\d{1,38})$/.exec(text);
  const decimal = /^(\d{0,3})(?:\.(\d{1,36}))?$/.exec(text);
  if (!fraction && !(decimal && text)) return null;
  const [above, below] = fraction ? [BigInt(fraction[1]), BigInt(fraction[2])] : [BigInt(decimal[1] + (decimal[2] ?? "")), 10n ** BigInt(decimal[2]?.length ?? 0)];
  return above > 0n && above <= below ? reduce(above, below) : null;
}

/** Return a typed probability as it is stored: "70%" as "0.7"; null unless it is greater than 0 and at most 1. */
export function readProbability(typed) {
  const text = typed.trim();
  const percent = /^(\d{1,3})(?:[.,](\d{1,30}))?\s*%$/.exec(text);
  const plain = percent ? decimalText(BigInt(percent[1] + (percent[2] ?? "")), 2 + (percent[2]?.length ?? 0)) : text;
  return readFraction(plain) && plain;
}

/** Return what two outcomes lack to add up to 1 if one of them has the probability `p`; "" if nothing is left for the other. */
export function complementText(p) {
  const [above, below] = fractionOf(p);
  if (above === 0n || above === below) return "";
  const places = /\.(\d+)$/.exec(String(p))?.[1].length ?? 0;
  return places ? decimalText(10n ** BigInt(places) - (above * 10n ** BigInt(places)) / below, places) : fractionText([below - above, below]);
}

/** Return a number of tenths, hundredths and so on as text: 70 with 2 places is "0.7". */
function decimalText(number, places) {
  const digits = String(number).padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
}

/** A fraction as text: "1/3", "1". */
export function fractionText([above, below]) {
  return below === 1n ? String(above) : `${above}/${below}`;
}

/** The sum of the probabilities of some nodes, as a fraction. */
export function addProbabilities(nodes) {
  return nodes.map(({ p }) => fractionOf(p)).reduce(([a, b], [c, d]) => reduce(a * d + c * b, b * d), [0n, 1n]);
}

/** Whether the probabilities of all chance nodes add up to 1. */
export function areSumsOne({ chance, children }) {
  return (!chance || isOne(addProbabilities(children))) && (children ?? []).every(areSumsOne);
}

export function isOne([above, below]) {
  return Math.abs(Number(above) / Number(below) - 1) <= TOLERANCE;
}

/** Turn a node with children into a chance node with equal probabilities, or back. */
export function toggleChance(node) {
  if (node.chance) return { ...node, chance: false, children: node.children.map((child) => ({ ...child, p: "" })) };
  return { ...node, chance: true, children: shareEvenly(node.children) };
}

/** The children of a chance node after one was added at the end: equal probabilities stay equal, else the last two share one. */
export function shareWithNew(children, added) {
  if (areEqual(children)) return shareEvenly([...children, added]);
  const [above, below] = fractionOf(children.at(-1).p);
  const p = fractionText(reduce(above, below * 2n));
  return [...children.slice(0, -1), { ...children.at(-1), p }, { ...added, p }];
}

/** The children of a chance node without one of them: equal probabilities stay equal, else a neighbour gets that of the removed child. */
export function shareWithout(children, removed) {
  const left = children.filter((_, at) => at !== removed);
  if (areEqual(children)) return shareEvenly(left);
  const heir = Math.min(removed, left.length - 1);
  return left.map((child, at) => (at === heir ? { ...child, p: fractionText(addProbabilities([child, children[removed]])) } : child));
}

/** A probability of the tree; 0 if it is too small for a fraction. */
function fractionOf(p) {
  return readFraction(p) ?? [0n, 1n];
}

function shareEvenly(children) {
  return children.map((child) => ({ ...child, p: fractionText([1n, BigInt(children.length)]) }));
}

function areEqual(children) {
  return new Set(children.map(({ p }) => fractionText(fractionOf(p)))).size <= 1;
}

function reduce(above, below) {
  let [a, b] = [above, below];
  while (b) [a, b] = [b, a % b];
  return [above / a, below / a];
}
