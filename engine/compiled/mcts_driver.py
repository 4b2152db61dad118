"""The Python side of the compiled Monte-Carlo tree search: encodes a Connect game, calls the kernel in slices, gives it memory,
and puts the tree in pre-order.
"""

import time
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from engine.compiled import mcts_kernel
from engine.compiled.alphabeta_driver import count_levels, encode_game
from engine.compiled.mcts_kernel import ITERATIONS, NODES, PUCT, SOLVER, STATE, UCT, LogArrays, Method, NodeArrays
from engine.compiled.numba_compat import CompiledFunction
from engine.core.memory_budget import memory_budget
from engine.core.random_numbers import mix_word
from engine.core.stop_reason import StopReason
from engine.games.connect.rules import MAX_BITS, Connect, State, connect
from engine.record.columns import EXHAUSTED, MAXIMIZING, NONE, OPEN, TERMINAL, Columns
from engine.record.grown_tree import GrownTree
from engine.record.iteration_record import UNKNOWN_VALUE, IterationLog
from engine.record.recorder import PROGRESS_SECONDS, is_stop_request

METHODS = {"mcts": UCT, "puct": PUCT, "mcts-solver": SOLVER}
FIRST_ROOM = 1 << 14  # nodes before the arrays grow
FIRST_SLICE = 1 << 10  # iterations in the first call, before the speed is known
MAX_ROOM = 2**31 - 2**16  # rows are int32
DTYPES = (np.int32, np.int8, np.uint8, np.uint8, np.uint64, np.int32, np.int32, np.int32, np.int8, np.uint8)
LOG_DTYPES = (np.int32, np.uint8, np.uint16, np.uint64)


def _allocate_nodes(room: int, cols: int) -> NodeArrays:
    return NodeArrays(*[np.empty(room, dtype) for dtype in DTYPES], children=np.empty((room, cols), np.int32))  # type: ignore[misc]


