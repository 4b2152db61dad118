"""The Python side of the kernel: turns a Connect game into its numbers, calls it in slices, gives it memory."""

import time
from collections.abc import Callable
from functools import cache, lru_cache
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from engine.compiled import alphabeta_kernel
from engine.compiled.growable_column import Stretch
from engine.compiled.numba_compat import Compiled, switched_off
from engine.core.memory_budget import budget
from engine.games import quirks
from engine.games.connect.evaluations import (
    DIRECTIONS,
    LINES_MAX_WEIGHTS,
    LINES_MIN_WEIGHTS,
    SEGMENTS_WIN,
    THREATS_WEIGHTS,
    THREATS_WIN,
    chain_lines,
    window_masks,
    window_starts,
)
from engine.games.connect.rules import BITS, Connect, State, connect
from engine.record.columns import MAXIMIZING, NONE, OPEN, Columns, PassNote, settle
from engine.record.recorder import CANCELLED, INTERRUPTED, MEMORY_LIMIT, NODE_LIMIT, PROGRESS_SECONDS, says_stop

QUIRKS = {
    quirks.NO_FULL_BOARD_TEST: alphabeta_kernel.NO_FULL_BOARD_TEST,
    quirks.FRESH_ROOT_WINDOWS: alphabeta_kernel.FRESH_ROOT_WINDOWS,
    quirks.AS_TYPED: alphabeta_kernel.AS_TYPED,
}
FIRST_ROWS = 1 << 16  # of the table
GROWN_ROWS = 1 << 20  # of one that has to grow, at least; then it doubles. What is not yet written takes no memory
FIRST_SLICE = 1 << 14  # rows of the first call, before the speed is known
MAX_ROWS = 2**31 - 2**16  # `end` is an int32
NO_LIMIT = 2**62  # rows that memory allows, before anybody has asked
READY: set[str] = set()  # evaluations that the kernel is known to be loaded for


def why_not(game: Connect) -> str:
    """What keeps a board from being searched by the kernel; empty if nothing does."""
    if switched_off():
        return "numba is switched off (NUMBA_DISABLE_JIT)"
    if game.cols * game.height > BITS:
        return f"{game.rows} rows x {game.cols} columns need {game.cols * game.height} bits, and a compiled board has {BITS}"
    windows = len(window_masks(game.rows, game.cols, game.connect))
    if game.evaluation == "segments:power" and windows * 10 ** (game.connect - 1) >= 2**31:
        return f"segments:power with {game.connect} in a line does not fit 32 bits"
    return ""


class KernelGame(NamedTuple):
    """A game as the kernel wants it."""

    board: alphabeta_kernel.Geometry
    column_cells: np.ndarray
    order: np.ndarray
    scoring: alphabeta_kernel.Scoring
    pairs: np.ndarray
    dtype: type


@lru_cache(maxsize=64)
def numbers_of(game: Connect) -> KernelGame:
    """The game as numbers; a match asks for the same again and again."""
    rule = alphabeta_kernel.RULE_FIRST if game.rule == "first" else alphabeta_kernel.RULE_COUNT
    lines = _lines(game, game.connect)
    board = alphabeta_kernel.Geometry(np.uint64(game.cells), np.uint64(game.bottom), *lines, game.connect, rule)
    return KernelGame(
        board,
        np.array(game.column_cells, np.uint64),
        np.array([game.min_order, game.max_order], np.uint8),
        _scoring(game),
        _pairs(game) if game.evaluation == "spread" else np.zeros((0, 3), np.uint64),
        np.float32 if game.evaluation == "spread" else np.int32,
    )


