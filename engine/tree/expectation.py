"""The value of a chance node while it is searched: the sum so far, bounds of the expectation, and Ballard's A and B.

All values of a game lie in its range, L to U. An outcome that has not come back brings something between L and U; one that has
come back brings its value, or at least or at most that. The expectation lies between the sums of these bounds, each times its
probability. Ballard (1983) turns the window of the chance node into one for outcome i: the expectation is at most alpha if the
outcome brings at most A_i, and at least beta if it brings at least B_i, whatever the others bring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.games.chance_outcomes import declared_range
from engine.record.columns import EXACT, HORIZON, LOWER, TERMINAL, UPPER
from engine.tree.node import Node

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree


class Expectation(NamedTuple):
    """The known part of the value of a chance node."""

    total: float  # the sum of probability x value over the outcomes that have come back
    counted: int  # these outcomes
    outcomes: int | None  # all outcomes; None if the search was stopped here, so that the record does not have them
    bounds: tuple[float, float] | None  # the expectation lies between them; None if no range of values is known


def find_value_range(tree: SearchTree) -> tuple[float, float] | None:
    """Return the range that the game declares, if all values of the search lie in it.

    Star1 and Star2 check every leaf. Of other searches all leaves must be in the record.
    """
    declared = declared_range(tree.game)
    if declared is None or tree.windows:
        return declared
    leaves = tree.columns.value[np.isin(tree.status, (TERMINAL, HORIZON))]
    holds = tree.complete and bool(((leaves >= declared[0]) & (leaves <= declared[1])).all())
    return declared if holds else None


def expectation_so_far(node: Node, before_row: int) -> Expectation:
    """Return what is known of a chance node after the calls in rows before `before_row` have come back."""
    tree, total = node.tree, 0.0
    returned = [child for child in node.children if child < before_row and child.status != "open"]
    counted = [child for child in returned if not child.is_repeated]
    for child in counted:
        total += child.probability * child.value
    moves = {child.move for child in node.children} | set(node.skipped_moves)
    outcomes = None if node.status == "open" else len(moves)
    if tree.value_range is None:
        return Expectation(total, len(counted), outcomes, None)
    return Expectation(total, len(counted), outcomes, _sum_bounds(returned, tree.value_range))


def ballard_bounds(outcome: Node) -> tuple[float, float] | None:
    """Return A and B for a call of an outcome: at most A makes the expectation at most alpha, at least B at least beta.

    None if it is not an outcome, or if the search has no windows.
    """
    tree = outcome.tree
    if outcome.depth == 0 or outcome.parent.turn != "chance" or not tree.windows or tree.value_range is None:
        return None
    above, p = outcome.parent, outcome.probability
    returned = [child for child in above.children if child < outcome and child.move != outcome.move]
    low, high = _sum_bounds(returned, tree.value_range, left_out=p)
    return (above.alpha - high) / p, (above.beta - low) / p


def _sum_bounds(calls: list[Node], value_range: tuple[float, float], left_out: float = 0.0) -> tuple[float, float]:
    """Return the least and the greatest sum of probability x value over all outcomes, given the calls that have come back.

    `left_out` is the probability of an outcome that is not counted. Of several calls of an outcome all bounds hold.
    """
    lowest, highest = value_range
    bounds: dict[int, tuple[float, float, float]] = {}
    for call in calls:
        p, least, most = bounds.get(call.move, (call.probability, lowest, highest))
        bound, value = call.tree.bound[call], call.value
        least = max(least, value) if bound in (EXACT, LOWER) else least
        most = min(most, value) if bound in (EXACT, UPPER) else most
        bounds[call.move] = (p, least, most)
    low = high = 0.0
    rest = 1.0 - left_out
    for p, least, most in bounds.values():
        low, high, rest = low + p * least, high + p * most, rest - p
    unknown = max(rest, 0.0)
    return low + unknown * lowest, high + unknown * highest
