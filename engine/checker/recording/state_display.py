"""Format a position of a student's program as text: by its own `__str__`, lists and arrays as grids, else by its repr."""

import math
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

COLOR_NAMES = {
    "(255,0,0)": "red",
    "(0,255,0)": "green",
    "(0,0,255)": "blue",
    "(255,255,0)": "yellow",
    "(255,255,255)": "white",
    "(0,0,0)": "black",
}
MAX_STATE_CHARS = 2_000  # of a position
MIN_STACKED_CELLS = 4  # rows and columns of a board on which discs fall
EMPTY_CELL = "."
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
Grid = list[list[str]]  # the cells of each line


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
    shown = (_format_object(value, 0) for value in attributes.values() if isinstance(value, (list, tuple, dict, np.ndarray)))
    grids = [text for text in shown if "\n" in text]
    if len(grids) == 1:
        return grids[0]
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
        if not any(isinstance(cell, (list, tuple)) for row in rows for cell in row[:1]):
            return _align_cells([[_format_cell(cell) for cell in row] or [EMPTY_CELL] for row in rows])
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
    """Return a cell as one word. An array of whole numbers may hold floats, and a piece may be its color on the screen.

    >>> _format_cell(2.0), _format_cell((255, 0, 0)), _format_cell((1, 2, 3))
    ('2', 'red', '(1,2,3)')
    """
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    text = EMPTY_CELL if cell is None else "".join(str(cell).split())
    return COLOR_NAMES.get(text, text) or EMPTY_CELL


def _align_cells(rows: Iterable[Sequence[str]]) -> str:
    listed = list(rows)
    wide = max((len(cell) for row in listed for cell in row), default=1)
    return "\n".join(" ".join(cell.rjust(wide) for cell in row) for row in listed)


def turn_upright(texts: Sequence[str]) -> list[str]:
    """Return boards as people see them. A board that is kept bottom row first, or as a list of columns, is turned.

    It is turned only if its discs are stacked that way in all positions.

    >>> turn_upright(["0 0 0 0\\n0 0 0 0\\n0 0 0 0\\n0 0 0 0", "0 1 2 0\\n0 0 1 0\\n0 0 0 0\\n0 0 0 0"])[1].splitlines()
    ['0 0 0 0', '0 0 0 0', '0 0 1 0', '0 1 2 0']
    >>> turn_upright([". . . .\\n. . . .\\n. . . .\\n. . . .", ". . . .\\nX O O .\\nX . . .\\n. . . ."])[1].splitlines()
    ['. . . .', '. O . .', '. O . .', '. X X .']
    """
    grids = [[line.split() for line in text.splitlines()] for text in texts if text]
    if _is_growing(grids):
        grids, empty, turns = _pad_lines(grids), EMPTY_CELL, [_turn_columns]
    elif _is_board(grids):
        cells = [cell for line in grids[0] for cell in line]
        empty, turns = max(sorted(set(cells)), key=cells.count), [_keep_grid, _turn_over, _turn_columns, _turn_hanging_columns]
    else:
        return list(texts)
    turn = next((turn for turn in turns if all(_is_standing(turn(grid), empty) for grid in grids)), _keep_grid)
    if turn is _keep_grid:
        return list(texts)
    turned = (_align_cells(turn(grid)) for grid in grids)
    return [next(turned) if text else text for text in texts]


def _is_board(grids: list[Grid]) -> bool:
    """Return True if all grids have the same size, large enough for discs that fall."""
    sizes = {(len(grid), *{len(line) for line in grid}) for grid in grids}
    size = next(iter(sizes), ())
    return len(sizes) == 1 and len(size) == 2 and min(size) >= MIN_STACKED_CELLS


def _is_growing(grids: list[Grid]) -> bool:
    """Return True if the grids have the same number of lines, and a line is longer in one grid than in another: these are columns
    without their empty cells.
    """
    lengths = {tuple(len(line) for line in grid) for grid in grids}
    return len(lengths) > 1 and len({len(grid) for grid in grids}) == 1 and len(grids[0]) >= MIN_STACKED_CELLS


def _pad_lines(grids: list[Grid]) -> list[Grid]:
    """Return grids whose lines all have the same length: that of the longest, or of the smallest board on which discs fall."""
    longest = max(MIN_STACKED_CELLS, *(len(line) for grid in grids for line in grid))
    return [[[*line, *[EMPTY_CELL] * (longest - len(line))] for line in grid] for grid in grids]


def _keep_grid(grid: Grid) -> Grid:
    return grid


def _turn_over(grid: Grid) -> Grid:
    return grid[::-1]


def _turn_columns(grid: Grid) -> Grid:
    """Return the rows of a board, given its columns from the bottom up."""
    return [list(row) for row in zip(*grid, strict=True)][::-1]


def _turn_hanging_columns(grid: Grid) -> Grid:
    """Return the rows of a board, given its columns from the top down."""
    return [list(row) for row in zip(*grid, strict=True)]


def _is_standing(grid: Grid, empty: str) -> bool:
    """Return True if no disc is above an empty cell."""
    return all(
        above == empty or below != empty for upper, lower in pairwise(grid) for above, below in zip(upper, lower, strict=True)
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
