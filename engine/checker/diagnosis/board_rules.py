"""The rules of the games that students write most, inferred from the board: k in a row, with or without falling pieces.

The game follows from the shape of the board and from how pieces appear on it. In doubt nothing is reported.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.checker.diagnosis.program_view import WatchedProgram

Square = tuple[int, int]
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
MAX_READ_ROWS = 10_000
MAX_SAMPLE_ROWS = 50
MAX_REPEATED_PIECES = 3
UNKNOWN_CELL = object()
MIN_END_BOARDS = 4  # boards where a game ends, to learn its rule from
FLAT_WIDTHS = {9: 3, 16: 4, 25: 5, 42: 7}  # boards in one list or text: squares and the length of a row
NUMBER_WORDS = {3: "three", 4: "four", 5: "five"}


@dataclass
class BoardSquares:
    """A board: the piece on each square, and the number of squares if it is known."""

    pieces: dict[Square, Any]
    squares: int | None


@dataclass
class KnownBoards:
    """The boards of a record whose rules are known. Empty squares are left out."""

    name: str
    in_a_row: int
    boards: list[BoardSquares | None] = field(default_factory=list)
    found: dict[int, list[tuple[Any, frozenset[Square]]]] = field(default_factory=dict)
    empty: Any = None  # the sign of an empty square; UNKNOWN_CELL if there is none

    def has_line(self, board: Any) -> bool:
        """Return True if a board that is not in the record, as plain data, has a complete line."""
        if self.empty is UNKNOWN_CELL or (grid := find_grid(board)) is None:
            return False
        pieces = {
            (row, column): piece for row, line in enumerate(grid) for column, piece in enumerate(line) if piece != self.empty
        }
        return any(find_lines(pieces, self.in_a_row))

    def complete_lines(self, row: int) -> list[tuple[Any, frozenset[Square]]]:
        """Return the complete lines on the board of a row: the piece and its squares."""
        if row not in self.found:
            board = self.boards[row] if row < len(self.boards) else None
            self.found[row] = [] if board is None else list(find_lines(board.pieces, self.in_a_row))
        return self.found[row]

    def has_scored_lines(self, program: WatchedProgram) -> bool:
        """Return True if lines matter to the program.

        It stops at a line on a board that is not full, or scores boards with a line differently.
        """
        leaves = [row for row in range(len(self.boards)) if program.is_leaf(row)]
        with_line = [row for row in leaves if self.complete_lines(row)]
        going_on = {
            program.argument(row, "depth")
            for row in range(len(self.boards))
            if program.children[row] and not self.complete_lines(row)
        }
        if any(not self.is_full(row) and program.argument(row, "depth") in going_on for row in with_line):
            return True  # without a line the search goes on at the same depth
        without = {program.values[row] for row in leaves if not self.complete_lines(row)}
        return bool(with_line) and bool(without) and not without & {program.values[row] for row in with_line}

    def can_complete_line(self, row: int) -> bool:
        """Return True if one more piece completes a line, so that the program may have seen the win one move before."""
        board = self.boards[row]
        if board is None:
            return False
        rows, columns = (1 + max((square[place] for square in self.squares_used), default=0) for place in (0, 1))
        return any(
            any(find_lines({**board.pieces, (at, column): piece}, self.in_a_row))
            for at in range(rows)
            for column in range(columns)
            if (at, column) not in board.pieces
            for piece in set(board.pieces.values())
        )

    @cached_property
    def squares_used(self) -> set[Square]:
        """Return the squares with a piece on any board."""
        return {square for board in self.boards if board is not None for square in board.pieces}

    def is_full(self, row: int) -> bool:
        """Return True if every square has a piece."""
        board = self.boards[row] if row < len(self.boards) else None
        return board is not None and board.squares is not None and len(board.pieces) == board.squares


def find_lines(pieces: dict[Square, Any], in_a_row: int) -> Iterator[tuple[Any, frozenset[Square]]]:
    """Yield each line of equal pieces, as the piece and its squares."""
    for (row, column), piece in pieces.items():
        for down, right in DIRECTIONS:
            length = 1
            while length < in_a_row and pieces.get((row + length * down, column + length * right)) == piece:
                length += 1
            if length == in_a_row:
                yield piece, frozenset((row + step * down, column + step * right) for step in range(in_a_row))


def _may_be_known(program: WatchedProgram) -> bool:
    """Return False if the first boards have no grid, or more kinds of pieces than those of two sides and the empty square.

    Numbers on free squares occur once, so they do not count.
    """
    boards = [program.board(row) for row in range(MAX_SAMPLE_ROWS)]
    grids = [board if _is_sparse(board) else find_grid(board) for board in boards]
    if any(grid is None for grid in grids):
        return False
    for grid in grids:
        pieces = grid.values() if isinstance(grid, dict) else [piece for line in grid or () for piece in line]
        if sum(times > 1 for times in Counter(map(repr, pieces)).values()) > MAX_REPEATED_PIECES:
            return False
    return True


def find_known_boards(program: WatchedProgram, may_fall: bool = True) -> KnownBoards | None:
    """Return the boards if they are of a known game, else None. `may_fall` is False if pieces were seen that do not fall."""
    number = min(len(program.calls), MAX_READ_ROWS)
    if number > MAX_SAMPLE_ROWS and not _may_be_known(program):
        return None
    read: dict[Any, Any] = {}
    raw = []
    for row in range(number):
        key = (program.calls.function[row], program.calls.before[row], program.calls.arguments[row])
        if key not in read:
            board = program.board(row)
            read[key] = board if _is_sparse(board) else find_grid(board)
        raw.append(read[key])
    if not raw or any(grid is None for grid in raw) or len({isinstance(grid, dict) for grid in raw}) > 1:
        return None
    raw = _fill_grids(raw)
    boards = [BoardSquares(dict(board), None) for board in raw] if isinstance(raw[0], dict) else _read_grids(program, raw)
    if boards is None or len({piece for board in boards for piece in board.pieces.values()}) > 2:
        return None
    if not _are_pieces_only_added(program, boards):
        return None
    known = None if isinstance(raw[0], dict) else _recognize_shape(raw, boards, may_fall)
    empty = UNKNOWN_CELL if isinstance(raw[0], dict) or _is_ragged(raw) else _find_empty_cell(program, raw)
    if known is not None:
        known.empty = empty
    in_a_row = _find_winning_length(program, boards)
    if in_a_row is not None and known is not None and in_a_row < known.in_a_row and not _end_when_made(program, boards, in_a_row):
        return known
    if in_a_row is not None and (known is None or known.in_a_row != in_a_row):
        return KnownBoards(f"{NUMBER_WORDS[in_a_row]} in a row", in_a_row, list(boards), empty=empty)
    return known


def _is_sparse(board: Any) -> bool:
    """Return True for a dict of pieces by their squares."""
    return isinstance(board, dict) and all(
        isinstance(square, tuple) and len(square) == 2 and all(isinstance(part, int) for part in square) and is_piece(piece)
        for square, piece in board.items()
    )


def _fill_grids(raw: list[Any]) -> list[Any]:
    """Return dicts with the same squares on every board as grids, and everything else as it is."""
    if not isinstance(raw[0], dict) or len({frozenset(board) for board in raw}) > 1:
        return raw
    rows, columns = ({square[place] for square in raw[0]} for place in (0, 1))
    if len(raw[0]) != len(rows) * len(columns) or len(raw[0]) < 9:
        return raw
    return [[[board[row, column] for column in sorted(columns)] for row in sorted(rows)] for board in raw]


def _read_grids(program: WatchedProgram, raw: list[list[list[Any]]]) -> list[BoardSquares] | None:
    """Read the boards of grids. In columns of different heights no square is empty."""
    ragged = _is_ragged(raw)
    empty = None if ragged else _find_empty_cell(program, raw)
    if empty is UNKNOWN_CELL:
        return None
    return [
        BoardSquares(
            {
                (place, other): piece
                for place, line in enumerate(grid)
                for other, piece in enumerate(line)
                if ragged or piece != empty
            },
            None if ragged else sum(len(line) for line in grid),
        )
        for grid in raw
    ]


def _is_ragged(raw: list[list[list[Any]]]) -> bool:
    return any(len({len(line) for line in grid}) > 1 for grid in raw)


def _recognize_shape(raw: list[list[list[Any]]], boards: list[BoardSquares], may_fall: bool) -> KnownBoards | None:
    ragged = _is_ragged(raw)
    height, width = len(raw[0]), max(len(line) for grid in raw for line in grid)
    if not ragged and (height, width) == (3, 3):
        return KnownBoards("tic-tac-toe", 3, list(boards))
    falls = ragged or (may_fall and find_fall_direction(boards, height, width) is not None)
    if 4 <= height <= 10 and (ragged or 4 <= width <= 10) and falls:
        return KnownBoards("four in a row", 4, list(boards))
    return None


def _find_winning_length(program: WatchedProgram, boards: list[BoardSquares]) -> int | None:
    """Return the k for which every end of a game has k in a row, or None.

    An end is a board where the search stops although neither the depth nor a full board stops it, or whose score is a constant
    of the source.
    """
    going_on = {program.argument(row, "depth") for row in range(len(boards)) if program.children[row]}
    wins = program.returned_constants() - {0}
    ends = [
        board
        for row, board in enumerate(boards)
        if program.is_leaf(row)
        and len(board.pieces) != board.squares
        and (program.argument(row, "depth") in going_on or program.values[row] in wins)
    ]
    if len({frozenset(board.pieces.items()) for board in ends}) < MIN_END_BOARDS:
        return None
    inner = [board for row, board in enumerate(boards) if program.children[row]]
    for length in (5, 4, 3):
        going_on_with_line = sum(any(find_lines(board.pieces, length)) for board in inner)
        if all(any(find_lines(board.pieces, length)) for board in ends) and 2 * going_on_with_line <= len(inner):
            return length
    return None


def _end_when_made(program: WatchedProgram, boards: list[BoardSquares], length: int) -> bool:
    """Return True if the search ends where a line of this length has just been made, and never goes on with one."""
    lines = [any(find_lines(board.pieces, length)) for board in boards]
    return not any(has_line and program.children[row] for row, has_line in enumerate(lines))


def find_grid(board: Any) -> list[list[Any]] | None:
    """Return the grid in a state: the first list of lists of small things, or nine squares in a line."""
    if isinstance(board, str) and len(board) in FLAT_WIDTHS and len(set(board)) <= 3:
        board = list(board)
    if isinstance(board, dict):
        if len(board) == 9 and all(is_piece(piece) for piece in board.values()):
            return find_grid(list(board.values()))
        found = [grid for grid in (find_grid(part) for part in board.values()) if grid is not None]
        return found[0] if found else None
    if not isinstance(board, list):
        return None
    if len(board) == 2 and isinstance(board[0], str) and isinstance(board[1], dict):
        return find_grid(board[1])  # an object
    if len(board) in FLAT_WIDTHS and all(is_piece(piece) for piece in board):
        width = FLAT_WIDTHS[len(board)]
        return [board[start : start + width] for start in range(0, len(board), width)]
    if len(board) >= 3 and all(isinstance(line, list) and all(is_piece(piece) for piece in line) for line in board):
        return board
    if len(board) >= 3 and len({len(line) for line in board if isinstance(line, str)}) == 1 and isinstance(board[0], str):
        return [list(line) for line in board] if len(board[0]) >= 3 and all(isinstance(line, str) for line in board) else None
    found = [grid for grid in (find_grid(part) for part in board) if grid is not None]
    return found[0] if found else None


def is_piece(piece: Any) -> bool:
    return piece is None or isinstance(piece, (int, float, bool)) or (isinstance(piece, str) and len(piece) <= 2)


def _find_empty_cell(program: WatchedProgram, grids: list[list[list[Any]]]) -> Any:
    """Return the sign of an empty square: the one where pieces appear.

    Return UNKNOWN_CELL if that is not the same, or not one square at a time.
    """
    old: Counter = Counter()
    for row, grid in enumerate(grids):
        parent = program.calls.parent[row]
        if parent < 0:
            continue
        replaced = [
            before
            for line_before, line_after in zip(grids[parent], grid, strict=False)
            for before, after in zip(line_before, line_after, strict=False)
            if before != after
        ]
        if replaced:
            old[replaced[0] if len(replaced) == 1 else UNKNOWN_CELL] += 1
    usual = old.most_common(1)
    return usual[0][0] if usual and usual[0][1] >= 0.8 * sum(old.values()) else UNKNOWN_CELL


def _are_pieces_only_added(program: WatchedProgram, boards: list[BoardSquares]) -> bool:
    """Return True if nearly every move puts one piece on the board and takes none away."""
    edges = [(boards[parent], board) for row, board in enumerate(boards) if (parent := program.calls.parent[row]) >= 0]
    added = sum(
        len(after.pieces) == len(before.pieces) + 1 and before.pieces.items() <= after.pieces.items() for before, after in edges
    )
    return bool(edges) and added >= 0.8 * len(edges)


def find_fall_direction(boards: list[BoardSquares], height: int, width: int) -> Square | None:
    """Return the step down if pieces always lie on the border or on another piece, from one and the same side, else None."""
    for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        if all(
            (row + down, column + right) in board.pieces or not (0 <= row + down < height and 0 <= column + right < width)
            for board in boards[:2000]
            for row, column in board.pieces
        ):
            return down, right
    return None
