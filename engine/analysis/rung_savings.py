"""What each rung of a comparison saves over the one before it, or costs more. Rungs are what is compared, in the order it is
named in."""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from engine.analysis.comparison import COMPARED
from engine.analysis.comparison_result import Comparison, Row

MEASURES: dict[str, Callable[[Row], float | None]] = {  # what rungs are measured by
    "calls": lambda row: row.expanded,
    "evaluations": lambda row: row.evaluations,
    "time": lambda row: row.alone.median if row.alone else None,
}


class Climb(NamedTuple):
    """From one rung to the next, at one depth."""

    before: Row
    row: Row

    def share(self, measure: str = "calls") -> float | None:
        """How much of the rung before this one needs: below 1 it saves, above 1 it costs more. None where it is not known."""
        one, other = (MEASURES[measure](row) for row in self)
        return None if one is None or other is None or one <= 0 else other / one


def climbs(comparison: Comparison, depth: int | None) -> list[Climb]:
    """From rung to rung at this depth; those that did not come to their end are left out.

    >>> from engine import compare, literal
    >>> done = compare(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), repeat=1)
    >>> [(climb.before.expanded, climb.row.expanded, climb.share()) for climb in climbs(done, 2)]
    [(13, 11, 0.8461538461538461)]
    """
    rows = [row for row in comparison.rows if row.depth == depth and row.expanded is not None]
    return [Climb(*pair) for pair in pairwise(rows)]


def ladder(comparison: Comparison) -> dict[int | None, list[Climb]]:
    """By depth, where there is anything to climb; nothing of minimax with alpha-beta alone, where every table says it."""
    if comparison.algorithms == COMPARED:
        return {}
    found = {level.depth: climbs(comparison, level.depth) for level in comparison.levels}
    return {depth: steps for depth, steps in found.items() if steps}


def longest(climbed: dict[int | None, list[Climb]]) -> int | None:
    """The deepest K at which most rungs came to their end."""
    most = max(map(len, climbed.values()))
    return next(depth for depth in reversed(climbed) if len(climbed[depth]) == most)
