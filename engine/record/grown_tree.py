"""A recorded tree as its search knew it when it ended, so that the search can go on from there."""

from typing import Any, NamedTuple

import numpy as np

from engine.record.columns import NONE
from engine.record.iteration_record import IterationLog


class GrownTree(NamedTuple):
    """The nodes of a tree, numbered in the order in which they were added, and the log of the iterations so far."""

    parent: np.ndarray  # number of the parent; -1 at the root
    move: np.ndarray
    depth: np.ndarray
    born: np.ndarray
    visits: np.ndarray
    total: np.ndarray  # half points for MAX, summed over the visits
    proven: np.ndarray
    prior: np.ndarray
    log: IterationLog  # its leaves are numbers of nodes


def number_nodes(tree: Any) -> GrownTree:
    """Return the nodes of a tree that was searched in iterations, in the order in which they were added.

    An iteration adds one node, or all children of one node (PUCT), which are in the order of their rows.

    >>> from engine import search, tictactoe
    >>> grown = number_nodes(search(tictactoe(), algorithm="mcts", iterations=12))
    >>> grown.born.tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    """
    columns, count = tree.columns, len(tree)
    rows = np.argsort(columns.born, kind="stable")
    number = np.empty(count, np.int32)
    number[rows] = np.arange(count, dtype=np.int32)
    parent = tree.parent[rows]
    return GrownTree(
        parent=np.where(parent == NONE, NONE, number[parent]).astype(np.int32),
        move=columns.move[rows],
        depth=columns.depth[rows],
        born=columns.born[rows],
        visits=columns.visits[rows],
        total=tree.at(tree.iterations).total[rows],
        proven=columns.proven[rows] if len(columns.proven) else np.zeros(count, np.int8),
        prior=columns.prior[rows] if len(columns.prior) else np.ones(count),
        log=tree.log._replace(leaf=number[tree.log.leaf]),
    )
