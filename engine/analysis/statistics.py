"""Statistics of a whole tree that are more than counts of rows."""

from typing import NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError
from engine.tree.tree import SearchTree


def effective_branching(tree: SearchTree) -> float:
    """Return the b whose uniform tree of the same depth has as many nodes: 1 + b + b^2 + ... + b^K."""
    plies = tree.height if tree.K is None or tree.quiescence else min(tree.K, tree.height)
    nodes = tree.expanded
    if plies == 0:
        return 0.0
    low, high = 0.0, float(nodes)
    for _ in range(100):
        middle = (low + high) / 2
        total, level = 1.0, 1.0
        for _ in range(plies):
            level *= middle
            total += level
            if total >= nodes:
                break
        if total < nodes:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def count_cutoffs_by_rank(tree: SearchTree) -> list[int]:
    """Count the cutoffs that the first, second, ... move tried at a node has caused."""
    from engine.compiled import tree_kernels

    ranks = tree_kernels.count_moves_of_pruned(tree.columns)
    return [int(count) for count in np.trim_zeros(ranks, "b")[1:]]


def count_doubled_links(tree: SearchTree) -> int:
    """Count nodes as the long-state program does: every child of a MIN node is linked twice, and each link is followed."""
    from engine.compiled import tree_kernels

    return int(tree_kernels.count_doubled_links(tree.columns.depth, tree.columns.flags))


class NodeTypes(NamedTuple):
    """The number of nodes of each type, from the side to move (Knuth and Moore's types 1, 2, 3).

    The type of a leaf follows from its value. Where cutoffs need a strictly better value, a value that equals a bound is
    inside the window.
    """

    pv: int  # the value is inside the window: exact
    cut: int  # it reached the other side's bound: one good move was enough
    all: int  # it stayed below a value that the side to move is sure of elsewhere: every move had to be tried


def count_node_types(tree: SearchTree) -> NodeTypes:
    """Count the PV, CUT and ALL nodes of a search by alpha-beta.

    >>> from engine import literal, search
    >>> count_node_types(search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])))
    NodeTypes(pv=5, cut=4, all=2)
    """
    if not tree.windows:
        raise PlyscopeError(f"{tree.algorithm} has no windows, so it has no PV, CUT and ALL nodes: use alphabeta")
    from engine.compiled import tree_kernels

    return NodeTypes(*(int(count) for count in tree_kernels.count_node_types(tree)))
