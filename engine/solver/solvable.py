"""Which games can be solved. Nothing is compiled to find out."""

from typing import Any

from engine.games.capabilities import kernel_board

BITS = 64


def why_not_solvable(game: Any) -> str:
    """What keeps a game from being solved; empty if nothing does."""
    board = kernel_board(game)
    if board is None or board.rule != "first":
        return "only Connect boards with the rule `first` have a solver"
    if board.cols * board.height > BITS:
        return f"{board.rows} rows x {board.cols} columns need {board.cols * board.height} bits, and the solver has {BITS}"
    return ""


def empty_cells(game: Any, state: Any) -> int:
    """How many moves are left at most."""
    return int((kernel_board(game).cells & ~(state.max_discs | state.min_discs)).bit_count())
