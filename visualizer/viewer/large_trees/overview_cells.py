"""The overview of a large tree as arrays for the browser: wide bars one by one, narrower ones merged per pixel and depth."""

from typing import NamedTuple

import numpy as np

from engine.tree.depth_index import ClassCounts
from engine.tree.tree import SearchTree
from visualizer.drawing.overview.bands import look_up_classes, share_height
from visualizer.drawing.overview.cells import NO_ROW, OverviewCells, OverviewView, compute_cells
from visualizer.drawing.overview.colourings import Colouring
from visualizer.viewer.payload import encode_arrays

MIN_BAR_PIXELS = 2  # narrower bars are merged; assets/model/overview.js has the same number
SHARE_UNITS = 255  # the share of a class in a cell is sent as a byte; a class that occurs has at least 1


class WideBars(NamedTuple):
    """The bars of one depth that are at least MIN_BAR_PIXELS wide, and whether each started before the view."""

    rows: np.ndarray
    codes: np.ndarray
    pixels: np.ndarray  # where they start; -1 before the view


def encode_overview(tree: SearchTree, view: OverviewView, colouring: Colouring) -> bytes:
    """Return the cells of a view as the browser reads them (assets/model/overview_cells.js).

    All arrays but those of the bars have a line for each depth and a column for each pixel. `counts` and `cutoffs` count all rows
    that start in the pixel. `offset` is the first of them less the first row that could start there, which is
    first + ceil(pixel × rows / pixels). `shares` has for each class its share in the rows without a wide bar.
    """
    cells = compute_cells(tree, view, colouring)
    totals = cells.classes.sum(axis=(0, 1))
    counted = colouring.count_rows(tree)
    bars = [_find_wide_bars(tree, cells, level, counted) for level in range(view.depths)]
    narrow = np.stack([_count_narrow_rows(tree, cells, level, counted, bars[level]) for level in range(view.depths)])
    codes = np.concatenate([one.codes for one in bars])
    shown = [one for one in colouring.list_classes(tree) if totals[one.code] or (codes == one.code).any()]
    place = np.zeros(narrow.shape[2], np.uint8)
    place[[one.code for one in shown]] = np.arange(len(shown))
    rows = np.concatenate([one.rows for one in bars])
    arrays = {
        "counts": cells.counts.ravel(),
        "cutoffs": cells.cutoffs.ravel(),
        "offset": np.where(cells.counts > 0, cells.first - view.edges[:-1], 0).astype(np.int32).ravel(),
        "shares": _share_cells(narrow[:, :, [one.code for one in shown]]),
        "barRow": rows.astype(np.int32),
        "barEnd": tree.columns.end[rows],
        "barSkipped": tree.columns.skipped[rows],
        "barClass": place[codes],
        "barStart": np.cumsum([0, *(len(one.rows) for one in bars)]).astype(np.int32),
    }
    meta = {
        "first": view.first_row,
        "last": view.last_row,
        "pixels": view.pixels,
        "top": view.first_depth,
        "depths": view.depths,
        "colour": colouring.name,
        "classes": [{"label": one.label, "colour": one.colour, "count": int(totals[one.code])} for one in shown],
    }
    return encode_arrays(arrays, meta)


def _find_wide_bars(tree: SearchTree, cells: OverviewCells, level: int, counted: ClassCounts) -> WideBars:
    view = cells.view
    reaching = cells.reaching[level]
    changes = np.flatnonzero(np.diff(reaching, prepend=np.int32(NO_ROW)))
    latest = np.flatnonzero(cells.counts[level] > 0)[-1:]  # the last bar may reach over the right edge only
    started = _last_started(tree, cells, level, int(latest[0])) if len(latest) else np.empty(0, np.int32)
    rows = np.unique(np.concatenate([reaching[changes], started])).astype(np.int64)
    rows = rows[rows != NO_ROW]
    shown = view.last_row - view.first_row
    rows = rows[(tree.columns.end[rows] - rows) * view.pixels >= MIN_BAR_PIXELS * shown]
    pixels = np.where(rows < view.first_row, NO_ROW, (rows - view.first_row) * view.pixels // shown)
    return WideBars(rows, look_up_classes(tree, counted, view.first_depth + level, rows), pixels)


def _last_started(tree: SearchTree, cells: OverviewCells, level: int, pixel: int) -> np.ndarray:
    """Return the last row of a depth that starts in a pixel."""
    index, depth = tree.depth_index, cells.view.first_depth + level
    rows = index.rows[index.starts[depth] : index.starts[depth + 1]]
    place = int(np.searchsorted(rows, cells.first[level, pixel])) + int(cells.counts[level, pixel]) - 1
    return rows[place : place + 1]


def _count_narrow_rows(tree: SearchTree, cells: OverviewCells, level: int, counted: ClassCounts, bars: WideBars) -> np.ndarray:
    """Count the rows without a wide bar by pixel and class. Where none starts, the one that reaches into the pixel counts."""
    counts = cells.classes[level].copy()
    starts = bars.pixels != NO_ROW
    np.subtract.at(counts, (bars.pixels[starts], bars.codes[starts]), 1)
    reaching = cells.reaching[level]
    alone = (cells.counts[level] == 0) & (reaching != NO_ROW) & ~np.isin(reaching, bars.rows)
    codes = look_up_classes(tree, counted, cells.view.first_depth + level, reaching[alone])
    counts[alone, codes] = 1
    return counts


def _share_cells(counts: np.ndarray) -> np.ndarray:
    flat = counts.reshape(-1, counts.shape[2]).astype(np.int64)
    return share_height(flat, SHARE_UNITS).astype(np.uint8).ravel()
