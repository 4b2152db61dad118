"""Visits of a node: the average result, and the move that was visited most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from engine.record.columns import EXACT, ROOT, STATUS_BITS, TERMINAL, UNSETTLED

if TYPE_CHECKING:
    from engine.tree.node import Node
    from engine.tree.tree import SearchTree


def is_max_moving_into(node: Node) -> bool:
    """Return True if the mean of a node is for MAX: MAX or chance moved into it.

    At the root, the side that is not to move counts as if it had; if chance moves there, MAX.
    """
    return node.turn != "max" if node == ROOT else node.parent.turn != "min"


def mean_of(node: Node) -> float:
    """Return the average result for the side that moved into a node; nan without visits."""
    if not node.visits:
        return math.nan
    value = float(node.tree.columns.value[node])
    return value if is_max_moving_into(node) else 1 - value


def most_visited_child(node: Node) -> Node | None:
    """Return the child with most visits, the first of equals; None without children, and where chance moves.

    A proven win of the side to move comes first, a proven loss last.
    """
    tree = node.tree
    rows = tree.child_rows(node)
    if not rows or node.turn == "chance":
        return None
    side = 1 if node.maximizing else -1
    proven = tree.columns.proven
    return tree[max(rows, key=lambda row: (int(proven[row]) * side if len(proven) else 0, tree.columns.visits[row]))]


def visit_bounds(tree: SearchTree) -> np.ndarray:
    """Return what each value proves: only the values of nodes that are over are exact."""
    over = tree.columns.flags & STATUS_BITS == TERMINAL
    return np.where(over, EXACT, UNSETTLED).astype(np.uint8)
