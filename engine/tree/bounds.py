"""What the value of every row proves: exactly that much, at least that much, at most that much.

The one place that knows. From the last row to the first, every row gets the least and the greatest number that its true value
can be, as far as the rows below it tell: a leaf is worth its evaluation, an answer of the table what its entry says, an inner
node the best of its children for the side to move (and of its static value, if it stood pat), and of a node with a cutoff only
half of that is known, since the moves left out could be better still. Calls of one move right after each other (a probe and its
re-search) are about one and the same position: of it all is true that any of them says.
"""

import sys
from collections.abc import Callable
from functools import cache

import numpy as np

from engine.record.columns import (
    BOUND_BITS,
    BOUND_SHIFT,
    CUTOFF,
    EXACT,
    LOWER,
    MAXIMIZING,
    OPEN,
    STANDS_PAT,
    STATUS_BITS,
    TABLE,
    UNSETTLED,
    UPPER,
    Columns,
)

NOTHING, ONE_MOVE, SOME_MOVES = range(3)
INTERPRETED_MOST = {False: 2_000, True: 50}  # rows: so few are not worth loading the compiler; is it loaded already, fewer still


def bounds(columns: Columns, worst_of_min: float = np.inf) -> np.ndarray:
    """For every row an index into BOUND_NAMES. `worst_of_min`: what the value of a MIN node starts with."""
    few = INTERPRETED_MOST["numba" in sys.modules]
    fill = fill_bounds if len(columns.end) <= few else _compiled()
    bound = np.empty(len(columns.end), np.int8)
    deepest = int(columns.depth.max())
    fill(
        (columns.depth, columns.move, columns.flags, columns.value, columns.static),
        worst_of_min,
        np.empty((6, deepest + 2)),
        np.full(deepest + 2, NOTHING, np.int64),
        np.zeros(deepest + 2, np.int64),
        bound,
    )
    return bound


@cache
def _compiled() -> Callable[..., None]:
    from engine.compiled.numba_compat import CompiledPass

    return CompiledPass(fill_bounds)


def fill_bounds(columns, worst_of_min, numbers, waiting, latest, bound):
    """What is known of the rows at each depth whose parent is still to come. `numbers[:2]`: the least and greatest lower bound of
    their moves, `numbers[2:4]`: of the upper bounds; `numbers[4:]`: the bounds of the move that was met last, `latest`, which
    another call may still narrow. `waiting` says how much of that there is."""
    depth, move, flags, value, static = columns
    least_low, greatest_low, least_high, greatest_high, low_of, high_of = numbers
    for row in range(len(depth) - 1, -1, -1):
        level = np.int64(depth[row])
        below = level + 1
        maximizing = flags[row] & MAXIMIZING != 0
        status = flags[row] & STATUS_BITS
        worth = float(value[row])
        low = high = worth
        if waiting[below] != NOTHING:
            lowest, highest = low_of[below], high_of[below]
            if waiting[below] == SOME_MOVES:
                if maximizing:
                    lowest, highest = max(lowest, greatest_low[below]), max(highest, greatest_high[below])
                else:
                    lowest, highest = min(lowest, least_low[below]), min(highest, least_high[below])
            if flags[row] & STANDS_PAT != 0:
                if maximizing:
                    lowest, highest = max(lowest, static[row]), max(highest, static[row])
                else:
                    lowest, highest = min(lowest, static[row]), min(highest, static[row])
            low, high = (lowest, highest) if maximizing else (min(worst_of_min, lowest), min(worst_of_min, highest))
            waiting[below] = NOTHING
        if status == CUTOFF:
            low, high = (low, np.inf) if maximizing else (-np.inf, high)
        elif status == TABLE:
            said = flags[row] >> BOUND_SHIFT & BOUND_BITS
            low, high = -np.inf if said == UPPER else worth, np.inf if said == LOWER else worth
        if waiting[level] != NOTHING and latest[level] == move[row]:
            low_of[level], high_of[level] = max(low_of[level], low), min(high_of[level], high)
        else:
            if waiting[level] == SOME_MOVES:
                least_low[level] = min(least_low[level], low_of[level])
                greatest_low[level] = max(greatest_low[level], low_of[level])
                least_high[level] = min(least_high[level], high_of[level])
                greatest_high[level] = max(greatest_high[level], high_of[level])
            elif waiting[level] == ONE_MOVE:
                least_low[level] = greatest_low[level] = low_of[level]
                least_high[level] = greatest_high[level] = high_of[level]
            waiting[level] = ONE_MOVE if waiting[level] == NOTHING else SOME_MOVES
            low_of[level], high_of[level], latest[level] = low, high, move[row]
        if status == OPEN:
            bound[row] = UNSETTLED
        elif low == high == worth:
            bound[row] = EXACT
        elif low >= worth:
            bound[row] = LOWER
        else:
            bound[row] = UPPER if high <= worth else UNSETTLED
