"""Replays a search that ran in iterations: visits and results of every node at any time, computed from the log.

Rows are in pre-order, so the iterations that passed through a row are those whose leaf lies in its subtree. At a given time,
visits and whole results of all rows are differences of prefix sums. Other results are added in the order of the iterations, as
the search added them, so that the sums are equal to the last bit.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError
from engine.core.parsing import is_whole
from engine.record.columns import MAX, MAXIMIZING, MIN, NONE, ROOT
from engine.record.iteration_record import MAX_OUTCOME

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

CACHED_ROWS = 4096  # rows whose histories are kept
NEVER = 2**62  # the iteration of something that did not happen
PAIR_BLOCK = 1 << 18  # iterations whose paths are added together
SCANNED_SHARE = 16  # a row that had more than this part of all iterations is found faster by looking at all of them


class RowHistory(NamedTuple):
    """The iterations that passed through a row, in order, and the sum of their outcomes after each of them."""

    iterations: np.ndarray  # numbers, from 1
    totals: np.ndarray

    def counts_at(self, iteration: int) -> tuple[int, float]:
        """Return visits and total after this many iterations."""
        visits = int(np.searchsorted(self.iterations, np.int32(iteration), side="right"))  # another type would convert all
        return visits, self.totals[visits - 1].item() if visits else 0


class TreeMoment:
    """A tree as it was after some iterations. Rows are those of the whole tree; rows that came later have no visits."""

    def __init__(self, tree: SearchTree, iteration: int, visits: np.ndarray, total: np.ndarray):
        self.tree, self.iteration, self.visits, self.total = tree, iteration, visits, total
        for column in (visits, total):
            column.flags.writeable = False

    def __repr__(self) -> str:
        return f"<TreeMoment after {self.iteration:,} of {self.tree.iterations:,} iterations>"

    @property
    def exists(self) -> np.ndarray:
        """Return True for each row that had been added."""
        return self.tree.columns.born <= self.iteration

    @property
    def value(self) -> np.ndarray:
        """Return the average result for MAX of each row, from 0 to 1; nan without visits."""
        value = np.full(len(self.visits), np.nan)
        np.divide(self.total, MAX_OUTCOME * self.visits.astype(np.int64), out=value, where=self.visits > 0)
        return value

    @property
    def mean(self) -> np.ndarray:
        """Return the average result of each row for the side that moved into it, as `node.mean`."""
        parent, turn = self.tree.parent, self.tree.turn
        into = np.where(parent == NONE, turn != MAX, turn[parent] != MIN)
        value = self.value
        return np.where(into, value, 1 - value)

    @property
    def best_move(self) -> int:
        """Return the most visited move at the root, the first of equals; -1 if there was none, or if chance moves there."""
        if self.tree.root.turn == "chance":
            return NONE
        rows = [row for row in self.tree.child_rows(ROOT) if self.tree.columns.born[row] <= self.iteration]
        return int(self.tree.columns.move[max(rows, key=self.visits.__getitem__)]) if rows else NONE


class IterationReplay:
    """The counts of the rows of one tree at any time."""

    def __init__(self, tree: SearchTree):
        self.tree, self.log = tree, tree.log
        self.is_whole = self.log.outcome.dtype == np.uint8
        self.history = lru_cache(CACHED_ROWS)(self._make_history)

    def at(self, iteration: int) -> TreeMoment:
        """Return the whole tree after this many iterations."""
        done = len(self.log.leaf)
        if not is_whole(iteration) or not 0 <= iteration <= done:
            raise PlyscopeError(f"there is no iteration {iteration!r}: the search made {done:,} iterations; choose 0 to {done}")
        rows, end = len(self.tree), self.tree.columns.end
        leaf = self.log.leaf[:iteration]
        ended = np.zeros(rows + 1, np.int64)
        np.cumsum(np.bincount(leaf, minlength=rows), out=ended[1:])
        visits = (ended[end] - ended[:-1]).astype(np.int32)
        if not self.is_whole:
            return TreeMoment(self.tree, iteration, visits, self._add_in_order(iteration))
        points = np.zeros(rows + 1, np.int64)
        np.cumsum(np.bincount(leaf, self.log.outcome[:iteration], minlength=rows).astype(np.int64), out=points[1:])
        return TreeMoment(self.tree, iteration, visits, points[end] - points[:-1])

    def _add_in_order(self, iteration: int) -> np.ndarray:
        """Return the sums of outcomes that are not whole, added iteration by iteration."""
        parent, depth, total = self.tree.parent, self.tree.columns.depth, np.zeros(len(self.tree))
        for start in range(0, iteration, PAIR_BLOCK):
            leaf = self.log.leaf[start : min(start + PAIR_BLOCK, iteration)]
            paths = np.full((len(leaf), int(depth[leaf].max()) + 1), len(self.tree))
            rows = leaf.astype(np.int64)
            for place in range(paths.shape[1]):
                paths[:, place] = rows
                rows = np.where(rows < len(self.tree), parent[np.minimum(rows, len(self.tree) - 1)], NONE)
                rows = np.where(rows == NONE, len(self.tree), rows)
            outcome = np.repeat(self.log.outcome[start : start + len(leaf)], paths.shape[1])
            extended = np.append(total, 0.0)
            np.add.at(extended, paths.ravel(), outcome)  # in the order of the pairs
            total = extended[:-1]
        return total

    def count(self, row: int, iteration: int) -> tuple[int, float]:
        """Return visits and total of one row after this many iterations."""
        return self.history(int(row)).counts_at(iteration)

    def was_proven(self, row: int, iteration: int) -> int:
        """Return what was proven of a row after this many iterations: 1 if MAX wins, -1 if MIN wins, 0 if nothing."""
        return int(self.tree.proven[row]) if self._proof_times[row] <= iteration else 0

    @cached_property
    def _proof_times(self) -> np.ndarray:
        """Return the iteration that proved each row; a large number where nothing is proven.

        A node that is over is proved when it is added, a win with its first winning child, a loss with its last child.
        """
        columns, times = self.tree.columns, np.full(len(self.tree), NEVER, np.int64)
        maximizing = (columns.flags & MAXIMIZING) != 0
        for row in np.flatnonzero(columns.proven)[::-1].tolist():
            children = self.tree.child_rows(row)
            won = columns.proven[row] == (1 if maximizing[row] else -1)
            if not children:
                times[row] = max(1, columns.born[row])
            elif won:
                times[row] = min(times[child] for child in children if columns.proven[child] == columns.proven[row])
            else:
                times[row] = times[children].max()
        return times

    def _make_history(self, row: int) -> RowHistory:
        leaf, end = self.log.leaf, int(self.tree.columns.end[row])
        first, last = int(self._leaf_starts[row]), int(self._leaf_starts[end])
        if (last - first) * SCANNED_SHARE > len(leaf):
            passed = np.flatnonzero((leaf >= row) & (leaf < end)).astype(np.int32)
        else:
            passed = np.sort(self._iterations_by_leaf[first:last])
        return RowHistory(
            passed + np.int32(1), np.cumsum(self.log.outcome[passed], dtype=np.int64 if self.is_whole else np.float64)
        )

    @cached_property
    def _iterations_by_leaf(self) -> np.ndarray:
        """Return the iterations, from 0, in the order of their leaves: those that passed through a row are a slice.

        Most rows are the leaf of one iteration, so only the others are sorted.
        """
        leaf, starts = self.log.leaf, self._leaf_starts
        counts = np.diff(starts)
        order = np.empty(len(leaf), np.int32)
        order[starts[leaf]] = np.arange(len(leaf), dtype=np.int32)
        again = np.flatnonzero(counts[leaf] > 1)
        slots = np.repeat(counts > 1, counts)
        order[slots] = again[np.argsort(leaf[again], kind="stable")]
        return order

    @cached_property
    def _leaf_starts(self) -> np.ndarray:
        """Return for each row, and for the end of the tree, the number of iterations whose leaf comes before it."""
        starts = np.zeros(len(self.tree) + 1, np.int64)
        np.cumsum(np.bincount(self.log.leaf, minlength=len(self.tree)), out=starts[1:])
        return starts
