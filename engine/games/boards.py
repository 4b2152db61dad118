"""A board as data: its pieces, and the cells that stand for moves. A game that declares one is drawn and can be clicked on.

`board(state) -> Board`: the pieces. Except for its `cells` a board is the same in every state.
`cell_of(move) -> int | None`: the cell that stands for a move in every state. It is marked, and a click chooses the move.
`clicks(state) -> {move: cells}`: instead, if several cells choose a move, or if they depend on the state.
Illegal moves may be among them: `why_illegal(move)` then says why they are refused.
`short_name(move) -> str`: the short form of a move's name, for narrow places (of games with `steady_names`).

Cells of a grid are numbered row by row from the top; place p of heap h is numbered h * cols + p. Nothing here draws.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.core.errors import BadGame, short_repr
from engine.core.parsing import is_whole
from engine.games.capabilities import explain_illegal_move
from engine.games.protocol import MovesByCode

HOLES, SQUARES, HEAPS = "holes", "squares", "heaps"
SHAPES = (HOLES, SQUARES, HEAPS)
DISC, CROSS, RING, LETTER = "disc", "cross", "ring", "letter"
LOOKS = (DISC, CROSS, RING, LETTER)
MAX, MIN, NO_SIDE = "max", "min", ""
MAX_CELLS = 10_000


class Piece(NamedTuple):
    """A piece that may stand in a cell of a grid."""

    letter: str  # in text
    side: str  # MAX, MIN or NO_SIDE
    look: str = DISC


EMPTY = Piece(".", NO_SIDE)
DISCS = (EMPTY, Piece("X", MAX), Piece("O", MIN))
MARKS = (EMPTY, Piece("X", MAX, CROSS), Piece("O", MIN, RING))


class Board(NamedTuple):
    """The board in one state."""

    cells: tuple[int, ...]  # grid: index of the piece in each cell, 0 is empty; heaps: size of each
    rows: int  # heaps: their number
    cols: int  # heaps: the largest possible size
    pieces: tuple[Piece, ...] = DISCS
    shape: str = SQUARES
    falls: bool = False  # pieces fall into their column from above, and moves are marked at the top
    labels: tuple[str, ...] = ()  # of the columns, or of the heaps
    cell_labels: tuple[str, ...] = ()  # the text of each empty cell
    row_labels: tuple[str, ...] = ()  # of a grid

    @property
    def is_grid(self) -> bool:
        return self.shape != HEAPS


CellChanges = tuple[tuple[int, int], ...]  # (cell or heap, new content) for each change


def find_board(game: Any, state: Any) -> Board | None:
    """Return the board that a game declares; None if it has none."""
    return build_board(game, state) if callable(getattr(game, "board", None)) else None


def build_board(game: Any, state: Any) -> Board:
    """Return the board of a game that has one. Raise BadGame if it is not a valid Board."""
    board = game.board(state)
    if not isinstance(board, Board):
        raise BadGame(f"board() returned {short_repr(board)} in state {short_repr(state)}: return a Board of engine.games.boards")
    _check_board(board)
    return board if type(board.cells) is tuple else board._replace(cells=tuple(map(int, board.cells)))


def _check_board(board: Board) -> None:
    if not all(is_whole(number) for number in (board.rows, board.cols, *board.cells)):
        raise BadGame(
            f"rows, cols and cells of a board must be whole numbers: {short_repr(board._replace(pieces=(), labels=()))}"
        )
    if not all(isinstance(piece, Piece) for piece in board.pieces):
        raise BadGame(f"the pieces of a board must be Pieces of engine.games.boards, not {short_repr(board.pieces)}")
    wanted = board.rows * board.cols if board.is_grid else board.rows
    maximum = len(board.pieces) - 1 if board.is_grid else board.cols
    cells = board.cells
    if board.shape not in SHAPES:
        raise BadGame(f"a board cannot have the shape {short_repr(board.shape)}: choose {', '.join(SHAPES)}")
    if not 1 <= wanted <= MAX_CELLS:
        raise BadGame(f"a board cannot have {board.rows} rows x {board.cols} columns: 1 to {MAX_CELLS:,} cells are possible")
    if len(cells) != wanted or min(cells) < 0 or max(cells) > maximum:
        raise BadGame(f"the cells of a board must be {wanted} whole numbers from 0 to {maximum}, not {short_repr(cells)}")
    if not all(piece.look in LOOKS and piece.side in (MAX, MIN, NO_SIDE) for piece in board.pieces):
        raise BadGame(f"the look of a piece is one of {', '.join(LOOKS)}, and its side is max, min or empty")
    if len(board.labels) not in (0, board.cols if board.is_grid else board.rows) or len(board.cell_labels) not in (0, wanted):
        raise BadGame("a board needs one label for each column or heap, and one cell label for each cell")
    if len(board.row_labels) not in (0, board.rows if board.is_grid else 0):
        raise BadGame("a grid needs one label for each row or none, and heaps have no row labels")


def changed_cells(before: Board, after: Board) -> CellChanges:
    """Return the cells that a move has changed, with their new contents."""
    if before._replace(cells=()) != after._replace(cells=()):
        raise BadGame("board() returned boards of different sizes, pieces or looks: only the contents of the cells may change")
    pairs = enumerate(zip(before.cells, after.cells, strict=True))
    return tuple((cell, now) for cell, (was, now) in pairs if was != now)


def last_move_cells(before: Board, after: Board) -> tuple[int, ...]:
    """Return the cells that show a move on a grid: those that it filled, or else those that it replaced."""
    if not after.is_grid:
        return ()
    changed = [cell for cell, now in changed_cells(before, after) if now]
    return tuple(cell for cell in changed if not before.cells[cell]) or tuple(changed)


def cell_of(game: Any, move: Any) -> int | None:
    """Return the cell that stands for a move in every state; None if there is none."""
    declared = getattr(game, "cell_of", None)
    cell = None if declared is None else declared(move)
    return None if cell is None else int(cell)


def short_move_namer(game: Any) -> Callable[[int], str] | None:
    """Return the function that gives the short name of a move; None if the game has none."""
    return getattr(game, "short_name", None)


class ClickTargets(NamedTuple):
    """The moves that can be chosen on a board, by recorded code, each with the cells that choose it."""

    cells: dict[int, tuple[int, ...]]  # of the legal moves
    refused: dict[int, tuple[int, ...]]  # of moves that are not legal
    words: dict[int, str]  # why they are not legal


def find_click_targets(game: Any, state: Any, replies: MovesByCode) -> ClickTargets:
    """Return the cells that choose each move in a state; `replies` are its moves."""
    declared = getattr(game, "clicks", None)
    if declared is None:
        pointed = {code: cell_of(game, move) for code, move in replies.moves.items()}
        return ClickTargets({code: (cell,) for code, cell in pointed.items() if cell is not None}, {}, {})
    chosen: Mapping[Any, Any] = declared(state)
    legal = {code: tuple(chosen[move]) for code, move in replies.moves.items() if move in chosen}
    known = set(replies.moves.values())
    refused = {move: tuple(cells) for move, cells in chosen.items() if move not in known and isinstance(move, int)}
    return ClickTargets(legal, refused, {move: explain_illegal_move(game, move, "here") for move in refused})


def format_board(board: Board) -> str:
    """Return a board as lines of text.

    >>> print(format_board(Board((0, 1, 2, 0), 2, 2, labels=("0", "1"))))
    . X
    O .
    0 1
    """
    if not board.is_grid:
        labels = board.labels or tuple(map(str, range(board.rows)))
        return "\n".join(f"{label}: {'|' * size or '-'}" for label, size in zip(labels, board.cells, strict=True))
    letters = [board.pieces[content].letter for content in board.cells]
    wide = max(map(len, (*board.labels, *letters)))
    starts = range(0, len(letters), board.cols)
    lines = [*(letters[start : start + board.cols] for start in starts), *([board.labels] if board.labels else [])]
    return "\n".join(" ".join(word.rjust(wide) for word in line) for line in lines)


def format_state(game: Any, state: Any) -> str:
    """Return the state as text: by the game's own show(), or as its board, or by str()."""
    if callable(show := getattr(game, "show", None)):
        return str(show(state))
    board = find_board(game, state)
    return str(state) if board is None else format_board(board)
