"""Compiled passes that sort the rows of a tree by depth and count their classes: see tree/depth_index.py."""

import numpy as np

from engine.compiled.numba_compat import CompiledRowFunction
from engine.record.columns import MAXIMIZING, OPEN, STATUS_BITS


@CompiledRowFunction
def sort_rows_by_depth(depth, flags, places, rows, statuses):
    """Write the rows to `rows`, sorted by depth and then by row, and their statuses to `statuses`.

    `places[d]` is the first place of depth d and is advanced.
    """
    for row in range(len(depth)):
        level = np.int64(depth[row])
        place = places[level]
        rows[place] = row
        statuses[place] = flags[row] & STATUS_BITS
        places[level] = place + 1


@CompiledRowFunction
def count_codes_by_block(codes, running, block_bits):
    """Write the number of places of each class before each block to `running`: see count_classes_by_block."""
    counts = np.zeros(running.shape[1], np.int64)
    for block in range(len(running) - 1):
        for code in range(len(counts)):
            running[block, code] = counts[code]
        for place in range(block << block_bits, min((block + 1) << block_bits, len(codes))):
            counts[np.int64(codes[place])] += 1
    running[len(running) - 1, :] = counts


@CompiledRowFunction
def count_classes_by_block(rows, code_by_row, codes, running, block_bits):
    """Write the class of each place to `codes`, and the number of rows of each class before each block to `running`.

    A block has 2**block_bits places. `running` has a line more than there are blocks: the totals.
    """
    counts = np.zeros(running.shape[1], np.int64)
    last = (1 << block_bits) - 1
    for place in range(len(rows)):
        if place & last == 0:
            running[place >> block_bits, :] = counts
        code = code_by_row[rows[place]]
        codes[place] = code
        counts[np.int64(code)] += 1
    running[len(running) - 1, :] = counts


@CompiledRowFunction
def classify_by_value(flags, value, limits, codes):
    """Write the number of limits that the value of each row reaches or exceeds; for an open row, one more than all of them."""
    for row in range(len(flags)):
        code = 0
        if flags[row] & STATUS_BITS == OPEN:
            code = len(limits) + 1
        else:
            worth = np.float64(value[row])
            while code < len(limits) and worth >= limits[code]:
                code += 1
        codes[row] = code


@CompiledRowFunction
def classify_by_type(flags, alpha, beta, value, on_equal, codes):
    """Write the type of each row: 0 PV, 1 CUT, 2 ALL, 3 open. See analysis/statistics.py."""
    for row in range(len(flags)):
        if flags[row] & STATUS_BITS == OPEN:
            codes[row] = 3
            continue
        above = value[row] > beta[row] or (on_equal and value[row] == beta[row])
        below = value[row] < alpha[row] or (on_equal and value[row] == alpha[row])
        if flags[row] & MAXIMIZING == 0:
            above, below = below, above
        codes[row] = 1 if above else 2 if below else 0
