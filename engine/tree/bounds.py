"""The bound that the value of each row proves: exact, lower (at least that much) or upper (at most that much).

No other module computes it. Rows are visited from the last to the first. Each row gets the lowest and the highest number
that its true value can be, according to the rows below it:

- a leaf: its evaluation
- a table answer: the bound of its entry
- an inner node: the best of its children for the side to move, and of its static value if it stood pat
- a node with a cutoff: only one of the two numbers is known, since a skipped move could be better

Consecutive calls of one move (a probe and its re-search) describe the same position, so their bounds are intersected.
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

NO_MOVES, ONE_MOVE, SEVERAL_MOVES = range(3)
MAX_INTERPRETED_ROWS = {
    False: 2_000,
    True: 50,
}  # fewer rows are not worth loading compiled code; by whether numba is loaded already


def compute_bounds(columns: Columns, worst_of_min: float = np.inf) -> np.ndarray:
    """Return an index into BOUND_NAMES for every row. `worst_of_min` is the initial value of a MIN node."""
    max_interpreted = MAX_INTERPRETED_ROWS["numba" in sys.modules]
    fill = fill_bounds if len(columns.end) <= max_interpreted else _compiled_fill_bounds()
    bound = np.empty(len(columns.end), np.int8)
    deepest = int(columns.depth.max())
    fill(
        (columns.depth, columns.move, columns.flags, columns.value, columns.static),
        worst_of_min,
        np.empty((6, deepest + 2)),
        np.full(deepest + 2, NO_MOVES, np.int64),
        np.zeros(deepest + 2, np.int64),
        bound,
    )
    return bound


@cache
def _compiled_fill_bounds() -> Callable[..., None]:
    """Return `fill_bounds` compiled by numba."""
    from engine.compiled.numba_compat import CompiledRowFunction

    return CompiledRowFunction(fill_bounds)


def fill_bounds(columns, worst_of_min, numbers, waiting, latest, bound):
    """Write the bound of every row to `bound`. Runs as Python or compiled.

    The other arrays have an entry per depth, about the rows there whose parent has not been visited yet:
    `numbers[:2]` is the least and the greatest lower bound of their moves, `numbers[2:4]` that of their upper bounds,
    `numbers[4:]` are the bounds of the move visited last, `latest`, which another call of it may still narrow.
    `waiting` is the number of moves behind these numbers: NO_MOVES, ONE_MOVE or SEVERAL_MOVES.
    """
    depth, move, flags, value, static = columns
    min_low, max_low, min_high, max_high, low_of, high_of = numbers
    for row in range(len(depth) - 1, -1, -1):
        level = np.int64(depth[row])
        below = level + 1
        maximizing = flags[row] & MAXIMIZING != 0
        status = flags[row] & STATUS_BITS
        worth = float(value[row])
        low = high = worth
        if waiting[below] != NO_MOVES:
            lowest, highest = low_of[below], high_of[below]
            if waiting[below] == SEVERAL_MOVES:
                if maximizing:
                    lowest, highest = max(lowest, max_low[below]), max(highest, max_high[below])
                else:
                    lowest, highest = min(lowest, min_low[below]), min(highest, min_high[below])
            if flags[row] & STANDS_PAT != 0:
                if maximizing:
                    lowest, highest = max(lowest, static[row]), max(highest, static[row])
                else:
                    lowest, highest = min(lowest, static[row]), min(highest, static[row])
            low, high = (lowest, highest) if maximizing else (min(worst_of_min, lowest), min(worst_of_min, highest))
            waiting[below] = NO_MOVES
        if status == CUTOFF:
            low, high = (low, np.inf) if maximizing else (-np.inf, high)
        elif status == TABLE:
            entry_bound = flags[row] >> BOUND_SHIFT & BOUND_BITS
            low, high = -np.inf if entry_bound == UPPER else worth, np.inf if entry_bound == LOWER else worth
        if waiting[level] != NO_MOVES and latest[level] == move[row]:
            low_of[level], high_of[level] = max(low_of[level], low), min(high_of[level], high)
        else:
            if waiting[level] == SEVERAL_MOVES:
                min_low[level] = min(min_low[level], low_of[level])
                max_low[level] = max(max_low[level], low_of[level])
                min_high[level] = min(min_high[level], high_of[level])
                max_high[level] = max(max_high[level], high_of[level])
            elif waiting[level] == ONE_MOVE:
                min_low[level] = max_low[level] = low_of[level]
                min_high[level] = max_high[level] = high_of[level]
            waiting[level] = ONE_MOVE if waiting[level] == NO_MOVES else SEVERAL_MOVES
            low_of[level], high_of[level], latest[level] = low, high, move[row]
        if status == OPEN:
            bound[row] = UNSETTLED
        elif low == high == worth:
            bound[row] = EXACT
        elif low >= worth:
            bound[row] = LOWER
        else:
            bound[row] = UPPER if high <= worth else UNSETTLED
