"""The savings or extra cost of each rung of a comparison, relative to the rung before. The rungs are the compared variants
in their order.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from engine.analysis.comparison import DEFAULT_ALGORITHMS
from engine.analysis.comparison_result import Comparison, Row

RUNG_MEASURES: dict[str, Callable[[Row], float | None]] = {
    "calls": lambda row: row.expanded,
    "evaluations": lambda row: row.evaluations,
    "time": lambda row: row.alone.median if row.alone else None,
}


class RungStep(NamedTuple):
    """The step from one rung to the next, at one depth."""

    before: Row
    row: Row

    def share(self, measure: str = "calls") -> float | None:
        """Return the cost relative to the rung before: below 1 it saves, above 1 it costs more. None if unknown."""
        one, other = (RUNG_MEASURES[measure](row) for row in self)
        return None if one is None or other is None or one <= 0 else other / one


def list_rung_steps(comparison: Comparison, depth: int | None) -> list[RungStep]:
    """Return the steps from rung to rung at this depth, without searches that did not finish.

    >>> from engine import compare, literal
    >>> done = compare(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), repeat=1)
    >>> [(step.before.expanded, step.row.expanded, step.share()) for step in list_rung_steps(done, 2)]
    [(13, 11, 0.8461538461538461)]
    """
    rows = [row for row in comparison.rows if row.depth == depth and row.expanded is not None]
    return [RungStep(*pair) for pair in pairwise(rows)]


def rung_steps_by_depth(comparison: Comparison) -> dict[int | None, list[RungStep]]:
    """Return the steps by depth, where there are any. There are none for minimax and alpha-beta alone: every table shows that
    step.
    """
    if comparison.algorithms == DEFAULT_ALGORITHMS:
        return {}
    found = {level.depth: list_rung_steps(comparison, level.depth) for level in comparison.levels}
    return {depth: steps for depth, steps in found.items() if steps}


def find_most_complete_depth(climbed: dict[int | None, list[RungStep]]) -> int | None:
    """Return the deepest K at which the most rungs finished."""
    most = max(map(len, climbed.values()))
    return next(depth for depth in reversed(climbed) if len(climbed[depth]) == most)
