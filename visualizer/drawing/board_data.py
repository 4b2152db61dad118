"""A position as the browser's pictures of boards read it (`assets/board.js`)."""

import json
from typing import Any

from engine.games.connect import Connect
from engine.games.literal import Literal
from engine.games.nim import Nim
from engine.games.tictactoe import TicTacToe

LONGEST_LITERAL = 20_000  # characters of a literal tree that are sent along

KINDS = {Connect: "connect", TicTacToe: "tictactoe", Nim: "nim", Literal: "literal"}


def kind_of(game: Any) -> str:
    """Which picture goes with the game: connect, tictactoe, nim, literal, other."""
    return next((kind for rules, kind in KINDS.items() if isinstance(game, rules)), "other")


def position_data(kind: str, game: Any, state: Any) -> Any:
    """What stands where; None where there is no picture."""
    if kind == "connect":
        return {side: _discs(game, discs) for side, discs in (("max", state.max_discs), ("min", state.min_discs))}
    if kind == "tictactoe":
        marks = (("max", state.max_marks), ("min", state.min_marks))
        return {side: [square for square in range(9) if squares >> square & 1] for side, squares in marks}
    if kind == "nim":
        return {"heaps": list(state.heaps)}
    if kind == "literal":
        return {"tree": state.tree} if len(json.dumps(state.tree)) < LONGEST_LITERAL else None
    return None


def board_size(kind: str, game: Any) -> dict[str, int]:
    """Rows and columns, where there are some."""
    return {"rows": game.rows, "cols": game.cols} if kind == "connect" else {}


def _discs(game: Connect, discs: int) -> list[list[int]]:
    """Column and row of each disc."""
    cells = ((column, row) for column in range(game.cols) for row in range(game.rows))
    return [[column, row] for column, row in cells if discs >> column * game.height + row & 1]
