"""What is counted in a tree. For searches that call no position twice most of it is the same number again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.algorithms import ALGORITHMS

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

EXTRA = ("distinct", "evaluations", "table_hits", "researches", "passes")


class Counts(NamedTuple):
    """Counts of one search."""

    expanded: int  # calls, the root of every pass included
    leaves: int
    terminals: int
    cutoffs: int
    skipped: int
    distinct: int  # different paths of moves among the calls
    evaluations: int  # static evaluations made: leaves that no table answered, rows that stood pat, and to order moves
    table_hits: int  # calls that the table answered
    researches: int  # calls that search a move of the same node again
    passes: int

    @property
    def extra(self) -> dict[str, int]:
        """What says more than the plain counts; nothing where every path was called once."""
        trivial = self.distinct == self.expanded and not self.table_hits and self.evaluations == self.leaves
        return {} if trivial else {name: getattr(self, name) for name in EXTRA}


def counts(tree: SearchTree) -> Counts:
    """Everything that is counted in a tree."""
    once = "once" in ALGORITHMS[tree.algorithm].laws
    return Counts(
        tree.expanded,
        tree.leaves,
        tree.terminals,
        tree.cutoffs,
        tree.skipped,
        tree.expanded if once else distinct_paths(tree),
        tree.leaves + tree.stood_pat + tree.evaluated_to_order,
        tree.table_hits,
        0 if once else researches(tree),
        len(tree.passes),
    )


def distinct_paths(tree: SearchTree) -> int:
    """How many different paths of moves lead from the position to a row: level by level, a path is the one above and a move."""
    path_of = np.zeros(len(tree), np.int64)
    found = 1
    for depth in range(1, tree.height + 1):
        rows = np.flatnonzero(tree.depth == depth)
        _, path_of[rows] = np.unique(_keys(path_of[tree.parent[rows]], tree.move[rows]), return_inverse=True)
        found += int(path_of[rows].max()) + 1
    return found


def researches(tree: SearchTree) -> int:
    """How many rows search a move again that their parent has already called."""
    rows = np.flatnonzero(tree.depth > 0)
    return len(rows) - len(np.unique(_keys(tree.parent[rows], tree.move[rows])))


def _keys(above: np.ndarray, moves: np.ndarray) -> np.ndarray:
    """One number for each pair of a row or path and a move from it."""
    return above.astype(np.int64) << 32 | (moves.astype(np.int64) & 0xFFFFFFFF)
