"""The table that a search writes: one row per call of the search, in the order of entering.

Rows are in pre-order, so the subtree of a row is the slice from it to its `end`, and its first child is the next row. The same
position may be called again: by the same parent (a probe and its re-search, one after the other), in another pass, by another
path. Every pass has a root of depth 0. `complete_open_rows` turns the table of a stopped search into a tree.

    flags    bits 0-2 status    3-4 turn    5-6 of a TABLE row, the bound that answered    7 stood pat

A row of quiescence may stand pat: its value starts with the static value, as if that were a move of its side, but not a row.
The number is in `static`; bit 7 is set if there is one.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from engine.core.errors import BadRecord

# status of a row: how the search left it
OPEN, TERMINAL, HORIZON, EXHAUSTED, CUTOFF, TABLE, PROBE = range(7)
STATUS_NAMES = ("open", "terminal", "horizon", "exhausted", "cutoff", "table", "probe")
STATUS_BITS = 7  # flags & STATUS_BITS is the status
MAY_STAND_PAT = (OPEN, EXHAUSTED, CUTOFF)


class Turn(IntEnum):
    """The side that moves at a row, or chance. True stands for MAX, False for MIN."""

    MIN = 0
    MAX = 1
    CHANCE = 2  # nobody: the outcome is drawn


MIN, MAX, CHANCE = Turn
TURN_NAMES = tuple(turn.name.lower() for turn in Turn)
TURN_SHIFT = 3
TURN_BITS = 3
MAXIMIZING = MAX << TURN_SHIFT  # flags & MAXIMIZING: MAX is to move

ROOT = 0
NONE = -1  # no parent, no move, no link
INFINITY = float("inf")
LARGEST_FLOAT = float(np.finfo(np.float64).max)  # next to infinity: one end of a null window there
INT32_ENDS = {
    -(2.0**31): -INFINITY,
    1 - 2.0**31: -LARGEST_FLOAT,
    2.0**31 - 2: LARGEST_FLOAT,
    2.0**31 - 1: INFINITY,
}  # by stored int32

# the bound that a value proves: see tree/bounds.py
EXACT, LOWER, UPPER, UNSETTLED = range(4)
BOUND_NAMES = ("exact", "lower", "upper", "open")
BOUND_SHIFT = 5
BOUND_BITS = 3

STANDS_PAT = 1 << 7  # flags & STANDS_PAT: the value started with the static value


class ColumnSpec(NamedTuple):
    """A column of the table. Recorder, tree files, exports and the browser read the list of columns from here."""

    name: str
    dtypes: tuple[str, ...]  # in files; the last one is what a `Record` writes
    meaning: str
    shown_as: str = ""  # in sentences; empty: its name
    optional: bool = False  # only some searches write it
    export_name: str = ""  # in .csv, .json and graphs, where it is exported as it is; empty: it is not, or in its own way
    default: Any = 0  # of a row without it
    packed: bool = False  # whole numbers are stored as differences, which are small
    complete_on_entry: bool = False  # otherwise on leaving
    extra: bool = False  # optional, and not part of the window: an algorithm or an option declares it by name

    @property
    def dtype(self) -> str:
        """Return the type that a `Record` writes."""
        return self.dtypes[-1]

    @property
    def title(self) -> str:
        """Return its name in a sentence."""
        return self.shown_as or self.name


NUMBERS = ("int32", "float32", "float64")
COLUMN_SPECS: dict[str, ColumnSpec] = {
    spec.name: spec
    for spec in (
        ColumnSpec("move", ("int8", "int32"), "the move that led here; -1 at a root", complete_on_entry=True),
        ColumnSpec("depth", ("uint8", "uint16"), "plies from the searched position", complete_on_entry=True),
        ColumnSpec("flags", ("uint8",), "status and turn", "status"),
        ColumnSpec("skipped", ("uint8", "uint32"), "legal moves a cutoff left untried", "number of skipped moves"),
        ColumnSpec("alpha", NUMBERS, "window on entry, MAX's side", optional=True, packed=True),
        ColumnSpec("beta", NUMBERS, "window on entry, MIN's side", optional=True, packed=True),
        ColumnSpec("value", NUMBERS, "the value for MAX", packed=True),
        ColumnSpec("end", ("int32",), "one past the last row of the subtree", packed=True),
        ColumnSpec(
            "link",
            ("int32",),
            "an earlier row: of the table entry that was used, or of the probe; -1: none",
            optional=True,
            export_name="link",
            default=NONE,
            packed=True,
            extra=True,
        ),
        ColumnSpec(
            "static",
            ("float64",),
            "static value of rows that stood pat; 0 for other rows",
            "static value",
            optional=True,
            extra=True,
        ),
        ColumnSpec(
            "visits", ("int32",), "iterations that passed through the row", optional=True, export_name="visits", extra=True
        ),
        ColumnSpec("born", ("int32",), "the iteration that added the row", optional=True, export_name="born", extra=True),
        ColumnSpec("prior", ("float64",), "the prior of the move", optional=True, export_name="prior", extra=True),
        ColumnSpec(
            "proven", ("int8",), "1: MAX wins, -1: MIN wins, 0: not proved", optional=True, export_name="proven", extra=True
        ),
        ColumnSpec(
            "weight",
            ("float64",),
            "probability of the outcome that led here; 1 where chance did not move",
            "probability",
            optional=True,
            export_name="weight",
            default=1.0,
            extra=True,
        ),
    )
}
WINDOW_COLUMNS = ("alpha", "beta")
EXTRA_COLUMNS = tuple(spec.name for spec in COLUMN_SPECS.values() if spec.extra)


def _empty_column(name: str) -> np.ndarray:
    column = np.empty(0, COLUMN_SPECS[name].dtype)
    column.flags.writeable = False
    return column


class Columns(NamedTuple):
    """The table: see COLUMN_SPECS. Values and windows are int32, float32 or float64. Columns that a search does not write have
    length 0.
    """

    move: np.ndarray
    depth: np.ndarray
    flags: np.ndarray
    skipped: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray
    value: np.ndarray
    end: np.ndarray
    link: np.ndarray = _empty_column("link")
    static: np.ndarray = _empty_column("static")
    visits: np.ndarray = _empty_column("visits")
    born: np.ndarray = _empty_column("born")
    prior: np.ndarray = _empty_column("prior")
    proven: np.ndarray = _empty_column("proven")
    weight: np.ndarray = _empty_column("weight")


class PassNote(NamedTuple):
    """A note about one pass of a search, written by its driver."""

    first: int  # row of its root
    K: int | None  # its depth limit
    why: str  # the reason for the pass; empty for a single pass


def pack_flags(status: int, turn: int, bound: int = EXACT, stands_pat: bool = False) -> int:
    """Return status and turn, the bound of a table's answer, and whether the row stood pat, as one number."""
    if not (isinstance(turn, (int, np.integer, np.bool_)) and MIN <= turn <= CHANCE):
        raise BadRecord(f"{turn!r} is not a turn: use {MIN:d} (MIN), {MAX:d} (MAX) or {CHANCE:d} (chance)")
    if not (isinstance(status, int) and OPEN <= status <= PROBE):
        raise BadRecord(f"{status!r} is not a status: use 0 to {PROBE} ({', '.join(STATUS_NAMES)})")
    if bound not in ((EXACT, LOWER, UPPER) if status == TABLE else (EXACT,)):
        raise BadRecord(f"{bound!r} is not a bound here: a table answer has EXACT, LOWER or UPPER, any other row only EXACT")
    if turn == CHANCE and (status == PROBE or stands_pat):
        raise BadRecord("chance has no move to probe, and it cannot stand pat")
    if stands_pat and status not in MAY_STAND_PAT:
        raise BadRecord(f"a row that stands pat cannot be left with the status {STATUS_NAMES[status]}: use EXHAUSTED or CUTOFF")
    return status | int(turn) << TURN_SHIFT | bound << BOUND_SHIFT | STANDS_PAT * bool(stands_pat)


