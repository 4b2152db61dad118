"""The Python side of the alpha-beta kernel: encodes a Connect game as numbers, calls the kernel in slices, and gives it
memory.
"""

import time
from collections.abc import Callable
from functools import cache, lru_cache
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from engine.compiled import alphabeta_kernel
from engine.compiled.growable_column import GrowableColumn
from engine.compiled.numba_compat import CompiledFunction, is_jit_disabled
from engine.core.memory_budget import memory_budget
from engine.core.stop_reason import StopReason
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
from engine.games.connect.rules import MAX_BITS, Connect, State, connect
from engine.record.columns import MAXIMIZING, NONE, OPEN, Columns, PassNote, complete_open_rows
from engine.record.recorder import PROGRESS_SECONDS, is_stop_request

QUIRK_NUMBERS = {
    quirks.NO_FULL_BOARD_TEST: alphabeta_kernel.NO_FULL_BOARD_TEST,
    quirks.FRESH_ROOT_WINDOWS: alphabeta_kernel.FRESH_ROOT_WINDOWS,
    quirks.AS_TYPED: alphabeta_kernel.AS_TYPED,
}
FIRST_ROWS = 1 << 16  # initial size of the table
MIN_GROWN_ROWS = 1 << 20  # minimum after growing; then the size doubles. Unwritten rows take no memory
FIRST_SLICE_ROWS = 1 << 14  # rows in the first call, before the speed is known
MAX_ROWS = 2**31 - 2**16  # `end` is an int32
UNLIMITED_ROWS = 2**62  # row limit before the free memory is checked
READY_KERNELS: set[str] = set()  # evaluations for which the kernel is loaded


def why_board_not_compiled(game: Connect) -> str:
    """Return the reason why a board cannot be searched by the kernel; empty if it can."""
    if is_jit_disabled():
        return "NUMBA_DISABLE_JIT switches numba off"
    if game.cols * game.height > MAX_BITS:
        return f"{game.rows} rows x {game.cols} columns need {game.cols * game.height} bits, but a compiled board has {MAX_BITS}"
    windows = len(window_masks(game.rows, game.cols, game.connect))
    if game.evaluation == "segments:power" and windows * 10 ** (game.connect - 1) >= 2**31:
        return f"segments:power with {game.connect} in a row does not fit into 32 bits"
    return ""


class KernelGame(NamedTuple):
    """A game in the form that the kernel needs."""

    board: alphabeta_kernel.BoardGeometry
    column_cells: np.ndarray
    order: np.ndarray
    scoring: alphabeta_kernel.Scoring
    pairs: np.ndarray
    dtype: type


@lru_cache(maxsize=64)
def encode_game(game: Connect) -> KernelGame:
    """Return the game as numbers. The result is cached, because a match needs it at every move."""
    rule = alphabeta_kernel.RULE_FIRST if game.rule == "first" else alphabeta_kernel.RULE_COUNT
    lines = _line_masks(game, game.connect)
    board = alphabeta_kernel.BoardGeometry(np.uint64(game.cells), np.uint64(game.bottom), *lines, game.connect, rule)
    return KernelGame(
        board,
        np.array(game.column_cells, np.uint64),
        np.array([game.min_order, game.max_order], np.uint8),
        _encode_scoring(game),
        _cell_offsets(game) if game.evaluation == "spread" else np.zeros((0, 3), np.uint64),
        np.float32 if game.evaluation == "spread" else np.int32,
    )


