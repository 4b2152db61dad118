"""The recorder that the readable algorithms write into, node by node. The kernel fills the same columns itself."""

import math
import time
from array import array
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from engine.core.errors import BadRecord
from engine.core.memory_budget import memory_budget
from engine.core.stop_reason import StopReason
from engine.record.columns import (
    COLUMN_SPECS,
    CUTOFF,
    EXACT,
    INFINITY,
    NONE,
    OPEN,
    PROBE,
    STANDS_PAT,
    STATUS_NAMES,
    TURN_BITS,
    TURN_SHIFT,
    WINDOW_COLUMNS,
    Columns,
    PassNote,
    pack_flags,
)

PROGRESS_SECONDS = 0.02
CLOCK_CHECK_NODES = 64  # between two checks of the clock

FIRST_ROWS = 1 << 16  # written before the free memory is checked
ENTRY_BYTES = 300  # of a table in Python, measured; it varies with the keys
ARRAY_SLACK = 17 / 16  # arrays of Python are a sixteenth longer than needed
TYPE_CODES = {"int8": "b", "int32": "i", "uint32": "I", "uint16": "H", "uint8": "B", "float64": "d"}  # of arrays, by dtype


class SearchStopped(Exception):
    """Raised inside a search to stop it."""

    def __init__(self, reason: StopReason):
        super().__init__(reason)
        self.reason = reason


class ProgressReporter:
    """Reports the progress of a search every PROGRESS_SECONDS, and stops it if the answer is False."""

    def __init__(self, on_progress: Callable[[int], object] | None):
        self.on_progress = on_progress
        self._clock = time.perf_counter()

    def report(self, nodes: int) -> None:
        if self.on_progress is None or time.perf_counter() - self._clock < PROGRESS_SECONDS:
            return
        if is_stop_request(self.on_progress(nodes)):
            raise SearchStopped(StopReason.CANCELLED)
        self._clock = time.perf_counter()


