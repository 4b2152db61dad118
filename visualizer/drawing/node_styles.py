"""The styles of all items of a view at once: a code for each item, and the style of each code."""

import numpy as np

from engine.record.columns import STATUS_NAMES, Turn
from visualizer.drawing.theme import NodeStyle, choose_style
from visualizer.drawing.view import STUB, ViewItems, principal_root, principal_rows

STATUS_COUNT = len(STATUS_NAMES)


class NodeStyles:
    """The styles of a view: `codes[i]` is an index into `all`. A stub has the side to move after its move."""

    all: tuple[NodeStyle, ...] = tuple(
        choose_style(STUB if stub else 0, int(turn), status, bool(principal))
        for stub in (0, 1)
        for turn in Turn
        for status in range(STATUS_COUNT)
        for principal in (0, 1)
    )

    def __init__(self, view: ViewItems):
        tree, row = view.tree, view.row
        stub = view.kind == STUB
        self.principal = np.zeros(len(row), np.bool_)
        self.principal[_find_items(row, np.array(principal_rows(tree, principal_root(tree, view.view)), np.int32), stub)] = True
        small = np.uint8  # seven bits: larger integers would be slower
        sides = stub.astype(small) * small(len(Turn)) + view.turn
        self.codes = (sides * small(STATUS_COUNT) + tree.status[row]) * small(2) + self.principal

    @property
    def present_styles(self) -> set[NodeStyle]:
        """Return the styles that occur in the view."""
        return {NodeStyles.all[code] for code in np.unique(self.codes)}


def _find_items(row: np.ndarray, rows: np.ndarray, stub: np.ndarray) -> np.ndarray:
    """Return the items of some rows. The rows of a view are in order, except for the stubs between them."""
    nodes = np.flatnonzero(~stub)
    shown_rows = row[nodes]
    places = np.minimum(np.searchsorted(shown_rows, rows), len(nodes) - 1)
    return nodes[places[shown_rows[places] == rows]]
