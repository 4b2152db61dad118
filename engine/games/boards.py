"""A board as data: what stands where, and how a move is pointed at. A game that declares it is drawn, and can be clicked on.

`board(state) -> Board`: what stands where. But for its `cells` a board is the same in every state.
`cell_of(move) -> int | None`: the cell that stands for a move, in every state: it is clicked on to choose the move, and marked.
`clicks(state) -> {move: cells}`: instead, where more cells choose a move, or others in another state. Moves that are not legal
may be among them: `why_illegal(move)` then says why they are refused.
`short_name(move) -> str`: what stands where there is no room for the name of a move (of games with `steady_names`).

Cells of a grid are numbered row by row from the top; place p of heap h is numbered h * cols + p. Nothing here draws.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engine.core.errors import BadGame, shortened
from engine.core.parsing import is_whole
from engine.games.capabilities import why_illegal
from engine.games.protocol import Replies

HOLES, SQUARES, HEAPS = "holes", "squares", "heaps"
SHAPES = (HOLES, SQUARES, HEAPS)
DISC, CROSS, RING, LETTER = "disc", "cross", "ring", "letter"
LOOKS = (DISC, CROSS, RING, LETTER)
MAX, MIN, NOBODY = "max", "min", ""
MOST_CELLS = 10_000


class Piece(NamedTuple):
    """What may stand in a cell of a grid."""

    letter: str  # in text
    side: str  # MAX, MIN or NOBODY
    look: str = DISC


EMPTY = Piece(".", NOBODY)
DISCS = (EMPTY, Piece("X", MAX), Piece("O", MIN))
MARKS = (EMPTY, Piece("X", MAX, CROSS), Piece("O", MIN, RING))


class Board(NamedTuple):
    """What stands where in one state."""

    cells: tuple[int, ...]  # of a grid: which of the pieces, 0 is empty; of heaps: how many are in each
    rows: int  # of heaps: how many there are
    cols: int  # of heaps: as many as are ever in one
    pieces: tuple[Piece, ...] = DISCS
    shape: str = SQUARES
    falls: bool = False  # pieces fall into their column from above: moves are marked there
    labels: tuple[str, ...] = ()  # of the columns, or of the heaps
    cell_labels: tuple[str, ...] = ()  # what an empty cell is called, in text

    @property
    def is_grid(self) -> bool:
        return self.shape != HEAPS


Change = tuple[tuple[int, int], ...]  # the cells, or heaps, that are different afterwards, each with what is there then


def board_of(game: Any, state: Any) -> Board | None:
    """The board that a game declares; None if it has none."""
    return declared_board(game, state) if callable(getattr(game, "board", None)) else None


def declared_board(game: Any, state: Any) -> Board:
    """The board of a game that has one."""
    board = game.board(state)
    if not isinstance(board, Board):
        raise BadGame(f"board() gave {shortened(board)} in state {shortened(state)}: a Board of engine.games.boards is needed")
    _check(board)
    return board if type(board.cells) is tuple else board._replace(cells=tuple(map(int, board.cells)))


def _check(board: Board) -> None:
    if not all(is_whole(number) for number in (board.rows, board.cols, *board.cells)):
        raise BadGame(f"a board with {shortened(board._replace(pieces=(), labels=()))}: rows, cols and cells are whole numbers")
    if not all(isinstance(piece, Piece) for piece in board.pieces):
        raise BadGame(f"the pieces {shortened(board.pieces)} of a board: each is a Piece of engine.games.boards")
    wanted = board.rows * board.cols if board.is_grid else board.rows
    most = len(board.pieces) - 1 if board.is_grid else board.cols
    cells = board.cells
    if board.shape not in SHAPES:
        raise BadGame(f"a board of shape {shortened(board.shape)}: known are {', '.join(SHAPES)}")
    if not 1 <= wanted <= MOST_CELLS:
        raise BadGame(f"a board of {board.rows} rows x {board.cols} columns: 1 to {MOST_CELLS:,} cells are possible")
    if len(cells) != wanted or min(cells) < 0 or max(cells) > most:
        raise BadGame(f"the cells {shortened(cells)} of a board: {wanted} whole numbers from 0 to {most} are needed")
    if not all(piece.look in LOOKS and piece.side in (MAX, MIN, NOBODY) for piece in board.pieces):
        raise BadGame(f"the pieces of a board: known are {', '.join(LOOKS)}, and a side is max, min or empty")
    if len(board.labels) not in (0, board.cols if board.is_grid else board.rows) or len(board.cell_labels) not in (0, wanted):
        raise BadGame("the labels of a board: one for each column or heap, cell_labels one for each cell")


def difference(before: Board, after: Board) -> Change:
    """What a move has changed."""
    if before._replace(cells=()) != after._replace(cells=()):
        raise BadGame("board() gave boards of different sizes, pieces or looks: only what is in the cells may change")
    pairs = enumerate(zip(before.cells, after.cells, strict=True))
    return tuple((cell, now) for cell, (was, now) in pairs if was != now)


def last_cells(before: Board, after: Board) -> tuple[int, ...]:
    """Where a move is seen on a grid: the cells that it filled, or else what it replaced."""
    if not after.is_grid:
        return ()
    changed = [cell for cell, now in difference(before, after) if now]
    return tuple(cell for cell in changed if not before.cells[cell]) or tuple(changed)


def cell_of(game: Any, move: Any) -> int | None:
    """The cell that stands for a move in every state; None if none does."""
    declared = getattr(game, "cell_of", None)
    cell = None if declared is None else declared(move)
    return None if cell is None else int(cell)


def short_names(game: Any) -> Callable[[int], str] | None:
    """What stands for a move where there is no room for its name; None where a game has nothing shorter."""
    return getattr(game, "short_name", None)


class Clicks(NamedTuple):
    """What can be chosen on a board: moves by what is recorded of them, each with the cells that choose it."""

    cells: dict[int, tuple[int, ...]]  # of the legal moves
    refused: dict[int, tuple[int, ...]]  # of moves that are not legal
    words: dict[int, str]  # why not


def clicks_of(game: Any, state: Any, replies: Replies) -> Clicks:
    """Which cells choose which move in a state; `replies` are its moves."""
    declared = getattr(game, "clicks", None)
    if declared is None:
        pointed = {code: cell_of(game, move) for code, move in replies.moves.items()}
        return Clicks({code: (cell,) for code, cell in pointed.items() if cell is not None}, {}, {})
    chosen: Mapping[Any, Any] = declared(state)
    legal = {code: tuple(chosen[move]) for code, move in replies.moves.items() if move in chosen}
    known = set(replies.moves.values())
    refused = {move: tuple(cells) for move, cells in chosen.items() if move not in known and isinstance(move, int)}
    return Clicks(legal, refused, {move: why_illegal(game, move, "here") for move in refused})


def board_text(board: Board) -> str:
    """A board in lines of text.

    >>> print(board_text(Board((0, 1, 2, 0), 2, 2, labels=("0", "1"))))
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


def show_state(game: Any, state: Any) -> str:
    """The state as text: in the game's own way, or its board, or as Python writes it."""
    if callable(show := getattr(game, "show", None)):
        return str(show(state))
    board = board_of(game, state)
    return str(state) if board is None else board_text(board)
