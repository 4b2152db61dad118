"""The lower limits of alpha-beta: the minimal tree, and the tree with the best child first.

The **minimal tree** is the smallest part of a tree that proves its value v. "At least v" takes one child at every node of MAX
and all children at every node of MIN, "at most v" the other way round, and nodes that are in both proofs count once. Any
search that proves the value visits such a part. Without a table, which knows repeated positions, no search needs fewer nodes.
Where every node of a depth has the same number of children and the sides take turns, all choices are equally good and it is a
formula (Knuth and Moore 1975, "An analysis of alpha-beta pruning").

**Best child first** is the textbook's ideal order: alpha-beta on this very tree, where at every node the child with the best
minimax value for the side to move (the first of equals) is tried first and the others after it in their order, with the
window (-inf, inf) at the root and the cut rule of the search. On uniform trees that is the minimal tree, unless cutoffs need
a strictly better value and there are ties. On other trees it may be more, even more than in the given order: a worse move
with a smaller subtree may refute as well. No tree of fewer nodes than [1,[0,[-2]]] shows that.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from engine.analysis.alignment import FULL_ALGORITHM
from engine.core.errors import PlyscopeError
from engine.record.columns import MAXIMIZING
from engine.tree.tree import SearchTree


class TreeSize(NamedTuple):
    """The size of a minimal tree."""

    nodes: int  # including root and leaves
    leaves: int


def knuth_moore_size(branching: Sequence[int]) -> TreeSize:
    """Return the minimal tree of a uniform tree; `branching[d]` is the number of children of every node at depth d.

    With b everywhere and K plies that is b^ceil(K/2) + b^floor(K/2) - 1 leaves. Each level of the tree is counted the same way.

    >>> knuth_moore_size([7, 7, 7])
    TreeSize(nodes=76, leaves=55)
    """
    levels = [prod(branching[0:depth:2]) + prod(branching[1:depth:2]) - 1 for depth in range(len(branching) + 1)]
    return TreeSize(sum(levels), levels[-1])


def uniform_branching(tree: SearchTree) -> list[int] | None:
    """Return the number of children at each depth if the formula applies, else None.

    It applies if the number is the same for all nodes of a depth and the sides take turns.
    """
    from engine.compiled import tree_kernels

    least, most = tree_kernels.find_branching(tree)
    if (least != most).any() or not _sides_alternate(tree):
        return None
    return [int(children) for children in most[:-1]]


def _sides_alternate(tree: SearchTree) -> bool:
    """Return True if one side moves at all even depths and the other at all odd ones. Leaves do not matter."""
    columns = tree.columns
    for rows in tree.row_blocks():
        moving = columns.end[rows] > np.arange(rows.start + 1, rows.stop + 1)
        turn = ((columns.flags[rows] & MAXIMIZING) != 0) ^ (columns.depth[rows] % 2 == 1)
        if (turn[moving] != tree.root.maximizing).any():
            return False
    return True


def best_first_size(minimax: SearchTree) -> TreeSize:
    """Return how much of this minimax tree alpha-beta would expand with the best child first everywhere.

    >>> from engine import connect, search
    >>> best_first_size(search(connect(), depth=3, algorithm="minimax"))
    TreeSize(nodes=76, leaves=55)
    """
    _check_complete(minimax)
    from engine.compiled import tree_kernels

    return TreeSize(*tree_kernels.count_best_first(minimax))


def minimal_tree_size(minimax: SearchTree) -> TreeSize:
    """Return the fewest nodes of this minimax tree that prove its value, and the fewest leaves, each minimized separately.

    >>> from engine import literal, search
    >>> uneven = literal([1, [0, [-2]]])
    >>> plain = search(uneven, algorithm="minimax")
    >>> minimal_tree_size(plain), best_first_size(plain).nodes, search(uneven).expanded
    (TreeSize(nodes=4, leaves=2), 5, 4)
    """
    _check_complete(minimax)
    from engine.compiled import tree_kernels

    return TreeSize(tree_kernels.smallest_proof_size(minimax, inner=1), tree_kernels.smallest_proof_size(minimax, inner=0))


def _check_complete(minimax: SearchTree) -> None:
    if minimax.algorithm != FULL_ALGORITHM or not minimax.complete:
        raise PlyscopeError("only a complete minimax tree shows the best child of every node")