def _encode_scoring(game: Connect) -> alphabeta_kernel.Scoring:
    length = game.connect if game.evaluation.startswith("segments") else 4
    kind, win, disc, growth = alphabeta_kernel.WINDOWS, 0, 0, (0, 0)
    masks: list[int] = []
    of_max: tuple[int, ...] = (0, 0, 0, 0)
    of_min: tuple[int, ...] | None = None
    if game.evaluation == "none":
        kind = alphabeta_kernel.OUTCOME
    elif game.evaluation == "score":
        kind = alphabeta_kernel.SCORE
    elif game.evaluation == "chains":
        kind, masks = alphabeta_kernel.CHAINS, _chain_masks()
    elif game.evaluation == "spread":
        kind, masks = alphabeta_kernel.SPREAD, _bit_planes(game, 3, lambda column, row: abs(row - 2) + abs(column - 3))
    elif game.evaluation == "lines":
        of_max, of_min = LINES_MAX_WEIGHTS, LINES_MIN_WEIGHTS
    elif game.evaluation == "threats":
        of_max, win, disc, masks = (*THREATS_WEIGHTS, 0), THREATS_WIN, 1, [sum(game.column_cells[1:-1])]
    elif game.evaluation == "segments:power":
        of_max, win, growth = (10, 100, 1000, 0), SEGMENTS_WIN, (10, 0)
    elif game.evaluation == "segments:linear":
        of_max, win, growth = (10, 20, 30, 0), SEGMENTS_WIN, (1, 10)
    of_min = of_min or tuple(-weight for weight in of_max)
    must_find_win = not (game.rule == "first" and game.connect == length)
    masks += [0] * (12 - len(masks))
    return alphabeta_kernel.Scoring(
        kind, length, win, must_find_win, *_line_masks(game, length), of_max, of_min, growth, disc, _to_uint64(masks)
    )


def _line_masks(game: Connect, length: int) -> tuple[tuple[np.uint64, ...], tuple[np.uint64, ...]]:
    """Return the shifts and first cells of the windows of this length, per direction."""
    starts = [
        sum(1 << column * game.height + row for column, row in window_starts(game.rows, game.cols, length, right, up))
        for right, up in DIRECTIONS
    ]
    return _to_uint64(shift if start else 1 for shift, start in zip(game.shifts, starts, strict=True)), _to_uint64(starts)


def _bit_planes(game: Connect, planes: int, number: Callable[[int, int], int]) -> list[int]:
    """Return the binary digits of a number per cell: one set of cells for each digit."""
    cells = [(column, row) for column in range(game.cols) for row in range(game.rows)]
    return [
        sum(1 << column * game.height + row for column, row in cells if number(column, row) >> plane & 1)
        for plane in range(planes)
    ]


def _chain_masks() -> list[int]:
    """Return the weight planes and the top row, then for rows, rising and falling diagonals: the cells that count, and the
    last cell of each.
    """
    game = Connect()
    windows = window_masks(6, 7, 4)
    planes = _bit_planes(game, 4, lambda column, row: sum(bool(1 << column * 7 + row & window) for window in windows))
    masks = [*planes, sum(1 << column * 7 + 5 for column in range(7))]
    steps = {game.shifts[1]: 1, game.shifts[2]: 1, game.shifts[3]: -1}
    for shift, sense in steps.items():
        lines = [line for line in chain_lines() if line[1] == (line[0] << shift if sense > 0 else line[0] >> shift)]
        masks += [sum(sum(line) for line in lines), sum(line[-1] for line in lines)]
    return masks


def _cell_offsets(game: Connect) -> np.ndarray:
    """Return every offset between two cells: the cells where it can start, its shift, its length rounded down."""
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


def _to_uint64(numbers: Any) -> tuple[np.uint64, ...]:
    return tuple(np.uint64(number) for number in numbers)


def evaluate(game: Connect, state: State) -> float:
    """Return the static value, computed by the compiled evaluation."""
    numbers = encode_game(game)
    like = numbers.dtype(0)
    high, low = np.uint64(state.max_discs), np.uint64(state.min_discs)
    return float(alphabeta_kernel.evaluate_position(like, high, low, numbers.board, numbers.scoring, numbers.pairs))


@cache
def load_kernel(evaluation: str) -> None:
    """Compile the kernel, or load it from numba's cache, so that the time of the first search does not include it."""
    _make_smallest_search(evaluation).advance(1)


def find_unready_kernel(evaluation: str) -> CompiledFunction | None:
    """Return the kernel if it must be compiled first; None if it can be called at once."""
    if evaluation not in READY_KERNELS and alphabeta_kernel.advance.is_ready(
        *_make_smallest_search(evaluation).kernel_arguments(0)
    ):
        READY_KERNELS.add(evaluation)
    return None if evaluation in READY_KERNELS else alphabeta_kernel.advance


