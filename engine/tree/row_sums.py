"""Running sums over the rows of a tree, for the sum over any range of rows in constant time.

The sum is stored before every block of 64 rows: an eighth of a byte per row.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from engine.record.columns import CUTOFF, STATUS_BITS, Columns

BLOCK_ROWS = 64
CHUNK_ROWS = 1 << 20  # rows that are summed at a time, so that temporary arrays stay small


class RunningSum:
    """The running sum of a number per row. `read` returns the numbers of some rows."""

    def __init__(self, count: int, read: Callable[[slice | np.ndarray], np.ndarray]):
        self._count, self._read = count, read
        self._before = np.zeros(-(-count // BLOCK_ROWS) + 1, np.int64)
        for start in range(0, count, CHUNK_ROWS):
            numbers = read(slice(start, min(start + CHUNK_ROWS, count)))
            blocks = np.add.reduceat(numbers, np.arange(0, len(numbers), BLOCK_ROWS), dtype=np.int64)
            self._before[start // BLOCK_ROWS + 1 :][: len(blocks)] = blocks
        np.cumsum(self._before, out=self._before)

    def before(self, rows: np.ndarray) -> np.ndarray:
        """Return the sum over all rows before each of these rows; `count` itself gives the total.

        >>> RunningSum(5, np.array([1, 2, 3, 4, 5]).__getitem__).before(np.array([0, 2, 5])).tolist()
        [0, 3, 15]
        """
        rows = np.asarray(rows, np.int64)
        block = rows // BLOCK_ROWS
        nearby = block[:, None] * BLOCK_ROWS + np.arange(BLOCK_ROWS)
        counted = nearby < rows[:, None]
        inside = np.where(counted, self._read(np.where(counted, nearby, 0)), 0)
        return np.asarray(self._before[block] + inside.sum(axis=1, dtype=np.int64))


class RowSums:
    """The running sums of a tree: of its cutoffs, of the moves that they skipped, and of what they saved."""

    def __init__(self, columns: Columns):
        self._columns = columns
        self._saved: tuple[np.ndarray, RunningSum] | None = None

    @cached_property
    def cutoffs(self) -> RunningSum:
        """Return the running number of cutoffs."""
        return RunningSum(len(self._columns.end), self._is_cutoff)

    @cached_property
    def skipped(self) -> RunningSum:
        """Return the running number of skipped moves."""
        return RunningSum(len(self._columns.end), self._columns.skipped.__getitem__)

    def of_cutoffs(self, numbers: np.ndarray) -> RunningSum:
        """Return the running sum of a column, counted only at cutoffs. That of the latest column is cached."""
        if self._saved is None or self._saved[0] is not numbers:
            summed = RunningSum(len(numbers), lambda rows: np.where(self._is_cutoff(rows), numbers[rows], 0))
            self._saved = numbers, summed
        return self._saved[1]

    def _is_cutoff(self, rows: slice | np.ndarray) -> np.ndarray:
        return np.asarray((self._columns.flags[rows] & STATUS_BITS) == CUTOFF)
