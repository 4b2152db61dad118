"""The part of a large tree around one row that the browser steps through: a block of rows in visiting order."""

from collections.abc import Iterable

import numpy as np

from engine.tree.tree import SearchTree
from visualizer.viewer.viewport import VisiblePart

MAX_BLOCK_ROWS = 8_192  # of one answer, beside the path


def find_block(tree: SearchTree, row: int, rows_before: int, rows_after: int) -> VisiblePart:
    """Return the rows around a row, and what the browser needs to show them as part of the whole tree.

    These are the roots of all passes, the paths to the first and the last row of the block and the principal variation, each
    with all children of the nodes on it. So every node of the block has its path, and a node has all its children or none.
    """
    first, last = max(0, row - rows_before), min(len(tree), row + rows_after + 1)
    paths = {*tree.roots, *tree.path(first), *tree.path(row), *tree.path(last - 1), *map(int, tree.principal_nodes)}
    beside = _list_children(tree, paths)
    rows = np.unique(np.concatenate([np.arange(first, last), np.fromiter(beside, np.int64), tree.roots])).astype(np.int32)
    sizes = tree.columns.end[rows] - rows
    has_children = np.append(rows[1:] == rows[:-1] + 1, False) & (sizes > 1)  # the first child is the next row
    return VisiblePart(rows, np.where(has_children, 0, sizes - 1).astype(np.uint32), 0)


def _list_children(tree: SearchTree, parents: Iterable[int]) -> list[int]:
    return [child for parent in parents for child in tree.child_rows(parent)]
