"""A recorded search, read-only. Nodes are rows, one per call, in visiting order. Row 0 is the root of the first pass.

Everything here reads the columns of record/columns.py. Properties of the whole tree are array operations. Properties of one
node walk down from the root by subtree ends, in O(depth x branching).
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from engine.algorithms import find_algorithm
from engine.core.errors import PlyscopeError
from engine.core.notebook import NotebookDisplay, find_renderer
from engine.core.stop_reason import StopReason
from engine.games.capabilities import declared_name, noisy_moves
from engine.games.protocol import MovesByCode, move_from_code
from engine.question import CheckedSearch, Question
from engine.record.columns import (
    CHANCE,
    CUTOFF,
    HORIZON,
    INT32_ENDS,
    KNOWN_FLAGS,
    LOWER,
    MAXIMIZING,
    PROBE,
    ROOT,
    STANDS_PAT,
    STATUS_BITS,
    TABLE,
    TERMINAL,
    TURN_BITS,
    TURN_SHIFT,
    UPPER,
    Columns,
    PassNote,
    Turn,
    check_flags,
)
from engine.record.iteration_record import IterationLog
from engine.tree.backups import BACKUPS, MinMaxBackup
from engine.tree.counting import Counts, count_search
from engine.tree.depth_index import DepthIndex
from engine.tree.expectation import find_value_range
from engine.tree.iteration_replay import IterationReplay, TreeMoment
from engine.tree.node import Node
from engine.tree.row_sums import RowSums
from engine.tree.trace import Trace

if TYPE_CHECKING:
    from engine.tree.trace import Trace

BLOCK_ROWS = 1 << 20  # rows that are processed at a time, so that temporary arrays stay small
MAX_NUMPY_ROWS = 1 << 16  # for fewer rows loading compiled code is not worth it


class Pass(NamedTuple):
    """One complete search of several that ran one after the other."""

    first: int  # row of its root
    K: int | None  # its depth limit
    window: tuple[float, float]  # alpha and beta at its root
    result: float | None  # the value of its root; None if it was stopped
    why: str  # the reason for the pass; empty for a single pass


class SearchTree(NotebookDisplay):
    """All expanded nodes of one search."""

    display_name = "tree"

    def __init__(
        self,
        search: CheckedSearch,
        columns: Columns,
        seconds: float,
        stopped: StopReason = StopReason.NOT_STOPPED,
        rounded: bool = False,
        notes: tuple[PassNote, ...] = (),
        evaluations: int = 0,
        log: IterationLog | None = None,
    ):
        self.search = search
        self._log = log
        self.other_evaluations = evaluations  # static evaluations without a row: to order moves, or to guess the value
        self.notes = notes  # of the passes; empty for a single one
        self.seconds = seconds
        self.stopped = stopped  # falsy if the tree is complete
        self.rounded = rounded  # True: a value of the game did not fit a float of 64 bits
        for column in (*columns, *(log or ())):
            column.flags.writeable = False
        self.columns = columns

    # ---- the search

    @property
    def question(self) -> Question:
        """Return the question: `search(tree.question)` runs the same search again."""
        return self.search.question

    @property
    def game(self) -> Any:
        return self.question.game

    @property
    def algorithm(self) -> str:
        return self.question.algorithm

    @property
    def K(self) -> int | None:
        """Return the depth limit; None: to the end of the game."""
        return self.question.depth

    @property
    def compiled(self) -> bool:
        """Return True if the kernel ran the search."""
        return self.search.compiled

    @property
    def cut_on_equal(self) -> bool:
        """Return True if a value that only equals the bound causes a cutoff."""
        return bool(self.question.options.get("cut_on_equal", True))

    @property
    def windows(self) -> bool:
        """Return True if the search passes alpha and beta down. Then they are recorded, and cutoffs may happen."""
        return len(self.columns.alpha) > 0

    @property
    def quirk(self) -> str:
        """Return the quirk of the original program that the search restored; empty without as_published."""
        return self.search.quirk

    @property
    def complete(self) -> bool:
        return not self.stopped

    def __reduce__(self) -> tuple[Any, ...]:
        return SearchTree, (
            self.search,
            self.columns,
            self.seconds,
            self.stopped,
            self.rounded,
            self.notes,
            self.other_evaluations,
            self._log,
        )

    def __repr__(self) -> str:
        limit = "to the end" if self.K is None else f"K={self.K}"
        limit = limit if self._log is None else f"{self.iterations:,} iterations"
        what = f"{declared_name(self.game)}, {self.algorithm}, {limit}"
        return f"<SearchTree {what}: {self.expanded:,} nodes{'' if self.complete else ', ' + self.stopped}>"

    # ---- passes

    def view(self, **settings: Any) -> Any:
        """Return the interactive viewer of this tree as a notebook widget. It needs `pip install "plyscope[notebook]"`.

        Settings: `step` is where it opens (else it plays to the first cutoff), `view` is a picture such as "path" or "whole",
        `selection` the number of a node, `height` in pixels. `root` and `max_depth` choose a part of the tree. `step`, `view` and
        `selection` of the widget follow the browser: `view = tree.view(step=17)`, `view.step`, `view.observe(print, "step")`.
        """
        return find_renderer("tree_view")(self, **settings)

    @cached_property
    def passes(self) -> tuple[Pass, ...]:
        """Return the complete searches that ran one after the other. Only algorithms that deepen or guess have more than one."""
        return tuple(self._make_pass(note) for note in self.notes or (PassNote(ROOT, self.K, ""),))

    def _make_pass(self, note: PassNote) -> Pass:
        root = self[note.first]
        return Pass(*note[:2], (root.alpha, root.beta), None if root.status == "open" else root.value, note.why)

    def pass_number(self, row: int) -> int:
        """Return the number of the pass that a row belongs to, from 0."""
        return bisect_right(self.roots, row) - 1

    @property
    def roots(self) -> list[int]:
        """Return the rows of depth 0, one for each pass."""
        return [note.first for note in self.notes] or [ROOT]

    def find_earlier_proof(self, root: Node) -> Node | None:
        """Return the child of a pass's root that has the value according to an earlier pass to the same depth, or None.

        It exists only if this pass proves that no move is better.
        """
        number = self.pass_number(root)
        if root.status == "open" or self.bound[root] != (UPPER if root.maximizing else LOWER):
            return None
        for earlier in reversed(self.passes[:number]):
            before = self[earlier.first]
            if (
                earlier.K == self.passes[number].K
                and before.value == root.value
                and (proving := before.proving_child) is not None
            ):
                return next((child for child in root.children if child.move == proving.move), None)
        return None

    @property
    def proved_bound(self) -> str:
        """Return the bound of the root's value that all passes to the depth of the last one prove together.

        One pass alone may only prove a lower or an upper bound.
        """
        root, K = self.root, self.passes[-1].K
        roots = [self[one_pass.first] for one_pass in self.passes if one_pass.K == K]
        proved = {one.bound for one in roots if one.value == root.value}
        return "exact" if proved >= {"lower", "upper"} or "exact" in proved else root.bound

    # ---- counts

    def __len__(self) -> int:
        return len(self.columns.end)

    @property
    def expanded(self) -> int:
        """Return the number of calls of the search, including leaves and the root of every pass."""
        return len(self)

    @property
    def leaves(self) -> int:
        return int(self._status_counts[:, [TERMINAL, HORIZON]].sum())

    @property
    def terminals(self) -> int:
        return int(self._status_counts[:, TERMINAL].sum())

    @property
    def table_hits(self) -> int:
        """Return the number of calls that the table answered."""
        return int(self._status_counts[:, TABLE].sum())

    @property
    def stand_pat_calls(self) -> int:
        """Return the number of calls that stood pat: their values started with the static value."""
        return int(self._flag_counts[:, STANDS_PAT:].sum())

    @property
    def cutoffs(self) -> int:
        return int(self._status_counts[:, CUTOFF].sum())

    @property
    def skipped(self) -> int:
        return int(self._skipped_counts.sum())

    @property
    def is_one_sided(self) -> bool:
        """Return True if the same side is to move at every node."""
        maximizing = (np.arange(1 << 8) & MAXIMIZING) != 0
        return int(self._flag_counts[:, maximizing].sum()) in (0, len(self))

    def turns_by_depth(self) -> list[set[Turn]]:
        """Return who moves at each depth: one turn, or several where nodes differ."""
        turn_of_flags = np.arange(1 << 8) >> TURN_SHIFT & TURN_BITS
        return [{Turn(turn) for turn in np.unique(turn_of_flags[counts > 0])} for counts in self._flag_counts]

    def statistics(self, with_repetition: bool = True) -> Counts:
        """Return all counts of the search."""
        return count_search(self, with_repetition)

    @property
    def per_depth(self) -> list[dict[str, int]]:
        """Return the counts for each depth: expanded, leaves, terminals, cutoffs, skipped."""
        return [
            {
                "depth": depth,
                "expanded": int(row.sum()),
                "leaves": int(row[TERMINAL] + row[HORIZON]),
                "terminals": int(row[TERMINAL]),
                "cutoffs": int(row[CUTOFF]),
                "skipped": int(skipped),
            }
            for depth, (row, skipped) in enumerate(zip(self._status_counts, self._skipped_counts, strict=True))
        ]

    @cached_property
    def height(self) -> int:
        """Return the greatest depth of a node."""
        return int(self.columns.depth.max())

    @cached_property
    def _status_counts(self) -> np.ndarray:
        """Return the number of nodes by depth and status."""
        by_status = np.zeros((self.height + 1, STATUS_BITS + 1), np.int64)
        for flags in range(1 << 8):
            by_status[:, flags & STATUS_BITS] += self._flag_counts[:, flags]
        return by_status

    @property
    def _flag_counts(self) -> np.ndarray:
        """Return the number of nodes by depth and flags."""
        return self._counted[0]

    @property
    def _skipped_counts(self) -> np.ndarray:
        """Return the number of moves that cutoffs skipped, by the depth of the node that skipped them."""
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[np.ndarray, np.ndarray]:
        """Count everything in one pass over all rows. Compiled it takes a quarter of the time."""
        if len(self) > MAX_NUMPY_ROWS:
            from engine.compiled.tree_kernels import count_rows

            counted = count_rows(self.columns, self.height)
        else:
            keys = self.columns.depth.astype(np.int32) << 8 | self.columns.flags
            flags = np.bincount(keys, minlength=(self.height + 1) << 8).reshape(-1, 1 << 8)
            counted = flags, np.bincount(self.columns.depth, self.columns.skipped).astype(np.int64)
        if counted[0][:, ~KNOWN_FLAGS].any():
            check_flags(self.columns.flags)  # raises with the number of the row
        flags, skipped = counted
        if len(self.columns.weight):  # the moves that probes left out are searched later, or a cutoff skips them
            probes = self.columns.flags & STATUS_BITS == PROBE
            skipped = skipped - np.bincount(self.columns.depth[probes], self.columns.skipped[probes], len(skipped)).astype(
                np.int64
            )
        return flags, skipped

    @cached_property
    def depth_index(self) -> DepthIndex:
        """Return the rows by depth, with running counts of their classes."""
        return DepthIndex(self)

    @cached_property
    def row_sums(self) -> RowSums:
        """Return the running sums of cutoffs and skipped moves over the rows."""
        return RowSums(self.columns)

    def row_blocks(self) -> Iterator[slice]:
        """Yield the rows in slices of bounded size."""
        for start in range(0, len(self), BLOCK_ROWS):
            yield slice(start, min(start + BLOCK_ROWS, len(self)))

    # ---- columns, one entry per node

    @property
    def depth(self) -> np.ndarray:
        """Return the plies from the root."""
        return self.columns.depth

    @property
    def move(self) -> np.ndarray:
        """Return the move that led to each node; -1 at a root."""
        return self.columns.move

    @property
    def end(self) -> np.ndarray:
        """Return the row after the last row of each node's subtree."""
        return self.columns.end

    @cached_property
    def value(self) -> np.ndarray:
        """Return the values for MAX. That of a pruned node is a bound, that of an open node the best so far."""
        return self._public_column(self.columns.value)

    @cached_property
    def alpha(self) -> np.ndarray:
        """Return the value that MAX was sure of when each node was entered."""
        return self._window_column(self.columns.alpha, -np.inf)

    @cached_property
    def beta(self) -> np.ndarray:
        """Return the value that MIN was sure of when each node was entered."""
        return self._window_column(self.columns.beta, np.inf)

    @property
    def link(self) -> np.ndarray:
        """Return the earlier row that each row refers to; -1: none.

        A row that the table answered links to the row whose result it was, a re-search to its probe, any other row to the one
        whose
        entry ordered its moves.
        """
        if len(self.columns.link) == 0:
            raise PlyscopeError(f"{self.algorithm} records no links: only searches with a table or with re-searches have them")
        return self.columns.link

    @cached_property
    def static(self) -> np.ndarray:
        """Return the static value that a row started with if it stood pat; nan for other rows."""
        if len(self.columns.static) == 0:
            raise PlyscopeError("this search records no static values: only searches with quiescence have them")
        return _make_read_only(np.where(self.columns.flags & STANDS_PAT, self.columns.static, np.nan))

    # ---- iterations

    @property
    def has_iterations(self) -> bool:
        """Return True if the search ran in iterations, so that it has a log, visits and means."""
        return self._log is not None

    @property
    def log(self) -> IterationLog:
        """Return what each iteration did. Raise PlyscopeError if the search did not run in iterations."""
        if self._log is None:
            raise PlyscopeError(f"{self.algorithm} does not run in iterations: only mcts, puct and mcts-solver have a log")
        return self._log

    @property
    def iterations(self) -> int:
        """Return the number of iterations that were made."""
        return len(self.log.leaf)

    @property
    def visits(self) -> np.ndarray:
        """Return the number of iterations that passed through each node."""
        return self._iteration_column("visits")

    @property
    def born(self) -> np.ndarray:
        """Return the iteration that added each node; 0 at the root."""
        return self._iteration_column("born")

    @cached_property
    def mean(self) -> np.ndarray:
        """Return the average result of each node for the side that moved into it, from 0 to 1; 0.5 without visits."""
        mean = self.at(self.iterations).mean
        return _make_read_only(np.where(self.visits > 0, mean, 0.5))

    @property
    def prior(self) -> np.ndarray:
        """Return the prior of the move to each node."""
        return self._iteration_column("prior")

    @property
    def proven(self) -> np.ndarray:
        """Return 1 for each node that MAX is proved to win, -1 for MIN, 0 elsewhere."""
        return self._iteration_column("proven")

    def _iteration_column(self, name: str) -> np.ndarray:
        stored = getattr(self.columns, name)
        if len(stored) == 0:
            raise PlyscopeError(f"{self.algorithm} records no {name}")
        return stored

    @property
    def timeline(self) -> Any:
        """Return the steps of the search in the kind of time that it has: its iterations, or its calls."""
        return self._iteration_timeline if self.has_iterations else Trace(self)

    @cached_property
    def _iteration_timeline(self) -> Any:
        """Return the steps of the iterations. They are kept, with what they computed to find a step quickly."""
        from engine.tree.iteration_timeline import IterationTimeline

        return IterationTimeline(self)

    @cached_property
    def replay(self) -> IterationReplay:
        """Return the counts of every node at any time, computed from the log."""
        return IterationReplay(self)

    def at(self, iteration: int) -> TreeMoment:
        """Return the tree as it was after this many iterations: its visits and means, by the rows of this tree."""
        return self.replay.at(iteration)

    @property
    def weight(self) -> np.ndarray:
        """Return the probability of the outcome that led to each node; 1 where its parent is not a chance node."""
        stored = self.columns.weight
        return stored if len(stored) else np.broadcast_to(np.float64(1), len(self))

    @property
    def quiescence(self) -> int:
        """Return the number of plies beyond the depth limit in which noisy moves are searched."""
        return int(self.question.options.get("quiescence", 0))

    @cached_property
    def status(self) -> np.ndarray:
        """Return the status of each node: an index into STATUS_NAMES."""
        check_flags(self.columns.flags)
        return _make_read_only(self.columns.flags & STATUS_BITS)

    @cached_property
    def pruned(self) -> np.ndarray:
        """Return True for each node at which a cutoff happened."""
        return _make_read_only(self.status == CUTOFF)

    @cached_property
    def bound(self) -> np.ndarray:
        """Return what each value proves: an index into BOUND_NAMES."""
        return _make_read_only(self.backup.bounds(self))

    @cached_property
    def turn(self) -> np.ndarray:
        """Return who moves at each node: 0 MIN, 1 MAX, 2 chance."""
        check_flags(self.columns.flags)
        return _make_read_only(self.columns.flags >> TURN_SHIFT & TURN_BITS)

    @cached_property
    def has_chance(self) -> bool:
        """Return True if chance moves at a node."""
        return bool((self.turn == CHANCE).any())

    @cached_property
    def value_range(self) -> tuple[float, float] | None:
        """Return the least and the greatest value that the game declares; None if it declares none, or a leaf is outside."""
        return find_value_range(self)

    @cached_property
    def maximizing(self) -> np.ndarray:
        """Return True for each node where MAX is to move."""
        check_flags(self.columns.flags)
        return _make_read_only((self.columns.flags & MAXIMIZING) != 0)

    @cached_property
    def parent(self) -> np.ndarray:
        """Return the row of each node's parent; -1 at a root."""
        from engine.compiled import tree_kernels

        return _make_read_only(tree_kernels.find_parents(self.columns.depth))

    def _window_column(self, stored: np.ndarray, infinity: float) -> np.ndarray:
        if len(stored) == 0:
            return np.broadcast_to(np.float64(infinity), len(self))
        return self._public_column(stored)

    def _public_column(self, stored: np.ndarray) -> np.ndarray:
        """Return a column as float64, with infinities for the ends of the int range.

        In searches with the quirk NO_FULL_BOARD_TEST these ends are ordinary numbers.
        """
        public = stored.astype(np.float64)
        if self._has_infinities:
            for end, number in INT32_ENDS.items():
                public[stored == end] = number
        return _make_read_only(public)

    def public_number(self, stored: Any) -> float:
        """Convert one entry of a column as `_public_column` converts all of them."""
        number = float(stored)
        return INT32_ENDS.get(number, number) if self._has_infinities else number

    @cached_property
    def _has_infinities(self) -> bool:
        from engine.games.quirks import NO_FULL_BOARD_TEST

        return self.columns.value.dtype == np.int32 and self.quirk != NO_FULL_BOARD_TEST

    @property
    def starts_at_zero(self) -> bool:
        """Return True if the value of a MIN node starts with 0: see games/quirks.py."""
        from engine.games.quirks import AS_TYPED

        return self.quirk == AS_TYPED

    # ---- nodes

    @overload
    def __getitem__(self, row: int) -> Node: ...
    @overload
    def __getitem__(self, row: slice) -> list[Node]: ...
    def __getitem__(self, row: int | slice) -> Node | list[Node]:
        if isinstance(row, slice):
            return [Node.from_row(self, index) for index in range(*row.indices(len(self)))]
        index = operator.index(row)
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"there is no node {row}: the tree has {len(self)} nodes")
        return Node.from_row(self, index)

    @property
    def root(self) -> Node:
        """Return the root of the last pass."""
        return self[self.roots[-1]]

    @property
    def backup(self) -> MinMaxBackup:
        """Return how values are backed up from children to their parent."""
        return BACKUPS[find_algorithm(self.algorithm).backup]

    @property
    def principal_variation(self) -> list[int]:
        """Return best play for both sides, as moves from the root."""
        return [int(self.columns.move[node]) for node in self.principal_nodes[1:]]

    @property
    def principal_nodes(self) -> list[Node]:
        """Return the nodes of the principal variation, root first."""
        nodes = [self.root]
        while (child := nodes[-1].best_child) is not None:
            nodes.append(child)
        return nodes

    def path(self, row: int) -> list[int]:
        """Return the rows from the root of the same pass to this row."""
        end = self._subtree_ends
        node = self.roots[self.pass_number(row)]
        path = [node]
        while node != row:
            node += 1
            while end[node] <= row:
                node = end[node]
            path.append(node)
        return path

    def child_rows(self, row: int) -> list[int]:
        """Return the rows of the children, in visiting order."""
        end = self._subtree_ends
        last, child = end[row], row + 1
        children = []
        while child < last:
            children.append(child)
            child = end[child]
        return children

    def untried_moves(self, row: int, replies: MovesByCode) -> list[int]:
        """Return the recorded codes of those moves of a node that were not tried.

        At a row that stood pat only noisy moves count, since no others were considered.
        """
        if self.columns.flags[row] >> TURN_SHIFT & TURN_BITS == CHANCE:
            return self._untried_outcomes(row, list(replies.moves))
        tried = {int(self.columns.move[child]) for child in self.child_rows(row)}
        considered = noisy_moves(replies) if self.columns.flags[row] & STANDS_PAT else replies.moves
        return [code for code in considered if code not in tried]

    def _untried_outcomes(self, row: int, outcomes: list[int]) -> list[int]:
        """Return the outcomes of a chance node after the last one that was searched in full. Probes come before all of them."""
        full = [child for child in self.child_rows(row) if self.columns.flags[child] & STATUS_BITS != PROBE]
        return outcomes[outcomes.index(int(self.columns.move[full[-1]])) + 1 :] if full else outcomes

    @cached_property
    def _subtree_ends(self) -> memoryview:
        return self.columns.end.data  # a Python number takes half the time of a numpy scalar

    def states(self, start: int = 0, stop: int | None = None) -> Any:
        """Return the states of the rows from `start` to `stop`: bitboards (BoardColumns) if compiled, else a list."""
        stop = len(self) if stop is None else min(stop, len(self))
        start = max(0, start)
        if start >= stop:
            return []
        if self.compiled:
            from engine.compiled.connect_replay import replay_boards

            return replay_boards(self, start, stop)
        return self._replay_states(start, stop)

    def _replay_states(self, start: int, stop: int) -> list[Any]:
        states = [self.search.root]  # of the latest row at each depth
        replies: list[MovesByCode] = []  # to each of those rows that has children here

        def replayed(row: int) -> Any:
            depth, code = int(self.columns.depth[row]), int(self.columns.move[row])
            if depth == 0:
                del states[1:], replies[:]
            else:
                del states[depth:], replies[depth:]
                if len(replies) < depth:
                    replies.append(MovesByCode(self.game, states[-1]))
                states.append(self.game.play(states[-1], replies[-1].moves[code]))
            return states[-1]

        above = self.path(start)
        for row in above[:-1]:
            replayed(row)
        return [replayed(row) for row in range(start, stop)]

    def child_state(self, state: Any, row: int) -> Any:
        """Return the state of a row, given that of its parent."""
        return self.game.play(state, move_from_code(self.game, state, int(self.columns.move[row])))


def _make_read_only(column: np.ndarray) -> np.ndarray:
    column.flags.writeable = False
    return column
