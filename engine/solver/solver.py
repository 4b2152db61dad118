"""Solve Connect positions: the Python side of solver_kernel.py, which it calls in slices."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from engine.compiled import solver_kernel as kernel
from engine.compiled.alphabeta_driver import encode_game
from engine.compiled.numba_compat import is_jit_disabled
from engine.core.errors import BadLimit, NotCompilable, PlyscopeError
from engine.core.memory_budget import memory_budget
from engine.core.notebook import NotebookDisplay
from engine.core.parsing import is_whole
from engine.core.stop_reason import StopReason
from engine.games.capabilities import declared_name, kernel_board
from engine.games.positions import read_position
from engine.games.protocol import check_game
from engine.record.recorder import PROGRESS_SECONDS, is_stop_request
from engine.solver.scores import DiscCount, describe_bounds, describe_score, short_outcome
from engine.solver.solvable import MAX_BOARD_BITS, why_not_solvable

TABLE_MB = 64
SLOT_BYTES = 8
FIRST_SLICE = 1 << 13  # positions in the first call, before the speed is known
NO_LIMIT = 2**62
ALL_IDEAS = kernel.SolverIdeas(pruning=True, table=True, lower=True, halving=True, safe=True, threats=True)

OnProgress = Callable[[int], object] | None


class NotSolvable(PlyscopeError):
    """A game that the solver cannot solve."""


@dataclass(frozen=True, repr=False)
class Solution(NotebookDisplay):
    """The exact result of a position for the side to move, as far as it was requested and found."""

    game: Any
    state: Any
    disc_count: DiscCount
    score: int | None  # None: not solved; of a weak solution only 1, 0 or -1
    lower: int  # the score is at least this, and at most `upper`
    upper: int
    columns: dict[int, int]  # the score of each legal column that was solved
    nodes: int
    seconds: float
    stopped: StopReason
    weak: bool  # True: only the winner was requested, not how soon
    over: bool  # the game is over in this position

    display_name = "solution"

    def __repr__(self) -> str:
        side = "MAX" if self.game.maximizing(self.state) else "MIN"
        best = f", best columns {', '.join(map(str, self.best_moves))}" if self.best_moves else ""
        return f"<Solution of {declared_name(self.game)}: {side} {self.words}{best}>"

    @property
    def complete(self) -> bool:
        return not self.stopped

    @property
    def best_moves(self) -> list[int]:
        """Return the columns that achieve the score, if columns were requested."""
        return [column for column, score in self.columns.items() if score == self.score] if self.complete else []

    @property
    def words(self) -> str:
        """Describe the outcome for the side to move, as the rest of a sentence about it."""
        if self.over:
            return "has lost: the game is over" if self.lower < 0 else "has drawn: the game is over"
        if self.score is None:
            return describe_bounds(self.lower, self.upper)
        return describe_score(self.score, self.disc_count, self.weak)

    def column_words(self, column: int) -> str:
        """Describe the outcome of a column: "wins in 7"."""
        return short_outcome(self.columns[column], self.disc_count, self.weak)


def solve(
    game: Any,
    position: Any = None,
    *,
    limit_nodes: int | None = None,
    on_progress: OnProgress = None,
    first: str | None = None,
    columns: bool = True,
    weak: bool = False,
    table_mb: int = TABLE_MB,
) -> Solution:
    """Return the exact score of a Connect position under the rule `first`, and of each of its columns.

    A positive score wins for the side to move, 0 draws, and a larger score is an earlier win (scores.py). `position` and `first`
    are as in `search`. `weak` finds only the winner, `columns=False` only the position's own score. `on_progress` is called
    with the number of positions entered about fifty times a second and stops the solver by returning False. If that,
    `limit_nodes` or Ctrl-C stops it, the solution holds the results so far, with `complete` False.

    >>> from engine import connect
    >>> solution = solve(connect(), "1460263026002213432204")
    >>> solution.score, solution.best_moves, solution.columns
    (2, [6], {0: -5, 1: -1, 3: 0, 4: -4, 5: -6, 6: 2})
    >>> solution.words, solution.column_words(0)
    ('wins with its 20th disc, in 9 moves', 'loses in 6')
    """
    check_game(game)
    check_limit(limit_nodes)
    solver = Solver(game, slots_per_megabytes(table_mb))
    state = read_position(game, position, first)
    return solver.solve(state, limit_nodes=limit_nodes, on_progress=on_progress, columns=columns, weak=weak)


def check_limit(limit_nodes: object) -> None:
    if limit_nodes is not None and (not is_whole(limit_nodes) or int(limit_nodes) < 1):  # type: ignore[call-overload]
        raise BadLimit(f"{limit_nodes!r} is not a node limit: choose a whole number from 1")


def slots_per_megabytes(megabytes: int) -> int:
    """Return the number of table slots that fit: a prime, so that similar positions are spread over the table."""
    if not is_whole(megabytes) or not 1 <= megabytes <= 1 << 16:
        raise BadLimit(f"a table cannot have {megabytes!r} MB: choose a whole number from 1 to {1 << 16}")
    if megabytes > TABLE_MB and megabytes << 20 > memory_budget(None):
        raise BadLimit(f"a table of {megabytes} MB takes more than half of the free memory: choose less")
    return _prime_below((int(megabytes) << 20) // SLOT_BYTES)


@lru_cache
def _prime_below(even: int) -> int:
    number = even - 1
    while any(number % factor == 0 for factor in range(3, int(number**0.5) + 1, 2)):
        number -= 2
    return number


class Solver:
    """A solver for one board. Its table keeps results from one position for the next."""

    def __init__(
        self, game: Any, slots: int | None = None, ideas: kernel.SolverIdeas = ALL_IDEAS, order: list[int] | None = None
    ):
        """Prepare a table with this many slots (default: TABLE_MB) and the order of columns (default: centre first)."""
        if obstacle := why_not_solvable(game):
            raise NotSolvable(f"{declared_name(game)} cannot be solved: {obstacle}")
        if is_jit_disabled():
            raise NotCompilable("the solver needs numba, and NUMBA_DISABLE_JIT switches it off")
        self.game, self.board, self.ideas = game, kernel_board(game), ideas
        self.cells = self.board.rows * self.board.cols
        self.order = order_from_centre(self.board.cols) if order is None else order
        last_first = np.array([self.board.column_cells[column] for column in reversed(self.order)], np.uint64)
        self._table, self._frames = self._empty_table(slots), self._empty_frames()
        self._registers = np.zeros(len(kernel.REGISTERS), np.int64)
        self._setting = self._table, encode_game(self.board).board, ideas, last_first, self.cells
        kernel.advance(self._frames, self._registers, *self._setting, 0, 0)  # compiles the kernel; enters no position

    def _empty_table(self, slots: int | None) -> np.ndarray:
        """Make an empty table. It has enough slots for the quotient of a key to fit an entry."""
        min_slots = 1 << max(0, self.board.cols * self.board.height + kernel.ENTRY_BITS - MAX_BOARD_BITS)
        return np.zeros(
            max(min_slots, slots_per_megabytes(TABLE_MB) if slots is None else slots) if self.ideas.table else 1, np.uint64
        )

    def _empty_frames(self) -> kernel.SolverFrames:
        levels, columns = self.cells + 1, self.board.cols
        bits, numbers = (np.zeros((levels, columns), kind) for kind in (np.uint64, np.int64))
        own, mask, left = (np.zeros(levels, np.uint64) for _ in range(3))
        alpha, beta = (np.zeros(levels, np.int64) for _ in range(2))
        return kernel.SolverFrames(own, mask, alpha, beta, left, bits, numbers)

    def forget(self) -> None:
        """Empty the table."""
        self._table.fill(0)

    def solve(
        self,
        state: Any,
        *,
        limit_nodes: int | None = None,
        on_progress: OnProgress = None,
        columns: bool = True,
        weak: bool = False,
    ) -> Solution:
        """Return the score of a state of the board, and the scores of its columns."""
        began = time.perf_counter()
        work = _SolverProgress(NO_LIMIT if limit_nodes is None else limit_nodes, on_progress)
        own, other = (state.max_discs, state.min_discs) if state.max_to_move else (state.min_discs, state.max_discs)
        disc_count, over = DiscCount(self.cells, own.bit_count(), other.bit_count()), self.board.is_over(state)
        scores: dict[int, int] = {}
        if over:
            lower = upper = disc_count.lost_score if self.board.has_line(other) else 0
        else:
            lower, upper = (-1, 1) if weak else (disc_count.min_score, disc_count.max_score)
            try:
                lower, upper = self._bounds(own, other, weak, work)
                for column in self.order if columns and not work.stopped else ():
                    if square := self.board.playable_cells(own | other) & self.board.column_cells[column]:
                        score = self._column_score(own | square, other, weak, work)
                        if score is None:
                            break
                        scores[column] = score
            except KeyboardInterrupt:
                work.stopped = StopReason.INTERRUPTED
        score = lower if lower == upper else None
        scores = dict(sorted(scores.items()))
        seconds = time.perf_counter() - began
        return Solution(self.game, state, disc_count, score, lower, upper, scores, work.nodes, seconds, work.stopped, weak, over)

    def _column_score(self, own: int, other: int, weak: bool, work: _SolverProgress) -> int | None:
        """Return the score of a move for the side that made it, which now has the discs `own`; None if it was not found."""
        if self.board.has_line(own):
            return 1 if weak else DiscCount(self.cells, own.bit_count() - 1, other.bit_count()).max_score
        if own | other == self.board.cells:
            return 0
        lower, _ = self._bounds(other, own, weak, work)
        return None if work.stopped else -lower

    def _bounds(self, own: int, other: int, weak: bool, work: _SolverProgress) -> tuple[int, int]:
        """Return the lowest and highest possible score of a position that is not over. They are equal unless the work was
        stopped.
        """
        disc_count = DiscCount(self.cells, own.bit_count(), other.bit_count())
        low, high = (-1, 1) if weak else (disc_count.min_score, disc_count.max_score)
        self._begin(own, other, low, high, work.nodes)
        self._advance(work, disc_count.discs)
        low, high = int(self._registers[kernel.LOW]), int(self._registers[kernel.HIGH])
        if not weak:
            return low, high
        return (_sign_of(low), _sign_of(low)) if self._registers[kernel.DONE] else (_sign_of(low), _sign_of(high))

    def _begin(self, own: int, other: int, low: int, high: int, nodes: int) -> None:
        frames, registers = self._frames, self._registers
        probed = kernel.next_probed_score.py_func(low, high)
        widest = self.cells // 2 if self.ideas.pruning else self.cells
        window = (probed, probed + 1) if self.ideas.halving else (-widest, widest)
        frames.own[0], frames.mask[0] = own, own | other
        frames.alpha[0], frames.beta[0] = window
        registers[:] = 0
        registers[kernel.NODES], registers[kernel.LOW], registers[kernel.HIGH] = nodes, low, high
        registers[kernel.PROBED], registers[kernel.FRESH] = probed, 1

    def _advance(self, work: _SolverProgress, discs: int) -> None:
        """Call the kernel in slices of about PROGRESS_SECONDS until it is done or must stop."""
        registers = self._registers
        while True:
            before = work.nodes
            try:
                began = time.perf_counter()
                kernel.advance(self._frames, registers, *self._setting, discs, min(before + work.slice_nodes, work.limit))
                work.nodes = int(registers[kernel.NODES])
                work.adapt_slice(before, time.perf_counter() - began)
                cancelled = work.on_progress is not None and is_stop_request(work.on_progress(work.nodes))
            except KeyboardInterrupt:
                work.stopped = StopReason.INTERRUPTED
                return
            if registers[kernel.DONE]:
                return
            if cancelled or work.nodes >= work.limit:
                work.stopped = StopReason.CANCELLED if cancelled else StopReason.NODE_LIMIT
                return


@dataclass
class _SolverProgress:
    """The nodes entered so far, the limit, and the reason for stopping."""

    limit: int
    on_progress: OnProgress
    nodes: int = 0
    stopped: StopReason = StopReason.NOT_STOPPED
    slice_nodes: int = FIRST_SLICE

    def adapt_slice(self, before: int, seconds: float) -> None:
        """Adapt the number of nodes per slice to the speed."""
        at_this_speed = (self.nodes - before) * PROGRESS_SECONDS / max(seconds, 1e-6)
        self.slice_nodes = int(min(max(at_this_speed, FIRST_SLICE), 4 * self.slice_nodes))


def order_from_centre(columns: int) -> list[int]:
    """Return the columns from the middle outwards, left before right.

    >>> order_from_centre(7), order_from_centre(4)
    ([3, 2, 4, 1, 5, 0, 6], [2, 1, 3, 0])
    """
    middle = columns // 2
    return sorted(range(columns), key=lambda column: (abs(column - middle), column))


def _sign_of(number: int) -> int:
    return (number > 0) - (number < 0)
