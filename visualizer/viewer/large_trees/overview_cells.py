"""The overview of a large tree as arrays for the browser: wide bars one by one, narrower ones merged per pixel and depth."""

from typing import NamedTuple

import numpy as np

from engine.tree.tree import SearchTree
from visualizer.drawing.overview.cells import OverviewCells, OverviewView, compute_cells
from visualizer.drawing.overview.colourings import Colouring
from visualizer.viewer.payload import encode_arrays

MIN_BAR_PIXELS = 2  # narrower bars are merged; assets/model/overview.js has the same number
SHARE_UNITS = 255  # the share of a class in a cell is sent as a byte; a class that occurs has at least 1


class WideBars(NamedTuple):
    """The bars that are at least MIN_BAR_PIXELS wide, depth by depth."""

    starts: np.ndarray  # the first bar of each depth, and the end
    rows: np.ndarray
    codes: np.ndarray


def encode_overview(tree: SearchTree, view: OverviewView, colouring: Colouring) -> bytes:
    """Return the cells of a view as the browser reads them (assets/model/overview_cells.js).

    All arrays but those of the bars have a line for each depth and a column for each pixel. `counts` and `cutoffs` count all rows
    that start in the pixel. `offset` is the first of them less the first row that could start there, which is
    first + ceil(pixel × rows / pixels). `shares` has for each class its share in the rows without a wide bar.
    """
    cells = compute_cells(tree, view, colouring)
    totals = cells.classes.sum(axis=(0, 1))
    bars, narrow = _separate_bars(tree, cells, colouring)
    used = np.asarray(narrow.any(axis=0))
    used[bars.codes] = True
    shown = [one for one in colouring.list_classes(tree) if used[one.code]]
    place = np.zeros(len(used), np.uint8)
    place[[one.code for one in shown]] = np.arange(len(shown))
    arrays = {
        "counts": cells.counts.ravel(),
        "cutoffs": cells.cutoffs.ravel(),
        "offset": np.where(cells.counts > 0, cells.first - view.edges[:-1], 0).astype(np.int32).ravel(),
        "shares": _share_cells(narrow, [one.code for one in shown]),
        "barRow": bars.rows,
        "barEnd": tree.columns.end[bars.rows],
        "barSkipped": tree.columns.skipped[bars.rows],
        "barClass": place[bars.codes],
        "barStart": bars.starts,
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


def _separate_bars(tree: SearchTree, cells: OverviewCells, colouring: Colouring) -> tuple[WideBars, np.ndarray]:
    """Return the wide bars, and the number of other rows for each cell and class.

    Where no row starts, the narrow one that reaches into the pixel counts.
    """
    from visualizer.drawing.overview.cell_kernels import find_wide_bars

    view, index = cells.view, tree.depth_index
    most = view.depths * (view.pixels // MIN_BAR_PIXELS + 2)  # one more at either end of a depth
    starts, rows, codes = np.empty(view.depths + 1, np.int32), np.empty(most, np.int32), np.empty(most, np.uint8)
    narrow = cells.classes.copy()
    find_wide_bars(
        colouring.count_rows(tree).codes,
        index.rows,
        tree.columns.end,
        index.starts,
        view.first_depth,
        (view.first_row, view.last_row - view.first_row),
        MIN_BAR_PIXELS,
        cells.places,
        cells.reaching,
        narrow,
        (starts, rows, codes),
    )
    return WideBars(starts, rows[: starts[-1]], codes[: starts[-1]]), narrow.reshape(-1, narrow.shape[2])


def _share_cells(counts: np.ndarray, codes: list[int]) -> np.ndarray:
    """Return the share of each of these classes in each cell, as bytes."""
    from visualizer.drawing.overview.cell_kernels import share_units

    shares = np.zeros((len(counts), len(codes)), np.uint8)
    share_units(counts, np.array(codes, np.int64), SHARE_UNITS, shares)
    return shares.ravel()
