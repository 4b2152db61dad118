// The nine-leaf tree [[3, 12, 8], [2, 4, 6], [14, 5, 2]] as alpha-beta records it, written out by hand.

const MAX = 8;
const [TERMINAL, EXHAUSTED, CUTOFF] = [1, 3, 4];
const UPPER = 2 << 5; // what the value proves; exact is 0

const rows = [
  // move, depth, flags, skipped, alpha, beta, value, end
  [-1, 0, EXHAUSTED | MAX, 0, -Infinity, Infinity, 3, 11],
  [0, 1, EXHAUSTED, 0, -Infinity, Infinity, 3, 5],
  [0, 2, TERMINAL | MAX, 0, -Infinity, Infinity, 3, 3],
  [1, 2, TERMINAL | MAX, 0, -Infinity, 3, 12, 4],
  [2, 2, TERMINAL | MAX, 0, -Infinity, 3, 8, 5],
  [1, 1, CUTOFF | UPPER, 2, 3, Infinity, 2, 7],
  [0, 2, TERMINAL | MAX, 0, 3, Infinity, 2, 7],
  [2, 1, EXHAUSTED, 0, 3, Infinity, 2, 11],
  [0, 2, TERMINAL | MAX, 0, 3, Infinity, 14, 9],
  [1, 2, TERMINAL | MAX, 0, 3, 14, 5, 10],
  [2, 2, TERMINAL | MAX, 0, 3, 5, 2, 11],
];

const columns = {
  move: Int8Array,
  depth: Uint8Array,
  flags: Uint8Array,
  skipped: Uint8Array,
  alpha: Float32Array,
  beta: Float32Array,
  value: Float32Array,
  end: Int32Array,
};

// as much of what Python sends as these tests need
const words = {
  rules: {
    "": [{ when: {}, words: "{sentence}" }],
    sentence: [{ when: { step: "enter", root: false }, words: "{mover} tries {move}." }],
    mover: [{ when: { mover: "max" }, words: "MAX" }],
    move: [{ when: {}, words: "move {name}" }],
  },
  code: [{ words: "if value ≤ α: return value", when: { step: "cutoff", side: "min" }, numbers: "{value} ≤ α = {bound}" }],
  toldApart: { enter: ["alpha", "beta"] },
  signs: { exact: "", lower: "≥", upper: "≤", open: "?" },
  howLeft: { terminal: "game over", exhausted: "all moves tried", cutoff: "cutoff" },
  mostListed: 8,
  named: 6,
};

export function textbook() {
  const made = Object.entries(columns).map(([name, Type], k) => [name, Type.from(rows, (row) => row[k])]);
  const meta = { algorithm: "alphabeta", windows: true, cutOnEqual: true, quirk: "", infinite: false, stopped: "", K: null, kind: "literal", words };
  const moveNames = { 0: "0", 1: "1", 2: "2" };
  return {
    count: rows.length,
    meta: { ...meta, moveNames },
    columns: { ...Object.fromEntries(made), skippedMoves: Int8Array.of(1, 2), skippedTurns: Uint8Array.of(0b0101) },
  };
}

/** As minimax records it: all leaves, no windows. */
export function textbookMinimax() {
  const leaves = [3, 12, 8, 2, 4, 6, 14, 5, 2];
  const made = [[-1, 0, EXHAUSTED | MAX, 0, 3, 13]];
  [3, 2, 2].forEach((value, k) => {
    made.push([k, 1, EXHAUSTED, 0, value, 4 * k + 5]);
    leaves.slice(3 * k, 3 * k + 3).forEach((leaf, j) => made.push([j, 2, TERMINAL | MAX, 0, leaf, 4 * k + j + 3]));
  });
  const named = ["move", "depth", "flags", "skipped", "value", "end"].map((name, k) => [name, columns[name].from(made, (row) => row[k])]);
  const meta = { ...textbook().meta, algorithm: "minimax", windows: false };
  return { count: made.length, meta, columns: { ...Object.fromEntries(named), alpha: null, beta: null, skippedMoves: new Int8Array(0), skippedTurns: new Uint8Array(0) } };
}

/** The same as bytes, laid out as payload.py does. */
export function textbookBytes({ version = 1 } = {}) {
  const { count, meta, columns } = textbook();
  const padded = (size) => Math.ceil(size / 8) * 8;
  const arrays = [];
  let offset = 0;
  for (const [name, array] of Object.entries(columns)) {
    const dtype = array.constructor.name.replace("Array", "").toLowerCase();
    arrays.push({ name, dtype, offset, length: array.length });
    offset += padded(array.byteLength);
  }
  const json = JSON.stringify({ version, count, arrays, meta });
  const header = new TextEncoder().encode(json.padEnd(padded(json.length + 4) - 4));
  const bytes = new Uint8Array(4 + header.length + offset);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 4);
  for (const entry of arrays) {
    const { buffer, byteOffset, byteLength } = columns[entry.name];
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), 4 + header.length + entry.offset);
  }
  return bytes;
}
