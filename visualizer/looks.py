"""The look of every item of a view at once: a number for each, and what it stands for."""

import numpy as np

from engine.record import STATUS_NAMES
from visualizer.theme import Look, look
from visualizer.view import STUB, Shown, principal_rows

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
        maximizing = tree.maximizing[row]
        if stub.any():
            maximizing[stub] = ~tree.maximizing[row[view.parent[stub]]]
        self.principal = np.zeros(len(row), np.bool_)
        rows = np.array(principal_rows(tree, view.view.root), np.int32)
        self.principal[np.isin(row, rows) if len(row) < 1 << 16 else _places(row, rows)] = True
        codes = ((stub * 2 + maximizing) * STATUSES + tree.status[row]) * 2 + self.principal
        self.codes = codes.astype(np.int32)


def _places(row: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Where the few rows stand among the shown ones."""
    return np.flatnonzero((row <= rows.max()) & np.isin(row, rows))
