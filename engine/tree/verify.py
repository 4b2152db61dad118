"""Whether the rows of a file are those of the search it names: that search is made again, and every column is compared.

Moves and depths are compared while the search goes on, so that a file that lies is refused at its first lie, before memory is
spent on what follows it. What comes back is the table of the search made here, which is the same; nothing that a file says
reaches compiled code. A game of the user's own is asked for its moves, turns and ends but not for values: its leaves are worth
what the file says.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, NoReturn, Protocol

import numpy as np

from engine.algorithms import ALGORITHMS
from engine.algorithms.as_published import root_window
from engine.algorithms.spec import Algorithm
from engine.core.errors import BadRecord, BadTreeFile
from engine.question import Search
from engine.record.columns import (
    BOUND_BITS,
    BOUND_NAMES,
    BOUND_SHIFT,
    KNOWN_FLAGS,
    MAXIMIZING,
    NONE,
    OPEN,
    STANDS_PAT,
    STATUS_BITS,
    STATUS_NAMES,
    TABLE,
    Columns,
    PassNote,
    settle,
)
from engine.record.recorder import MEMORY_LIMIT, NODE_LIMIT, Record, SearchStopped
from engine.searcher import machine_for, run_text

READABLE = {  # the columns of a Record
    "move": "int32", "depth": "uint16", "flags": "uint8", "skipped": "uint32",
    "alpha": "float64", "beta": "float64", "value": "float64", "end": "int32", "link": "int32",
    "static": "float64",
}  # fmt: skip
ENTERED = ("move", "depth")  # columns that are complete as soon as a node is entered
LEFT = ("flags", "skipped", "alpha", "beta", "value", "end", "link", "static")


class Rows(Protocol):
    """The rows of a file, read in pieces."""

    name: str
    count: int
    dtypes: dict[str, str]

    def pieces(self, columns: tuple[str, ...]) -> Iterator[dict[str, np.ndarray]]: ...


class HeldRows:
    """Rows that are in memory already."""

    def __init__(self, name: str, columns: Columns):
        self.name, self.count = name, len(columns.end)
        self._columns = {name: column for name, column in columns._asdict().items() if len(column)}
        self.dtypes = {name: str(column.dtype) for name, column in self._columns.items()}

    def pieces(self, columns: tuple[str, ...]) -> Iterator[dict[str, np.ndarray]]:
        yield {name: self._columns[name] for name in columns}


def held(rows: Rows) -> Columns:
    """All rows of a file, in memory, of the types that a readable text records."""
    pieces = list(rows.pieces(tuple(rows.dtypes)))
    joined = {name: np.concatenate([piece[name] for piece in pieces]) for name in rows.dtypes}
    wrong = [name for name, dtype in rows.dtypes.items() if dtype != READABLE[name]]
    if wrong:
        raise BadRecord(f"the column {wrong[0]!r} is {rows.dtypes[wrong[0]]}, and {READABLE[wrong[0]]} is needed")
    return Columns(**{name: joined.get(name, np.empty(0, dtype)) for name, dtype in READABLE.items()})


class Checked(NamedTuple):
    """What the search that a file names gives: the same as the file holds."""

    columns: Columns
    rounded: bool  # whether a value did not fit a float
    passes: tuple[PassNote, ...]
    evaluations: int = 0  # that are no rows


def checked_columns(rows: Rows, asked: Search, stopped: str, own_game: bool) -> Checked:
    """The table of the search; BadTreeFile if it is not what the file holds."""
    machine, rounded = machine_for(asked), False
    passes: tuple[PassNote, ...] = ()
    evaluations = 0
    if machine is not None:
        table, end, limits = *_follow_compiled(rows, machine), machine.bounds[::2]
        passes, evaluations = machine.passes(), machine.evaluations
    else:
        record, end = _follow_text(rows, asked, own_game)
        table, rounded, passes, evaluations = record.columns(), record.rounded, record.passes(), record.evaluations
        limits = root_window(asked.quirk)
        if end:
            settle(table, *limits)
    if len(table.end) < rows.count:
        _refuse(rows, len(table.end), "the search is over before this row")
    if bool(end) > bool(stopped):
        _refuse(rows, rows.count - 1, "the search goes on after this row, and the file says that it is complete")
    if stopped:
        _open_as_in(rows, table, limits, over=not end and stopped in (NODE_LIMIT, MEMORY_LIMIT))
    _compare_the_rest(rows, table)
    return Checked(table, rounded, passes, evaluations)


def _follow_compiled(rows: Rows, machine: Any) -> tuple[Columns, str]:
    start, end = 0, ""
    for piece in rows.pieces(ENTERED):
        stop = start + len(piece["depth"])
        end = _with_memory(rows, machine.advance(stop))
        known = min(machine.rows, stop)
        table = machine.table()
        for name in ENTERED:
            _compare(rows, name, start, piece[name][: known - start], getattr(table, name)[start:known])
        if known < stop:
            _refuse(rows, known, "the search is over before this row")
        del table  # memory in use cannot grow without being copied
        start = stop
    return machine.finished(rows.count, end), end


def _follow_text(rows: Rows, asked: Search, own_game: bool) -> tuple["Followed", str]:
    question = asked.question
    algorithm = ALGORITHMS[question.algorithm]
    statics = algorithm.stands_pat(question.options)
    record = Followed(rows, algorithm, own_game, algorithm.table_entries(question.options), statics)
    if own_game and ALGORITHMS[question.algorithm].evaluates_leaves_only(question.options):
        asked = asked._replace(question=question.replace(game=Recalled(question.game, record)))
    end = ""
    try:
        run_text(asked, record)
    except SearchStopped as reason:
        end = _with_memory(rows, str(reason))
    return record, end


class Followed(Record):
    """A record that is compared with a file as it is written."""

    def __init__(self, rows: Rows, algorithm: Algorithm, with_values: bool, entries: int, statics: bool):
        super().__init__(rows.count, algorithm.windows, None, links=algorithm.links, entries=entries, statics=statics)
        if statics != ("static" in rows.dtypes):
            raise BadTreeFile(f"{rows.name} {'lacks' if statics else 'has'} the column 'static', which goes with quiescence")
        self._rows = rows
        evaluated = ("value", "flags", *["static"] * statics) if with_values else ()
        self._pieces = rows.pieces((*ENTERED, *evaluated))
        self._known = self._start = 0
        self._said: dict[str, list[Any]] = {}

    def enter(self, move: int, depth: int, alpha: float, beta: float, turn: int, link: int = NONE) -> int:
        node = super().enter(move, depth, alpha, beta, turn, link)
        if node == self._known:
            self._said = {name: column.tolist() for name, column in next(self._pieces).items()}
            self._start, self._known = node, node + len(self._said["depth"])
        place = node - self._start
        if self._said["move"][place] != move or self._said["depth"][place] != depth:
            for name, truth in (("move", move), ("depth", depth)):
                _compare(self._rows, name, node, np.array([self._said[name][place]]), np.array([truth]))
        return node

    def recalled_value(self) -> float:
        """What the file says of the row that was entered last."""
        node = len(self._end) - 1
        place = node - self._start
        value = self._said["static" if self.statics and self._said["flags"][place] & STANDS_PAT else "value"][place]
        if not math.isfinite(value) and node == self._rows.count - 1:
            return 0.0  # of a search that was interrupted here: `_open_as_in` opens the leaf
        if not math.isfinite(value):
            _refuse(self._rows, node, f"a leaf is worth {value}")
        return float(value)


class Recalled:
    """A game whose leaves are worth what a file says."""

    def __init__(self, game: Any, record: Followed):
        self._game, self._record = game, record

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def evaluate(self, state: Any) -> float:
        return self._record.recalled_value()


def _with_memory(rows: Rows, end: str) -> str:
    """Why the search was stopped: only ever because the file has no more rows."""
    if end == MEMORY_LIMIT:
        raise BadTreeFile(f"{rows.name} holds {rows.count:,} rows, and there is no memory for so many")
    return NODE_LIMIT if end else ""


def _open_as_in(rows: Rows, table: Columns, limits: tuple[float, float], over: bool) -> None:
    """Of a search that was stopped, open the nodes that the file says were not left: an interrupt may come just before that.
    Between two passes no node is open; a search that is `over` cannot have been stopped there."""
    flags = np.concatenate([piece["flags"] for piece in rows.pieces(("flags",))])
    node = int(np.flatnonzero(table.depth == 0)[-1])
    if flags[node] & STATUS_BITS != OPEN:
        if over:
            _refuse(rows, node, "the search was stopped, and the root is not open")
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
    settle(table, *limits)


def _compare_the_rest(rows: Rows, table: Columns) -> None:
    dtypes = {name: str(column.dtype) for name, column in table._asdict().items() if len(column)}
    if dtypes != rows.dtypes:
        wrong = next(name for name in LEFT + ENTERED if dtypes.get(name) != rows.dtypes.get(name))
        found, needed = rows.dtypes.get(wrong, "missing"), dtypes.get(wrong, "none")
        raise BadTreeFile(f"the column {wrong!r} of {rows.name} is {found}, and of this search it is {needed}")
    names, start = tuple(name for name in LEFT if name in dtypes), 0
    for piece in rows.pieces(names):
        for name in names:
            _compare(rows, name, start, piece[name], getattr(table, name)[start : start + len(piece[name])])
        start += len(piece[names[0]])


def _compare(rows: Rows, name: str, start: int, said: np.ndarray, found: np.ndarray) -> None:
    wrong = said != found  # nan is never equal
    if wrong.any():
        place = int(wrong.argmax())
        words = _flag_words if name == "flags" else str
        _refuse(rows, start + place, f"its {_WORDS[name]} is {words(said[place])}, and that search gives {words(found[place])}")


_WORDS = {
    "move": "move", "depth": "depth", "flags": "status", "skipped": "number of skipped moves",
    "alpha": "alpha", "beta": "beta", "value": "value", "end": "end", "link": "link", "static": "static value",
}  # fmt: skip


def _flag_words(flags: Any) -> str:
    if not KNOWN_FLAGS[int(flags)]:
        return f"unknown ({flags})"
    status, bound = int(flags) & STATUS_BITS, BOUND_NAMES[int(flags) >> BOUND_SHIFT & BOUND_BITS]
    how = f"{STATUS_NAMES[status]} ({bound})" if status == TABLE else STATUS_NAMES[status]
    how = f"{how}, stands pat," if int(flags) & STANDS_PAT else how
    return f"{how} with {'MAX' if flags & MAXIMIZING else 'MIN'} to move"


def _refuse(rows: Rows, row: int, why: str) -> NoReturn:
    raise BadTreeFile(f"{rows.name} is damaged at row {row:,}: {why}")
