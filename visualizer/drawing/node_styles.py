"""The look of every item of a view at once: a number for each, and what it stands for."""

import numpy as np

from engine.record.columns import STATUS_NAMES
from visualizer.drawing.theme import Look, look
from visualizer.drawing.view import STUB, Shown, best_root, principal_rows

STATUSES = len(STATUS_NAMES)


class Looks:
    """`codes[i]` is an index into `all`. Stubs have the side of the node that a move there would have led to."""

    all: tuple[Look, ...] = tuple(
        look(STUB if stub else 0, bool(maximizing), status, bool(principal))
        for stub in (0, 1)
        for maximizing in (0, 1)
        for status in range(STATUSES)
        for principal in (0, 1)
    )

    def __init__(self, view: Shown):
        tree, row = view.tree, view.row
        stub = view.kind == STUB
        self.principal = np.zeros(len(row), np.bool_)
        self.principal[_items(row, np.array(principal_rows(tree, best_root(tree, view.view)), np.int32), stub)] = True
        small = np.uint8  # four bits of facts: larger numbers would only take longer
        sides = stub.astype(small) * small(2) + view.maximizing
        self.codes = (sides * small(STATUSES) + tree.status[row]) * small(2) + self.principal

    @property
    def present(self) -> set[Look]:
        """Those that occur."""
        return {Looks.all[code] for code in np.unique(self.codes)}


def _items(row: np.ndarray, rows: np.ndarray, stub: np.ndarray) -> np.ndarray:
    """Where the few rows stand among the shown ones, which are in order but for the stubs between them."""
    nodes = np.flatnonzero(~stub)
    shown_rows = row[nodes]
    places = np.minimum(np.searchsorted(shown_rows, rows), len(nodes) - 1)
    return nodes[places[shown_rows[places] == rows]]
