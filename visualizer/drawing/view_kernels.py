"""Compiled passes over the columns of a tree for pictures and exports; imported only when a tree is shown."""

import numpy as np

from engine.compiled.numba_compat import CompiledPass

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads keys over a hash table


@CompiledPass
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


@CompiledPass
def column_moves(of_max, of_min, max_to_move, rows, end, move, skipped, full_cells, max_order, min_order, moves):
    """The columns that cutoffs left untried, node after node: the legal ones, in child order, that no child was reached by.

    Of every node as many as were skipped: the search may have tried the others in any order.
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


@CompiledPass
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
