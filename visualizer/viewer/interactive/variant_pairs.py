"""The pair of compared searches whose trees are drawn over each other."""

from typing import NamedTuple

from engine.analysis.alignment import FULL_ALGORITHM, PRUNED_ALGORITHM
from engine.analysis.comparison_result import Comparison
from engine.core.parsing import depth_text
from visualizer.viewer.viewport import MAX_VISIBLE_NODES

MAX_READABLE_NODES = 1000  # nodes that can still be distinguished


class VariantPair(NamedTuple):
    """Two compared variants, and K as text."""

    left: str
    right: str
    K: str


def default_pair(comparison: Comparison) -> VariantPair:
    """Return minimax and alpha-beta, or the first two variants, at the deepest K that is still readable."""
    names = comparison.algorithms
    left, right = (FULL_ALGORITHM, PRUNED_ALGORITHM) if {FULL_ALGORITHM, PRUNED_ALGORITHM} <= set(names) else names[:2]
    drawable = drawable_depths(comparison, left, right)
    return VariantPair(left, right, default_drawable_depth(comparison, left, right, drawable) if drawable else "")


def drawable_depths(comparison: Comparison, left: str, right: str) -> list[str]:
    """Return the depths at which both trees exist and are not too large."""
    found = []
    for level in comparison.levels:
        rows = [comparison.row(level.depth, name) for name in (left, right)]
        if all(row is not None and row.expanded is not None and row.expanded <= MAX_VISIBLE_NODES for row in rows):
            found.append(depth_text(level.depth))
    return found


def default_drawable_depth(comparison: Comparison, left: str, right: str, drawable: list[str]) -> str:
    """Return the deepest depth at which the difference, or else the larger tree, is small enough to read; else the first."""
    by_text = {depth_text(level.depth): level for level in comparison.levels}
    for text in reversed(drawable):
        level = by_text[text]
        largest = max((row.expanded or 0) for name in (left, right) if (row := comparison.row(level.depth, name)))
        saved = level.saved if (left, right) == (FULL_ALGORITHM, PRUNED_ALGORITHM) and level.saved is not None else largest
        if saved <= MAX_READABLE_NODES:
            return text
    return drawable[0]
