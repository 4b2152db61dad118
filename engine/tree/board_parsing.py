"""Parse boards that are only known as text. Boards that are grids can then be drawn like those of games."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.games.boards import LETTER, MAX, MIN, NO_SIDE, Board, Piece

EMPTY_SIGNS = (".", "0", "-", "_", "*", "#")
CELL_SEPARATORS = str.maketrans("|[],", "    ")  # signs between cells
MAX_PIECE_TYPES = 8
MAX_CELLS = 400
MIN_FALLING_CELLS = 4  # rows and columns of a board on which pieces fall


class TextGrid(NamedTuple):
    """The size and the pieces that all boards of a search have in common."""

    rows: int
    cols: int
    pieces: tuple[Piece, ...]


def parse_cells(text: str) -> list[list[str]] | None:
    """Split a text into lines of cells. Return None if it is not a grid.

    >>> parse_cells(" X | . \\n---+---\\n . | O ")
    [['X', '.'], ['.', 'O']]
    """
    lines = [line.translate(CELL_SEPARATORS).split() for line in text.splitlines()]
    lines = [line for line in lines if line and not all(set(cell) <= set("-+=") and len(cell) > 1 for cell in line)]
    return lines if lines and len({len(line) for line in lines}) == 1 and len(lines[0]) * len(lines) > 1 else None


class BoardChange(NamedTuple):
    """The boards before and after a move, and the side that moved."""

    before: str
    after: str
    side: str


def detect_grid(texts: Iterable[str], changes: Iterable[BoardChange] = ()) -> TextGrid | None:
    """Return the size and the pieces of these boards. Return None if they are not grids of one size with few kinds of pieces.

    The first text is the root's board. If no sign stands for an empty cell, the most frequent cell there is the empty one.
    A piece belongs to the side that puts it on the board in `changes`.
    """
    found = []
    for text in texts:
        if (grid := parse_cells(text)) is None:
            return None
        found.append(grid)
    if not found:
        return None
    sizes = {(len(grid), len(grid[0])) for grid in found}
    signs = {cell for grid in found for line in grid for cell in line}
    if len(sizes) != 1 or len(signs) > MAX_PIECE_TYPES or any(len(sign) > 2 for sign in signs):
        return None
    rows, cols = sizes.pop()
    if not 2 <= rows * cols <= MAX_CELLS:
        return None
    root = [cell for line in found[0] for cell in line]
    empty = next((sign for sign in EMPTY_SIGNS if sign in signs), max(sorted(signs), key=root.count))
    others = sorted(signs - {empty}, key=lambda sign: (sign.lower() not in ("x", "1"), sign))
    sides = _find_sides(others, empty, changes)
    return TextGrid(rows, cols, (Piece(empty, NO_SIDE), *(Piece(sign, sides.get(sign, NO_SIDE), LETTER) for sign in others)))


def _find_sides(signs: list[str], empty: str, changes: Iterable[BoardChange]) -> dict[str, str]:
    """Return the side of each piece that only one side puts on the board. If nobody puts any, of two pieces X or 1 is MAX's."""
    seen: dict[str, set[str]] = {}
    for change in changes:
        before, after = parse_cells(change.before) or [], parse_cells(change.after) or []
        put = {
            new
            for line, old_line in zip(after, before, strict=False)
            for new, old in zip(line, old_line, strict=False)
            if old == empty != new
        }
        if len(put) == 1:
            seen.setdefault(put.pop(), set()).add(change.side)
    if not seen:
        return dict(zip(signs, (MAX, MIN), strict=False)) if len(signs) <= 2 else {}
    sides = {sign: found.pop() for sign, found in seen.items() if len(found) == 1}
    if len(signs) == 2 and len(seen) == len(sides) == 1:
        [(known, side)] = sides.items()
        sides |= {sign: MIN if side == MAX else MAX for sign in signs if sign != known}
    return sides if len(set(sides.values())) == len(sides) or len(signs) > 2 else {}


def parse_board(text: str, grid: TextGrid) -> Board:
    """Parse one text of such a search into a board."""
    numbers = {piece.letter: number for number, piece in enumerate(grid.pieces)}
    cells = tuple(numbers[cell] for line in parse_cells(text) or [] for cell in line)
    return Board(cells, grid.rows, grid.cols, grid.pieces)


def do_pieces_fall(texts: Sequence[str]) -> bool:
    """Return True if in all boards every piece stands on the bottom or on another piece. Small boards prove nothing.

    >>> empty, one = "\\n".join([". . . ."] * 4), "\\n".join([*[". . . ."] * 3, ". X . ."])
    >>> do_pieces_fall([empty, one]), do_pieces_fall([empty, one[::-1]])
    (True, False)
    """
    grids = [parse_cells(text) for text in dict.fromkeys(texts) if text]
    if not grids or any(grid is None or min(len(grid), len(grid[0])) < MIN_FALLING_CELLS for grid in grids):
        return False
    columns = [[[cell in EMPTY_SIGNS for cell in column] for column in zip(*grid, strict=True)] for grid in grids if grid]
    stacked = all(column == sorted(column, reverse=True) for board in columns for column in board)
    return stacked and not all(all(column) for board in columns for column in board)


def describe_move(before: str, after: str, falls: bool = False) -> str:
    """Describe what a move put where, as "X 0,2", or as its column if pieces fall. Return an empty text if the boards do not
    show it. Pieces that are numbers are left out.

    >>> describe_move(". .\\n. O", "X .\\n. O"), describe_move(". .\\n. O", ". .\\nX O", falls=True)
    ('X 0,0', '0')
    """
    old, new = parse_cells(before), parse_cells(after)
    if old is None or new is None or (len(old), len(old[0])) != (len(new), len(new[0])):
        return after if len(after) <= 12 and "\n" not in after else ""
    places = [(row, col) for row, line in enumerate(new) for col, cell in enumerate(line) if cell != old[row][col]]
    put = [_name_piece(new[row][col]) + f"{row},{col}" for row, col in places if new[row][col] not in EMPTY_SIGNS]
    if falls and len(put) == len(places) == 1:
        return str(places[0][1])
    named = put or [f"{row},{col}" for row, col in places]
    return " ".join(named) if 0 < len(named) <= 2 else ""


def _name_piece(sign: str) -> str:
    return "" if sign.lstrip("-").isdecimal() else f"{sign} "
