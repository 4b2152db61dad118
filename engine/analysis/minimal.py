"""How good alpha-beta could be: the least it has to look at.

Two answers. Where every node of a depth has the same number of children and the sides take turns, the one of Knuth and Moore
(1975, "An analysis of alpha-beta pruning") is a formula. For any tree: alpha-beta on this very tree with the best child first
everywhere. That is, at every node the child with the best minimax value for the side to move (the first of equals) is tried first
and the others after it in their order, with the window (-inf, inf) at the root and the cut rule of the search. The two agree on
uniform trees, unless cutoffs need a strictly better value and there are ties. On other trees best child first is the textbook's
ideal and not a proven least: a worse move with a smaller subtree may refute as well.
"""

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from engine.analysis.alignment import FULL
from engine.errors import PlyscopeError
from engine.record.columns import MAXIMIZING
from engine.tree.tree import SearchTree


class Minimal(NamedTuple):
    """The size of a minimal tree."""

    nodes: int  # expanded: root and leaves included
    leaves: int


def knuth_moore(branching: Sequence[int]) -> Minimal:
    """The minimal tree of a uniform tree; `branching[d]` is the number of children of every node at depth d.

    With b everywhere and K plies that is b^ceil(K/2) + b^floor(K/2) - 1 leaves; each level of the tree is counted the same way.

    >>> knuth_moore([7, 7, 7])
    Minimal(nodes=76, leaves=55)
    """
    levels = [prod(branching[0:depth:2]) + prod(branching[1:depth:2]) - 1 for depth in range(len(branching) + 1)]
    return Minimal(sum(levels), levels[-1])


def uniform_branching(tree: SearchTree) -> list[int] | None:
    """The number of children at each depth, if it is the same for all nodes there and the sides take turns, as the formula needs
    it; else None."""
    from engine.compiled import tree_passes

    least, most = tree_passes.branching(tree)
    if (least != most).any() or not _sides_alternate(tree):
        return None
    return [int(children) for children in most[:-1]]


def _sides_alternate(tree: SearchTree) -> bool:
    """Whether one side moves at all even depths and the other at all odd ones. Who would move at a leaf does not matter."""
    columns = tree.columns
    for rows in tree.blocks():
        moving = columns.end[rows] > np.arange(rows.start + 1, rows.stop + 1)
        turn = ((columns.flags[rows] & MAXIMIZING) != 0) ^ (columns.depth[rows] % 2 == 1)
        if (turn[moving] != tree.root.maximizing).any():
            return False
    return True


def best_first(minimax: SearchTree) -> Minimal:
    """What alpha-beta would expand of this tree of minimax with the best child first everywhere.

    >>> from engine import connect, search
    >>> best_first(search(connect(), depth=3, algorithm="minimax"))
    Minimal(nodes=76, leaves=55)
    """
    if minimax.algorithm != FULL or not minimax.complete:
        raise PlyscopeError("the best child of every node is known only from a complete tree of minimax")
    from engine.compiled import tree_passes

    return Minimal(*tree_passes.best_first(minimax))