def _make_smallest_search(evaluation: str) -> "AlphaBetaKernelSearch":
    game = connect(rows=6, cols=7, evaluation=evaluation)
    return AlphaBetaKernelSearch(game, game.start(), 1, False, True, "")


class KernelSearch:
    """A search by a kernel that runs in slices and gets more memory between them.

    A subclass has `memory`, a growable column for each column, `registers`, and `call_kernel`, which lets the kernel continue.
    """

    registers: np.ndarray
    memory: list[GrowableColumn]

    def __init__(self, game: Connect, dtype: type, levels: int, calls: int, windows: bool, recording: bool):
        """Prepare frames for this number of `levels`, each with at most `calls` calls of a move."""
        self.bounds: Any
        if dtype is np.float32:
            self.bounds = (np.float32(-np.inf), np.float32(0), np.float32(np.inf))
        else:
            self.bounds = (np.int32(-(2**31)), np.int32(0), np.int32(2**31 - 1))
        self.recording = recording
        self.evaluations = 0  # static evaluations without a row
        self.spare = calls * game.cols * (levels + 1)
        self.room = FIRST_ROWS + self.spare
        window_room = self.room if windows else 0
        bounds, rest = [(dtype, window_room)] * 2, [(dtype, self.room), (np.int32, self.room)]
        rooms = [(np.int8, self.room), *[(np.uint8, self.room)] * 3, *bounds, *rest]
        self.memory = [GrowableColumn(kind, room, can_be_shared=True) for kind, room in rooms]
        self.allowed = UNLIMITED_ROWS
        self.slice_rows = FIRST_SLICE_ROWS
        self.cancelled = False

    def call_kernel(self, limit: int) -> None:
        """Let the kernel continue until about `limit` rows are written."""
        raise NotImplementedError

    def passes(self) -> tuple[PassNote, ...]:
        """Return the notes of the passes; none for a search of a single pass."""
        return ()

    @property
    def row_bytes(self) -> int:
        return sum(column.dtype.itemsize for column in self.memory if column.rows)

    def run(
        self, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None
    ) -> tuple[Columns, StopReason]:
        """Return the table and why the search stopped."""
        reason = StopReason.NOT_STOPPED
        try:
            reason = self.advance(min(max_nodes, MAX_ROWS), on_progress, max_memory)
        except KeyboardInterrupt:
            if self.rows == 0:
                raise
            reason = StopReason.INTERRUPTED
        return self.finish_table(min(max_nodes, self.allowed), reason), reason

    def finish_table(self, max_rows: int, reason: StopReason) -> Columns:
        """Return the first rows, at most `max_rows`. If the search was stopped, complete the open rows."""
        self._resize_columns(min(self.rows, max_rows))
        table = self.table()
        if reason:
            complete_open_rows(table, self.bounds[0], self.bounds[2])
        return table

    def run_unrecorded(self, max_nodes: int, on_progress: Callable[[int], object] | None) -> tuple[int, float, StopReason]:
        """Return nodes and value of the search alone, and why it stopped. The value of a stopped search is nan."""
        stopped = self.advance(max_nodes, on_progress)
        nodes = self.rows
        return min(nodes, max_nodes), float("nan") if stopped else float(self.table().value[0]), stopped

    def advance(
        self, max_nodes: int, on_progress: Callable[[int], object] | None = None, max_memory: int | None = None
    ) -> StopReason:
        """Call the kernel in slices of about PROGRESS_SECONDS until it is done. Return the reason if it stops early; it can
        continue later.
        """
        if self.recording and max_memory is not None:
            self.allowed = self.rows_in_memory(max_memory)
        while True:
            before, max_rows = self.rows, min(max_nodes, self.allowed)
            if before > max_rows:
                return StopReason.NODE_LIMIT if before > max_nodes else StopReason.MEMORY_LIMIT
            if self.registers[alphabeta_kernel.DONE]:
                return StopReason.NOT_STOPPED
            limit = min(before + self.slice_rows, max_rows + 1)
            if self.recording:
                if before >= self.room - self.spare and not self._grow_table(max_nodes, max_memory):
                    return StopReason.MEMORY_LIMIT
                limit = min(limit, self.room - self.spare)
            began = time.perf_counter()
            self.call_kernel(limit)
            seconds = time.perf_counter() - began
            rows = self.rows
            self.cancelled = on_progress is not None and is_stop_request(on_progress(min(rows, max_nodes, self.allowed)))
            if self.cancelled and rows <= max_nodes and not self.registers[alphabeta_kernel.DONE]:
                return StopReason.CANCELLED
            at_this_speed = (rows - before) * PROGRESS_SECONDS / max(seconds, 1e-6)
            self.slice_rows = int(min(max(at_this_speed, FIRST_SLICE_ROWS), 4 * self.slice_rows))

    def rows_in_memory(self, memory: int) -> int:
        """Return the number of rows that fit into this many bytes."""
        return max(1, memory // self.row_bytes)

    def _grow_table(self, max_nodes: int, max_memory: int | None) -> bool:
        """Make room for more rows. Return False if there is no memory for them. Small searches never ask the system for free
        memory.
        """
        if max_memory is None and self.allowed == UNLIMITED_ROWS:
            self.allowed = self.rows_in_memory(memory_budget(None))
        room = min(max(2 * self.room, MIN_GROWN_ROWS), max_nodes + 2 * self.spare, self.allowed + 2 * self.spare)
        if room <= self.room:
            return False
        try:
            self._resize_columns(room)
        except (MemoryError, OSError):
            return False
        return True

    @property
    def rows(self) -> int:
        """Return the number of rows written so far, which may be more than the result has."""
        return int(self.registers[alphabeta_kernel.ROWS])

    def table(self) -> Columns:
        return Columns(*(column.array() for column in self.memory))

    def _resize_columns(self, rows: int) -> None:
        for column in self.memory:
            if column.rows:
                column.resize(rows)
        self.room = rows


def count_levels(game: Connect, root: State, depth: int) -> int:
    """Return the number of levels of a search: its depth plus one, but at most the empty cells plus one."""
    return min(depth, (game.cells & ~(root.max_discs | root.min_discs)).bit_count()) + 1


class AlphaBetaKernelSearch(KernelSearch):
    """Minimax or alpha-beta, or their published variations, by alphabeta_kernel.py."""

    def __init__(
        self, game: Connect, root: State, depth: int, pruning: bool, cut_on_equal: bool, quirk: str, recording: bool = True
    ):
        board, column_cells, order, scoring, pairs, dtype = encode_game(game)
        levels = count_levels(game, root, depth)
        super().__init__(game, dtype, levels, 1, pruning, recording)
        self.pruning = pruning
        self.quirk = QUIRK_NUMBERS.get(quirk, alphabeta_kernel.NO_QUIRK)
        self.registers = np.zeros(3, np.int64)
        self.frames = alphabeta_kernel.Frames(
            *(np.zeros(levels, np.uint64) for _ in range(5)), *(np.zeros(levels, dtype) for _ in range(3))
        )
        rules = alphabeta_kernel.KernelRules(depth, root.max_to_move, pruning, cut_on_equal, self.quirk, recording)
        self.setting = (board, column_cells, order, scoring, pairs, rules, self.bounds)
        self._enter_root(game, root)

    def _enter_root(self, game: Connect, root: State) -> None:
        low_end, zero, high_end = self.bounds
        own, other = (root.max_discs, root.min_discs) if root.max_to_move else (root.min_discs, root.max_discs)
        frames, table = self.frames, self.table()
        frames.own[0], frames.other[0] = own, other
        frames.left[0] = game.playable_cells(own | other)
        frames.best[0] = low_end if root.max_to_move else zero if self.quirk == alphabeta_kernel.AS_TYPED else high_end
        frames.alpha[0], frames.beta[0] = low_end, high_end
        table.move[0], table.depth[0], table.skipped[0] = NONE, 0, 0
        table.flags[0] = OPEN | (MAXIMIZING if root.max_to_move else 0)
        if self.pruning:
            table.alpha[0], table.beta[0] = low_end, high_end
        self.registers[alphabeta_kernel.ROWS] = 1

    def kernel_arguments(self, limit: int) -> tuple[Any, ...]:
        return self.table()[: len(self.memory)], self.frames, self.registers, *self.setting, limit

    def call_kernel(self, limit: int) -> None:
        alphabeta_kernel.advance(*self.kernel_arguments(limit))
