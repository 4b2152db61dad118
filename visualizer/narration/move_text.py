"""Positions as people read them. Links and the command line write the same moves without anything between them: 31."""

from typing import Any

from engine.core.errors import PlyscopeError
from engine.games.capabilities import lists_moves, single_digits
from engine.games.positions import names_of_moves, read_moves

LONGEST = 120  # characters


def spoken_moves(game: Any, position: str, between: str = ", ") -> str:
    """The moves of a position by their names. A position that is no list of moves stays as it is.

    >>> from engine import connect, nim
    >>> spoken_moves(connect(), "31"), spoken_moves(nim([3, 4]), "1002,1")
    ('3, 1', '2 from heap 1, 1 from heap 0')
    >>> spoken_moves(connect(), "31", " ")
    '3 1'
    """
    names = _names(game, position)
    words = between.join(names)
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1].rpartition(between.strip() or ' ')[0]}{between}…"


def in_a_list(game: Any, position: str) -> str:
    """The moves where commas stand for something else: 3 1."""
    spaced = any(" " in name for name in _names(game, position))
    return spoken_moves(game, position, "; " if spaced else " ")


def _names(game: Any, position: str) -> list[str]:
    if not lists_moves(game):
        return [position[:LONGEST]]
    try:
        moves = read_moves(position, single_digits(game))
    except PlyscopeError:
        return [position[:LONGEST]]
    return names_of_moves(game, moves)
