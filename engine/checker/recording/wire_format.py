"""The calls of a recorded search as compressed columns: in the worker's answer and in a run file."""

import zlib
from typing import Any

import msgspec
import numpy as np

from engine.checker.recording.call_recorder import MAX_ROWS, RecordedCalls
from engine.checker.recording.side_inference import RowSides
from engine.checker.recording.state_display import MAX_STATE_CHARS
from engine.core.errors import PlyscopeError

MAX_DEPTH = 500
MAX_BOARDS_BYTES = 64 << 20  # of all boards
MAXIMIZING, RETURNED = 1, 2


class BadRun(PlyscopeError):
    """A file that is not a recorded search, or is damaged."""


class CompressedCalls(msgspec.Struct, forbid_unknown_fields=True):
    """CallColumns, each compressed. One entry per call, in the order of entering. All windows and values are from MAX's side."""

    count: int
    depth: bytes  # uint16, 0: an outermost call
    function: bytes  # uint8
    board: bytes  # int32, index into the boards
    flags: bytes  # uint8: MAXIMIZING, RETURNED
    value: bytes  # float64, nan: none
    alpha: bytes
    beta: bytes
    boards: bytes  # the texts, separated by zero bytes
    board_count: int


class CallColumns(msgspec.Struct):
    """The columns of the recorded calls."""

    depth: np.ndarray
    function: np.ndarray
    board: np.ndarray
    flags: np.ndarray
    value: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray
    boards: list[str]


COLUMN_TYPES: dict[str, Any] = {
    "depth": np.uint16, "function": np.uint8, "board": np.int32, "flags": np.uint8,
    "value": np.float64, "alpha": np.float64, "beta": np.float64,
}  # fmt: skip


def build_columns(calls: RecordedCalls, sides: RowSides, boards: list[str], board: np.ndarray) -> CallColumns:
    """Build the columns of a record. `board` is the index of each row's text.

    The first row that is too deep and all later rows are left out: such a search does not end.
    """
    depth, function, end = (np.array(column) for column in (calls.depth, calls.function, calls.end))
    rows = int((depth > MAX_DEPTH).argmax()) if (depth > MAX_DEPTH).any() else len(depth)
    returned = (end >= 0) & (end <= rows)
    flags = sides.maximizing * MAXIMIZING + returned * RETURNED
    whole = (depth, function, board, flags, sides.value, sides.alpha, sides.beta)
    depth, function, board, flags, value, alpha, beta = (column[:rows] for column in whole)
    return CallColumns(depth, function, board, flags, value, alpha, beta, boards)


def compress_columns(columns: CallColumns) -> CompressedCalls:
    """Compress the columns. A board that is too long to be shown is cut: its cells may be whole objects."""
    parts: dict[str, Any] = {
        name: zlib.compress(np.ascontiguousarray(getattr(columns, name), dtype).tobytes()) for name, dtype in COLUMN_TYPES.items()
    }
    texts = "\0".join(text[:MAX_STATE_CHARS].replace("\0", " ") for text in columns.boards).encode(errors="replace")
    return CompressedCalls(count=len(columns.depth), **parts, boards=zlib.compress(texts), board_count=len(columns.boards))


def decompress_columns(rows: CompressedCalls) -> CallColumns:
    """Decompress the columns of a file and check lengths, nesting and numbers. Raise BadRun if something is impossible."""
    if not 1 <= rows.count <= MAX_ROWS + 1:
        raise BadRun(f"the file has {rows.count:,} calls: 1 to {MAX_ROWS:,} are possible")
    parts = {name: _read_column(name, getattr(rows, name), dtype, rows.count) for name, dtype in COLUMN_TYPES.items()}
    texts = _decompress_bytes("boards", rows.boards, MAX_BOARDS_BYTES).decode(errors="replace").split("\0")
    if len(texts) != rows.board_count or any(len(text) > MAX_STATE_CHARS for text in texts):
        raise BadRun(
            f"the file has {len(texts):,} boards instead of {rows.board_count:,}, or one with more than {MAX_STATE_CHARS:,} "
            "characters"
        )
    columns = CallColumns(**parts, boards=texts)
    _check_columns(columns)
    return columns


def _read_column(name: str, data: bytes, dtype: Any, count: int) -> np.ndarray:
    size = np.dtype(dtype).itemsize * count
    content = _decompress_bytes(name, data, size)
    if len(content) != size:
        raise BadRun(f"the column {name!r} of the file does not have {count:,} entries, one for each call")
    return np.frombuffer(content, dtype)


def _decompress_bytes(name: str, data: bytes, max_bytes: int) -> bytes:
    try:
        machine = zlib.decompressobj()
        content = machine.decompress(data, max_bytes + 1)
    except zlib.error:
        raise BadRun(f"the column {name!r} of the file is damaged") from None
    if len(content) > max_bytes or not machine.eof:
        raise BadRun(f"the column {name!r} of the file is damaged or too large")
    return content


def _check_columns(columns: CallColumns) -> None:
    depth = columns.depth.astype(np.int64)
    if depth[0] != 0 or (np.diff(depth) > 1).any():
        raise BadRun("the calls of the file are not nested correctly: the depth jumps")
    if depth.max() > MAX_DEPTH:
        raise BadRun(f"the calls of the file are nested {depth.max():,} deep: at max_bytes {MAX_DEPTH} is possible")
    if columns.board.min() < 0 or columns.board.max() >= len(columns.boards):
        raise BadRun("a call of the file refers to a missing board")
    if columns.flags.max() > MAXIMIZING | RETURNED:
        raise BadRun("a call of the file has an unknown flag")
    if np.isnan(columns.alpha).any() or np.isnan(columns.beta).any():
        raise BadRun("a window of the file is not a number")
