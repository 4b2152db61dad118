"""The calls of a watched search as packed columns: what comes back from the process that ran it, and what a file of it holds."""

import zlib
from typing import Any

import msgspec
import numpy as np

from engine.checker.recording.call_recorder import MOST_ROWS, Calls
from engine.checker.recording.side_inference import Sides
from engine.checker.recording.state_display import LONGEST
from engine.core.errors import PlyscopeError

DEEPEST = 500
MOST_TEXT = 64 << 20  # bytes of all boards
MAXIMIZING, RETURNED = 1, 2


class BadRun(PlyscopeError):
    """A file that is no watched search, or a damaged one."""


class SeenRows(msgspec.Struct, forbid_unknown_fields=True):
    """SeenColumns, each compressed; one entry a call, in the order of entering. All windows and values are from MAX's side."""

    count: int
    depth: bytes  # uint16, 0: called by no other
    function: bytes  # uint8
    board: bytes  # int32, which of the boards
    flags: bytes  # uint8: MAXIMIZING, RETURNED
    value: bytes  # float64, nan: none
    alpha: bytes
    beta: bytes
    boards: bytes  # the texts, with a zero between two
    board_count: int


class SeenColumns(msgspec.Struct):
    """The same, unpacked."""

    depth: np.ndarray
    function: np.ndarray
    board: np.ndarray
    flags: np.ndarray
    value: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray
    boards: list[str]


TYPES: dict[str, Any] = {
    "depth": np.uint16, "function": np.uint8, "board": np.int32, "flags": np.uint8,
    "value": np.float64, "alpha": np.float64, "beta": np.float64,
}  # fmt: skip


def columns_of(calls: Calls, sides: Sides, boards: list[str], board: np.ndarray) -> SeenColumns:
    """The columns of a record; `board` says which of the texts belongs to each row. Of a search without an end the first rows, as
    far as they are not too deep."""
    depth, function, end = (np.array(column) for column in (calls.depth, calls.function, calls.end))
    kept = int((depth > DEEPEST).argmax()) if (depth > DEEPEST).any() else len(depth)
    returned = (end >= 0) & (end <= kept)
    flags = sides.maximizing * MAXIMIZING + returned * RETURNED
    whole = (depth, function, board, flags, sides.value, sides.alpha, sides.beta)
    depth, function, board, flags, value, alpha, beta = (column[:kept] for column in whole)
    return SeenColumns(depth, function, board, flags, value, alpha, beta, boards)


def packed(columns: SeenColumns) -> SeenRows:
    """The columns, compressed."""
    parts: dict[str, Any] = {
        name: zlib.compress(np.ascontiguousarray(getattr(columns, name), dtype).tobytes()) for name, dtype in TYPES.items()
    }
    texts = "\0".join(text.replace("\0", " ") for text in columns.boards).encode(errors="replace")
    return SeenRows(count=len(columns.depth), **parts, boards=zlib.compress(texts), board_count=len(columns.boards))


def unpacked(rows: SeenRows) -> SeenColumns:
    """The columns of a file, each checked: lengths, nesting, numbers. BadRun if something cannot be."""
    if not 1 <= rows.count <= MOST_ROWS + 1:
        raise BadRun(f"the file has {rows.count:,} calls: 1 to {MOST_ROWS:,} are possible")
    parts = {name: _array(name, getattr(rows, name), dtype, rows.count) for name, dtype in TYPES.items()}
    texts = _inflated("boards", rows.boards, MOST_TEXT).decode(errors="replace").split("\0")
    if len(texts) != rows.board_count or any(len(text) > LONGEST for text in texts):
        raise BadRun(
            f"the file has {len(texts):,} boards, of at most {LONGEST:,} characters, where {rows.board_count:,} are said"
        )
    columns = SeenColumns(**parts, boards=texts)
    _check(columns)
    return columns


def _array(name: str, data: bytes, dtype: Any, count: int) -> np.ndarray:
    size = np.dtype(dtype).itemsize * count
    content = _inflated(name, data, size)
    if len(content) != size:
        raise BadRun(f"the column {name!r} of the file has another length than its {count:,} calls")
    return np.frombuffer(content, dtype)


def _inflated(name: str, data: bytes, most: int) -> bytes:
    try:
        machine = zlib.decompressobj()
        content = machine.decompress(data, most + 1)
    except zlib.error:
        raise BadRun(f"the column {name!r} of the file is damaged") from None
    if len(content) > most or not machine.eof:
        raise BadRun(f"the column {name!r} of the file is damaged or too large")
    return content


def _check(columns: SeenColumns) -> None:
    depth = columns.depth.astype(np.int64)
    if depth[0] != 0 or (np.diff(depth) > 1).any():
        raise BadRun("the calls of the file are not one below the other: a depth jumps")
    if depth.max() > DEEPEST:
        raise BadRun(f"the calls of the file are {depth.max():,} deep: {DEEPEST} is the most")
    if columns.board.min() < 0 or columns.board.max() >= len(columns.boards):
        raise BadRun("a call of the file has a board that is not there")
    if columns.flags.max() > MAXIMIZING | RETURNED:
        raise BadRun("a call of the file has a mark that nobody knows")
    if np.isnan(columns.alpha).any() or np.isnan(columns.beta).any():
        raise BadRun("a window of the file is no number")
