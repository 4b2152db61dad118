"""Decide which games can be solved, without compiling anything."""

from typing import Any

from engine.games.capabilities import kernel_board

MAX_BOARD_BITS = 64


def why_not_solvable(game: Any) -> str:
    """Return the reason why a game cannot be solved, or an empty text if it can."""
    board = kernel_board(game)
    if board is None or board.rule != "first":
        return "only Connect boards with the rule `first` have a solver"
    if board.cols * board.height > MAX_BOARD_BITS:
        return f"{board.rows} rows x {board.cols} columns need {board.cols * board.height} bits: the solver has {MAX_BOARD_BITS}"
    return ""


def count_empty_cells(game: Any, state: Any) -> int:
    """Return the number of empty cells, which is the most moves that are left."""
    return int((kernel_board(game).cells & ~(state.max_discs | state.min_discs)).bit_count())
