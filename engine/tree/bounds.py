"""What the value of every row proves: exactly that much, at least that much, at most that much.

The one place that knows. From the last row to the first, every row gets the least and the greatest number that its true value
can be, as far as the rows below it tell: a leaf is worth its evaluation, an inner node the best of its children for the side to
move, and of a node with a cutoff only half of that is known, since the moves left out could be better still.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from engine.record.columns import CUTOFF, EXACT, LOWER, MAXIMIZING, OPEN, STATUS_BITS, UNSETTLED, UPPER, Columns

INTERPRETED_MOST = 2_000  # rows: for so few the compiler is not loaded


def bounds(columns: Columns, worst_of_min: float = np.inf) -> np.ndarray:
    """For every row an index into BOUND_NAMES. `worst_of_min`: what the value of a MIN node starts with."""
    fill = fill_bounds if len(columns.end) <= INTERPRETED_MOST else _compiled()
    bound = np.empty(len(columns.end), np.int8)
    deepest = int(columns.depth.max())
    fill(
        columns.depth,
        columns.flags,
        columns.value,
        worst_of_min,
        np.empty((4, deepest + 2)),
        np.zeros(deepest + 2, np.bool_),
        bound,
    )
    return bound


@cache
def _compiled() -> Callable[..., None]:
    from engine.compiled.numba_cache import Compiled

    return Compiled(fill_bounds)


def fill_bounds(depth, flags, value, worst_of_min, gathered, waiting, bound):
    """`gathered[:, d]` holds the least and greatest lower bound, the least and greatest upper bound of the rows at depth d whose
    parent is still to come; `waiting[d]` says whether there are any."""
    least_low, greatest_low, least_high, greatest_high = gathered
    for row in range(len(depth) - 1, -1, -1):
        level = np.int64(depth[row])
        below = level + 1
        maximizing = flags[row] & MAXIMIZING != 0
        status = flags[row] & STATUS_BITS
        worth = float(value[row])
        low = high = worth
        if waiting[below]:
            waiting[below] = False
            if maximizing:
                low, high = greatest_low[below], greatest_high[below]
            else:
                low, high = min(worst_of_min, least_low[below]), min(worst_of_min, least_high[below])
        if status == CUTOFF:
            low, high = (low, np.inf) if maximizing else (-np.inf, high)
        if waiting[level]:
            least_low[level], greatest_low[level] = min(least_low[level], low), max(greatest_low[level], low)
            least_high[level], greatest_high[level] = min(least_high[level], high), max(greatest_high[level], high)
        else:
            least_low[level] = greatest_low[level] = low
            least_high[level] = greatest_high[level] = high
            waiting[level] = True
        if status == OPEN:
            bound[row] = UNSETTLED
        elif low == high == worth:
            bound[row] = EXACT
        else:
            bound[row] = LOWER if low == worth else UPPER
