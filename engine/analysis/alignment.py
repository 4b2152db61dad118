"""Two trees of one position laid over each other: what alpha-beta visited of the tree of minimax, and what each cutoff saved.

Both visit the children of a node in the same order, and alpha-beta leaves out the last ones. So every node of alpha-beta is a
node of minimax, found by its path of moves, and what a cutoff skipped is one slice of the rows of minimax:

    minimax     0 1 2 3 4 5 6 7 8 9
    alpha-beta  0 1 2 3 4 5              the cutoff at row 4 skipped the minimax rows 6 to 8: it saved 3 nodes
                              6                            row 6 of alpha-beta is row 9 of minimax

The savings of all cutoffs add up to the difference of the two counts.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError
from engine.record.columns import CUTOFF
from engine.tree.node import Node
from engine.tree.tree import SearchTree

FULL, PRUNED = "minimax", "alphabeta"  # the two whose trees are laid over each other


class NotAligned(PlyscopeError):
    """Two trees that are not minimax and alpha-beta of one and the same position and depth."""


class Saving(NamedTuple):
    """What one cutoff saved."""

    node: Node  # of alpha-beta: where the cutoff happened
    saved: int  # nodes of minimax under the skipped moves
    rows: slice  # those nodes, as rows of minimax
    step: int  # the number of the cutoff in the trace of alpha-beta


class Spared(NamedTuple):
    """What all cutoffs of a search left out, as minimax finds it."""

    nodes: np.ndarray  # by row of alpha-beta: nodes of minimax below the moves that a cutoff skipped there
    values: np.ndarray  # of each skipped move, by row of its cutoff and then in child order


class Alignment:
    """Where each node of alpha-beta is in the tree of minimax. Columns are read-only."""

    def __init__(self, minimax: SearchTree, alphabeta: SearchTree):
        if (minimax.algorithm, alphabeta.algorithm) != (FULL, PRUNED):
            raise NotAligned(f"a tree of minimax and one of alphabeta are needed, not {minimax.algorithm}, {alphabeta.algorithm}")
        if not minimax.complete:
            raise NotAligned(f"the tree of minimax is not complete ({minimax.stopped}): nothing can be said about what was saved")
        if alphabeta.quiescence:
            raise NotAligned(
                "alpha-beta went beyond the horizon here, where minimax ends: only without quiescence are they compared"
            )
        from engine.compiled import tree_kernels

        self.minimax, self.alphabeta = minimax, alphabeta
        self.row, self._after, different = tree_kernels.align(minimax, alphabeta)
        if different >= 0:
            raise NotAligned(
                f"node {different} of alpha-beta is not in the tree of minimax: search one position with one depth by both"
            )
        self.row.flags.writeable = self._after.flags.writeable = False

    @property
    def both(self) -> int:
        """Nodes in both trees."""
        return len(self.alphabeta)

    @property
    def only_minimax(self) -> int:
        """Nodes that alpha-beta did not visit."""
        return len(self.minimax) - len(self.alphabeta)

    @cached_property
    def visited(self) -> np.ndarray:
        """For each node of minimax: whether alpha-beta visited it."""
        visited = np.zeros(len(self.minimax), np.bool_)
        visited[self.row] = True
        visited.flags.writeable = False
        return visited

    @cached_property
    def saved(self) -> np.ndarray:
        """For each node of alpha-beta: the nodes of minimax under the moves that a cutoff skipped here; 0 without a cutoff."""
        saved = np.zeros(len(self.alphabeta), np.int32)
        cut = np.flatnonzero(self.alphabeta.columns.skipped)
        saved[cut] = self.minimax.columns.end[self.row[cut]] - self._after[cut]
        saved.flags.writeable = False
        return saved

    @property
    def spared(self) -> Spared:
        return Spared(self.saved, self._skipped_values())

    def _skipped_values(self) -> np.ndarray:
        """The values that the skipped moves have in minimax: of the children of a cut node those after the ones it tried."""
        cut = np.flatnonzero(self.alphabeta.columns.skipped)
        cutoff_at = np.full(len(self.minimax), -1, np.int64)
        cutoff_at[self.row[cut]] = np.arange(len(cut))
        cutoff = cutoff_at[self.minimax.parent[1:]]
        rows = np.arange(1, len(self.minimax))
        skipped = (cutoff >= 0) & (rows >= self._after[cut][cutoff]) if len(cut) else np.zeros(len(rows), np.bool_)
        in_order = np.argsort(cutoff[skipped], kind="stable")
        return self.minimax.columns.value[rows[skipped][in_order]]

    @cached_property
    def ranked(self) -> np.ndarray:
        """The rows of alpha-beta with a cutoff, the one that saved most first; of equals the earlier."""
        cut = np.flatnonzero(self.alphabeta.status == CUTOFF).astype(np.int32)
        ranked = cut[np.argsort(-self.saved[cut], kind="stable")]
        ranked.flags.writeable = False
        return ranked

    def saving(self, row: int) -> Saving:
        """What the cutoff at a node of alpha-beta saved."""
        node = self.alphabeta[row]
        if not node.pruned:
            raise NotAligned(f"there is no cutoff at node {int(node)} of alpha-beta")
        from engine.tree.trace import Trace

        rows = slice(int(self._after[node]), int(self.minimax.columns.end[self.row[node]]))
        return Saving(node, int(self.saved[node]), rows, Trace(self.alphabeta).leave(node))

    def most_valuable(self, most: int) -> list[Saving]:
        """The cutoffs that saved most, at most this many.

        >>> from engine import literal, search
        >>> textbook = literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
        >>> alignment = Alignment(search(textbook, algorithm="minimax"), search(textbook))
        >>> [(int(saving.node), saving.saved, saving.step) for saving in alignment.most_valuable(5)]
        [(5, 2, 17)]
        """
        return [self.saving(int(row)) for row in self.ranked[:most]]