KNOWN_FLAGS = np.zeros(256, np.bool_)
KNOWN_FLAGS[[pack_flags(status, turn) for status in range(PROBE) for turn in Turn]] = True
KNOWN_FLAGS[[pack_flags(PROBE, turn) for turn in (MIN, MAX)]] = True
KNOWN_FLAGS[[pack_flags(TABLE, turn, bound) for turn in Turn for bound in (EXACT, LOWER, UPPER)]] = True
KNOWN_FLAGS[[pack_flags(status, turn, stands_pat=True) for status in MAY_STAND_PAT for turn in (MIN, MAX)]] = True


def check_flags(flags: np.ndarray, first: int = 0) -> None:
    """Raise BadRecord for an unknown status or turn; `first` is the row number of the first of these flags."""
    known = KNOWN_FLAGS[flags]
    if not known.all():
        row = int(known.argmin())
        raise BadRecord(f"row {first + row:,} has the unknown flags {int(flags[row])}")


def complete_open_rows(table: Columns, unknown_max: float, unknown_min: float) -> None:
    """Complete the nodes that were not left: they end with the table and have the best value returned so far.

    Without one they have `unknown_max` or `unknown_min`, by the side to move. Nodes that were left after the last row of
    the table count as open too. A search that was stopped between two passes has no open node. A probe with a re-search, even
    one that was still to come, gives its parent no value.
    """
    rows = len(table.end)
    node = int(np.flatnonzero(table.depth == 0)[-1])  # earlier passes are complete
    while node < rows and _is_open(table, node, rows):
        if table.flags[node] >> TURN_SHIFT & TURN_BITS == CHANCE:
            node = _complete_chance_row(table, node, rows)
            continue
        maximizing = bool(table.flags[node] & MAXIMIZING)
        stood_pat = bool(table.flags[node] & STANDS_PAT)
        better, best = (max, unknown_max) if maximizing else (min, unknown_min)
        best = table.static[node] if stood_pat else best
        child = node + 1
        while child < rows and not _is_open(table, child, rows):
            after = int(table.end[child])
            again = table.move[after] == table.move[child] if after < rows else _needs_research(table, node, child, best)
            best = best if again else better(best, table.value[child])
            child = after
        table.flags[node] = pack_flags(OPEN, maximizing, stands_pat=stood_pat)
        table.value[node], table.skipped[node], table.end[node] = best, 0, rows
        node = child


