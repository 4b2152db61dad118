"""The rows of a tree by depth, with running counts of their classes.

A class is any property with at most CLASSES values: how the search left the row, its type, its skipped moves, a range of values.
The index answers how many rows of a class there are among the rows of one depth between any two rows, without visiting them.
It takes 4 bytes a row, and 1.5 for each property that is counted.

    rows      places of depth 0 | places of depth 1 | ...       the rows of each depth, in visiting order
    codes     the class of the row at each place
    running   for every block of 64 places, the rows of each class in all the places before it
"""

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.core.errors import PlyscopeError

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

CLASSES = 8
BLOCK_BITS = 6  # a block has 2**BLOCK_BITS places
MAX_SEPARATE_SKIPPED = CLASSES - 1  # rows that skipped this many moves or more are one class
PV_TYPE, CUT_TYPE, ALL_TYPE, OPEN_TYPE = range(4)


class ClassCounts(NamedTuple):
    """The classes of the rows by one property, in the order of a DepthIndex."""

    codes: np.ndarray  # uint8: the class at each place
    running: np.ndarray  # int32, one line per block and a last one: rows of each class before it


class DepthIndex:
    """The rows of a tree, sorted by depth and then by visiting order."""

    def __init__(self, tree: "SearchTree"):
        from engine.compiled.growable_column import allocate_in_small_pages
        from engine.compiled.index_kernels import count_codes_by_block, sort_rows_by_depth

        self._columns, self._algorithm, self._cut_on_equal = (
            tree.columns,
            tree.algorithm,
            tree.cut_on_equal,
        )  # not the tree: no cycle
        self.starts = np.zeros(tree.height + 2, np.int64)  # the first place of each depth, and the end of the last
        self.starts[1:] = np.cumsum([depth["expanded"] for depth in tree.per_depth])
        self.rows = allocate_in_small_pages(len(tree), np.int32)
        self.statuses = self._allocate_counts()  # the rows by status: how the search left them
        sort_rows_by_depth(tree.columns.depth, tree.columns.flags, self.starts[:-1].copy(), self.rows, self.statuses.codes)
        count_codes_by_block(*self.statuses, BLOCK_BITS)
        self._counted: dict[object, ClassCounts] = {"status": self.statuses}

    @property
    def bytes(self) -> int:
        """Return the memory that the index takes beside the columns."""
        counted = sum(counts.codes.nbytes + counts.running.nbytes for counts in self._counted.values())
        return self.rows.nbytes + self.starts.nbytes + counted

    @cached_property
    def skipped_moves(self) -> ClassCounts:
        """Return the rows by the number of moves that they skipped. The last class has that many or more."""
        most = MAX_SEPARATE_SKIPPED
        return self._count("skipped", lambda: np.minimum(self._columns.skipped, most).astype(np.uint8, copy=False))

    @cached_property
    def node_types(self) -> ClassCounts:
        """Return the rows by type: PV_TYPE, CUT_TYPE, ALL_TYPE, or OPEN_TYPE if the search did not leave them."""
        columns = self._columns
        if len(columns.alpha) == 0:
            raise PlyscopeError(f"{self._algorithm} has no windows, so it has no PV, CUT and ALL nodes: use alphabeta")

        def classify() -> np.ndarray:
            from engine.compiled.index_kernels import classify_by_type

            codes = np.empty(len(self.rows), np.uint8)
            classify_by_type(columns.flags, columns.alpha, columns.beta, columns.value, self._cut_on_equal, codes)
            return codes

        return self._count("type", classify)

    def value_ranges(self, limits: tuple[float, ...]) -> ClassCounts:
        """Return the rows by the number of limits that their value reaches; open rows have one more than all limits.

        At most CLASSES - 2 limits are possible. They rise.
        """
        if len(limits) > CLASSES - 2 or sorted(limits) != list(limits):
            raise PlyscopeError(f"{limits} are not limits of value ranges: give at most {CLASSES - 2} numbers that rise")

        def classify() -> np.ndarray:
            from engine.compiled.index_kernels import classify_by_value

            columns, codes = self._columns, np.empty(len(self.rows), np.uint8)
            classify_by_value(columns.flags, columns.value, np.array(limits, np.float64), codes)
            return codes

        return self._count(("value", *limits), classify)

    def count_marked(self, marked: np.ndarray) -> ClassCounts:
        """Return the rows by a mark: class 1 if `marked` is True for the row, else class 0. The caller keeps the counts."""
        return self._count_classes(marked.astype(np.uint8))

    def _count(self, key: object, classify: Callable[[], np.ndarray]) -> ClassCounts:
        """Return the counts of a property. `classify` returns the class of every row."""
        if key not in self._counted:
            self._counted[key] = self._count_classes(classify())
        return self._counted[key]

    def _count_classes(self, code_by_row: np.ndarray) -> ClassCounts:
        from engine.compiled.index_kernels import count_classes_by_block

        counts = self._allocate_counts()
        count_classes_by_block(self.rows, code_by_row, counts.codes, counts.running, BLOCK_BITS)
        return counts

    def _allocate_counts(self) -> ClassCounts:
        from engine.compiled.growable_column import allocate_in_small_pages

        count = len(self.rows)
        running = allocate_in_small_pages(CLASSES * ((-(-count >> BLOCK_BITS)) + 1), np.int32).reshape(-1, CLASSES)
        return ClassCounts(allocate_in_small_pages(count, np.uint8), running)
