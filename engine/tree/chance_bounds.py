"""The bound that each value proves, in a tree with chance nodes: see bounds.py.

Every row gets the lowest and the highest number that its true value can be. At a chance node the value is exact if every
outcome is known exactly. Otherwise its search was left, or failed, at one end of its window: a value of at least beta is a
lower bound, a value of at most alpha an upper bound. All values lie inside the range of the game, so a lower bound at its upper
end is exact, and the other way round.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from engine.record.columns import (
    BOUND_BITS,
    BOUND_SHIFT,
    CHANCE,
    CUTOFF,
    EXACT,
    LOWER,
    MAXIMIZING,
    OPEN,
    PROBE,
    STATUS_BITS,
    TABLE,
    TURN_BITS,
    TURN_SHIFT,
    UNSETTLED,
    UPPER,
    Columns,
)

MAX_INTERPRETED_ROWS = 2_000  # fewer rows are not worth loading compiled code
CHANCE_TURN = int(CHANCE)


def compute_chance_bounds(columns: Columns, lowest: float, highest: float) -> np.ndarray:
    """Return an index into BOUND_NAMES for every row; all true values lie between `lowest` and `highest`."""
    rows = len(columns.end)
    windows = (columns.alpha, columns.beta) if len(columns.alpha) else (np.full(rows, -np.inf), np.full(rows, np.inf))
    bound, low, high = np.empty(rows, np.int8), np.empty(rows), np.empty(rows)
    fill = fill_chance_bounds if rows <= MAX_INTERPRETED_ROWS else _compiled_fill()
    used = (columns.flags, columns.value, columns.end, columns.skipped, *windows)
    fill(used, float(lowest), float(highest), low, high, bound)
    return bound


@cache
def _compiled_fill() -> Callable[..., None]:
    from engine.compiled.numba_compat import CompiledRowFunction

    return CompiledRowFunction(fill_chance_bounds)


def fill_chance_bounds(columns, lowest, highest, low, high, bound):
    """Write the bound of every row to `bound`, from the last to the first. Runs as Python or compiled."""
    flags, value, end, skipped, alpha, beta = columns
    for row in range(len(end) - 1, -1, -1):
        status, worth = flags[row] & STATUS_BITS, float(value[row])
        turn = flags[row] >> TURN_SHIFT & TURN_BITS
        least = most = worth
        child = row + 1
        if status == TABLE:
            entry_bound = flags[row] >> BOUND_SHIFT & BOUND_BITS
            least, most = lowest if entry_bound == UPPER else worth, highest if entry_bound == LOWER else worth
        elif turn == CHANCE_TURN and child < end[row]:
            known = skipped[row] == 0 and status != OPEN
            while child < end[row]:
                if flags[child] & STATUS_BITS != PROBE and low[child] != high[child]:
                    known = False
                child = end[child]
            if not known:
                least, most = worth if worth >= beta[row] else lowest, worth if worth <= alpha[row] else highest
        elif child < end[row]:
            maximizing = flags[row] & MAXIMIZING != 0
            least = most = -np.inf if maximizing else np.inf
            while child < end[row]:
                if maximizing:
                    least, most = max(least, low[child]), max(most, high[child])
                else:
                    least, most = min(least, low[child]), min(most, high[child])
                child = end[child]
            if status in (CUTOFF, PROBE):
                least, most = (least, highest) if maximizing else (lowest, most)
        low[row], high[row] = max(least, lowest), min(most, highest)
        if status == OPEN:
            bound[row] = UNSETTLED
        elif low[row] >= high[row]:
            bound[row] = EXACT
        elif low[row] >= worth:
            bound[row] = LOWER
        else:
            bound[row] = UPPER if high[row] <= worth else UNSETTLED
