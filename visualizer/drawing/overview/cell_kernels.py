"""Compiled kernels of the overview: find the rows of each pixel and depth, and count their classes."""

import numpy as np
from numba.extending import register_jitable

from engine.compiled.numba_compat import CompiledRowFunction


@CompiledRowFunction
def find_places(rows, starts, first_depth, edges, places):
    """Write to `places[d, p]` the first place of depth `first_depth + d` whose row is not before `edges[p]`.

    `rows` and `starts` are those of a DepthIndex.
    """
    for level in range(places.shape[0]):
        place, stop = np.int64(starts[first_depth + level]), np.int64(starts[first_depth + level + 1])
        step = np.int64(1)  # half of the rows in the pixel before: most pixels have about as many
        for edge in range(places.shape[1]):
            before = place
            place = _gallop(rows, place, stop, edges[edge], step)
            step = max(np.int64(1), (place - before) >> 1) if edge > 0 else np.int64(1)
            places[level, edge] = place


@register_jitable
def _gallop(rows, place, stop, row, step):
    """Return the first place from `place` to `stop` whose row is not before `row`, in steps that double and then halve."""
    if place >= stop or rows[place] >= row:
        return place
    while place + step < stop and rows[place + step] < row:
        place += step
        step *= 2
    low, high = place + 1, min(place + step, stop)
    while low < high:
        middle = (low + high) >> 1
        if rows[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


@CompiledRowFunction
def fill_cells(rows, starts, first_depth, end, left, places, first, count, reaching):
    """Fill the cells of the overview: see cells.py. `left[p]` is the row under the left edge of pixel p."""
    for level in range(count.shape[0]):
        begin = np.int64(starts[first_depth + level])
        for pixel in range(count.shape[1]):
            place = places[level, pixel]
            found = places[level, pixel + 1] - place
            count[level, pixel] = found
            first[level, pixel] = rows[place] if found > 0 else -1
            reaching[level, pixel] = -1
            if place > begin and end[rows[place - 1]] > left[pixel]:
                reaching[level, pixel] = rows[place - 1]


@CompiledRowFunction
def count_cell_classes(codes, running, block_bits, places, counts):
    """Write to `counts[d, p, c]` the number of rows of class c between the places of pixel p and of the next one."""
    size = 1 << block_bits
    before, after = np.zeros(running.shape[1], np.int64), np.zeros(running.shape[1], np.int64)
    for level in range(counts.shape[0]):
        known = np.int64(-1)  # the place that `before` belongs to
        for pixel in range(counts.shape[1]):
            begin, stop = np.int64(places[level, pixel]), np.int64(places[level, pixel + 1])
            if stop - begin <= size:
                for place in range(begin, stop):
                    counts[level, pixel, np.int64(codes[place])] += 1
                continue
            if known != begin:
                _count_before(begin, codes, running, block_bits, before)
            _count_before(stop, codes, running, block_bits, after)
            for code in range(len(before)):
                counts[level, pixel, code] = after[code] - before[code]
                before[code] = after[code]
            known = stop


@register_jitable
def _count_before(place, codes, running, block_bits, counts):
    """Write to `counts` the number of rows of each class before a place."""
    block = place >> block_bits
    for code in range(len(counts)):
        counts[code] = running[block, code]
    for other in range(block << block_bits, place):
        counts[np.int64(codes[other])] += 1


@CompiledRowFunction
def find_wide_bars(codes, rows, end, starts, first_depth, span, min_pixels, places, reaching, classes, bars):
    """Write the bars of each depth that are at least `min_pixels` wide, and take them out of `classes`.

    `bars` are three arrays: starts, rows and codes. The bars of level d are those from starts[d] to starts[d + 1], in visiting
    order. `span` is the first row and the number of rows of the view. In a pixel where no row starts, a narrow bar that reaches
    into it counts as one of its class.
    """
    pixels = reaching.shape[1]
    first_row, shown = span
    bar_starts, bar_rows, bar_codes = bars
    found = np.int64(0)
    for level in range(len(reaching)):
        bar_starts[level] = found
        begin = np.int64(starts[first_depth + level])
        latest = np.int64(-1)  # the place of the bar that was looked at last
        for pixel in range(pixels + 1):  # the last started bar may reach over the right edge only
            place = np.int64(places[level, pixel]) - 1
            is_reaching = pixel < pixels and reaching[level, pixel] >= 0
            is_last = pixel == pixels and place >= places[level, 0] and place >= begin
            if not (is_reaching or is_last):
                continue
            row = np.int64(rows[place])
            is_wide = (np.int64(end[row]) - row) * pixels >= min_pixels * shown
            if is_wide and place != latest:
                bar_rows[found], bar_codes[found] = row, codes[place]
                found += 1
                if row >= first_row:
                    classes[level, (row - first_row) * pixels // shown, np.int64(codes[place])] -= 1
            elif not is_wide and is_reaching and places[level, pixel + 1] == places[level, pixel]:
                classes[level, pixel, np.int64(codes[place])] = 1
            latest = place
    bar_starts[len(reaching)] = found


@CompiledRowFunction
def share_units(counts, order, units, shares):
    """Write to `shares[cell, k]` the share of class `order[k]` in a cell, as `share_height` in bands.py does with a height."""
    for cell in range(len(counts)):
        total, present, most = np.int64(0), np.int64(0), np.int64(0)
        for place in range(len(order)):
            count = np.int64(counts[cell, order[place]])
            total += count
            present += 1 if count > 0 else 0
            if count > counts[cell, order[most]]:
                most = np.int64(place)
        if total == 0:
            continue
        room, rest = (units - present) / total, np.int64(units)
        for place in range(len(order)):
            count = np.int64(counts[cell, order[place]])
            share = 1 + np.int64(count * room) if count > 0 else np.int64(0)
            shares[cell, place] = share
            rest -= share
        shares[cell, most] += rest
