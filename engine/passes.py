"""Compiled passes over the columns of a tree, for answers about all nodes at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.games.connect import State
from engine.jit import Compiled
from engine.record import CUTOFF, MAXIMIZING, STATUS_BITS

if TYPE_CHECKING:
    from engine.tree import SearchTree

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


@Compiled
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


@Compiled
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


def children_of_pruned(depth: np.ndarray, flags: np.ndarray) -> np.ndarray:
    """How many pruned nodes have 0, 1, 2, ... children."""
    counts = np.zeros(len(depth) if len(depth) < 1 << 16 else 1 << 16, np.int64)
    levels = int(depth.max()) + 2
    _children_of_pruned(depth, flags, counts, np.zeros(levels, np.int64), np.zeros(levels, np.bool_))
    return counts


@Compiled
def _children_of_pruned(depth, flags, counts, children, pruned):
    """`children[d]` and `pruned[d]` belong to the latest node at depth d."""
    for row in range(len(depth)):
        level = np.int64(depth[row])
        if level > 0:
            children[level - 1] += 1
        if pruned[level]:
            counts[min(children[level], len(counts) - 1)] += 1
        children[level] = 0
        pruned[level] = flags[row] & STATUS_BITS == CUTOFF
    for level in range(len(pruned)):
        if pruned[level]:
            counts[min(children[level], len(counts) - 1)] += 1


@Compiled
def doubled_links(depth, flags):
    """Sum over the nodes of the number of ways to reach them; `ways[d + 1]` is that of a child of the latest node at depth d."""
    ways = np.ones(np.int64(depth.max()) + 2, np.int64)
    total = 0
    for row in range(len(depth)):
        here = ways[depth[row]]
        total += here
        ways[depth[row] + 1] = here if flags[row] & MAXIMIZING != 0 else 2 * here
    return total
