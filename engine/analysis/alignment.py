"""Align the trees of minimax and alpha-beta of one position, to find what each cutoff saved.

Both visit the children of a node in the same order, and alpha-beta leaves out the last ones. So every node of alpha-beta is a
node of minimax with the same path of moves, and the nodes that a cutoff skipped are one slice of the rows of minimax:

    minimax     0 1 2 3 4 5 6 7 8 9
    alpha-beta  0 1 2 3 4 5              the cutoff at row 4 skipped the minimax rows 6 to 8: it saved 3 nodes
                              6                            row 6 of alpha-beta is row 9 of minimax

The savings of all cutoffs add up to the difference of the two counts.
"""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError
from engine.record.columns import CUTOFF
from engine.searcher import search
from engine.tree.node import Node
from engine.tree.tree import SearchTree

FULL_ALGORITHM, PRUNED_ALGORITHM = "minimax", "alphabeta"  # the two algorithms whose trees are aligned
MAX_ALIGNED_NODES = {True: 1_000_000, False: 20_000}  # of a minimax tree that is searched for an alignment, compiled or not


class NotAligned(PlyscopeError):
    """Two trees that are not minimax and alpha-beta of the same position and depth."""


class Saving(NamedTuple):
    """The nodes that one cutoff saved."""

    node: Node  # the node of alpha-beta with the cutoff
    saved: int  # nodes of minimax under the skipped moves
    rows: slice  # those nodes, as rows of minimax
    step: int  # the number of the cutoff in the trace of alpha-beta


class SkippedNodes(NamedTuple):
    """The nodes and moves that all cutoffs of a search skipped, as found by minimax."""

    nodes: np.ndarray  # by row of alpha-beta: nodes of minimax below the moves that a cutoff skipped there
    values: np.ndarray  # of each skipped move, by row of its cutoff and then in child order


class Alignment:
    """The row of minimax for each node of alpha-beta. Columns are read-only."""

    def __init__(self, minimax: SearchTree, alphabeta: SearchTree):
        if (minimax.algorithm, alphabeta.algorithm) != (FULL_ALGORITHM, PRUNED_ALGORITHM):
            raise NotAligned(f"this needs a tree of minimax and one of alphabeta, not {minimax.algorithm}, {alphabeta.algorithm}")
        if not minimax.complete:
            raise NotAligned(f"the minimax tree is incomplete ({minimax.stopped}), so the savings are unknown")
        if alphabeta.quiescence:
            raise NotAligned("alpha-beta searched beyond the horizon, and minimax did not: compare them without quiescence")
        from engine.compiled import tree_kernels

        self.minimax, self.alphabeta = minimax, alphabeta
        self.row, self._after, different = tree_kernels.align_trees(minimax, alphabeta)
        if different >= 0:
            raise NotAligned(
                f"node {different} of alpha-beta is not in the minimax tree: search the same position to the same depth with both"
            )
        self.row.flags.writeable = self._after.flags.writeable = False

    @property
    def both(self) -> int:
        """Return the number of nodes in both trees."""
        return len(self.alphabeta)

    @property
    def only_minimax(self) -> int:
        """Return the number of nodes that alpha-beta did not visit."""
        return len(self.minimax) - len(self.alphabeta)

    @cached_property
    def visited(self) -> np.ndarray:
        """Return for each node of minimax if alpha-beta visited it."""
        visited = np.zeros(len(self.minimax), np.bool_)
        visited[self.row] = True
        visited.flags.writeable = False
        return visited

    @cached_property
    def saved(self) -> np.ndarray:
        """Return for each node of alpha-beta the number of minimax nodes under the moves that its cutoff skipped; 0 without
        a cutoff.
        """
        saved = np.zeros(len(self.alphabeta), np.int32)
        cut = np.flatnonzero(self.alphabeta.columns.skipped)
        saved[cut] = self.minimax.columns.end[self.row[cut]] - self._after[cut]
        saved.flags.writeable = False
        return saved

    @property
    def spared(self) -> SkippedNodes:
        return SkippedNodes(self.saved, self._skipped_values())

    def _skipped_values(self) -> np.ndarray:
        """Return the minimax values of the skipped moves: the children of a cut node after those that it tried."""
        cut = np.flatnonzero(self.alphabeta.columns.skipped)
        cutoff_at = np.full(len(self.minimax), -1, np.int64)
        cutoff_at[self.row[cut]] = np.arange(len(cut))
        cutoff = cutoff_at[self.minimax.parent[1:]]
        rows = np.arange(1, len(self.minimax))
        skipped = (cutoff >= 0) & (rows >= self._after[cut][cutoff]) if len(cut) else np.zeros(len(rows), np.bool_)
        in_order = np.argsort(cutoff[skipped], kind="stable")
        return self.minimax.columns.value[rows[skipped][in_order]]

    @cached_property
    def ranked_cutoffs(self) -> np.ndarray:
        """Return the rows of alpha-beta with a cutoff, the largest saving first; of equals the earlier."""
        cut = np.flatnonzero(self.alphabeta.status == CUTOFF).astype(np.int32)
        ranked = cut[np.argsort(-self.saved[cut], kind="stable")]
        ranked.flags.writeable = False
        return ranked

    def saving_at(self, row: int) -> Saving:
        """Return the saving of the cutoff at a node of alpha-beta."""
        node = self.alphabeta[row]
        if not node.pruned:
            raise NotAligned(f"there is no cutoff at node {int(node)} of alpha-beta")

        rows = slice(int(self._after[node]), int(self.minimax.columns.end[self.row[node]]))
        return Saving(node, int(self.saved[node]), rows, self.alphabeta.timeline.leave(node))

    def largest_savings(self, limit: int) -> list[Saving]:
        """Return the cutoffs with the largest savings, at most `limit`.

        >>> from engine import literal, search
        >>> textbook = literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
        >>> alignment = Alignment(search(textbook, algorithm="minimax"), search(textbook))
        >>> [(int(saving.node), saving.saved, saving.step) for saving in alignment.largest_savings(5)]
        [(5, 2, 17)]
        """
        return [self.saving_at(int(row)) for row in self.ranked_cutoffs[:limit]]


def align_with_minimax(tree: SearchTree, on_progress: Callable[[int], object] | None = None) -> Alignment | None:
    """Search the position of an alpha-beta tree with minimax and align both trees.

    Return None if the tree cannot be aligned, or if minimax visits too many nodes.
    """
    if tree.algorithm != PRUNED_ALGORITHM or not tree.complete or tree.quiescence:
        return None
    limit = MAX_ALIGNED_NODES[tree.compiled]
    if len(tree) > limit:  # minimax visits at least as many nodes
        return None
    minimax = search(tree.question.replace(algorithm=FULL_ALGORITHM), max_nodes=limit, on_progress=on_progress)
    if not minimax.complete:
        return None
    try:
        return Alignment(minimax, tree)
    except NotAligned:  # a game whose rules change between two searches
        return None
