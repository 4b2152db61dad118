"""Why a position is worth what it is worth: a game may declare `evaluation_parts(state)`, what its evaluation is made of.

The points of the parts add up to `game.evaluate(state)`. What else is to be said of that sum a game declares as `parts_note`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple


class Part(NamedTuple):
    """One reason for a value."""

    words: str
    points: float  # for MAX
    cells: tuple[int, ...] = ()  # where it is on the board, in the order of a line if they form one


def tells_parts(game: Any) -> bool:
    """Whether a game says what its values are made of."""
    return callable(getattr(game, "evaluation_parts", None))


def evaluation_parts(game: Any, state: Any) -> list[Part] | None:
    """The parts of `game.evaluate(state)`, the weightiest first; empty where nothing counts, None where a game does not tell.

    >>> from engine import preset
    >>> game = preset("threats")
    >>> for part in evaluation_parts(game, game.state("0", first="max")):
    ...     print(f"{part.points:+} {part.words}")
    +3 MAX has 1 of 4 in a window, the rest empty
    +3 MAX has 1 of 4 in a window, the rest empty
    +3 MAX has 1 of 4 in a window, the rest empty
    """
    if not tells_parts(game):
        return None
    declared: Iterable[Part] = game.evaluation_parts(state)
    return sorted((part for part in declared if part.points), key=lambda part: -abs(part.points))


def parts_note(game: Any) -> str:
    """What a game says of the sum of its parts; empty where there is nothing to say."""
    return str(getattr(game, "parts_note", ""))
