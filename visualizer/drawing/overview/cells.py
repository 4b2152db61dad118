"""The cells of the overview: what each pixel shows at each depth, for any range of rows.

Pixel p of a view shows the rows from x(p) to x(p + 1), where x(p) = first row + p × rows / pixels, not rounded. A node starts in
the pixel if its row lies there. It reaches into the pixel if it starts before x(p) and its subtree ends after x(p). At every
depth at most one node does that. All of it is integer arithmetic, so every node starts in exactly one pixel.
"""

from typing import NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError
from engine.core.parsing import is_whole
from engine.record.columns import CUTOFF
from engine.tree.depth_index import BLOCK_BITS, CLASSES, ClassCounts
from engine.tree.tree import SearchTree
from visualizer.drawing.overview.colourings import Colouring, HowLeft

MAX_PIXELS = 8_192
MAX_CELLS = 1 << 19  # of one view: pixels × depths
NO_ROW = -1


class BadRange(PlyscopeError):
    """A range of rows, pixels or depths that a tree does not have."""


class OverviewView(NamedTuple):
    """A part of the overview: a range of rows, drawn on a number of pixels, and a range of depths."""

    first_row: int
    last_row: int  # one past the last
    pixels: int
    first_depth: int
    depths: int

    @property
    def edges(self) -> np.ndarray:
        """Return the first row that starts in each pixel or later, and one past the last row. int64."""
        steps = np.arange(self.pixels + 1, dtype=np.int64) * (self.last_row - self.first_row)
        return self.first_row - -steps // self.pixels

    @property
    def left(self) -> np.ndarray:
        """Return the row under the left edge of each pixel. int64."""
        steps = np.arange(self.pixels, dtype=np.int64) * (self.last_row - self.first_row)
        return self.first_row + steps // self.pixels


class OverviewCells(NamedTuple):
    """The cells of a view. All arrays have a line for each depth and a column for each pixel."""

    view: OverviewView
    first: np.ndarray  # int32: the first row that starts in the pixel; NO_ROW if none does
    counts: np.ndarray  # int32: the rows that start in the pixel
    reaching: np.ndarray  # int32: the row that started before and reaches into the pixel; NO_ROW if none does
    cutoffs: np.ndarray  # int32: the cutoffs among the rows that start in the pixel
    classes: np.ndarray  # int32, for each class of the colouring: its rows among those that start in the pixel
    places: np.ndarray  # int64, in the index: the first row that starts in the pixel or later; a column more for the end


def make_view(
    tree: SearchTree,
    pixels: int,
    first_row: int = 0,
    last_row: int | None = None,
    first_depth: int = 0,
    depths: int | None = None,
) -> OverviewView:
    """Return a view of a tree, checked. By default it shows all rows and all depths."""
    last_row = len(tree) if last_row is None else last_row
    depths = tree.height + 1 - first_depth if depths is None and is_whole(first_depth) else depths
    _check_range("row", first_row, last_row, len(tree))
    _check_range("depth", first_depth, first_depth + depths if is_whole(depths) else depths, tree.height + 1)  # type: ignore[operator]
    if not is_whole(pixels) or not 1 <= pixels <= MAX_PIXELS:
        raise BadRange(f"{pixels!r} is not a number of pixels: choose 1 to {MAX_PIXELS:,}")
    if pixels * depths > MAX_CELLS:  # type: ignore[operator]
        raise BadRange(f"{pixels:,} pixels at {depths:,} depths are more than {MAX_CELLS:,} cells: choose fewer pixels or depths")
    return OverviewView(int(first_row), int(last_row), int(pixels), int(first_depth), int(depths))  # type: ignore[arg-type]


def _check_range(what: str, first: object, last: object, count: int) -> None:
    if not (is_whole(first) and is_whole(last) and 0 <= int(first) < int(last) <= count):  # type: ignore[call-overload]
        raise BadRange(f"{what}s {first!r} to {last!r} are not a range of this tree: it has {count:,} {what}s, from 0")


def compute_cells(tree: SearchTree, view: OverviewView, colouring: Colouring | None = None) -> OverviewCells:
    """Return the cells of a view. The time depends on the number of cells, not on the number of rows.

    >>> from engine import literal, search
    >>> tree = search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    >>> cells = compute_cells(tree, make_view(tree, pixels=3))
    >>> cells.counts.tolist(), cells.cutoffs.tolist()
    ([[1, 0, 0], [1, 2, 0], [2, 2, 3]], [[0, 0, 0], [0, 1, 0], [0, 0, 0]])
    """
    from visualizer.drawing.overview.cell_kernels import fill_cells, find_places

    index = tree.depth_index
    shape = view.depths, view.pixels
    places = np.empty((view.depths, view.pixels + 1), np.int64)
    find_places(index.rows, index.starts, view.first_depth, view.edges, places)
    first, count, reaching = np.empty(shape, np.int32), np.empty(shape, np.int32), np.empty(shape, np.int32)
    fill_cells(index.rows, index.starts, view.first_depth, tree.columns.end, view.left, places, first, count, reaching)
    statuses = _count_classes(index.statuses, places)
    counted = HowLeft() if colouring is None else colouring
    classes = statuses if isinstance(counted, HowLeft) else _count_classes(counted.count_rows(tree), places)
    return OverviewCells(view, first, count, reaching, statuses[:, :, CUTOFF], classes, places)


def _count_classes(counted: ClassCounts, places: np.ndarray) -> np.ndarray:
    from visualizer.drawing.overview.cell_kernels import count_cell_classes

    counts = np.zeros((places.shape[0], places.shape[1] - 1, CLASSES), np.int32)
    count_cell_classes(counted.codes, counted.running, BLOCK_BITS, places, counts)
    return counts