class MctsKernelSearch:
    """A search by mcts_kernel.py."""

    def __init__(self, game: Connect, root: State, algorithm: str, options: Mapping[str, Any], recording: bool = True):
        encoded = encode_game(game)
        self.game, self.root, self.algorithm = game, root, algorithm
        self.target, self.recording = options["iterations"], recording
        self.nodes = _allocate_nodes(FIRST_ROOM, game.cols)
        self.logged = LogArrays(*(np.empty(FIRST_SLICE if recording else 1, dtype) for dtype in LOG_DTYPES))
        self.registers = np.zeros(3, np.int64)
        self.logs = np.zeros(min(self.target, FIRST_SLICE) + 1, np.float64)
        mcts_kernel.fill_logs(self.logs, 1)
        own, other = (root.max_discs, root.min_discs) if root.max_to_move else (root.min_discs, root.max_discs)
        method = Method(
            METHODS[algorithm],
            float(options["c"]),
            np.uint64(mix_word(options["seed"])),
            recording,
            np.uint64(own),
            np.uint64(other),
            bool(root.max_to_move),
        )
        path = np.zeros(count_levels(game, root, MAX_BITS) + 1, np.int64)
        in_order = bool((encoded.order == np.arange(game.cols)).all())
        self.setting = (path, encoded.board, encoded.column_cells, encoded.order, in_order, method)
        self._add_root(own | other)

    def _add_root(self, occupied: int) -> None:
        nodes = self.nodes
        for column in nodes[:-1]:
            column[0] = 0
        nodes.parent[0], nodes.move[0], nodes.result[0] = NONE, NONE, mcts_kernel.NOT_OVER
        nodes.untried[0] = self.game.playable_cells(occupied)
        self.registers[NODES] = 1

    def restore(self, grown: GrownTree) -> None:
        """Start with the nodes and the iterations of an earlier search of the same position."""
        count = len(grown.parent)
        self._resize(max(count, FIRST_ROOM))
        nodes = self.nodes
        for name in ("parent", "move", "depth", "born", "visits", "total", "proven"):
            getattr(nodes, name)[:count] = getattr(grown, name)
        _, board, columns, _, _, method = self.setting
        mcts_kernel.restore_nodes(nodes, np.empty((count, 2), np.uint64), board, columns, method)
        self.logged = LogArrays(*(column.copy() for column in grown.log))
        self.registers[NODES], self.registers[ITERATIONS] = count, len(grown.log.leaf)
        self.registers[STATE] = mcts_kernel.PROVEN if nodes.proven[0] else mcts_kernel.RUNNING

    @property
    def iterations(self) -> int:
        """Return the number of iterations that are done."""
        return int(self.registers[ITERATIONS])

    @property
    def node_bytes(self) -> int:
        """Return the memory of a node, with its entry in the log, while the search runs."""
        return sum(np.dtype(dtype).itemsize for dtype in (*DTYPES, *LOG_DTYPES)) + 4 * self.game.cols

    def run(self, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None) -> StopReason:
        """Run the iterations. Return the reason if the search stops early."""
        try:
            return self._advance(min(max_nodes, MAX_ROOM), on_progress, max_memory)
        except KeyboardInterrupt:
            if self.iterations == 0:
                raise
            return StopReason.INTERRUPTED

    def _advance(self, max_nodes: int, on_progress: Callable[[int], object] | None, max_memory: int | None) -> StopReason:
        slice_length = FIRST_SLICE
        if len(self.nodes.parent) > max_nodes:
            self._resize(max(max_nodes, int(self.registers[NODES])))
        while self.iterations < self.target and self.registers[STATE] != mcts_kernel.PROVEN:
            if self.registers[STATE] == mcts_kernel.FULL:
                room = len(self.nodes.parent)
                if room >= max_nodes:
                    return StopReason.NODE_LIMIT
                allowed = memory_budget(max_memory) // self.node_bytes
                if room >= allowed:
                    return StopReason.MEMORY_LIMIT
                self._resize(min(2 * room, max_nodes, allowed))
                self.registers[STATE] = mcts_kernel.RUNNING
            before, began = self.iterations, time.perf_counter()
            self._call_kernel(min(self.target, before + slice_length))
            seconds = time.perf_counter() - began
            if on_progress is not None and is_stop_request(on_progress(self.iterations)) and self.iterations < self.target:
                return StopReason.CANCELLED
            at_this_speed = (self.iterations - before) * PROGRESS_SECONDS / max(seconds, 1e-6)
            slice_length = int(min(max(at_this_speed, FIRST_SLICE), 4 * slice_length))
        return StopReason.NOT_STOPPED

    def _call_kernel(self, limit: int) -> None:
        if len(self.logs) <= limit:
            known = len(self.logs)
            self.logs = np.resize(self.logs, min(self.target, max(limit, 2 * known)) + 1)
            mcts_kernel.fill_logs(self.logs, known)
        if self.recording and len(self.logged.leaf) < limit:
            self._extend_log(min(self.target, max(limit, 2 * len(self.logged.leaf))))
        mcts_kernel.iterate(*self.arguments(limit))

    def _extend_log(self, room: int) -> None:
        done, larger = self.iterations, LogArrays(*(np.empty(room, dtype) for dtype in LOG_DTYPES))
        for old, new in zip(self.logged, larger, strict=True):
            new[:done] = old[:done]
        self.logged = larger

    def arguments(self, limit: int) -> tuple[Any, ...]:
        """Return the arguments of the kernel."""
        return self.nodes, self.logged, self.registers, self.logs, *self.setting, limit

    def _resize(self, room: int) -> None:
        known = min(int(self.registers[NODES]), room)
        larger = _allocate_nodes(room, self.game.cols)
        for old, new in zip(self.nodes, larger, strict=True):
            new[:known] = old[:known]
        self.nodes = larger

    def counts(self) -> tuple[int, float]:
        """Return the number of nodes and the root's value."""
        return int(self.registers[NODES]), float(self.nodes.total[0] / max(1, 2 * self.nodes.visits[0]))

    def finish(self, extra_columns: tuple[str, ...]) -> tuple[Columns, IterationLog]:
        """Return the tree in pre-order, and the log."""
        count, iterations = int(self.registers[NODES]), self.iterations
        nodes = NodeArrays(*(column[:count] for column in self.nodes))
        size, row, free = (np.empty(count, np.int32) for _ in range(3))
        mcts_kernel.order_nodes(nodes.parent, size, row, free)

        def arrange(column: np.ndarray, dtype: Any) -> np.ndarray:
            arranged = np.empty(count, dtype)
            arranged[row] = column
            return arranged

        visits = arrange(nodes.visits, np.int32)
        total = arrange(nodes.total, np.int32)
        value = np.full(count, UNKNOWN_VALUE)
        np.divide(total, 2 * visits.astype(np.int64), out=value, where=visits > 0)
        degree = nodes.degree.astype(np.float64)
        prior = np.ones(count)
        prior[1:] = 1 / degree[nodes.parent[1:]]
        sources = {"visits": nodes.visits, "born": nodes.born, "prior": prior, "proven": nodes.proven}
        none, depth = np.empty(0, np.float64), arrange(nodes.depth, np.uint16)
        columns = Columns(
            move=arrange(nodes.move, np.int32),
            depth=depth,
            flags=self._make_flags(arrange(nodes.result, np.uint8), arrange(nodes.untried != 0, np.bool_), depth),
            skipped=np.zeros(count, np.uint32),
            alpha=none,
            beta=none,
            value=value,
            end=arrange(row + size, np.int32),
            **{name: arrange(sources[name], sources[name].dtype) for name in extra_columns},
        )
        return columns, IterationLog(row[self.logged.leaf[:iterations]], *(column[:iterations] for column in self.logged[1:]))

    def _make_flags(self, result: np.ndarray, has_untried: np.ndarray, depth: np.ndarray) -> np.ndarray:
        status = np.where(result != mcts_kernel.NOT_OVER, TERMINAL, np.where(has_untried, OPEN, EXHAUSTED))
        maximizing = (depth % 2 == 0) == self.root.max_to_move
        return (status | np.where(maximizing, MAXIMIZING, 0)).astype(np.uint8)


def _make_smallest_search() -> MctsKernelSearch:
    game = connect()
    return MctsKernelSearch(game, game.start(), "mcts", {"iterations": 1, "c": 1.0, "seed": 0})


@cache
def load_mcts_kernel() -> None:
    """Compile the kernel, or load it from numba's cache, so that the time of the first search does not include it."""
    _make_smallest_search().run(2, None, None)


def find_unready_mcts_kernel() -> CompiledFunction | None:
    """Return the kernel if it must be compiled first; None if it can be called at once."""
    kernel = mcts_kernel.iterate
    return None if kernel.is_ready(*_make_smallest_search().arguments(1)) else kernel
