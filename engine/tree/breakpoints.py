"""Breakpoints in a search of any size: the steps that enter a depth, leave a node with a value, or enter and leave one node."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.core.errors import UnknownName
from engine.record.columns import OPEN, STATUS_BITS
from engine.tree.trace import RowTest, Trace

CHUNK_ROWS = 1 << 20  # rows that are tested at a time, so that temporary arrays stay small


class Breakpoint(NamedTuple):
    """A place where playback pauses. `at` is a depth, a value for MAX, or the number of a node."""

    kind: str
    at: float


def count_stops(trace: Trace, stop: Breakpoint) -> int:
    """Return the number of steps at which a breakpoint pauses.

    >>> from engine import literal, search
    >>> trace = Trace(search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]])))
    >>> [count_stops(trace, Breakpoint(*stop)) for stop in (("depth", 1), ("value", 2), ("node", 5))]
    [3, 4, 2]
    """
    return _find_kind(stop).count_all(trace, stop.at)


def next_stop(trace: Trace, stop: Breakpoint, step: int) -> int | None:
    """Return the first step after this one at which a breakpoint pauses; None if there is none."""
    return _find_kind(stop).find_next(trace, stop.at, step)


def _find_kind(stop: Breakpoint) -> "_Kind":
    if stop.kind not in BREAKPOINTS:
        raise UnknownName("kind of breakpoint", stop.kind, BREAKPOINTS)
    return BREAKPOINTS[stop.kind]


class _Kind(NamedTuple):
    count_all: Callable[[Trace, float], int]
    find_next: Callable[[Trace, float, int], int | None]


def _rows_at_depth(trace: Trace, depth: float) -> np.ndarray:
    index = trace.tree.depth_index
    if not 0 <= depth <= trace.tree.height or depth != int(depth):
        return index.rows[:0]
    return index.rows[index.starts[int(depth)] : index.starts[int(depth) + 1]]


def _next_at_depth(trace: Trace, depth: float, step: int) -> int | None:
    rows = _rows_at_depth(trace, depth)
    entered = np.asarray(trace.last_entered_row(step), rows.dtype)  # for another type numpy would convert all rows
    place = int(np.searchsorted(rows, entered, "right"))
    return trace.enter(rows[place]) if place < len(rows) else None


def _has_value(trace: Trace, value: float) -> RowTest:
    columns = trace.tree.columns
    return lambda rows: (columns.value[rows] == value) & (columns.flags[rows] & STATUS_BITS != OPEN)


def _count_value(trace: Trace, value: float) -> int:
    test, rows = _has_value(trace, value), len(trace.tree)
    return sum(int(np.count_nonzero(test(slice(start, start + CHUNK_ROWS)))) for start in range(0, rows, CHUNK_ROWS))


def _steps_of_node(trace: Trace, row: float) -> list[int]:
    tree = trace.tree
    if not 0 <= row < len(tree) or row != int(row):
        return []
    node = int(row)
    is_open = int(tree.columns.flags[node]) & STATUS_BITS == OPEN
    return [trace.enter(node)] if is_open else [trace.enter(node), trace.leave(node)]


BREAKPOINTS = {
    "depth": _Kind(lambda trace, at: len(_rows_at_depth(trace, at)), _next_at_depth),
    "value": _Kind(_count_value, lambda trace, at, step: trace.next_leaving(_has_value(trace, at), step)),
    "node": _Kind(
        lambda trace, at: len(_steps_of_node(trace, at)),
        lambda trace, at, step: next((stop for stop in _steps_of_node(trace, at) if stop > step), None),
    ),
}
