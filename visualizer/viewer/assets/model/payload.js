// The bytes of payload.py back into columns.

import { COLUMN_NAMES, OPTIONAL_COLUMNS } from "./record_model.js";

const VERSION = 1;

const TYPES = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};

// One entry per node; without pruning there are no windows, and where all nodes are here none are hidden.
const ADDED_COLUMNS = ["hidden", "changed", "deeper", "position"]; // beside those of the record; without a board nothing is changed
const NODE_COLUMNS = [...COLUMN_NAMES, ...ADDED_COLUMNS];
const OPTIONAL = [...OPTIONAL_COLUMNS, ...ADDED_COLUMNS];

/**
 * The tree that the server sent: {count, meta, columns}. Columns are typed arrays; alpha and beta are null for minimax.
 * The arrays are views into the bytes where their alignment allows it.
 */
export function decode(bytes) {
  const { count, meta, arrays } = decodeArrays(bytes);
  if (count < 1) throw new Error("the header of the tree data lists no nodes");
  const columns = { alpha: null, beta: null, ...arrays };
  check(count, columns);
  return { count, meta, columns };
}

/** Any arrays that `encode_arrays` of payload.py has encoded: {count, meta, arrays}. */
export function decodeArrays(bytes) {
  const data = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  const { header, start } = readHeader(data);
  const arrays = Object.fromEntries(header.arrays.map((entry) => [entry.name, readArray(data, start, entry)]));
  return { count: header.count, meta: header.meta, arrays };
}

function readHeader(data) {
  if (data.byteLength < 4) throw new Error(`the tree data is cut short: ${data.byteLength} bytes, no header`);
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  if (4 + size > data.byteLength) {
    throw new Error(`the tree data is cut short: a header of ${size} bytes in ${data.byteLength} bytes`);
  }
  const header = parse(new TextDecoder().decode(data.subarray(4, 4 + size)));
  if (header?.version !== VERSION) {
    throw new Error(`the tree data has version ${header?.version}, this viewer reads version ${VERSION}: reload the page`);
  }
  if (!Array.isArray(header.arrays) || !Number.isSafeInteger(header.count)) {
    throw new Error("the header of the tree data lists no arrays or no number of nodes");
  }
  return { header, start: 4 + size };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the header of the tree data is damaged: it is not JSON");
  }
}

function readArray(data, start, { name, dtype, offset, length }) {
  const Type = Object.hasOwn(TYPES, dtype) ? TYPES[dtype] : null;
  if (!Type) throw new Error(`the column ${name} has the unknown type ${dtype}`);
  const from = start + offset;
  const to = from + length * Type.BYTES_PER_ELEMENT;
  if (!(offset >= 0 && length >= 0 && to <= data.byteLength)) {
    throw new Error(`the tree data is cut short: the column ${name} ends at byte ${to}, there are ${data.byteLength}`);
  }
  const aligned = (data.byteOffset + from) % Type.BYTES_PER_ELEMENT === 0;
  const piece = aligned ? data.subarray(from, to) : data.slice(from, to);
  return new Type(piece.buffer, piece.byteOffset, length);
}

function check(count, columns) {
  for (const name of NODE_COLUMNS) {
    const column = columns[name];
    if (column == null && OPTIONAL.includes(name)) continue;
    if (column?.length !== count) throw new Error(`the column ${name} has ${column?.length ?? "no"} entries for ${count} nodes`);
  }
  for (const name of ["skippedMoves", "skippedTurns"]) {
    if (!columns[name]) throw new Error(`the tree data has no column ${name}`);
  }
  const { skippedMoves, skippedValues } = columns;
  if (skippedValues && skippedValues.length !== skippedMoves.length) throw new Error("the tree data has skipped moves without a value");
}
