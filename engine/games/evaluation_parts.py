"""The parts of a value: a game may declare `evaluation_parts(state)` to explain its evaluation.

The points of the parts add up to `game.evaluate(state)`. A game may declare a remark on that sum as `parts_note`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple


class EvaluationPart(NamedTuple):
    """One reason for a value."""

    words: str
    points: float  # for MAX
    cells: tuple[int, ...] = ()  # its cells on the board, in order if they form a line


def can_explain_values(game: Any) -> bool:
    """Return True if a game declares the parts of its values."""
    return callable(getattr(game, "evaluation_parts", None))


def evaluation_parts(game: Any, state: Any) -> list[EvaluationPart] | None:
    """Return the parts of `game.evaluate(state)`, the largest first; empty if nothing counts, None if not declared.

    >>> from engine import preset
    >>> game = preset("threats")
    >>> for part in evaluation_parts(game, game.state("0", first="max")):
    ...     print(f"{part.points:+} {part.words}")
    +3 MAX has 1 of 4 cells in a line, the rest empty
    +3 MAX has 1 of 4 cells in a line, the rest empty
    +3 MAX has 1 of 4 cells in a line, the rest empty
    """
    if not can_explain_values(game):
        return None
    declared: Iterable[EvaluationPart] = game.evaluation_parts(state)
    return sorted((part for part in declared if part.points), key=lambda part: -abs(part.points))


def parts_note(game: Any) -> str:
    """Return the game's remark on the sum of its parts; empty if there is none."""
    return str(getattr(game, "parts_note", ""))
