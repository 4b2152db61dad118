"""Format a position of a student's program as text: by its own `__str__`, lists and arrays as grids, else by its repr."""

import math
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

MAX_STATE_CHARS = 2_000  # of a position
MIN_STACKED_CELLS = 4  # rows and columns of a board on which discs fall
TEXTS_PER_BLOCK = 256  # compressed together
BOARD_ATTRIBUTES = (
    "board",
    "grid",
    "state",
    "cells",
    "squares",
    "field",
    "brett",
    "plateau",
    "tablero",
    "tabuleiro",
    "position",
    "pieces",
)
COLUMNS_BY_LENGTH = {42: 7}  # columns of flat lists that are not square


def format_state(thing: Any) -> str:
    """Return the text of a position. Errors in the program's own methods are caught."""
    try:
        return _format_object(thing)[:MAX_STATE_CHARS]
    except Exception as error:  # the program's own __str__ may raise anything
        return f"<{type(thing).__name__}: {type(error).__name__}>"


def _format_object(thing: Any, levels: int = 2) -> str:
    if isinstance(thing, str):
        return thing
    if isinstance(thing, np.ndarray):
        return format_grid(thing.tolist()) if thing.ndim else str(thing)
    if isinstance(thing, (list, tuple)):
        return format_grid(thing)
    if isinstance(thing, dict):
        return _format_cell_dict(thing)
    if type(thing).__str__ is not object.__str__:
        return str(thing)
    if type(thing).__repr__ is not object.__repr__:
        return repr(thing)
    attributes = getattr(thing, "__dict__", {})
    for name in (
        *(name for name in BOARD_ATTRIBUTES if name in attributes),
        *(name for name in attributes if _has_board_name(name)),
    ):
        if levels and attributes[name] is not None:
            return _format_object(attributes[name], levels - 1)
    return ", ".join(f"{name}={value!r}" for name, value in attributes.items()) or repr(type(thing).__name__)


def _has_board_name(name: str) -> bool:
    return any(board in name.lower() for board in BOARD_ATTRIBUTES)


def format_grid(rows: Sequence[Any]) -> str:
    """Format a list as lines: one for each inner list. A flat list of 9, 16, 42 … cells becomes the board that it is.

    >>> print(format_grid(["X", " ", "O", None, "X", " ", " ", " ", "O"]))
    X . O
    . X .
    . . O
    """
    if rows and all(isinstance(row, (list, tuple, np.ndarray)) for row in rows):
        if all(len(row) and not isinstance(row[0], (list, tuple)) for row in rows):
            return _align_cells([[_format_cell(cell) for cell in row] for row in rows])
        return "\n".join(repr(row) for row in rows)
    if all(isinstance(row, str) and len(row) > 1 for row in rows) and rows:
        return "\n".join(rows)
    wide = COLUMNS_BY_LENGTH.get(len(rows)) or (
        math.isqrt(len(rows)) if len(rows) >= 9 and math.isqrt(len(rows)) ** 2 == len(rows) else 0
    )
    cells = [_format_cell(cell) for cell in rows]
    if wide and max(map(len, cells)) <= 4:
        return _align_cells([cells[start : start + wide] for start in range(0, len(cells), wide)])
    return repr(list(rows)) if not isinstance(rows, tuple) else repr(rows)


def _format_cell_dict(cells: dict[Any, Any]) -> str:
    """Format a dict from (row, column) to a cell as a grid."""
    places = list(cells)
    if len(places) < 4 or not all(isinstance(place, tuple) and len(place) == 2 for place in places):
        return repr(cells)
    if not all(isinstance(number, int) for place in places for number in place):
        return repr(cells)
    rows, columns = (sorted({place[axis] for place in places}) for axis in (0, 1))
    if len(rows) * len(columns) > 400:
        return repr(cells)
    return _align_cells([[_format_cell(cells.get((row, column))) for column in columns] for row in rows])


def _format_cell(cell: Any) -> str:
    """Return a cell as text. An array of whole numbers may hold floats."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    text = "." if cell is None else str(cell).strip()
    return text or "."


def _align_cells(rows: Iterable[Sequence[str]]) -> str:
    listed = list(rows)
    wide = max((len(cell) for row in listed for cell in row), default=1)
    return "\n".join(" ".join(cell.rjust(wide) for cell in row) for row in listed)


def turn_upright(texts: Sequence[str]) -> list[str]:
    """Return boards with their bottom row last. They are turned over if in all of them discs hang from the first row.

    >>> turn_upright(["0 0 0 0\\n0 0 0 0\\n0 0 0 0\\n0 0 0 0", "0 1 2 0\\n0 0 1 0\\n0 0 0 0\\n0 0 0 0"])[1].splitlines()
    ['0 0 0 0', '0 0 0 0', '0 0 1 0', '0 1 2 0']
    """
    grids = [[line.split() for line in text.splitlines()] for text in texts if text]
    sizes = {(len(grid), *{len(line) for line in grid}) for grid in grids}
    size = sizes.pop() if len(sizes) == 1 else ()
    if len(size) != 2 or min(size) < MIN_STACKED_CELLS:
        return list(texts)
    cells = [cell for line in grids[0] for cell in line]
    empty = max(sorted(set(cells)), key=cells.count)
    hangs = all(_is_hanging(grid, empty) for grid in grids)
    stands = all(_is_hanging(grid[::-1], empty) for grid in grids)
    return ["\n".join(text.splitlines()[::-1]) for text in texts] if hangs and not stands else list(texts)


def _is_hanging(grid: list[list[str]], empty: str) -> bool:
    """Return True if in every column no disc is below an empty cell."""
    return all(
        above != empty or below == empty for upper, lower in pairwise(grid) for above, below in zip(upper, lower, strict=True)
    )


class CompressedTexts:
    """A list of similar texts, compressed in blocks: boards differ by a disc or two."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._waiting: list[str] = []

    def append(self, text: str) -> None:
        self._waiting.append(text.replace("\0", " "))
        if len(self._waiting) == TEXTS_PER_BLOCK:
            self._blocks.append(zlib.compress("\0".join(self._waiting).encode(errors="replace"), 1))
            self._waiting = []

    def __len__(self) -> int:
        return len(self._blocks) * TEXTS_PER_BLOCK + len(self._waiting)

    def list_texts(self) -> list[str]:
        """Return all texts, in order."""
        packed = (text for block in self._blocks for text in zlib.decompress(block).decode().split("\0"))
        return [*packed, *self._waiting]
