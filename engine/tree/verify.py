"""Verify a tree file: run the search it names again, and compare every column.

Moves and depths are compared while the search runs. So a wrong file is refused at its first wrong row, before memory is spent on
the rows after it. The result is the table of the search made here, which is the same; nothing from a file reaches compiled code.
A user's game provides moves, turns and ends, but no values: its leaves have the values in the file.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn, Protocol

import numpy as np

from engine.algorithms import ALGORITHMS, find_algorithm
from engine.algorithms.as_published import root_window
from engine.algorithms.spec import Algorithm
from engine.core.errors import BadRecord, BadTreeFile
from engine.core.stop_reason import StopReason
from engine.games.chance_outcomes import has_chance
from engine.question import CheckedSearch
from engine.record.columns import (
    BOUND_BITS,
    BOUND_NAMES,
    BOUND_SHIFT,
    COLUMN_SPECS,
    KNOWN_FLAGS,
    NONE,
    OPEN,
    STANDS_PAT,
    STATUS_BITS,
    STATUS_NAMES,
    TABLE,
    TURN_BITS,
    TURN_SHIFT,
    Columns,
    PassNote,
    Turn,
    complete_open_rows,
)
from engine.record.iteration_record import IterationLog
from engine.record.recorder import Record, SearchStopped
from engine.searcher import create_kernel_search, run_readable
from engine.tree.iteration_search import search_in_iterations

ENTRY_COLUMNS = tuple(name for name, spec in COLUMN_SPECS.items() if spec.complete_on_entry)
EXIT_COLUMNS = tuple(name for name, spec in COLUMN_SPECS.items() if not spec.complete_on_entry)


class RowSource(Protocol):
    """The rows of a file, read in pieces."""

    name: str
    count: int
    dtypes: dict[str, str]

    def read_pieces(self, columns: tuple[str, ...]) -> Iterator[dict[str, np.ndarray]]: ...


class InMemoryRows:
    """Rows that are in memory already."""

    def __init__(self, name: str, columns: Columns):
        self.name, self.count = name, len(columns.end)
        self._columns = {name: column for name, column in columns._asdict().items() if len(column)}
        self.dtypes = {name: str(column.dtype) for name, column in self._columns.items()}

    def read_pieces(self, columns: tuple[str, ...]) -> Iterator[dict[str, np.ndarray]]:
        yield {name: self._columns[name] for name in columns}


def read_all_columns(rows: RowSource) -> Columns:
    """Return all rows of a file in memory. Raise BadRecord unless they have the types that a readable algorithm records."""
    pieces = list(rows.read_pieces(tuple(rows.dtypes)))
    joined = {name: np.concatenate([piece[name] for piece in pieces]) for name in rows.dtypes}
    wrong = [name for name, dtype in rows.dtypes.items() if dtype != COLUMN_SPECS[name].dtype]
    if wrong:
        raise BadRecord(f"the column {wrong[0]!r} is {rows.dtypes[wrong[0]]}: it must be {COLUMN_SPECS[wrong[0]].dtype}")
    return Columns(**{name: joined.get(name, np.empty(0, spec.dtype)) for name, spec in COLUMN_SPECS.items()})


class VerifiedColumns(NamedTuple):
    """The result of the search that a file names. It equals the contents of the file."""

    columns: Columns
    rounded: bool  # True: a value did not fit a float
    passes: tuple[PassNote, ...]
    evaluations: int = 0  # static evaluations without a row
    log: IterationLog | None = None  # of a search in iterations


def verify_columns(rows: RowSource, checked: CheckedSearch, stopped: StopReason, own_game: bool) -> VerifiedColumns:
    """Return the table of the search. Raise BadTreeFile if the file differs from it."""
    if find_algorithm(checked.question.algorithm).iterate is not None:
        return _verify_iterations(rows, checked, stopped)
    kernel_search, rounded = create_kernel_search(checked), False
    passes: tuple[PassNote, ...] = ()
    evaluations = 0
    if kernel_search is not None:
        table, end, limits = *_replay_compiled(rows, kernel_search), kernel_search.bounds[::2]
        passes, evaluations = kernel_search.passes(), kernel_search.evaluations
    else:
        record, end = _replay_readable(rows, checked, own_game)
        table, rounded, passes, evaluations = record.columns(), record.rounded, record.passes(), record.evaluations
        limits = root_window(checked.quirk)
        if end:
            complete_open_rows(table, *limits)
    if len(table.end) < rows.count:
        _raise_damaged(rows, len(table.end), "the search is over before this row")
    if bool(end) > bool(stopped):
        _raise_damaged(rows, rows.count - 1, "the search continues after this row, but the file says that it is complete")
    if stopped:
        _reopen_stopped_nodes(rows, table, limits, over=not end and stopped in (StopReason.NODE_LIMIT, StopReason.MEMORY_LIMIT))
    _compare_exit_columns(rows, table)
    return VerifiedColumns(table, rounded, passes, evaluations)


def _verify_iterations(rows: RowSource, checked: CheckedSearch, stopped: StopReason) -> VerifiedColumns:
    """Return the tree and the log of a search in iterations. It is searched again, since the log is not in the file.

    A stopped search made as many iterations as its root has visits.
    """
    if "visits" not in rows.dtypes:
        raise BadTreeFile(f"{rows.name} has no column 'visits', which belongs to {checked.question.algorithm}")
    question = checked.question
    if stopped:
        done = int(next(iter(rows.read_pieces(("visits",))))["visits"][0])
        if not 1 <= done <= question.options["iterations"]:
            _raise_damaged(rows, 0, f"its root has {done} visits, which is not a number of iterations of this search")
        question = question.replace(iterations=done)
    tree = search_in_iterations(checked._replace(question=question), rows.count, None, None, may_interpret=False)
    if tree.stopped == StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    if tree.stopped:
        _raise_damaged(rows, rows.count - 1, "the search adds more rows than the file has")
    if len(tree) < rows.count:
        _raise_damaged(rows, len(tree), "the search is over before this row")
    _compare_exit_columns(rows, tree.columns)
    start = 0
    for piece in rows.read_pieces(ENTRY_COLUMNS):
        for name in ENTRY_COLUMNS:
            _compare_column(rows, name, start, piece[name], getattr(tree.columns, name)[start : start + len(piece[name])])
        start += len(piece[ENTRY_COLUMNS[0]])
    return VerifiedColumns(tree.columns, False, (), 0, tree.log)


def _replay_compiled(rows: RowSource, kernel_search: Any) -> tuple[Columns, StopReason]:
    start, end = 0, StopReason.NOT_STOPPED
    for piece in rows.read_pieces(ENTRY_COLUMNS):
        stop = start + len(piece["depth"])
        end = _check_stop_reason(rows, kernel_search.advance(stop))
        known = min(kernel_search.rows, stop)
        table = kernel_search.table()
        for name in ENTRY_COLUMNS:
            _compare_column(rows, name, start, piece[name][: known - start], getattr(table, name)[start:known])
        if known < stop:
            _raise_damaged(rows, known, "the search is over before this row")
        del table  # arrays in use would be copied when memory grows
        start = stop
    return kernel_search.finish_table(rows.count, end), end


def _replay_readable(rows: RowSource, checked: CheckedSearch, own_game: bool) -> tuple["VerifyingRecord", StopReason]:
    question = checked.question
    algorithm = ALGORITHMS[question.algorithm]
    extra_columns = algorithm.extra_columns(question.options, has_chance(question.game))
    record = VerifyingRecord(rows, algorithm, own_game, algorithm.max_table_entries(question.options), extra_columns)
    if own_game and ALGORITHMS[question.algorithm].evaluates_leaves_only(question.options):
        checked = checked._replace(question=question.replace(game=StoredValuesGame(question.game, record)))
    end = StopReason.NOT_STOPPED
    try:
        run_readable(checked, record)
    except SearchStopped as stop:
        end = _check_stop_reason(rows, stop.reason)
    return record, end


class VerifyingRecord(Record):
    """A record that is compared with a file while it is written."""

    def __init__(self, rows: RowSource, algorithm: Algorithm, with_values: bool, entries: int, extra_columns: tuple[str, ...]):
        super().__init__(rows.count, algorithm.windows, None, extra_columns=extra_columns, entries=entries)
        statics = self.statics
        if statics != ("static" in rows.dtypes):
            raise BadTreeFile(f"{rows.name} has {'no' if statics else 'the'} column 'static', which belongs to quiescence")
        self._rows = rows
        evaluated = ("value", "flags", *["static"] * statics) if with_values else ()
        self._pieces = rows.read_pieces((*ENTRY_COLUMNS, *evaluated))
        self._known = self._start = 0
        self._stored: dict[str, list[Any]] = {}

    def enter(self, move: int, depth: int, alpha: float, beta: float, turn: int, link: int = NONE, weight: float = 1.0) -> int:
        node = super().enter(move, depth, alpha, beta, turn, link, weight)
        if node == self._known:
            self._stored = {name: column.tolist() for name, column in next(self._pieces).items()}
            self._start, self._known = node, node + len(self._stored["depth"])
        index = node - self._start
        if self._stored["move"][index] != move or self._stored["depth"][index] != depth:
            for name, expected in (("move", move), ("depth", depth)):
                _compare_column(self._rows, name, node, np.array([self._stored[name][index]]), np.array([expected]))
        return node

    def stored_value(self) -> float:
        """Return the value in the file for the row that was entered last."""
        node = len(self._end) - 1
        index = node - self._start
        value = self._stored["static" if self.statics and self._stored["flags"][index] & STANDS_PAT else "value"][index]
        if not math.isfinite(value) and node == self._rows.count - 1:
            return 0.0  # the search was interrupted here: `_reopen_stopped_nodes` opens the leaf
        if not math.isfinite(value):
            _raise_damaged(self._rows, node, f"its leaf has the value {value}")
        return float(value)


class StoredValuesGame:
    """A game whose leaves have the values in a file."""

    def __init__(self, game: Any, record: VerifyingRecord):
        self._game, self._record = game, record

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def evaluate(self, state: Any) -> float:
        return self._record.stored_value()


def _check_stop_reason(rows: RowSource, end: StopReason) -> StopReason:
    """Return NODE_LIMIT if the search stopped: the file has no more rows. Raise BadTreeFile if memory ran out."""
    if end == StopReason.MEMORY_LIMIT:
        raise BadTreeFile(f"{rows.name} has {rows.count:,} rows, which do not fit into memory")
    return StopReason.NODE_LIMIT if end else StopReason.NOT_STOPPED


def _reopen_stopped_nodes(rows: RowSource, table: Columns, limits: tuple[float, float], over: bool) -> None:
    """Open the nodes of a stopped search that are open in the file.

    An interrupt may come just before a node is left, so the file decides.
    """
    flags = np.concatenate([piece["flags"] for piece in rows.read_pieces(("flags",))])
    node = int(np.flatnonzero(table.depth == 0)[-1])
    if flags[node] & STATUS_BITS != OPEN:
        if over:
            _raise_damaged(rows, node, "the search was stopped, but the root is not open")
        return
    while node < rows.count:
        if table.end[node] < rows.count:
            node = int(table.end[node])
            continue
        if flags[node] & STATUS_BITS == OPEN:
            table.flags[node] &= ~np.uint8(STATUS_BITS)
            if node == rows.count - 1 and not flags[node] & STANDS_PAT and len(table.static):
                table.flags[node] &= ~np.uint8(STANDS_PAT)
                table.static[node] = 0.0
        node += 1
    complete_open_rows(table, *limits)


def _compare_exit_columns(rows: RowSource, table: Columns) -> None:
    dtypes = {name: str(column.dtype) for name, column in table._asdict().items() if len(column)}
    if dtypes != rows.dtypes:
        wrong = next(name for name in EXIT_COLUMNS + ENTRY_COLUMNS if dtypes.get(name) != rows.dtypes.get(name))
        found, needed = rows.dtypes.get(wrong, "missing"), dtypes.get(wrong, "none")
        raise BadTreeFile(f"the column {wrong!r} of {rows.name} is {found}, but in this search it is {needed}")
    names, start = tuple(name for name in EXIT_COLUMNS if name in dtypes), 0
    for piece in rows.read_pieces(names):
        for name in names:
            _compare_column(rows, name, start, piece[name], getattr(table, name)[start : start + len(piece[name])])
        start += len(piece[names[0]])


def _compare_column(rows: RowSource, name: str, start: int, stored: np.ndarray, found: np.ndarray) -> None:
    wrong = stored != found  # nan is never equal
    if wrong.any():
        index = int(wrong.argmax())
        describe = _describe_flags if name == "flags" else str
        _raise_damaged(
            rows,
            start + index,
            f"its {COLUMN_SPECS[name].title} is {describe(stored[index])}, but the search gives {describe(found[index])}",
        )


def _describe_flags(flags: Any) -> str:
    if not KNOWN_FLAGS[int(flags)]:
        return f"unknown ({flags})"
    status, bound = int(flags) & STATUS_BITS, BOUND_NAMES[int(flags) >> BOUND_SHIFT & BOUND_BITS]
    how = f"{STATUS_NAMES[status]} ({bound})" if status == TABLE else STATUS_NAMES[status]
    how = f"{how}, stands pat," if int(flags) & STANDS_PAT else how
    return f"{how} with {Turn(int(flags) >> TURN_SHIFT & TURN_BITS).name} to move"


def _raise_damaged(rows: RowSource, row: int, problem: str) -> NoReturn:
    raise BadTreeFile(f"{rows.name} is damaged at row {row:,}: {problem}")