def _scoring(game: Connect) -> alphabeta_kernel.Scoring:
    length = game.connect if game.evaluation.startswith("segments") else 4
    kind, win, disc, growth = alphabeta_kernel.WINDOWS, 0, 0, (0, 0)
    masks: list[int] = []
    of_max: tuple[int, ...] = (0, 0, 0, 0)
    of_min: tuple[int, ...] | None = None
    if game.evaluation == "none":
        kind = alphabeta_kernel.NOTHING
    elif game.evaluation == "score":
        kind = alphabeta_kernel.SCORE
    elif game.evaluation == "chains":
        kind, masks = alphabeta_kernel.CHAINS, _chain_masks()
    elif game.evaluation == "spread":
        kind, masks = alphabeta_kernel.SPREAD, _planes(game, 3, lambda column, row: abs(row - 2) + abs(column - 3))
    elif game.evaluation == "lines":
        of_max, of_min = LINES_MAX_WEIGHTS, LINES_MIN_WEIGHTS
    elif game.evaluation == "threats":
        of_max, win, disc, masks = (*THREATS_WEIGHTS, 0), THREATS_WIN, 1, [sum(game.column_cells[1:-1])]
    elif game.evaluation == "segments:power":
        of_max, win, growth = (10, 100, 1000, 0), SEGMENTS_WIN, (10, 0)
    elif game.evaluation == "segments:linear":
        of_max, win, growth = (10, 20, 30, 0), SEGMENTS_WIN, (1, 10)
    of_min = of_min or tuple(-weight for weight in of_max)
    look = not (game.rule == "first" and game.connect == length)
    masks += [0] * (12 - len(masks))
    return alphabeta_kernel.Scoring(kind, length, win, look, *_lines(game, length), of_max, of_min, growth, disc, _words(masks))


def _lines(game: Connect, length: int) -> tuple[tuple[np.uint64, ...], tuple[np.uint64, ...]]:
    """Shifts and first cells of the windows of this length, per direction."""
    starts = [
        sum(1 << column * game.height + row for column, row in window_starts(game.rows, game.cols, length, right, up))
        for right, up in DIRECTIONS
    ]
    return _words(shift if start else 1 for shift, start in zip(game.shifts, starts, strict=True)), _words(starts)


def _planes(game: Connect, planes: int, number: Callable[[int, int], int]) -> list[int]:
    """The binary digits of a number per cell: one set of cells for each digit."""
    cells = [(column, row) for column in range(game.cols) for row in range(game.rows)]
    return [
        sum(1 << column * game.height + row for column, row in cells if number(column, row) >> plane & 1)
        for plane in range(planes)
    ]


def _chain_masks() -> list[int]:
    """Weight planes, top row, then for rows, rising and falling diagonals: the cells that count, and the last cell of each."""
    game = Connect()
    windows = window_masks(6, 7, 4)
    planes = _planes(game, 4, lambda column, row: sum(bool(1 << column * 7 + row & window) for window in windows))
    masks = [*planes, sum(1 << column * 7 + 5 for column in range(7))]
    steps = {game.shifts[1]: 1, game.shifts[2]: 1, game.shifts[3]: -1}
    for shift, sense in steps.items():
        lines = [line for line in chain_lines() if line[1] == (line[0] << shift if sense > 0 else line[0] >> shift)]
        masks += [sum(sum(line) for line in lines), sum(line[-1] for line in lines)]
    return masks


def _pairs(game: Connect) -> np.ndarray:
    """Every offset between two cells: where it can start, its shift, its length rounded down."""
    rows = []
    for right in range(game.cols):
        for up in range(1 - game.rows, game.rows):
            if right > 0 or up > 0:
                starts = sum(
                    1 << column * game.height + row
                    for column in range(game.cols - right)
                    for row in range(game.rows)
                    if 0 <= row + up < game.rows
                )
                rows.append((starts, right * game.height + up, isqrt(right**2 + up**2)))
    return np.array(rows, np.uint64)


def _words(numbers: Any) -> tuple[np.uint64, ...]:
    return tuple(np.uint64(number) for number in numbers)


def evaluate(game: Connect, state: State) -> float:
    """The static value by the compiled form."""
    numbers = numbers_of(game)
    like = numbers.dtype(0)
    high, low = np.uint64(state.max_discs), np.uint64(state.min_discs)
    return float(alphabeta_kernel.evaluate(like, high, low, numbers.board, numbers.scoring, numbers.pairs))


@cache
def load_kernel(evaluation: str) -> None:
    """Compile the kernel, or load it from numba's cache, so that the first search is not timed with that."""
    _least_search(evaluation).advance(1)


