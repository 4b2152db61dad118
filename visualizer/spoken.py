"""Positions as people read them. Links and the command line write the same moves without anything between them: 31."""

from typing import Any

from engine.errors import PlyscopeError
from engine.games.connect import LONG
from engine.games.positions import read_moves

LONGEST = 120  # characters


def spoken_moves(game: Any, position: str) -> str:
    """The moves of a position by their names, with commas between them.

    >>> from engine import connect, nim
    >>> spoken_moves(connect(), "31"), spoken_moves(nim([3, 4]), "1002,1")
    ('3, 1', '2 from heap 1, 1 from heap 0')
    """
    if position.startswith(LONG):
        return position[:LONGEST]
    try:
        moves = read_moves(position, game.single_digits)
    except PlyscopeError:
        return position[:LONGEST]
    words = ", ".join(map(game.move_name, moves))
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 1].rpartition(',')[0]}, …"
