"""The table a search writes: one row per expanded node, in visiting order.

Rows are in pre-order, so the subtree of a node is the slice from its row to its `end`, and its first child is the next row.
`settle` makes a table that was stopped in the middle a tree.
"""

from typing import NamedTuple

import numpy as np

# status of a node: how the search left it
OPEN, TERMINAL, HORIZON, EXHAUSTED, CUTOFF = range(5)
STATUS_NAMES = ("open", "terminal", "horizon", "exhausted", "cutoff")
STATUS_BITS = 7  # flags & STATUS_BITS is the status
MAXIMIZING = 8  # flags & MAXIMIZING: MAX is to move

ROOT = 0
NONE = -1  # no parent, no move
INFINITY = float("inf")

# what a value proves: see tree/bounds.py
EXACT, LOWER, UPPER, UNSETTLED = range(4)
BOUND_NAMES = ("exact", "lower", "upper", "open")


class Columns(NamedTuple):
    """The table. Values and windows are int32, float32 or float64; without pruning the windows are not stored (length 0)."""

    move: np.ndarray  # the move that led here; -1 at the root
    depth: np.ndarray  # plies from the root
    flags: np.ndarray  # status and side to move
    skipped: np.ndarray  # legal moves a cutoff left untried
    alpha: np.ndarray  # window on entry, MAX's side
    beta: np.ndarray
    value: np.ndarray
    end: np.ndarray  # one past the last row of the subtree


def settle(table: Columns, unknown_max: float, unknown_min: float) -> None:
    """Complete the nodes that were not left: open, to the end of the table, with the best value that has come back so far.

    Where none has, that is `unknown_max` or `unknown_min`, by the side to move. Nodes that were left after the last row of the
    table count as open too.
    """
    rows = len(table.end)
    node = ROOT
    while node < rows:
        maximizing = bool(table.flags[node] & MAXIMIZING)
        better, best = (max, unknown_max) if maximizing else (min, unknown_min)
        child = node + 1
        while child < rows and not _is_open(table, child, rows):
            best = better(best, table.value[child])
            child = int(table.end[child])
        table.flags[node] &= MAXIMIZING
        table.flags[node] |= OPEN
        table.value[node], table.skipped[node], table.end[node] = best, 0, rows
        node = child


def _is_open(table: Columns, node: int, rows: int) -> bool:
    return table.flags[node] & STATUS_BITS == OPEN or table.end[node] > rows
