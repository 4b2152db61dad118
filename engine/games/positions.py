"""Positions written as move strings, the same way for every game."""

from collections.abc import Iterable
from typing import Any

from engine.errors import IllegalMove, UnknownName

SIDES = ("max", "min")


def read_moves(text: str | Iterable[int], single_digits: bool) -> list[int]:
    """The moves of a string such as "334" (one digit each) or "3,3,4"; a list of ints is taken as it is.

    >>> read_moves("334", single_digits=True), read_moves("3, 11", single_digits=False)
    ([3, 3, 4], [3, 11])
    """
    if not isinstance(text, str):
        return [_number(move, text) for move in text]
    text = text.strip()
    pieces = text if single_digits and "," not in text else text.split(",") if text else []
    return [_number(piece, text) for piece in pieces]


def _number(piece: Any, text: Any) -> int:
    if isinstance(piece, str):
        piece = piece.strip()
        if not (piece.isascii() and piece.isdigit()):
            raise IllegalMove(f"{piece!r} in the position {_short(text)} is no move: moves are whole numbers from 0")
        return int(piece[:9])
    if isinstance(piece, bool) or not hasattr(piece, "__index__"):
        raise IllegalMove(f"{piece!r} in the position {_short(text)} is no move: moves are whole numbers from 0")
    return int(piece)


def _short(text: Any) -> str:
    written = repr(text)
    return written if len(written) <= 60 else written[:57] + "..."


def first_is_max(first: str) -> bool:
    """Whether MAX made the first move; `first` is "max" or "min"."""
    if first not in SIDES:
        raise UnknownName("side", first, SIDES)
    return first == "max"


def play_all(game: Any, state: Any, moves: Iterable[int], text: Any) -> Any:
    """The state after the moves, each checked; `game.why_illegal(move)`, where there is one, says what is wrong with it."""
    for number, move in enumerate(moves, start=1):
        if game.is_over(state):
            raise IllegalMove(f"the game is over before move {number} of {_short(text)}: leave out what follows")
        if move not in game.moves(state):
            legal = ", ".join(map(str, game.moves(state)))
            why = game.why_illegal(move) if hasattr(game, "why_illegal") else f"{move} is not legal there"
            raise IllegalMove(f"move {number} of the position {_short(text)}: {why}; {legal} would do")
        state = game.play(state, move)
    return state
