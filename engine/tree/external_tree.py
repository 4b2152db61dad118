"""External searches: recorded while another program ran them. There are no rules to replay their moves.

The record has one row per call, the board of each call as text (equal boards are stored once), the moves that were tried and
those that a cutoff left untried. With these, an `ExternalGame` serves as the game of the tree, for the recorded positions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from engine.algorithms import ALGORITHMS
from engine.core.errors import BadRecord, PlyscopeError, short_repr
from engine.core.stop_reason import StopReason
from engine.games.boards import MAX, MIN, Board
from engine.question import DEFAULT_ALGORITHM, CheckedSearch, Question
from engine.record.columns import (
    COLUMN_SPECS,
    CUTOFF,
    EXHAUSTED,
    HORIZON,
    INFINITY,
    MAXIMIZING,
    NONE,
    OPEN,
    STANDS_PAT,
    STATUS_BITS,
    TABLE,
    TERMINAL,
    WINDOW_COLUMNS,
    Columns,
    PassNote,
    check_flags,
    complete_open_rows,
)
from engine.record.recorder import Record
from engine.tree.board_parsing import BoardChange, detect_grid, parse_board
from engine.tree.tree import SearchTree

MAX_EXTERNAL_ROWS = 2_000_001  # two million calls of a search, and the loop around it
MAX_GRID_BOARDS = 200_000  # different boards that are drawn as grids; more are shown as text
MAX_SIDE_ROWS = 1_000  # that tell whose pieces they are
LEAF_STATUSES = {"terminal": TERMINAL, "horizon": HORIZON}


class ExternalData(msgspec.Struct, forbid_unknown_fields=True):
    """The recorded data besides the columns. A tree file stores it unchanged."""

    name: str
    boards: list[str]  # the distinct boards
    board: list[int]  # for each row, the index of its board
    untried: dict[int, list[int]]  # by row, the moves that a cutoff left out
    names: dict[int, str]  # of the moves, by their codes


class ExternalGame:
    """A game with only the recorded positions. A state is the number of the path that leads to it. A negative state
    follows an untried move.
    """

    def __init__(self, columns: Columns, seen: ExternalData):
        self.name, self.seen = seen.name, seen
        self._paths = UniquePaths(columns, seen) if _has_unique_paths(columns) else SharedPaths(columns, seen)
        used = dict.fromkeys(seen.board)
        texts = (seen.boards[index] for index in used)
        if len(used) <= MAX_GRID_BOARDS and (grid := detect_grid(texts, _list_changes(columns, seen))) is not None:
            self._grid = grid
            self.board = self._state_board

    def start(self) -> int:
        return 0

    def moves(self, state: int) -> list[int]:
        return list(self._paths.replies(state)) if state >= 0 else []

    def play(self, state: int, move: int) -> int:
        return self._paths.replies(state)[move]

    def is_over(self, state: int) -> bool:
        return state >= 0 and self._paths.is_over(state)

    def maximizing(self, state: int) -> bool:
        return self._paths.is_max(state) if state >= 0 else not self._paths.is_max(NONE - state)

    def evaluate(self, state: int) -> float:
        value = self._paths.leaf_value(state) if state >= 0 else float("nan")
        if np.isnan(value):
            raise PlyscopeError("this search was recorded from another program: only its recorded positions have values")
        return value

    def show(self, state: int) -> str:
        return self._paths.board_text(state) if state >= 0 else ""

    def move_name(self, move: int) -> str:
        return self.seen.names.get(move, str(move))

    def _state_board(self, state: int) -> Board:
        """Return the board of a state, if all boards are grids. For an untried move it is the board at which it was left out."""
        return parse_board(self._paths.board_text(state if state >= 0 else NONE - state), self._grid)


def _list_changes(columns: Columns, seen: ExternalData) -> Iterator[BoardChange]:
    """Return the boards before and after the first moves of a search, each with the side that moved."""
    path: list[int] = []
    for row in range(min(len(columns.depth), MAX_SIDE_ROWS)):
        del path[int(columns.depth[row]) :]
        if path:
            side = MAX if columns.flags[path[-1]] & MAXIMIZING else MIN
            yield BoardChange(seen.boards[seen.board[path[-1]]], seen.boards[seen.board[row]], side)
        path.append(row)


class UniquePaths:
    """The positions of a search in which no path was called twice: the state of a path is its row."""

    def __init__(self, columns: Columns, seen: ExternalData):
        self._columns, self._seen = columns, seen

    def board_text(self, state: int) -> str:
        return self._seen.boards[self._seen.board[state]]

    def is_max(self, state: int) -> bool:
        return bool(self._columns.flags[state] & MAXIMIZING)

    def is_over(self, state: int) -> bool:
        return bool(self._columns.flags[state] & STATUS_BITS == TERMINAL)

    def leaf_value(self, state: int) -> float:
        is_leaf = self._columns.flags[state] & STATUS_BITS in (TERMINAL, HORIZON)
        return float(self._columns.value[state]) if is_leaf else float("nan")

    def replies(self, state: int) -> dict[int, int]:
        """Return the state after each move."""
        found, child = {}, state + 1
        while child < self._columns.end[state]:
            found[int(self._columns.move[child])] = child
            child = int(self._columns.end[child])
        return found | dict.fromkeys(self._seen.untried.get(state, ()), NONE - state)


class SharedPaths:
    """The positions of a search that called some paths again: in another pass, or after a probe."""

    def __init__(self, columns: Columns, seen: ExternalData):
        self.seen = seen
        self._board: list[str] = []
        self._max: list[bool] = []
        self._over: list[bool] = []
        self._value: list[float] = []
        self._replies: list[dict[int, int]] = []
        self._number_states(columns)

    def _number_states(self, columns: Columns) -> None:
        """Number the paths in the order of their rows. Calls of one path must have the same position and the same moves."""
        path: list[int] = []
        cut: dict[int, int] = {}  # state by row of a cutoff
        for row in range(len(columns.end)):
            depth, code, status = int(columns.depth[row]), int(columns.move[row]), int(columns.flags[row]) & STATUS_BITS
            del path[depth:]
            state = (self._replies[path[-1]].get(code, NONE) if path else 0) if row else NONE
            if state < 0:
                state = len(self._board)
                if path:
                    self._replies[path[-1]][code] = state
                self._board.append(self.seen.boards[self.seen.board[row]])
                self._max.append(bool(columns.flags[row] & MAXIMIZING))
                self._over.append(False)
                self._value.append(float("nan"))
                self._replies.append({})
            recorded = self.seen.boards[self.seen.board[row]], bool(columns.flags[row] & MAXIMIZING)
            if (self._board[state], self._max[state]) != recorded:
                raise BadRecord(f"row {row:,}: the same moves led to another board or side to move earlier")
            if status in (TERMINAL, HORIZON):
                self._over[state], self._value[state] = status == TERMINAL, float(columns.value[row])
            for move in self.seen.untried.get(row, ()):
                self._replies[state].setdefault(move, NONE - state)
                cut[row] = state
            path.append(state)
        for row, state in cut.items():
            if set(self._replies[state]) != tried_moves(columns, row) | set(self.seen.untried[row]):
                raise BadRecord(f"row {row:,}: another call of this position has different moves")

    def board_text(self, state: int) -> str:
        return self._board[state]

    def is_max(self, state: int) -> bool:
        return self._max[state]

    def is_over(self, state: int) -> bool:
        return self._over[state]

    def leaf_value(self, state: int) -> float:
        return self._value[state]

    def replies(self, state: int) -> dict[int, int]:
        """Return the state after each move."""
        return self._replies[state]


def _has_unique_paths(columns: Columns) -> bool:
    """Return True if there is one root, and no row calls a move twice."""
    depth = columns.depth
    if (depth == 0).sum() != 1:
        return False
    parent = np.full(len(depth), NONE, np.int64)
    above = np.flatnonzero(depth == 0)
    for level in range(1, int(depth.max()) + 1):
        rows = np.flatnonzero(depth == level)
        parent[rows] = above[np.searchsorted(above, rows) - 1]
        above = rows
    keys = np.sort(parent * (int(columns.move.max()) + 2) + columns.move + 1)
    return not (keys[1:] == keys[:-1]).any()


class ExternalRecorder:
    """Records an external search while it runs: call `enter` at the beginning of every call and `leave` at its end."""

    def __init__(self, name: str, algorithm: str = DEFAULT_ALGORITHM, depth: int | None = None):
        facts = ALGORITHMS[algorithm]
        self.name, self.algorithm, self.depth = name, algorithm, depth
        self._record = Record(MAX_EXTERNAL_ROWS, facts.windows, None, extra_columns=facts.extra_columns({}))
        self._calls: list[int] = []  # open rows
        self._boards: dict[str, int] = {}
        self._board: list[int] = []
        self._untried: dict[int, list[int]] = {}
        self._codes: dict[Hashable, int] = {}
        self._latest: dict[int, tuple[int, int]] = {}  # by depth, the last call there and its move

    def begin_pass(self, depth: int | None, why: str) -> None:
        self._record.begin_pass(depth, why)

    def enter(
        self, board: str, maximizing: bool, move: Hashable = None, alpha: float = -INFINITY, beta: float = INFINITY
    ) -> None:
        """Record the beginning of a call: its board, the side to move, the move that led there (none at the root) and its
        window.
        """
        depth, code = len(self._calls), NONE if not self._calls else self._encode_move(move)
        row, latest = self._record.next_row, self._latest.get(depth, (NONE, NONE))
        probe = latest[0] if self._record.links and self._calls and latest[1] == code and latest[0] > self._calls[-1] else NONE
        self._record.enter(code, depth, alpha, beta, bool(maximizing), probe)
        self._board.append(self._boards.setdefault(str(board), len(self._boards)))
        self._calls.append(row)
        self._latest[depth] = row, code

    def leave(self, value: float, leaf: str = "", untried: Sequence[Hashable] = ()) -> None:
        """Record the end of a call and its value.

        `leaf` is "terminal" or "horizon" if the position was evaluated. `untried` are the moves that a cutoff left out.
        """
        if leaf and leaf not in LEAF_STATUSES:
            raise BadRecord(f"{short_repr(leaf)} is not a kind of leaf: use {' or '.join(LEAF_STATUSES)}")
        row = self._calls.pop()
        status = LEAF_STATUSES[leaf] if leaf else CUTOFF if untried else EXHAUSTED
        if untried:
            self._untried[row] = [self._encode_move(move) for move in untried]
        self._record.leave(row, status, float(value), len(untried))

    def _encode_move(self, move: Hashable) -> int:
        """Return the number of a move. Moves are numbered in order of their first call."""
        return self._codes.setdefault(move, len(self._codes))

    def build_tree(self) -> SearchTree:
        """Return the recorded search as a tree."""
        columns = self._record.columns()
        if not len(columns.end):
            raise BadRecord("nothing was recorded: there is no call")
        stopped = StopReason.CANCELLED if self._calls else StopReason.NOT_STOPPED
        if stopped:
            complete_open_rows(columns, -INFINITY, INFINITY)
        names = {code: str(move) for move, code in self._codes.items()}
        seen = ExternalData(self.name, list(self._boards), self._board, self._untried, names)
        return build_external_tree(columns, seen, self.algorithm, self.depth, 0.0, stopped, self._record.passes())


def build_external_tree(
    columns: Columns,
    seen: ExternalData,
    algorithm: str,
    depth: int | None,
    seconds: float,
    stopped: StopReason = StopReason.NOT_STOPPED,
    notes: tuple[PassNote, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> SearchTree:
    """Return the tree of an external search. Raise BadRecord unless every row is consistent."""
    check_rows(columns, seen, algorithm, stopped, notes)
    if (options or {}).get("quiescence"):
        raise BadRecord("the search of another program has no option quiescence")
    question = Question(ExternalGame(columns, seen), None, depth, algorithm, **(options or {}))
    return SearchTree(CheckedSearch(question, 0, "", False), columns, seconds, stopped, False, notes)


def check_rows(columns: Columns, seen: ExternalData, algorithm: str, stopped: StopReason, notes: tuple[PassNote, ...]) -> None:
    """Raise BadRecord if the rows are not a tree. Compiled code runs only after this and relies on these checks."""
    rows = len(columns.end)
    facts = ALGORITHMS[algorithm]
    if rows > MAX_EXTERNAL_ROWS:
        raise BadRecord(f"there are {rows:,} rows: the limit for another program's search is {MAX_EXTERNAL_ROWS:,}")
    wanted = {*facts.extra_columns({}), *(WINDOW_COLUMNS if facts.windows else ())}
    for name, column in columns._asdict().items():
        if len(column) != (rows if name in wanted or not COLUMN_SPECS[name].optional else 0):
            raise BadRecord(f"the column {name!r} has {len(column):,} entries, which does not fit {algorithm} with {rows:,} rows")
    check_flags(columns.flags)
    if (columns.flags & STANDS_PAT).any():
        raise BadRecord("a row stands pat, which the search of another program cannot record")
    _check_shape(columns, stopped, [note.first for note in notes] or [0])
    _check_numbers(columns)
    if len(seen.board) != rows or not 0 <= min(seen.board) <= max(seen.board) < len(seen.boards):
        raise BadRecord("some rows have no board")
    _check_untried(columns, seen)


def _check_shape(columns: Columns, stopped: StopReason, roots: list[int]) -> None:
    """Check that rows are in pre-order with the ends of their subtrees. Leaves must have no children, other nodes at least
    one.
    """
    depth, status = columns.depth.astype(np.int64), columns.flags & STATUS_BITS
    rows = np.arange(len(depth))
    if np.flatnonzero(depth == 0).tolist() != roots:
        raise BadRecord("the rows of depth 0 are not the roots of the passes")
    if (jumps := np.flatnonzero(np.diff(depth) > 1)).size:
        row = int(jumps[0]) + 1
        raise BadRecord(f"row {row:,} has depth {depth[row]}, but the row before it has depth {depth[row - 1]}")
    end = _find_ends(depth)
    is_leaf, is_inner = np.isin(status, (TERMINAL, HORIZON, TABLE)), np.isin(status, (EXHAUSTED, CUTOFF))
    wrong = (columns.end != end) | (is_leaf & (end > rows + 1)) | (is_inner & (end == rows + 1))
    if wrong.any():
        raise BadRecord(f"row {int(wrong.argmax()):,}: its end, its status and the rows below it are inconsistent")
    unfinished = (status == OPEN) & ((end < len(depth)) | (not stopped))
    if unfinished.any():
        raise BadRecord(f"row {int(unfinished.argmax()):,} was never left, but the search continued")
    if (moved := (depth == 0) & (columns.move != NONE)).any():
        raise BadRecord(f"row {int(moved.argmax()):,} is a root with a move")


def _find_ends(depth: np.ndarray) -> np.ndarray:
    """Return the end of each subtree: the next row that is not deeper, or the end of the table."""
    end = np.empty(len(depth), np.int64)
    for level in range(int(depth.max()) + 1):
        bounds = np.append(np.flatnonzero(depth <= level), len(depth))
        rows = np.flatnonzero(depth == level)
        end[rows] = bounds[np.searchsorted(bounds, rows, "right")]
    return end


def _check_numbers(columns: Columns) -> None:
    left = columns.flags & STATUS_BITS != OPEN
    if np.isnan(columns.value[left]).any() or any(np.isnan(column).any() for column in (columns.alpha, columns.beta)):
        raise BadRecord("a value or a window is not a number")
    if len(columns.link) and not ((columns.link >= NONE) & (columns.link < np.arange(len(columns.link)))).all():
        raise BadRecord("a link does not lead to an earlier row")


def tried_moves(columns: Columns, row: int) -> set[int]:
    """Return the moves that a row called."""
    moves, child = set(), row + 1
    while child < columns.end[row]:
        moves.add(int(columns.move[child]))
        child = int(columns.end[child])
    return moves


def _check_untried(columns: Columns, seen: ExternalData) -> None:
    cut = np.flatnonzero(columns.flags & STATUS_BITS == CUTOFF).tolist()
    if not set(seen.untried) <= set(cut) or sorted(seen.untried) != np.flatnonzero(columns.skipped).tolist():
        raise BadRecord("the untried moves do not match the cutoffs and their skipped moves")
    for row, moves in seen.untried.items():
        if (
            not moves
            or len(set(moves)) != len(moves)
            or tried_moves(columns, row) & set(moves)
            or len(moves) != columns.skipped[row]
        ):
            raise BadRecord(f"row {row:,}: its untried moves do not match its cutoff")
