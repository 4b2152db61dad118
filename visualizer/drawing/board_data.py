"""Which of our games a game is."""

from typing import Any

from engine.games.connect import Connect
from engine.games.literal import Literal
from engine.games.nim import Nim
from engine.games.tictactoe import TicTacToe

KINDS = {Connect: "connect", TicTacToe: "tictactoe", Nim: "nim", Literal: "literal"}


def kind_of(game: Any) -> str:
    """connect, tictactoe, nim, literal, other."""
    return next((kind for rules, kind in KINDS.items() if isinstance(game, rules)), "other")
