"""The Python side of the ladder kernel: runs one pass after another, keeps their state, and gives the table memory."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from engine.algorithms.move_ordering import CENTRE, GAME, HISTORY, KILLER, KILLER_HISTORY
from engine.algorithms.pass_runner import FULL_WINDOW, Additions, PassRunner, Path, Window
from engine.algorithms.spec import depth_limit
from engine.compiled import alphabeta_kernel, ladder_kernel
from engine.compiled.alphabeta_driver import KernelSearch, count_levels, encode_game
from engine.compiled.growable_column import GrowableColumn
from engine.compiled.numba_compat import CompiledFunction
from engine.core.errors import BadLimit
from engine.core.memory_budget import memory_budget
from engine.core.stop_reason import StopReason
from engine.games.connect.rules import Connect, State, connect
from engine.record.columns import INT32_ENDS, NONE, PassNote
from engine.record.recorder import SearchStopped

KERNEL_COLUMNS = ("move", "depth", "flags", "skipped", "alpha", "beta", "value", "end", "link")
SLOT_BYTES = 4 * ladder_kernel.ENTRY_INTS
FIRST_SLOTS = 1 << 16  # initial size of a table that keeps everything; it doubles when two thirds are taken
SLICE_SLOTS = 1 << 18  # moved to a larger table at a time, in about 20 ms
STORED_ENDS = {number: stored for stored, number in INT32_ENDS.items()}
READY_KERNELS: set[bool] = set()  # whether the loaded kernels have a table
MAX_OPTION_NUMBER = 2**30  # of a guess and a width, so that windows fit into 32 bits


def why_search_not_compiled(game: Connect, options: Mapping[str, Any]) -> str:
    """Return the reason why a search cannot run by the ladder kernel; empty if it can."""
    if game.evaluation == "spread":
        return "this kernel works with whole numbers, but the evaluation spread has fractions"
    for name in ("guess", "width"):
        number = options.get(name) or 0.0
        if number != int(number) or abs(number) > MAX_OPTION_NUMBER:
            return f"{name} {number:g} is not a whole number of 30 bits"
    return ""


@cache
def load_ladder_kernel(with_table: bool) -> None:
    """Compile the kernel, or load it from numba's cache, so that the time of the first search does not include it.

    The kernels with and without a table are compiled separately: unused table code would make a search a tenth slower.
    """
    _make_smallest_search(with_table).advance(10)


def find_unready_ladder_kernel(with_table: bool) -> CompiledFunction | None:
    """Return the kernel if it must be compiled first; None if it can be called at once."""
    if with_table not in READY_KERNELS and ladder_kernel.advance.is_ready(*_make_smallest_search(with_table).kernel_arguments(0)):
        READY_KERNELS.add(with_table)
    return None if with_table in READY_KERNELS else ladder_kernel.advance


def _make_smallest_search(with_table: bool) -> "LadderKernelSearch":
    game = connect(evaluation="none")

    def drive(runner: PassRunner) -> float:
        return runner.run_pass(game.start(), 1)

    search = LadderKernelSearch(game, game.start(), 1, drive, {"slots": 1}, Additions(with_table), False)
    search.prepare(10)
    return search


class LadderKernelSearch(KernelSearch):
    """A search by ladder_kernel.py: the compiled `PassRunner`.

    `drive` runs the algorithm from its beginning whenever the search continues: finished passes return their values at once.
    """

    def __init__(
        self,
        board: Connect,
        root: State,
        depth: int,
        drive: Callable[[PassRunner], float],
        options: Mapping[str, Any],
        additions: Additions,
        links: bool,
        recording: bool = True,
    ):
        geometry, column_cells, orders, scoring, pairs, dtype = encode_game(board)
        levels = count_levels(board, root, depth) + 1  # the driver has one
        super().__init__(board, dtype, levels, 2, True, recording)
        if links:
            self.memory.append(GrowableColumn(np.int32, self.room, can_be_shared=True))
        self.drive, self.root, self.links, self.no_links = drive, root, links, np.empty(0, np.int32)
        self.board = (geometry, column_cells, scoring, pairs)
        self.registers = np.zeros(ladder_kernel.REGISTERS, np.int64)
        bits, numbers = [np.uint64] * 6, [dtype] * 3
        self.frames = ladder_kernel.LadderFrames(*(np.zeros(levels, kind) for kind in (*bits, np.int64, *numbers)))
        order = options.get("order", GAME)
        if order == CENTRE:
            orders = np.array([sorted(row, key=board.centre_distance) for row in orders.tolist()], np.uint8)
        self.learnt = ladder_kernel.LearnedOrders(
            orders=np.concatenate([orders, np.zeros((levels, board.cols), np.uint8)]),
            killers=np.full((levels, 2), NONE, np.int64),
            history=np.zeros((2, board.cols), np.int64),
            lines=np.zeros((levels + 1, levels + 1), np.int8),
            lengths=np.zeros(levels + 1, np.int64),
            principal=np.zeros(0, np.int8),
        )
        self.method = ladder_kernel.SearchMethod(
            depth=depth,
            maximizing=root.max_to_move,
            on_equal=options.get("cut_on_equal", True),
            probing=additions.scout,
            keeping_all=options.get("slots") == 0,
            always=options.get("replace") == "always",
            deeper=options.get("draft") == "deeper",
            advising=additions.hash_move,
            killers=order in (KILLER, KILLER_HISTORY),
            history=order in (HISTORY, KILLER_HISTORY),
            lines=False,
            linking=links,
            recording=recording,
        )
        self.slots = options.get("slots") or FIRST_SLOTS
        self.with_table = additions.table
        self.words: Any = None  # the memory of the table, as uint64
        self.limits: Any = ()  # max_nodes, on_progress, max_memory
        self.notes: list[PassNote] = []
        self.values: list[float] = []  # of the finished passes
        self.best_lines: list[Path] = []  # of the finished passes
        self.principal: Path = ()  # a line that is tried first, set by the algorithm
        self.may_follow = "table" in options  # only deepening without its table follows lines
        self.received = 0  # finished passes that the algorithm has received in this run
        self.passing = False  # a pass is unfinished

    # ---- the PassRunner

    def count_evaluations(self, positions: int) -> None:
        """Count evaluations that are not nodes."""
        self.evaluations += positions

    def run_pass(self, root: State, plies: int, window: Window = FULL_WINDOW, why: str = "") -> float:
        """Run one complete search, or the rest of it, and return its value."""
        if self.received == len(self.values):
            if not self.passing:
                self._begin_kernel_pass(plies, window, why)
            if reason := super().advance(*self.limits):
                raise SearchStopped(reason)
            self.passing = False
            self.values.append(float(self.table().value[self.registers[ladder_kernel.BEGIN] if self.recording else 0]))
            self.best_lines.append(tuple(self.learnt.lines[1, : self.learnt.lengths[1]].tolist()))
        self.received += 1
        return self.values[self.received - 1]

    @property
    def best_line(self) -> Path:
        """Return the best line of the last pass. With a table it is not used, and it is empty."""
        return self.best_lines[self.received - 1]

    def _begin_kernel_pass(self, plies: int, window: Window, why: str) -> None:
        if self.cancelled:
            raise SearchStopped(StopReason.CANCELLED)
        if why:
            self.notes.append(PassNote(self.rows, depth_limit(plies), why))
        root, frames = self.root, self.frames
        sides = (root.max_discs, root.min_discs)
        frames.other[0], frames.own[0] = sides if root.max_to_move else sides[::-1]
        frames.left[0], frames.choice[0] = 1, NONE
        frames.alpha[0], frames.beta[0] = map(self._stored_bound, window)
        self.learnt.killers.fill(NONE)
        self.learnt = self.learnt._replace(principal=np.array(self.principal, np.int8))
        self.method = self.method._replace(depth=plies, lines=self.may_follow and bool(self.notes) and self.words is None)
        self.registers[[alphabeta_kernel.LEVEL, alphabeta_kernel.DONE]] = 0
        self.registers[ladder_kernel.BEGIN] = self.rows
        self.passing = True

    def _stored_bound(self, number: float) -> int:
        """Return a bound of a window as a column stores it."""
        return int(STORED_ENDS.get(number, number))

    # ---- running

    def advance(
        self, max_nodes: int, on_progress: Callable[[int], object] | None = None, max_memory: int | None = None
    ) -> StopReason:
        """Run the algorithm. Return the reason if it stops early; it can continue later."""
        self.prepare(max_nodes, on_progress, max_memory)
        self.received, self.principal = 0, ()
        self.evaluations = 0  # the algorithm begins again, and counts all of them
        try:
            self.drive(self)
        except SearchStopped as stop:
            return stop.reason
        return StopReason.NOT_STOPPED

    def prepare(self, max_nodes: int, on_progress: Callable[[int], object] | None = None, max_memory: int | None = None) -> None:
        """Set the limits, and allocate the table once."""
        self.limits = (max_nodes, on_progress, max_memory)
        if self.with_table and self.words is None:
            self.words = self._allocate_table(self.slots)

    def call_kernel(self, limit: int) -> None:
        if self.words is not None and self.method.keeping_all:
            limit = self._make_room_for_entries(limit)
        ladder_kernel.advance(*self.kernel_arguments(limit))

    def kernel_arguments(self, limit: int) -> tuple[Any, ...]:
        halves = None if self.words is None else self.words.view(np.int32)
        table = self.table() if self.links else self.table()._replace(link=self.no_links)
        changing = (
            tuple(getattr(table, name) for name in KERNEL_COLUMNS),
            self.frames,
            self.registers,
            self.words,
            halves,
            self.learnt,
        )
        return *changing, *self.board, self.method, self.bounds, limit

    def passes(self) -> tuple[PassNote, ...]:
        return tuple(note for note in self.notes if note.first < self.room)

    # ---- the table

    def _allocate_table(self, slots: int) -> np.ndarray:
        """Return memory for this many empty slots. Raise BadLimit if it is too much, before the search begins."""
        size = slots * SLOT_BYTES
        allowed = memory_budget(self.limits[2])
        if size > allowed:
            raise BadLimit(
                f"a table of {slots:,} slots takes {size / 1e6:,.0f} MB, but a search may take {allowed / 1e6:,.0f} MB: "
                "choose fewer slots, or allow more memory"
            )
        return GrowableColumn(np.uint64, size // 8).array()

    def _make_room_for_entries(self, limit: int) -> int:
        """Make room for the entries of the next rows, one each, and return the row limit that it allows."""
        while True:
            used = int(self.registers[ladder_kernel.USED])
            free = 2 * self.slots // 3 - used - self.spare
            if free > self.spare:
                return min(limit, self.rows + free)
            try:
                larger = self._allocate_table(2 * self.slots)
            except (BadLimit, MemoryError, OSError):
                raise SearchStopped(StopReason.MEMORY_LIMIT) from None
            for first in range(0, self.slots, SLICE_SLOTS):  # so that Ctrl-C can come between two slices
                part = self.words[first * SLOT_BYTES // 8 : (first + SLICE_SLOTS) * SLOT_BYTES // 8]
                ladder_kernel.move_entries(part, part.view(np.int32), larger, larger.view(np.int32))
            self.words, self.slots = larger, 2 * self.slots

    def rows_in_memory(self, memory: int) -> int:
        entries = 0 if self.words is None else self.words.nbytes
        return max(1, (memory - entries) // self.row_bytes)