class Record:
    """A growing table with the verbs of a search: enter a node, leave it with a value, begin another pass."""

    def __init__(
        self,
        max_nodes: int,
        windows: bool,
        on_progress: Callable[[int], object] | None,
        max_memory: int | None = None,
        extra_columns: Collection[str] = (),
        entries: int = 0,
    ):
        """Prepare an empty table.

        `windows`: record them from the first row on; otherwise from the first row that has one. `extra_columns`: the columns of
        EXTRA_COLUMNS that the search writes. `entries`: the maximum number of entries in the search's table, which take memory
        too.
        """
        self.max_nodes = max_nodes
        self._entries = entries
        self.windows = windows
        self._extra_columns = tuple(extra_columns)
        self.links, self.statics, self.weights = (name in extra_columns for name in ("link", "static", "weight"))
        self._max_memory = max_memory
        self._room = min(max_nodes, FIRST_ROWS) if max_memory is None else self._affordable_rows()
        self._watch = ProgressReporter(on_progress)
        self._columns: dict[str, Any] = {name: array(TYPE_CODES[spec.dtype]) for name, spec in COLUMN_SPECS.items()}
        self._move, self._depth, self._flags = (self._columns[name] for name in ("move", "depth", "flags"))
        self._alpha, self._beta, self._value = (self._columns[name] for name in ("alpha", "beta", "value"))
        self._skipped, self._end, self._link = (self._columns[name] for name in ("skipped", "end", "link"))
        self._static, self._weight = (self._columns[name] for name in ("static", "weight"))
        self._passes: list[PassNote] = []
        self.rounded = False  # True: a value of the game did not fit a float
        self.evaluations = 0  # static evaluations without a row

    def count_evaluations(self, positions: int) -> None:
        """Count evaluations that are not rows: to order moves, or to guess the value."""
        self.evaluations += positions

    @property
    def next_row(self) -> int:
        """Return the number that the next row will have."""
        return len(self._end)

    def begin_pass(self, K: int | None, why: str) -> None:
        """Begin a pass, a complete search from the root; `why` is its reason. A search of a single pass need not call this."""
        self._passes.append(PassNote(len(self._end), K, why))

    def enter(self, move: int, depth: int, alpha: float, beta: float, turn: int, link: int = NONE, weight: float = 1.0) -> int:
        """Add an open row and return its number.

        `link` is the earlier row it refers to: its probe, or the row of the table entry that answers it or orders its moves.
        `weight` is the probability of the outcome that leads here, if chance moved.
        """
        node = len(self._end)
        if node >= self._room:
            self._extend_room(node)
        if node % CLOCK_CHECK_NODES == 0:
            self._watch.report(node)
        if depth == 0 and node > 0 and (not self._passes or self._passes[-1].first != node):
            raise BadRecord(f"row {node}: a second root needs begin_pass() before it")
        if not self.windows and (alpha > -INFINITY or beta < INFINITY):
            self._begin_windows(node)
        self._move.append(move)
        self._depth.append(depth)
        self._flags.append(pack_flags(OPEN, turn))
        if self.windows:
            self._alpha.append(alpha)
            self._beta.append(beta)
        if self.links:
            self._link.append(_check_link(link, node))
        elif link != NONE:
            raise BadRecord(f"row {node} has a link, but its algorithm does not declare the column `link`")
        if self.weights:
            self._weight.append(weight)
        elif weight != 1.0:
            raise BadRecord(f"row {node} has a weight, but its algorithm does not declare the column `weight`")
        if self.statics:
            self._static.append(0.0)
        self._value.append(0.0)
        self._skipped.append(0)
        self._end.append(0)
        return node

    def _begin_windows(self, rows: int) -> None:
        """Record windows from now on; the rows before had none."""
        self._alpha.extend([-INFINITY] * rows)
        self._beta.extend([INFINITY] * rows)
        self.windows = True  # last: an interrupt before this leaves them out

    def _extend_room(self, node: int) -> None:
        """Allow more rows, or stop the search if no nodes or memory are left. Small searches never ask the system for free
        memory.
        """
        if node < self.max_nodes and self._max_memory is None and self._room == FIRST_ROWS:
            self._room = self._affordable_rows()
        if node >= self._room:
            raise SearchStopped(StopReason.NODE_LIMIT if node >= self.max_nodes else StopReason.MEMORY_LIMIT)

    def _affordable_rows(self) -> int:
        """Return the number of rows that fit into memory, each with an entry in the table until that is full."""
        sizes = [np.dtype(COLUMN_SPECS[name].dtype).itemsize for name in self._written_columns]
        row_bytes = math.ceil(sum(sizes) * ARRAY_SLACK)
        memory = memory_budget(self._max_memory)
        rows = memory // (row_bytes + ENTRY_BYTES)
        if rows > self._entries:
            rows = (memory - self._entries * ENTRY_BYTES) // row_bytes
        return min(self.max_nodes, max(1, rows))

    def stand_pat(self, node: int, value: float) -> float:
        """Start the value of the row with its static value and return it: the side to move need not make a noisy move."""
        if not self.statics:
            raise BadRecord(f"row {node} stands pat, but its search has no option `quiescence`")
        self._static[node] = value
        self._flags[node] |= STANDS_PAT  # last: an interrupt before this leaves the row without
        return value

    def leave(self, node: int, status: int, value: float, skipped: int = 0, bound: int = EXACT) -> float:
        """Complete the row and return the value.

        `skipped`: the number of moves that a cutoff left untried. `bound`: for a table answer, the bound that it
        proves.
        """
        if (status in (CUTOFF, PROBE)) != (skipped > 0):
            raise BadRecord(_explain_wrong_cutoff(node, status, skipped))
        known = self._flags[node]
        flags = pack_flags(status, known >> TURN_SHIFT & TURN_BITS, bound, known >= STANDS_PAT)
        self._value[node] = value
        self._skipped[node] = skipped
        self._end[node] = len(self._end)
        self._flags[node] = flags  # last: an interrupt before this leaves the node open
        return value

    def columns(self) -> Columns:
        """Return the rows so far. An interrupt may come between two columns, so the shortest column counts."""
        written = self._written_columns
        rows = min(len(self._columns[name]) for name in written)
        filled = {name: np.frombuffer(self._columns[name], COLUMN_SPECS[name].dtype)[:rows] for name in written if rows}
        return Columns(**{name: filled.get(name, np.empty(0, spec.dtype)) for name, spec in COLUMN_SPECS.items()})

    @property
    def _written_columns(self) -> list[str]:
        """Return the names of the columns that this search writes."""
        wanted = {*self._extra_columns, *(WINDOW_COLUMNS if self.windows else ())}
        return [name for name, spec in COLUMN_SPECS.items() if not spec.optional or name in wanted]

    def passes(self) -> tuple[PassNote, ...]:
        """Return the passes that have a row; none if the search has a single pass and did not call `begin_pass`."""
        return tuple(note for note in self._passes if note.first < len(self._end))


def _explain_wrong_cutoff(node: int, status: int, skipped: int) -> str:
    if status in (CUTOFF, PROBE):
        advice = "pass the number of skipped moves (skipped=...), or use EXHAUSTED if there are none"
        return f"row {node} is left by a {STATUS_NAMES[status]}: {advice}"
    return f"row {node} has {skipped} skipped moves: only a cutoff (status CUTOFF) or a probe (PROBE) skips moves"


def _check_link(link: int, node: int) -> int:
    if not NONE <= link < node:
        raise BadRecord(f"the link of row {node} is {link}: use an earlier row, or {NONE}")
    return link


def is_stop_request(answer: object) -> bool:
    """Return True if the answer of an on_progress callback stops the search: Python's or numpy's False."""
    return isinstance(answer, (bool, np.bool_)) and not answer


class NodeCounter:
    """A record that only counts, so that the search alone can be timed."""

    def __init__(self, max_nodes: int, on_progress: Callable[[int], object] | None):
        self.max_nodes = max_nodes
        self.nodes = 0
        self.rounded = False
        self._watch = ProgressReporter(on_progress)

    def count_evaluations(self, positions: int) -> None:
        pass

    @property
    def next_row(self) -> int:
        return self.nodes + 1

    def begin_pass(self, K: int | None, why: str) -> None:
        pass

    def enter(self, move: int, depth: int, alpha: float, beta: float, turn: int, link: int = NONE, weight: float = 1.0) -> int:
        if self.nodes >= self.max_nodes:
            raise SearchStopped(StopReason.NODE_LIMIT)
        if self.nodes % CLOCK_CHECK_NODES == 0:
            self._watch.report(self.nodes)
        self.nodes += 1
        return self.nodes

    def stand_pat(self, node: int, value: float) -> float:
        return value

    def leave(self, node: int, status: int, value: float, skipped: int = 0, bound: int = EXACT) -> float:
        return value
