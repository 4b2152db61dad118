"""Compiled kernels over the columns of a tree, for pictures and exports. They are imported only when a tree is shown."""

import numpy as np

from engine.compiled.numba_compat import CompiledRowFunction

HASH_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # spreads keys over a hash table


@CompiledRowFunction
def interleave_stubs(rows, end, depth, skipped, shown_row, shown_depth, of_stub):
    """Write the shown nodes, with the stubs of each behind its subtree. Return the number of items.

    `of_stub` is the position of a stub among its node's stubs, else -1. `rows` are the shown rows in pre-order. Nodes that are
    not
    finished wait on a stack.
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


@CompiledRowFunction
def find_untried_columns(of_max, of_min, max_to_move, rows, end, move, skipped, full_cells, max_order, min_order, moves):
    """Write the columns that cutoffs left untried, node after node. Return their number.

    They are the legal columns, in child order, that lead to no child. Each node gets as many as it skipped: the search may
    have tried
    the others in any order.
    """
    at = 0
    for node in range(len(rows)):
        row = rows[node]
        tried = np.int64(0)
        child = row + 1
        while child < end[row]:
            tried |= np.int64(1) << np.int64(move[child])
            child = end[child]
        occupied = of_max[node] | of_min[node]
        order = max_order if max_to_move[node] else min_order
        last = at + skipped[row]
        for column in order:
            legal = occupied & full_cells[column] != full_cells[column]
            if legal and at < last and (tried >> np.int64(column)) & 1 == 0:
                moves[at] = column
                at += 1
    return at


@CompiledRowFunction
def number_distinct(column, codes, bits):
    """Number the distinct entries in the order they come. Return the rows of their first occurrences, or none if `bits` is too
    small.

    Uses a hash table of 2**bits places, at most half full.
    """
    size = 1 << bits
    mask = size - 1
    shift = np.uint64(64 - bits)
    places = np.full(size, -1, np.int32)
    rows = np.empty(size // 2, np.int64)
    seen = 0
    for row in range(len(column)):
        key = column[row]
        place = np.int64((np.uint64(key) * HASH_MULTIPLIER) >> shift)
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
