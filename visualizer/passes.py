"""Compiled passes over the columns of a tree for pictures and exports; imported only when a tree is shown."""

import numpy as np

from engine.jit import Compiled
from engine.record import CUTOFF, HORIZON, MAXIMIZING, OPEN, STATUS_BITS, TERMINAL

EXACT, LOWER, UPPER, UNKNOWN = range(4)  # what a value says: BOUND_NAMES in view.py
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads keys over a hash table


@Compiled
def interleave(rows, end, depth, skipped, shown_row, shown_depth, of_stub):
    """Shown nodes with the stubs of each behind its subtree; `of_stub` is the position of the stub among its node's, else -1.

    `rows` are the shown rows in pre-order. Nodes that are not finished wait on a stack.
    """
    waiting = np.empty(len(rows) + 1, np.int32)
    height = 0
    at = 0
    for index in range(len(rows) + 1):
        last = index == len(rows)
        while height > 0 and (last or end[rows[waiting[height - 1]]] <= rows[index]):
            height -= 1
            row = rows[waiting[height]]
            for stub in range(skipped[row]):
                shown_row[at] = -1
                shown_depth[at] = depth[row] + 1
                of_stub[at] = stub
                at += 1
        if not last:
            row = rows[index]
            shown_row[at] = row
            shown_depth[at] = depth[row]
            of_stub[at] = -1
            at += 1
            if skipped[row] > 0:
                waiting[height] = index
                height += 1
    return at


@Compiled
def column_moves(of_max, of_min, max_to_move, skipped, full_cells, max_order, min_order, moves):
    """The columns that cutoffs left untried, node after node: the last of the legal ones, in child order."""
    at = 0
    for node in range(len(skipped)):
        occupied = of_max[node] | of_min[node]
        order = max_order if max_to_move[node] else min_order
        legal = 0
        for column in order:
            if occupied & full_cells[column] != full_cells[column]:
                legal += 1
        tried = legal - skipped[node]
        seen = 0
        for column in order:
            if occupied & full_cells[column] != full_cells[column]:
                if seen >= tried:
                    moves[at] = column
                    at += 1
                seen += 1
    return at


@Compiled
def bounds(depth, deepest, flags, value, alpha, beta, windows, bound):
    """What every value says, from the last row to the first: the same rule as `Node.bound`, for all nodes at once.

    A leaf proves its value, an inner node the best of its children, a pruned one half of that. Column d of `gathered` holds the
    least and greatest lower bound, the least and greatest upper bound of the children at depth d whose parent has not come yet.
    """
    gathered = np.empty((4, deepest + 3))
    least_low, greatest_low, least_high, greatest_high = gathered
    waiting = np.zeros(deepest + 3, np.bool_)
    for row in range(len(depth) - 1, -1, -1):
        level = np.int64(depth[row])
        below = level + 1
        maximizing = flags[row] & MAXIMIZING != 0
        status = flags[row] & STATUS_BITS
        worth = float(value[row])
        low = high = worth
        if waiting[below]:
            low = greatest_low[below] if maximizing else least_low[below]
            high = greatest_high[below] if maximizing else least_high[below]
            waiting[below] = False
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
            bound[row] = UNKNOWN
        elif status == CUTOFF:
            bound[row] = LOWER if maximizing else UPPER
        elif status in (TERMINAL, HORIZON) or not windows or alpha[row] < value[row] < beta[row] or low == high:
            bound[row] = EXACT
        else:
            bound[row] = LOWER if low == worth else UPPER


@Compiled
def first_seen(column, codes, bits):
    """Number the different entries in the order they come; the rows where they first stand. Empty if `bits` is too small.

    A hash table of 2**bits places, at most half full.
    """
    size = 1 << bits
    mask = size - 1
    shift = np.uint64(64 - bits)
    places = np.full(size, -1, np.int32)
    rows = np.empty(size // 2, np.int64)
    seen = 0
    for row in range(len(column)):
        key = column[row]
        place = np.int64((np.uint64(key) * GOLDEN) >> shift)
        while places[place] >= 0 and column[rows[places[place]]] != key:
            place = (place + 1) & mask
        if places[place] < 0:
            if seen == size // 2:
                return rows[:0]
            places[place] = seen
            rows[seen] = row
            seen += 1
        codes[row] = places[place]
    return rows[:seen]
