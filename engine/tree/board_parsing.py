"""Boards that are only known as text: those that are grids are read, and drawn like any other."""

from collections.abc import Iterable
from typing import NamedTuple

from engine.games.boards import LETTER, MAX, MIN, NOBODY, Board, Piece

EMPTY_CELLS = (".", "0", "-", "_", "*", "#")
BETWEEN = str.maketrans("|[],", "    ")  # signs between cells
MOST_PIECES = 8
MOST_CELLS = 400


class TextGrid(NamedTuple):
    """What all boards of a search have in common."""

    rows: int
    cols: int
    pieces: tuple[Piece, ...]


def cells_of(text: str) -> list[list[str]] | None:
    """A text as lines of cells; None if it is no grid.

    >>> cells_of(" X | . \\n---+---\\n . | O ")
    [['X', '.'], ['.', 'O']]
    """
    lines = [line.translate(BETWEEN).split() for line in text.splitlines()]
    lines = [line for line in lines if line and not all(set(cell) <= set("-+=") and len(cell) > 1 for cell in line)]
    return lines if lines and len({len(line) for line in lines}) == 1 and len(lines[0]) * len(lines) > 1 else None


def grid_of(texts: Iterable[str]) -> TextGrid | None:
    """The size and the pieces of boards; None where they are no grids of one size with few kinds of pieces. The first is the
    root's: what stands there most often is empty, if no sign says so."""
    grids = [cells_of(text) for text in texts]
    found = [grid for grid in grids if grid is not None]
    if not found or len(found) < len(grids):
        return None
    sizes = {(len(grid), len(grid[0])) for grid in found}
    signs = {cell for grid in found for line in grid for cell in line}
    if len(sizes) != 1 or len(signs) > MOST_PIECES or any(len(sign) > 2 for sign in signs):
        return None
    rows, cols = sizes.pop()
    if not 2 <= rows * cols <= MOST_CELLS:
        return None
    root = [cell for line in found[0] for cell in line]
    empty = next((sign for sign in EMPTY_CELLS if sign in signs), max(sorted(signs), key=root.count))
    others = sorted(signs - {empty}, key=lambda sign: (sign.lower() not in ("x", "1"), sign))
    sides = dict(zip(others, (MAX, MIN), strict=False)) if len(others) <= 2 else {}
    return TextGrid(rows, cols, (Piece(empty, NOBODY), *(Piece(sign, sides.get(sign, NOBODY), LETTER) for sign in others)))


def drawn(text: str, grid: TextGrid) -> Board:
    """A text of such a search as a board."""
    numbers = {piece.letter: number for number, piece in enumerate(grid.pieces)}
    cells = tuple(numbers[cell] for line in cells_of(text) or [] for cell in line)
    return Board(cells, grid.rows, grid.cols, grid.pieces)


def change_between(before: str, after: str) -> str:
    """What a move put where, as "X 0,2"; empty where the texts do not tell.

    >>> change_between(". .\\n. O", "X .\\n. O")
    'X 0,0'
    """
    old, new = cells_of(before), cells_of(after)
    if old is None or new is None or (len(old), len(old[0])) != (len(new), len(new[0])):
        return after if len(after) <= 12 and "\n" not in after else ""
    places = [(row, col) for row, line in enumerate(new) for col, cell in enumerate(line) if cell != old[row][col]]
    put = [f"{new[row][col]} {row},{col}" for row, col in places if new[row][col] not in EMPTY_CELLS]
    named = put or [f"{row},{col}" for row, col in places]
    return " ".join(named) if 0 < len(named) <= 2 else ""
