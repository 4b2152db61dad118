"""Compiled passes over the columns of a tree, for answers about all nodes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import njit

from engine.games.connect import State
from engine.record import CUTOFF, MAXIMIZING, STATUS_BITS

if TYPE_CHECKING:
    from engine.tree import Node, SearchTree

ONE = np.uint64(1)


class Boards(NamedTuple):
    """Connect states as columns; `at(i)` is one of them."""

    max_discs: np.ndarray  # uint64
    min_discs: np.ndarray
    max_to_move: np.ndarray

    def at(self, row: int) -> State:
        return State(int(self.max_discs[row]), int(self.min_discs[row]), bool(self.max_to_move[row]))


def parents(depth: np.ndarray) -> np.ndarray:
    """Row of the parent of each row; -1 at the root."""
    parent = np.empty(len(depth), np.int32)
    _parents(depth, parent, np.zeros(int(depth.max()) + 2, np.int32))
    return parent


@njit(cache=True, nogil=True)
def _parents(depth, parent, last):
    """`last[d + 1]` is the latest row at depth d."""
    last[0] = -1
    for row in range(len(depth)):
        parent[row] = last[depth[row]]
        last[depth[row] + 1] = row


def connect_boards(tree: SearchTree, start: int, stop: int) -> Boards:
    """Boards of the rows from start to stop, by replaying the moves."""
    game, root = tree.game, tree.search.root
    owns, others = np.zeros(tree.height + 1, np.uint64), np.zeros(tree.height + 1, np.uint64)
    owns[0], others[0] = (root.max_discs, root.min_discs) if root.max_to_move else (root.min_discs, root.max_discs)
    columns, bottom = np.array(game.column_cells, np.uint64), np.uint64(game.bottom)

    def replay(moves: np.ndarray, depths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        of_max, of_min = np.empty(len(moves), np.uint64), np.empty(len(moves), np.uint64)
        _replay(moves, depths, columns, bottom, root.max_to_move, owns, others, of_max, of_min)
        return of_max, of_min

    moves, depths = tree.columns.move, tree.columns.depth
    path = tree.path(start)
    replay(moves[path], depths[path])
    of_max, of_min = replay(moves[start:stop], depths[start:stop])
    return Boards(of_max, of_min, (tree.columns.flags[start:stop] & MAXIMIZING) != 0)


@njit(cache=True, nogil=True)
def _replay(moves, depths, columns, bottom, root_is_max, owns, others, of_max, of_min):
    """Fill in MAX's and MIN's discs; `owns[d]` and `others[d]` are the boards of the latest node at depth d, mover first."""
    for row in range(len(moves)):
        depth = np.uint64(depths[row])
        if depth > 0:
            own, other = owns[depth - ONE], others[depth - ONE]
            owns[depth] = other
            others[depth] = own | (((own | other) + bottom) & columns[moves[row]])
        if root_is_max ^ (depth & ONE == ONE):
            of_max[row], of_min[row] = owns[depth], others[depth]
        else:
            of_max[row], of_min[row] = others[depth], owns[depth]


def bound_of(node: Node) -> str:
    """Whether the value of a node that was searched to its last move is exact: by what its subtree proves."""
    columns, rows = node.tree.columns, node.subtree
    gathered = np.empty((4, node.tree.height + 3))
    low, high = _interval(columns.depth[rows], columns.flags[rows], columns.value[rows], gathered)
    if low == high:
        return "exact"
    return "lower" if low == float(columns.value[node]) else "upper"


@njit(cache=True, nogil=True)
def _interval(depth, flags, value, gathered):
    """What the subtree proves about its root: a leaf its value, an inner node the best of its children, a pruned one half of it.

    From the last row to the first; column d of `gathered` holds the least and greatest lower bound, the least and greatest upper
    bound of the children at depth d whose parent has not come yet.
    """
    least_low, greatest_low, least_high, greatest_high = gathered
    waiting = np.zeros(gathered.shape[1], np.bool_)
    low = high = 0.0
    for row in range(len(depth) - 1, -1, -1):
        level = np.int64(depth[row]) - np.int64(depth[0])
        below = level + 1
        maximizing = flags[row] & MAXIMIZING != 0
        low = high = np.float64(value[row])
        if waiting[below]:
            low = greatest_low[below] if maximizing else least_low[below]
            high = greatest_high[below] if maximizing else least_high[below]
            waiting[below] = False
            if flags[row] & STATUS_BITS == CUTOFF:
                low, high = (low, np.inf) if maximizing else (-np.inf, high)
        if waiting[level]:
            least_low[level], greatest_low[level] = min(least_low[level], low), max(greatest_low[level], low)
            least_high[level], greatest_high[level] = min(least_high[level], high), max(greatest_high[level], high)
        else:
            least_low[level] = greatest_low[level] = low
            least_high[level] = greatest_high[level] = high
            waiting[level] = True
    return low, high
