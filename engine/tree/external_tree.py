"""A search that was only watched: somebody else's program made it, and no rules are here that could replay its moves.

What was seen is kept: one row a call, the board at it as text (each different one once), the moves that led on and those that a
cutoff left untried. From that a `WatchedGame` answers what a tree asks of a game, for the positions that were seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from engine.algorithms import ALGORITHMS
from engine.core.errors import BadRecord, PlyscopeError, shortened
from engine.games.boards import Board
from engine.question import USUAL_ALGORITHM, Question, Search
from engine.record.columns import (
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
    Columns,
    PassNote,
    check_flags,
    settle,
)
from engine.record.recorder import CANCELLED, Record
from engine.tree.board_parsing import drawn, grid_of
from engine.tree.tree import SearchTree

MOST_ROWS = 200_001  # the calls of a search, and the loop around it
LEAVES = {"terminal": TERMINAL, "horizon": HORIZON}


class Seen(msgspec.Struct, forbid_unknown_fields=True):
    """What was seen beside the columns; a file keeps it as it is."""

    name: str
    boards: list[str]  # each different one once
    board: list[int]  # of each row, its place among them
    untried: dict[int, list[int]]  # by row, the moves that a cutoff left out
    names: dict[int, str]  # of the moves, by the number that stands for each


class WatchedGame:
    """The positions that were seen. A state is the number of the path that leads to it; below 0 it was left untried."""

    def __init__(self, columns: Columns, seen: Seen):
        self.name, self.seen = seen.name, seen
        self._board: list[str] = []
        self._max: list[bool] = []
        self._over: list[bool] = []
        self._value: list[float] = []
        self._replies: list[dict[int, int]] = []
        self._find_places(columns)
        if (grid := grid_of(dict.fromkeys(seen.boards[place] for place in seen.board))) is not None:
            self._grid = grid
            self.board = self._drawn

    def _find_places(self, columns: Columns) -> None:
        """Number the paths in the order they come; calls of one path must have seen one position, with the same moves."""
        path: list[int] = []
        cut: dict[int, int] = {}  # by row of a cutoff, its place
        for row in range(len(columns.end)):
            depth, code, status = int(columns.depth[row]), int(columns.move[row]), int(columns.flags[row]) & STATUS_BITS
            del path[depth:]
            place = (self._replies[path[-1]].get(code, NONE) if path else 0) if row else NONE
            if place < 0:
                place = len(self._board)
                if path:
                    self._replies[path[-1]][code] = place
                self._board.append(self.seen.boards[self.seen.board[row]])
                self._max.append(bool(columns.flags[row] & MAXIMIZING))
                self._over.append(False)
                self._value.append(float("nan"))
                self._replies.append({})
            sight = self.seen.boards[self.seen.board[row]], bool(columns.flags[row] & MAXIMIZING)
            if (self.show(place), self._max[place]) != sight:
                raise BadRecord(f"row {row:,}: the same moves led to another board or another side to move before")
            if status in (TERMINAL, HORIZON):
                self._over[place], self._value[place] = status == TERMINAL, float(columns.value[row])
            for move in self.seen.untried.get(row, ()):
                self._replies[place].setdefault(move, NONE - place)
                cut[row] = place
            path.append(place)
        for row, place in cut.items():
            if set(self._replies[place]) != tried(columns, row) | set(self.seen.untried[row]):
                raise BadRecord(f"row {row:,}: another call of this position had other moves")

    def start(self) -> int:
        return 0

    def moves(self, state: int) -> list[int]:
        return list(self._replies[state]) if state >= 0 else []

    def play(self, state: int, move: int) -> int:
        return self._replies[state][move]

    def is_over(self, state: int) -> bool:
        return state >= 0 and self._over[state]

    def maximizing(self, state: int) -> bool:
        return self._max[state] if state >= 0 else not self._max[NONE - state]

    def evaluate(self, state: int) -> float:
        if state < 0 or np.isnan(self._value[state]):
            raise PlyscopeError("this search was only watched: what was not seen then cannot be searched now")
        return self._value[state]

    def show(self, state: int) -> str:
        return self._board[state] if state >= 0 else ""

    def move_name(self, move: int) -> str:
        return self.seen.names.get(move, str(move))

    def _drawn(self, state: int) -> Board:
        """The board of a state, where all boards are grids; that of a move that was left untried is the one it was left at."""
        return drawn(self._board[state if state >= 0 else NONE - state], self._grid)


class Watcher:
    """Writes down a search while it runs: `enter` at the beginning of every call, `leave` at its end."""

    def __init__(self, name: str, algorithm: str = USUAL_ALGORITHM, depth: int | None = None):
        facts = ALGORITHMS[algorithm]
        self.name, self.algorithm, self.depth = name, algorithm, depth
        self._record = Record(MOST_ROWS, facts.windows, None, links=facts.links)
        self._calls: list[int] = []  # rows that are not left
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
        """A call begins: the board it is about, whose turn it is, the move that led there (none at the root), its window."""
        depth, code = len(self._calls), NONE if not self._calls else self._code(move)
        row, latest = self._record.next_row, self._latest.get(depth, (NONE, NONE))
        probe = latest[0] if self._record.links and self._calls and latest[1] == code and latest[0] > self._calls[-1] else NONE
        self._record.enter(code, depth, alpha, beta, bool(maximizing), probe)
        self._board.append(self._boards.setdefault(str(board), len(self._boards)))
        self._calls.append(row)
        self._latest[depth] = row, code

    def leave(self, value: float, leaf: str = "", untried: Sequence[Hashable] = ()) -> None:
        """The call ends with a value. `leaf`: "terminal" or "horizon" if it was evaluated; `untried`: the moves that a cutoff
        left out."""
        if leaf and leaf not in LEAVES:
            raise BadRecord(f"a leaf is {' or '.join(LEAVES)}, not {shortened(leaf)}")
        row = self._calls.pop()
        status = LEAVES[leaf] if leaf else CUTOFF if untried else EXHAUSTED
        if untried:
            self._untried[row] = [self._code(move) for move in untried]
        self._record.leave(row, status, float(value), len(untried))

    def _code(self, move: Hashable) -> int:
        """Moves are numbered as they come."""
        return self._codes.setdefault(move, len(self._codes))

    def tree(self) -> SearchTree:
        """What was seen, as a tree."""
        columns = self._record.columns()
        if not len(columns.end):
            raise BadRecord("nothing was watched: there is no call")
        stopped = CANCELLED if self._calls else ""
        if stopped:
            settle(columns, -INFINITY, INFINITY)
        names = {code: str(move) for move, code in self._codes.items()}
        seen = Seen(self.name, list(self._boards), self._board, self._untried, names)
        return watched_tree(columns, seen, self.algorithm, self.depth, 0.0, stopped, self._record.passes())


def watched_tree(
    columns: Columns,
    seen: Seen,
    algorithm: str,
    depth: int | None,
    seconds: float,
    stopped: str = "",
    notes: tuple[PassNote, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> SearchTree:
    """The tree of a watched search, once every row is known to be consistent."""
    check_rows(columns, seen, algorithm, stopped, notes)
    if (options or {}).get("quiescence"):
        raise BadRecord("a search that is only watched has no option quiescence")
    question = Question(WatchedGame(columns, seen), None, depth, algorithm, **(options or {}))
    return SearchTree(Search(question, 0, "", False), columns, seconds, stopped, False, notes)


def check_rows(columns: Columns, seen: Seen, algorithm: str, stopped: str, notes: tuple[PassNote, ...]) -> None:
    """Refuse rows that are no tree. Nothing compiled runs before this: all that it relies on is looked at here."""
    rows = len(columns.end)
    facts = ALGORITHMS[algorithm]
    if rows > MOST_ROWS:
        raise BadRecord(f"{rows:,} rows, and {MOST_ROWS:,} of a watched search are the most")
    wanted = {"alpha": facts.windows, "beta": facts.windows, "link": facts.links, "static": False}
    for name, column in columns._asdict().items():
        if len(column) != (rows if wanted.get(name, True) else 0):
            raise BadRecord(f"the column {name!r} has {len(column):,} entries, and {algorithm} has another number of them")
    check_flags(columns.flags)
    if (columns.flags & STANDS_PAT).any():
        raise BadRecord("a row stands pat, and a search that is only watched does not tell of that")
    _check_shape(columns, stopped, [note.first for note in notes] or [0])
    _check_numbers(columns)
    if len(seen.board) != rows or not all(0 <= board < len(seen.boards) for board in seen.board):
        raise BadRecord("there is not a board for every row")
    _check_untried(columns, seen)


def _check_shape(columns: Columns, stopped: str, roots: list[int]) -> None:
    """Rows in pre-order, with the ends of their subtrees; leaves without children, others with some."""
    depth, end, status = columns.depth.tolist(), columns.end.tolist(), (columns.flags & STATUS_BITS).tolist()
    rows = len(depth)
    waiting: list[int] = []
    if [row for row in range(rows) if depth[row] == 0] != roots:
        raise BadRecord("the rows of depth 0 are not the roots of the passes")
    for row in range(rows + 1):
        level = depth[row] if row < rows else 0
        if row < rows and level > len(waiting):
            raise BadRecord(f"row {row:,} of depth {level} follows one of depth {depth[row - 1] if row else 0}")
        while len(waiting) > level:
            node = waiting.pop()
            is_leaf = status[node] in (TERMINAL, HORIZON, TABLE)
            if end[node] != row or (is_leaf and row > node + 1) or (status[node] in (EXHAUSTED, CUTOFF) and row == node + 1):
                raise BadRecord(f"row {node:,}: its end, its status and the rows below it do not go together")
            if status[node] == OPEN and (not stopped or row < rows):
                raise BadRecord(f"row {node:,} was never left, and the search went on")
        waiting.append(row)
        if row < rows and level == 0 and columns.move[row] != NONE:
            raise BadRecord(f"row {row:,} is a root with a move")


def _check_numbers(columns: Columns) -> None:
    left = columns.flags & STATUS_BITS != OPEN
    if np.isnan(columns.value[left]).any() or any(np.isnan(column).any() for column in (columns.alpha, columns.beta)):
        raise BadRecord("a value or a window is no number")
    if len(columns.link) and not ((columns.link >= NONE) & (columns.link < np.arange(len(columns.link)))).all():
        raise BadRecord("a link does not lead to an earlier row")


def tried(columns: Columns, row: int) -> set[int]:
    """The moves that a row called."""
    moves, child = set(), row + 1
    while child < columns.end[row]:
        moves.add(int(columns.move[child]))
        child = int(columns.end[child])
    return moves


def _check_untried(columns: Columns, seen: Seen) -> None:
    cut = np.flatnonzero(columns.flags & STATUS_BITS == CUTOFF).tolist()
    if not set(seen.untried) <= set(cut) or sorted(seen.untried) != np.flatnonzero(columns.skipped).tolist():
        raise BadRecord("there are untried moves without a cutoff, or moves that were counted and are not there")
    for row, moves in seen.untried.items():
        if not moves or len(set(moves)) != len(moves) or tried(columns, row) & set(moves) or len(moves) != columns.skipped[row]:
            raise BadRecord(f"row {row:,}: its untried moves are not those that its cutoff left out")
