"""Build the tree of a search trace. Every error names the line of the trace."""

import math
from collections.abc import Sequence
from functools import cached_property
from itertools import count
from operator import attrgetter
from typing import Any

import numpy as np

from engine.core.stop_reason import StopReason
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, MAX, MIN, NONE, OPEN, TERMINAL, TURN_SHIFT, Columns, PassNote
from engine.tree.external_tree import ExternalData, build_external_tree
from engine.tree.search_trace import (
    MAX_NAME_CHARS,
    MAX_STATE_CHARS,
    MAX_STATES_BYTES,
    BadTrace,
    ParsedTrace,
    TraceCall,
)
from engine.tree.tree import SearchTree

STATUSES = {"terminal": TERMINAL, "horizon": HORIZON, "exhausted": EXHAUSTED, "cutoff": CUTOFF, "open": OPEN}
LEAVES, INNER = ("terminal", "horizon"), ("exhausted", "cutoff")
MAX_TRACE_DEPTH = 500
EXTRA_ROOT_NAME = "first moves"


class TraceColumns:
    """The calls of a trace as columns, in the order in which they began. Values and windows are from MAX's side."""

    def __init__(self, trace: ParsedTrace):
        self.header = trace.header
        ids = np.array(list(map(attrgetter("id"), trace.calls)), np.int64)
        order = np.argsort(ids, kind="stable")
        calls, lines = trace.calls, np.asarray(trace.lines)
        if (order != np.arange(len(order))).any():
            ids, lines, calls = ids[order], lines[order], [calls[at] for at in order.tolist()]
        self.calls: list[TraceCall] = calls
        self.lines = lines
        self.parent = self._find_parents(ids)
        self.depth, self.end = self._find_nesting()
        self.maximizing = np.array([call.side == "max" for call in calls], np.bool_)
        self.value, self.alpha, self.beta = (self._read_numbers(name) for name in ("value", "alpha", "beta"))
        self._turn_to_max()
        self.is_leaf = self.end == np.arange(1, len(calls) + 1)

    def __len__(self) -> int:
        return len(self.calls)

    def fail(self, row: int, words: str) -> BadTrace:
        return BadTrace(f"line {int(self.lines[row])}: {words}")

    def _find_parents(self, ids: np.ndarray) -> np.ndarray:
        """Return the row of each parent."""
        twice = np.flatnonzero(np.diff(ids) == 0)
        if len(twice):
            raise self.fail(int(twice[0]) + 1, f"the id {ids[twice[0]]} occurs twice")
        given = list(map(attrgetter("parent"), self.calls))
        named = np.array([NONE if parent is None else parent for parent in given], np.int64)
        is_root = np.array([parent is None for parent in given], np.bool_)
        row = np.searchsorted(ids, named)
        missing = np.flatnonzero(~is_root & (ids[np.minimum(row, len(ids) - 1)] != named))
        if len(missing):
            at = int(missing[0])
            raise self.fail(at, f"its parent {named[at]} is not in the trace")
        late = np.flatnonzero(~is_root & (row >= np.arange(len(ids))))
        if len(late):
            at = int(late[0])
            raise self.fail(at, f"the call {ids[at]} has a smaller id than its parent: number calls in the order they begin")
        return np.where(is_root, NONE, row)

    def _find_nesting(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the depth of each row and the end of its subtree. Calls must be nested: one ends before the next begins."""
        depth = measure_depths(self.parent)
        if depth.max() > MAX_TRACE_DEPTH:
            raise self.fail(int(depth.argmax()), f"the calls are nested more than {MAX_TRACE_DEPTH} deep")
        size = np.ones(len(self), np.int64)
        by_depth = np.argsort(depth, kind="stable")
        starts = np.searchsorted(depth[by_depth], np.arange(depth.max() + 2))
        for level in range(int(depth.max()), 0, -1):
            rows = by_depth[starts[level] : starts[level + 1]]
            np.add.at(size, self.parent[rows], size[rows])
        end = np.arange(len(self)) + size
        if ((self.parent >= 0) & (end > end[self.parent])).any():
            raise self._describe_broken_nesting()
        return depth.astype(np.uint16), end.astype(np.int32)

    def _describe_broken_nesting(self) -> BadTrace:
        """Return the error for the first call that begins after its parent has ended."""
        path = [NONE]
        for row, parent in enumerate(self.parent.tolist()):
            while path and path[-1] != parent:
                path.pop()
            if not path:
                own, other = self.calls[row].id, self.calls[parent].id
                words = f"the call {own} begins after its parent {other} has ended: number calls in the order they begin"
                return self.fail(row, words)
            path.append(row)
        raise AssertionError("the calls are nested")

    def _read_numbers(self, name: str) -> np.ndarray:
        """Return a column of numbers. numpy reads None as nan, and the words for infinity."""
        return np.array(list(map(attrgetter(name), self.calls)), np.float64)

    def _turn_to_max(self) -> None:
        """Turn the values and windows of MIN's calls to MAX's side, if the trace has those of the side to move."""
        if self.header.viewpoint == "side":
            turned = ~self.maximizing
            self.value[turned] *= -1
            low, high = self.alpha[turned], self.beta[turned]
            self.alpha[turned], self.beta[turned] = -high, -low
        self.alpha = np.where(np.isnan(self.alpha), -np.inf, self.alpha)
        self.beta = np.where(np.isnan(self.beta), np.inf, self.beta)

    @property
    def has_windows(self) -> bool:
        return bool(np.isfinite(self.alpha).any() or np.isfinite(self.beta).any())

    @cached_property
    def rows_with_skips(self) -> list[int]:
        return [row for row, moves in enumerate(map(attrgetter("skipped"), self.calls)) if moves]

    @property
    def roots(self) -> list[int]:
        return np.flatnonzero(self.depth == 0).tolist()

    def has_extra_root(self) -> bool:
        """Return True if outermost calls have different positions: a loop over the first moves made them."""
        return len({(self.calls[row].state, self.calls[row].side) for row in self.roots}) > 1


def measure_depths(parent: np.ndarray) -> np.ndarray:
    """Return the depth of each row of a forest. Parents come first. Each round doubles the steps towards the root.

    >>> measure_depths(np.array([-1, 0, 1, 0])).tolist()
    [0, 1, 2, 1]
    """
    depth, above = (parent >= 0).astype(np.int64), parent.copy()
    while (going := np.flatnonzero(above >= 0)).size:
        steps = above[going]
        depth[going] += depth[steps]
        above[going] = above[steps]
    return depth


def number_texts(texts: list[str]) -> tuple[dict[str, int], list[int]]:
    """Number different texts in the order of their first use. Return the numbers, and the number of each text.

    >>> number_texts(["a", "b", "a"])
    ({'a': 0, 'b': 1}, [0, 1, 0])
    """
    numbers = dict(zip(dict.fromkeys(texts), count()))
    each = range(len(texts)) if len(numbers) == len(texts) else map(numbers.__getitem__, texts)
    return numbers, list(each)


def build_trace_tree(trace: ParsedTrace | TraceColumns) -> SearchTree:
    """Return the tree of a trace."""
    seen = trace if isinstance(trace, TraceColumns) else TraceColumns(trace)
    boards, board = _number_states(seen)
    move, names, untried = _number_moves(seen)
    status, is_stopped = _find_statuses(seen)
    value = _fill_values(seen, status)
    skipped = np.zeros(len(seen), np.uint32)
    skipped[list(untried)] = [len(moves) for moves in untried.values()]
    flags = (status | (np.where(seen.maximizing, MAX, MIN) << TURN_SHIFT)).astype(np.uint8)
    none = np.empty(0, np.float64)
    alpha, beta = (seen.alpha, seen.beta) if seen.has_windows else (none, none)
    columns = Columns(move, seen.depth, flags, skipped, alpha, beta, value, seen.end)
    roots = seen.roots
    if seen.has_extra_root():
        columns, board, untried = _add_root_row(seen, columns, board, len(boards), untried, names, is_stopped)
        boards, roots = [*boards, ""], [0]
    K = seen.header.depth
    notes = tuple(PassNote(row, K, "called again" if row else "called") for row in roots) if len(roots) > 1 else ()
    data = ExternalData(seen.header.game, boards, board, untried, names)
    stopped = StopReason.BROKEN_OFF if is_stopped else StopReason.NOT_STOPPED
    return build_external_tree(columns, data, "alphabeta" if seen.has_windows else "minimax", K, 0.0, stopped, notes)


def _number_states(seen: TraceColumns) -> tuple[list[str], list[int]]:
    """Return the different states, and the number of each row's state."""
    numbers, board = number_texts(list(map(attrgetter("state"), seen.calls)))
    sizes = list(map(len, numbers))
    if max(sizes) > MAX_STATE_CHARS:
        row = next(row for row, call in enumerate(seen.calls) if len(call.state) > MAX_STATE_CHARS)
        raise seen.fail(row, f"the state has more than {MAX_STATE_CHARS:,} characters")
    if sum(sizes) > MAX_STATES_BYTES:
        raise BadTrace(f"the states have more than {MAX_STATES_BYTES >> 20} MB in all: leave out `state`, or write shorter texts")
    return list(numbers), board


def _number_moves(seen: TraceColumns) -> tuple[np.ndarray, dict[int, str], dict[int, list[int]]]:
    """Return a number for each move, the names of the numbers, and the moves that cutoffs skipped.

    A second call of a move with another position gets a name of its own.
    """
    texts = ["" if move is None else str(move) for move in map(attrgetter("move"), seen.calls)]
    if "" in texts[1:]:
        texts = _name_missing_moves(seen, texts)
    numbers, each = number_texts(texts)
    move = np.array(each, np.int32)
    if any(len(name) > MAX_NAME_CHARS for name in numbers):
        row = next(row for row, text in enumerate(texts) if len(text) > MAX_NAME_CHARS)
        raise seen.fail(row, f"the move has more than {MAX_NAME_CHARS} characters")
    _rename_repeated_moves(seen, move, texts, numbers)
    untried: dict[int, list[int]] = {}
    for row in seen.rows_with_skips:
        untried[row] = _number_skipped_moves(seen, row, move, numbers)
    move[seen.depth == 0] = NONE
    return move, {number: name for name, number in numbers.items()}, untried


def _name_missing_moves(seen: TraceColumns, texts: Sequence[str]) -> list[str]:
    """Return the names with "move 1", "move 2", … where there is none."""
    tried = [0] * len(texts)
    found = []
    for text, parent in zip(texts, seen.parent.tolist(), strict=True):
        if parent >= 0:
            tried[parent] += 1
        found.append(text or f"move {tried[parent] if parent >= 0 else 0}")
    return found


def _rename_repeated_moves(seen: TraceColumns, move: np.ndarray, texts: Sequence[str], numbers: dict[str, int]) -> None:
    inner = seen.parent >= 0
    keys = seen.parent.astype(np.int64) * len(seen) + move
    ordered = np.sort(keys[inner])
    shared = ordered[1:][ordered[1:] == ordered[:-1]]
    known: dict[tuple[int, str], tuple[str, str]] = {}
    for row in np.flatnonzero(inner & np.isin(keys, shared)).tolist() if len(shared) else ():
        sight, name, again = (seen.calls[row].state, seen.calls[row].side), texts[row], 1
        while known.setdefault((int(seen.parent[row]), name), sight) != sight:
            again += 1
            name = f"{texts[row]} ({again})"
        move[row] = numbers.setdefault(name, len(numbers))


def _number_skipped_moves(seen: TraceColumns, row: int, move: np.ndarray, numbers: dict[str, int]) -> list[int]:
    names = [str(name) for name in seen.calls[row].skipped]
    found = [numbers.setdefault(name, len(numbers)) for name in names]
    tried, child = set(), row + 1
    while child < seen.end[row]:
        tried.add(int(move[child]))
        child = int(seen.end[child])
    if len(set(found)) < len(found) or tried & set(found) or any(len(name) > MAX_NAME_CHARS for name in names):
        raise seen.fail(row, "a skipped move was tried, or occurs twice")
    return found


def _find_statuses(seen: TraceColumns) -> tuple[np.ndarray, bool]:
    """Return the status of each row, and whether the search was stopped. A missing status follows from the calls below."""
    named = list(map(attrgetter("status"), seen.calls))
    reached = np.where(seen.maximizing, seen.value >= seen.beta, seen.value <= seen.alpha) & seen.has_windows
    at_limit = np.zeros(len(seen), np.bool_) if seen.header.depth is None else seen.depth == seen.header.depth
    status = np.where(seen.is_leaf, np.where(at_limit, HORIZON, TERMINAL), np.where(reached, CUTOFF, EXHAUSTED))
    given = np.array([STATUSES.get(name, NONE) for name in named], np.int64) if any(named) else np.full(len(seen), NONE)
    status = np.where(given == NONE, status, given)
    wrong = (seen.is_leaf & np.isin(status, (EXHAUSTED, CUTOFF))) | (~seen.is_leaf & np.isin(status, (TERMINAL, HORIZON)))
    if wrong.any():
        row = int(wrong.argmax())
        has_calls = "no calls" if seen.is_leaf[row] else "calls"
        raise seen.fail(row, f"the status is {named[row]!r}, but there are {has_calls} below")
    for row in seen.rows_with_skips:
        if status[row] != CUTOFF:
            raise seen.fail(row, 'only a call with the status "cutoff" has skipped moves')
    unfinished = (status == OPEN) & (seen.end != len(seen))
    if unfinished.any():
        raise seen.fail(int(unfinished.argmax()), 'the status is "open", but later calls are not below it')
    return status, bool((status == OPEN).any())


def _fill_values(seen: TraceColumns, status: np.ndarray) -> np.ndarray:
    """Return the value of each row. An inner row without one has the best value below it."""
    value = seen.value
    missing = np.isnan(value)
    if (missing & seen.is_leaf & (status != OPEN)).any():
        raise seen.fail(int((missing & seen.is_leaf & (status != OPEN)).argmax()), "a leaf has no value")
    for row in np.flatnonzero(missing)[::-1].tolist():
        better, best = (max, -math.inf) if seen.maximizing[row] else (min, math.inf)
        child = row + 1
        while child < seen.end[row]:
            best = better(best, float(value[child]))
            child = int(seen.end[child])
        value[row] = best
    return value


def _add_root_row(
    seen: TraceColumns,
    columns: Columns,
    board: list[int],
    no_board: int,
    untried: dict[int, list[int]],
    names: dict[int, str],
    is_stopped: bool,
) -> tuple[Columns, list[int], dict[int, list[int]]]:
    """Return the columns with one more row above all: the loop over the first moves."""
    first_max = not seen.maximizing[0]
    outer = columns.value[seen.depth == 0]
    status = OPEN if is_stopped else EXHAUSTED
    codes = {name: code for code, name in names.items()}
    move = columns.move.copy()
    for at, row in enumerate(seen.roots, start=1):
        name = str(seen.calls[row].move) if seen.calls[row].move is not None else f"move {at}"
        while name in codes and codes[name] in move[seen.roots[: at - 1]]:
            name = f"{name} ({at})"
        move[row] = codes.setdefault(name, len(codes))
    names.update({code: name for name, code in codes.items()})
    first: dict[str, Any] = {
        "move": NONE, "depth": 0, "skipped": 0, "alpha": -np.inf, "beta": np.inf, "end": len(seen) + 1,
        "flags": status | (MAX if first_max else MIN) << TURN_SHIFT, "value": outer.max() if first_max else outer.min(),
    }  # fmt: skip
    found = {"move": move, "depth": columns.depth + 1, "end": columns.end + 1}
    shifted = {
        name: np.concatenate([[start], column]).astype(column.dtype)
        for name, start in first.items()
        if len(column := found.get(name, getattr(columns, name)))
    }
    return columns._replace(**shifted), [no_board, *board], {row + 1: moves for row, moves in untried.items()}