def unready_kernel(evaluation: str) -> Compiled | None:
    """Return the kernel while it would have to be compiled; None as soon as it can be called at once."""
    if evaluation not in READY and alphabeta_kernel.advance.is_ready(*_least_search(evaluation).arguments(0)):
        READY.add(evaluation)
    return None if evaluation in READY else alphabeta_kernel.advance


def _least_search(evaluation: str) -> "CompiledSearch":
    game = connect(rows=6, cols=7, evaluation=evaluation)
    return CompiledSearch(game, game.start(), 1, False, True, "")


class Machine:
    """A search by a kernel: it is called in slices and given memory. `run` returns the table and why it stopped early, if it did.

    A machine has `memory`, a stretch for each column, `registers`, and `call`, which lets the kernel go on.
    """

    registers: np.ndarray
    memory: list[Stretch]

    def __init__(self, game: Connect, dtype: type, levels: int, calls: int, windows: bool, recording: bool):
        """There are so many `levels` of frames, and at each of them at most so many `calls` of a move."""
        self.bounds: Any
        if dtype is np.float32:
            self.bounds = (np.float32(-np.inf), np.float32(0), np.float32(np.inf))
        else:
            self.bounds = (np.int32(-(2**31)), np.int32(0), np.int32(2**31 - 1))
        self.recording = recording
        self.evaluations = 0  # static evaluations that are no rows
        self.spare = calls * game.cols * (levels + 1)
        self.room = FIRST_ROWS + self.spare
        window_room = self.room if windows else 0
        self.memory = [Stretch(np.int8, self.room), *(Stretch(np.uint8, self.room) for _ in range(3))]
        self.memory += [Stretch(dtype, window_room), Stretch(dtype, window_room), Stretch(dtype, self.room)]
        self.memory += [Stretch(np.int32, self.room)]
        self.allowed = NO_LIMIT
        self.slice_rows = FIRST_SLICE
        self.cancelled = False

    def call(self, limit: int) -> None:
        """Let the kernel go on until about `limit` rows are written."""
        raise NotImplementedError

    def passes(self) -> tuple[PassNote, ...]:
        """What each pass was made for; nothing of a single one."""
        return ()

    @property
    def row_bytes(self) -> int:
        return sum(stretch.dtype.itemsize for stretch in self.memory if stretch.rows)

    def run(self, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None) -> tuple[Columns, str]:
        reason = ""
        try:
            reason = self.advance(min(max_nodes, MAX_ROWS), on_progress, max_memory)
        except KeyboardInterrupt:
            if self.rows == 0:
                raise
            reason = INTERRUPTED
        return self.finished(min(max_nodes, self.allowed), reason), reason

    def finished(self, most: int, reason: str) -> Columns:
        """The first rows, `most` of them; if the search was stopped for a reason, those that it had not left are settled."""
        self._resize(min(self.rows, most))
        table = self.table()
        if reason:
            settle(table, self.bounds[0], self.bounds[2])
        return table

    def run_unrecorded(self, max_nodes: int, on_progress: Callable[[int], object] | None) -> tuple[int, float, str]:
        """Nodes and value of the search alone, and why it stopped early: then it has no value (nan)."""
        stopped = self.advance(max_nodes, on_progress)
        nodes = self.rows
        return min(nodes, max_nodes), float("nan") if stopped else float(self.table().value[0]), stopped

    def advance(self, max_nodes: int, on_progress: Callable[[int], object] | None = None, max_memory: int | None = None) -> str:
        """Call the kernel in slices of about PROGRESS_SECONDS until it is done, or the reason why not; it can go on later."""
        if self.recording and max_memory is not None:
            self.allowed = self.rows_in(max_memory)
        while True:
            before, most = self.rows, min(max_nodes, self.allowed)
            if before > most:
                return NODE_LIMIT if before > max_nodes else MEMORY_LIMIT
            if self.registers[alphabeta_kernel.DONE]:
                return ""
            limit = min(before + self.slice_rows, most + 1)
            if self.recording:
                if before >= self.room - self.spare and not self._grow(max_nodes, max_memory):
                    return MEMORY_LIMIT
                limit = min(limit, self.room - self.spare)
            began = time.perf_counter()
            self.call(limit)
            seconds = time.perf_counter() - began
            rows = self.rows
            self.cancelled = on_progress is not None and says_stop(on_progress(min(rows, max_nodes, self.allowed)))
            if self.cancelled and rows <= max_nodes and not self.registers[alphabeta_kernel.DONE]:
                return CANCELLED
            at_this_speed = (rows - before) * PROGRESS_SECONDS / max(seconds, 1e-6)
            self.slice_rows = int(min(max(at_this_speed, FIRST_SLICE), 4 * self.slice_rows))

    def rows_in(self, memory: int) -> int:
        """How many rows fit so many bytes."""
        return max(1, memory // self.row_bytes)

    def _grow(self, max_nodes: int, max_memory: int | None) -> bool:
        """Make room for more rows; False if there is no memory for them. Small searches never ask the system what is free."""
        if max_memory is None and self.allowed == NO_LIMIT:
            self.allowed = self.rows_in(budget(None))
        room = min(max(2 * self.room, GROWN_ROWS), max_nodes + 2 * self.spare, self.allowed + 2 * self.spare)
        if room <= self.room:
            return False
        try:
            self._resize(room)
        except (MemoryError, OSError):
            return False
        return True

    @property
    def rows(self) -> int:
        """Rows written so far, or more than will be kept."""
        return int(self.registers[alphabeta_kernel.ROWS])

    def table(self) -> Columns:
        return Columns(*(stretch.array() for stretch in self.memory))

    def _resize(self, rows: int) -> None:
        for stretch in self.memory:
            if stretch.rows:
                stretch.resize(rows)
        self.room = rows


def levels_below(game: Connect, root: State, depth: int) -> int:
    """Levels of a search: its depth and one, but no more than there are empty cells."""
    return min(depth, (game.cells & ~(root.max_discs | root.min_discs)).bit_count()) + 1


class CompiledSearch(Machine):
    """Minimax or alpha-beta, or what became of them in a published program, by alphabeta_kernel.py."""

    def __init__(
        self, game: Connect, root: State, depth: int, pruning: bool, cut_on_equal: bool, quirk: str, recording: bool = True
    ):
        board, column_cells, order, scoring, pairs, dtype = numbers_of(game)
        levels = levels_below(game, root, depth)
        super().__init__(game, dtype, levels, 1, pruning, recording)
        self.pruning = pruning
        self.quirk = QUIRKS.get(quirk, alphabeta_kernel.NO_QUIRK)
        self.registers = np.zeros(3, np.int64)
        self.frames = alphabeta_kernel.Frames(
            *(np.zeros(levels, np.uint64) for _ in range(5)), *(np.zeros(levels, dtype) for _ in range(3))
        )
        rules = alphabeta_kernel.Rules(depth, root.max_to_move, pruning, cut_on_equal, self.quirk, recording)
        self.setting = (board, column_cells, order, scoring, pairs, rules, self.bounds)
        self._enter_root(game, root)

    def _enter_root(self, game: Connect, root: State) -> None:
        low_end, zero, high_end = self.bounds
        own, other = (root.max_discs, root.min_discs) if root.max_to_move else (root.min_discs, root.max_discs)
        frames, table = self.frames, self.table()
        frames.own[0], frames.other[0] = own, other
        frames.left[0] = game.playable(own | other)
        frames.best[0] = low_end if root.max_to_move else zero if self.quirk == alphabeta_kernel.AS_TYPED else high_end
        frames.alpha[0], frames.beta[0] = low_end, high_end
        table.move[0], table.depth[0], table.skipped[0] = NONE, 0, 0
        table.flags[0] = OPEN | (MAXIMIZING if root.max_to_move else 0)
        if self.pruning:
            table.alpha[0], table.beta[0] = low_end, high_end
        self.registers[alphabeta_kernel.ROWS] = 1

    def arguments(self, limit: int) -> tuple[Any, ...]:
        return self.table()[: len(self.memory)], self.frames, self.registers, *self.setting, limit

    def call(self, limit: int) -> None:
        alphabeta_kernel.advance(*self.arguments(limit))
