"""The bands of the overview, one for each depth: bars of single nodes, and the merged bars of narrower ones.

A node that covers several pixels completely is a bar of its own. In all other pixels the bars are merged: the heights of the
colours are the shares of their classes, and a class that occurs is at least a pixel high.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.tree.depth_index import ClassCounts
from engine.tree.tree import SearchTree
from visualizer.drawing.overview.cells import NO_ROW, OverviewCells
from visualizer.drawing.overview.colourings import Colouring
from visualizer.drawing.scene import StepArea

MIN_BAR_PIXELS = 2  # narrower bars are merged


class Bar(NamedTuple):
    """A node that is wide enough for a bar of its own."""

    row: int
    left: int  # pixel
    right: int  # one past the last pixel
    colour: str


class Band(NamedTuple):
    """All bars of one depth."""

    bars: list[Bar]
    merged: list[tuple[str, np.ndarray]]  # for each colour from the top to the bottom: how high it reaches in each pixel


def lay_out_band(tree: SearchTree, cells: OverviewCells, level: int, colouring: Colouring, height: int) -> Band:
    """Return the bars of one depth of a view, `height` pixels high."""
    classes, counted = colouring.list_classes(tree), colouring.count_rows(tree)
    colours = {one.code: one.colour for one in classes}
    rows, left, right = _find_wide_rows(tree, cells, level)
    codes = look_up_classes(tree, counted, cells.view.first_depth + level, rows)
    bars = [Bar(int(row), int(a), int(b), colours[int(code)]) for row, a, b, code in zip(rows, left, right, codes, strict=True)]
    counts = cells.classes[level].astype(np.int64)
    alone = (cells.counts[level] == 0) & (cells.reaching[level] != NO_ROW)  # the end of a bar that is not wide, or part of one
    reaching = cells.reaching[level][alone]
    counts[alone, look_up_classes(tree, counted, cells.view.first_depth + level, reaching)] = 1
    for bar in bars:
        counts[bar.left : bar.right] = 0
    heights = share_height(counts[:, [one.code for one in classes]], height)
    reached = np.cumsum(heights, axis=1)
    merged = [(one.colour, reached[:, place]) for place, one in enumerate(classes) if heights[:, place].any()]
    return Band(bars, merged[::-1])


def _find_wide_rows(tree: SearchTree, cells: OverviewCells, level: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows that cover several pixels completely, with the first of these pixels and one past the last."""
    view = cells.view
    rows = np.unique(cells.reaching[level])  # a node that covers a pixel from its left edge and more reaches into one
    started = cells.first[level][np.flatnonzero(cells.counts[level] > 0)[-1:]]  # the last bar may reach the right edge only
    rows = np.unique(np.concatenate([rows[rows != NO_ROW], started]))
    shown = view.last_row - view.first_row
    begin = (rows.astype(np.int64) - view.first_row) * view.pixels
    end = (tree.columns.end[rows].astype(np.int64) - view.first_row) * view.pixels
    left, right = np.maximum(-(-begin // shown), 0), np.minimum(end // shown, view.pixels)
    wide = right - left >= MIN_BAR_PIXELS
    rows, left, right = rows[wide], left[wide], right[wide]
    before = np.maximum(left - 1, 0)
    starts_alone = (left > 0) & (cells.first[level][before] == rows) & (cells.counts[level][before] == 1)
    return rows, left - starts_alone, right  # the pixel of its start is part of the bar if no other node starts there


def look_up_classes(tree: SearchTree, counted: ClassCounts, depth: int, rows: np.ndarray) -> np.ndarray:
    """Return the classes of some rows of one depth."""
    index = tree.depth_index
    start, stop = index.starts[depth], index.starts[depth + 1]
    sought = rows.astype(index.rows.dtype, copy=False)  # for another type numpy would convert all rows of the depth
    return counted.codes[start + np.searchsorted(index.rows[start:stop], sought)]


def share_height(counts: np.ndarray, height: int) -> np.ndarray:
    """Return the height of each class in each pixel. They add up to `height` where there is anything, and none is lost.

    >>> share_height(np.array([[1, 999], [1, 1], [0, 0]]), 10).tolist()
    [[1, 9], [5, 5], [0, 0]]
    """
    total, present = counts.sum(axis=1), (counts > 0).astype(np.int64)
    left = height - present.sum(axis=1)  # after a pixel for each class
    shares = present + (counts * (left / np.maximum(total, 1))[:, None]).astype(np.int64)  # floats divide three times faster
    pixels = np.flatnonzero(total)
    shares[pixels, counts.argmax(axis=1)[pixels]] += height - shares[pixels].sum(axis=1)
    return shares


def draw_steps(heights: np.ndarray, x: int, bottom: int, colour: str) -> Iterator[StepArea]:
    """Yield the area below these heights, one per pixel from x on, as one area for every run without a gap."""
    changes = np.flatnonzero(np.diff(heights)) + 1
    starts = [0, *changes.tolist(), len(heights)]
    points: list[tuple[float, float]] = []
    for start, stop in pairwise(starts):
        height = int(heights[start])
        if height == 0:
            if points:
                yield StepArea((*points, (points[-1][0], bottom)), colour)
            points = []
            continue
        if not points:
            points.append((x + start, bottom))
        points += [(x + start, bottom - height), (x + stop, bottom - height)]
    if points:
        yield StepArea((*points, (points[-1][0], bottom)), colour)