def _complete_chance_row(table: Columns, node: int, rows: int) -> int:
    """Complete a chance node that was not left: its value is the sum over the outcomes so far. Return its open child."""
    total, child = 0.0, node + 1
    while child < rows and not _is_open(table, child, rows):
        total += 0.0 if table.flags[child] & STATUS_BITS == PROBE else table.weight[child] * table.value[child]
        child = int(table.end[child])
    table.flags[node] = pack_flags(OPEN, CHANCE)
    table.value[node], table.skipped[node], table.end[node] = total, 0, rows
    return child


def _needs_research(table: Columns, node: int, child: int, best: float) -> bool:
    """Return True if a child was only probed and needs a re-search, given the best value before it.

    Its window was narrower than that of the node by then, and its value lies inside the latter.
    """
    if len(table.alpha) == 0:
        return False
    alpha, beta = table.alpha[node], table.beta[node]
    alpha, beta = (max(alpha, best), beta) if table.flags[node] & MAXIMIZING else (alpha, min(beta, best))
    narrower = table.alpha[child] > alpha or table.beta[child] < beta
    return bool(narrower and alpha < table.value[child] < beta)


def _is_open(table: Columns, node: int, rows: int) -> bool:
    return table.flags[node] & STATUS_BITS == OPEN or table.end[node] > rows
