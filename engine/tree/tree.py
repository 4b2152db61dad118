"""A recorded search, read-only. Nodes are rows, one for each call, in visiting order; row 0 is the root of the first pass.

Everything here reads the columns of record/columns.py. Whole-tree answers are array operations; answers about one node walk
down from the root by subtree ends, O(depth x branching).
"""

import operator
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, overload

import numpy as np

from engine.core.errors import PlyscopeError
from engine.games.capabilities import name_of, noisy_moves
from engine.games.protocol import Replies, move_of
from engine.question import Question, Search
from engine.record.columns import (
    CUTOFF,
    HORIZON,
    INT_ENDS,
    KNOWN_FLAGS,
    LOWER,
    MAXIMIZING,
    ROOT,
    STANDS_PAT,
    STATUS_BITS,
    TABLE,
    TERMINAL,
    UPPER,
    Columns,
    PassNote,
    check_flags,
)
from engine.tree.bounds import bounds
from engine.tree.counting import Counts, counts
from engine.tree.node import Node

BLOCK = 1 << 20  # rows that whole-tree passes work on at a time, so that temporary arrays stay small
MAX_NUMPY_ROWS = 1 << 16  # whose counting is not worth loading a compiled pass


class Pass(NamedTuple):
    """One whole search of several that were made one after the other."""

    first: int  # row of its root
    K: int | None  # its depth limit
    window: tuple[float, float]  # alpha and beta at its root
    result: float | None  # the value of its root; None if it was stopped
    why: str  # it was made; empty for the only one


class SearchTree:
    """Every expanded node of one search."""

    def __init__(
        self,
        search: Search,
        columns: Columns,
        seconds: float,
        stopped: str = "",
        rounded: bool = False,
        notes: tuple[PassNote, ...] = (),
        evaluations: int = 0,
    ):
        self.search = search
        self.other_evaluations = evaluations  # static evaluations that are no rows: to order moves, or to guess
        self.notes = notes  # of the passes; empty for a single one
        self.seconds = seconds
        self.stopped = stopped  # why the search ended early; empty if it is complete
        self.rounded = rounded  # whether a value of the game did not fit a float (64 bits)
        for column in columns:
            column.flags.writeable = False
        self.columns = columns

    # ---- what was searched

    @property
    def question(self) -> Question:
        """What was asked: `search(tree.question)` is the same search again."""
        return self.search.question

    @property
    def game(self) -> Any:
        return self.question.game

    @property
    def algorithm(self) -> str:
        return self.question.algorithm

    @property
    def K(self) -> int | None:
        """The depth limit; None: to the end of the game."""
        return self.question.depth

    @property
    def compiled(self) -> bool:
        """Whether the kernel searched it."""
        return self.search.compiled

    @property
    def cut_on_equal(self) -> bool:
        """Whether a value that only equals the bound cuts."""
        return bool(self.question.options.get("cut_on_equal", True))

    @property
    def windows(self) -> bool:
        """Whether the search handed alpha and beta down: then they are recorded, and cutoffs may happen."""
        return len(self.columns.alpha) > 0

    @property
    def quirk(self) -> str:
        """The quirk of the original program that the search brought back; empty without as_published."""
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
        )

    def __repr__(self) -> str:
        what = f"{name_of(self.game)}, {self.algorithm}, K={self.K}"
        return f"<SearchTree {what}: {self.expanded:,} nodes{'' if self.complete else ', ' + self.stopped}>"

    # ---- passes

    @cached_property
    def passes(self) -> tuple[Pass, ...]:
        """The whole searches that were made, one after the other: one, but for algorithms that deepen or guess."""
        return tuple(self._pass(note) for note in self.notes or (PassNote(ROOT, self.K, ""),))

    def _pass(self, note: PassNote) -> Pass:
        root = self[note.first]
        return Pass(*note[:2], (root.alpha, root.beta), None if root.status == "open" else root.value, note.why)

    def pass_number(self, row: int) -> int:
        """Which of the passes a row belongs to, from 0."""
        return bisect_right(self.roots, row) - 1

    @property
    def roots(self) -> list[int]:
        """The rows of depth 0, one for each pass."""
        return [note.first for note in self.notes] or [ROOT]

    def proved_before(self, root: Node) -> Node | None:
        """The move at the root of a pass that an earlier pass, to the same depth, has proved to bring the value, where this pass
        proves that there is nothing better; None without."""
        place = self.pass_number(root)
        if root.status == "open" or self.bound[root] != (UPPER if root.maximizing else LOWER):
            return None
        for made in reversed(self.passes[:place]):
            before = self[made.first]
            if made.K == self.passes[place].K and before.value == root.value and (proving := before.proving_child) is not None:
                return next((child for child in root.children if child.move == proving.move), None)
        return None

    @property
    def proved_bound(self) -> str:
        """What all passes to the depth of the last one have proved of the root's value: one alone may only say that it is no
        less, or no more."""
        root, K = self.root, self.passes[-1].K
        roots = [self[made.first] for made in self.passes if made.K == K]
        proved = {one.bound for one in roots if one.value == root.value}
        return "exact" if proved >= {"lower", "upper"} or "exact" in proved else root.bound

    # ---- counts

    def __len__(self) -> int:
        return len(self.columns.end)

    @property
    def expanded(self) -> int:
        """Every call of the search, the root of every pass and leaves included."""
        return len(self)

    @property
    def leaves(self) -> int:
        return int(self._status_counts[:, [TERMINAL, HORIZON]].sum())

    @property
    def terminals(self) -> int:
        return int(self._status_counts[:, TERMINAL].sum())

    @property
    def table_hits(self) -> int:
        """Calls that the table answered."""
        return int(self._status_counts[:, TABLE].sum())

    @property
    def stood_pat(self) -> int:
        """Calls whose value began with the static one."""
        return int(self._flag_counts[:, STANDS_PAT:].sum())

    @property
    def cutoffs(self) -> int:
        return int(self._status_counts[:, CUTOFF].sum())

    @property
    def skipped(self) -> int:
        return int(self._skipped_counts.sum())

    @property
    def is_one_sided(self) -> bool:
        """Whether the same side is to move at every node."""
        maximizing = (np.arange(1 << 8) & MAXIMIZING) != 0
        return int(self._flag_counts[:, maximizing].sum()) in (0, len(self))

    def statistics(self, with_repetition: bool = True) -> Counts:
        """Count everything. `with_repetition` False leaves `distinct` and `researches` out (None), which take longest."""
        return counts(self, with_repetition)

    @property
    def per_depth(self) -> list[dict[str, int]]:
        """Counts for each depth: expanded, leaves, terminals, cutoffs, skipped."""
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
        """The greatest depth of a node."""
        return int(self.columns.depth.max())

    @cached_property
    def _status_counts(self) -> np.ndarray:
        """Nodes by depth and status."""
        by_status = np.zeros((self.height + 1, STATUS_BITS + 1), np.int64)
        for flags in range(1 << 8):
            by_status[:, flags & STATUS_BITS] += self._flag_counts[:, flags]
        return by_status

    @property
    def _flag_counts(self) -> np.ndarray:
        """Nodes by depth and flags."""
        return self._counted[0]

    @property
    def _skipped_counts(self) -> np.ndarray:
        """Skipped moves by the depth of the node that skipped them."""
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[np.ndarray, np.ndarray]:
        """What is counted in one pass over all rows. Compiled it takes a quarter of the time."""
        if len(self) > MAX_NUMPY_ROWS:
            from engine.compiled.tree_kernels import count_rows

            counted = count_rows(self.columns, self.height)
        else:
            keys = self.columns.depth.astype(np.int32) << 8 | self.columns.flags
            flags = np.bincount(keys, minlength=(self.height + 1) << 8).reshape(-1, 1 << 8)
            counted = flags, np.bincount(self.columns.depth, self.columns.skipped).astype(np.int64)
        if counted[0][:, ~KNOWN_FLAGS].any():
            check_flags(self.columns.flags)  # names the row
        return counted

    def blocks(self) -> Iterator[slice]:
        """The rows in slices of bounded size."""
        for start in range(0, len(self), BLOCK):
            yield slice(start, min(start + BLOCK, len(self)))

    # ---- columns, one entry per node

    @property
    def depth(self) -> np.ndarray:
        """Plies from the root."""
        return self.columns.depth

    @property
    def move(self) -> np.ndarray:
        """The move that led here; -1 at the root."""
        return self.columns.move

    @property
    def end(self) -> np.ndarray:
        """One past the last row of the node's subtree."""
        return self.columns.end

    @cached_property
    def value(self) -> np.ndarray:
        """Value for MAX; of a pruned node a bound, of an open one the best so far."""
        return self._public(self.columns.value)

    @cached_property
    def alpha(self) -> np.ndarray:
        """What MAX was sure of when the node was entered."""
        return self._window(self.columns.alpha, -np.inf)

    @cached_property
    def beta(self) -> np.ndarray:
        """What MIN was sure of when the node was entered."""
        return self._window(self.columns.beta, np.inf)

    @property
    def link(self) -> np.ndarray:
        """An earlier row that the row goes back to; -1: none. Of a row that the table answered the one whose result it was, of a
        re-search its probe, else the one whose entry ordered the moves."""
        if len(self.columns.link) == 0:
            raise PlyscopeError(f"{self.algorithm} records no links: only searches with a table or with re-searches do")
        return self.columns.link

    @cached_property
    def static(self) -> np.ndarray:
        """Of rows that stood pat the static value, with which their value began; nan elsewhere."""
        if len(self.columns.static) == 0:
            raise PlyscopeError("this search records no static values: only searches with quiescence do, where rows stand pat")
        return _read_only(np.where(self.columns.flags & STANDS_PAT, self.columns.static, np.nan))

    @property
    def quiescence(self) -> int:
        """Plies beyond the depth limit in which noisy moves are searched."""
        return int(self.question.options.get("quiescence", 0))

    @cached_property
    def status(self) -> np.ndarray:
        """How the node was left: an index into STATUS_NAMES."""
        check_flags(self.columns.flags)
        return _read_only(self.columns.flags & STATUS_BITS)

    @cached_property
    def pruned(self) -> np.ndarray:
        """Whether a cutoff happened at the node."""
        return _read_only(self.status == CUTOFF)

    @cached_property
    def bound(self) -> np.ndarray:
        """What the value proves: an index into BOUND_NAMES."""
        return _read_only(bounds(self.columns, 0.0 if self._starts_at_zero else np.inf))

    @cached_property
    def maximizing(self) -> np.ndarray:
        """Whether MAX is to move."""
        check_flags(self.columns.flags)
        return _read_only((self.columns.flags & MAXIMIZING) != 0)

    @cached_property
    def parent(self) -> np.ndarray:
        """Row of the parent; -1 at a root."""
        from engine.compiled import tree_kernels

        return _read_only(tree_kernels.parents(self.columns.depth))

    def _window(self, stored: np.ndarray, infinity: float) -> np.ndarray:
        if len(stored) == 0:
            return np.broadcast_to(np.float64(infinity), len(self))
        return self._public(stored)

    def _public(self, stored: np.ndarray) -> np.ndarray:
        """As float64, with what the ends of the int range stand for (they are themselves in the searches that say so)."""
        public = stored.astype(np.float64)
        if self._infinite:
            for end, number in INT_ENDS.items():
                public[stored == end] = number
        return _read_only(public)

    def public_number(self, stored: Any) -> float:
        """One value of a column as `_public` gives all of them."""
        number = float(stored)
        return INT_ENDS.get(number, number) if self._infinite else number

    @cached_property
    def _infinite(self) -> bool:
        from engine.games.quirks import NO_FULL_BOARD_TEST

        return self.columns.value.dtype == np.int32 and self.quirk != NO_FULL_BOARD_TEST

    @property
    def _starts_at_zero(self) -> bool:
        """Whether the value of a MIN node starts with 0: see games/quirks.py."""
        from engine.games.quirks import AS_TYPED

        return self.quirk == AS_TYPED

    # ---- nodes

    @overload
    def __getitem__(self, row: int) -> Node: ...
    @overload
    def __getitem__(self, row: slice) -> list[Node]: ...
    def __getitem__(self, row: int | slice) -> Node | list[Node]:
        if isinstance(row, slice):
            return [Node.at(self, index) for index in range(*row.indices(len(self)))]
        index = operator.index(row)
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(f"no node {row}: the tree has {len(self)}")
        return Node.at(self, index)

    @property
    def root(self) -> Node:
        """The root of the last pass."""
        return self[self.roots[-1]]

    @property
    def principal_variation(self) -> list[int]:
        """Best play for both sides, as moves from the root."""
        return [int(self.columns.move[node]) for node in self.principal_nodes[1:]]

    @property
    def principal_nodes(self) -> list[Node]:
        """The nodes of the principal variation, root first."""
        nodes = [self.root]
        while (child := nodes[-1].best_child) is not None:
            nodes.append(child)
        return nodes

    def path(self, row: int) -> list[int]:
        """Rows from the root, that of the same pass, to this one."""
        end = self._ends
        node = self.roots[self.pass_number(row)]
        path = [node]
        while node != row:
            node += 1
            while end[node] <= row:
                node = end[node]
            path.append(node)
        return path

    def child_rows(self, row: int) -> list[int]:
        """Rows of the children, in visiting order."""
        end = self._ends
        last, child = end[row], row + 1
        children = []
        while child < last:
            children.append(child)
            child = end[child]
        return children

    def untried(self, row: int, replies: Replies) -> list[int]:
        """Of the moves of a node, as they are recorded, those that were not tried; of a row that stood pat only the noisy ones,
        since no other was considered."""
        tried = {int(self.columns.move[child]) for child in self.child_rows(row)}
        considered = noisy_moves(replies) if self.columns.flags[row] & STANDS_PAT else replies.moves
        return [code for code in considered if code not in tried]

    @cached_property
    def _ends(self) -> memoryview:
        return self.columns.end.data  # an item costs half of what a numpy scalar does

    def states(self, start: int = 0, stop: int | None = None) -> Any:
        """The states of the rows from `start` to `stop`: bitboards (connect_replay.Boards) if compiled, else a list."""
        stop = len(self) if stop is None else min(stop, len(self))
        start = max(0, start)
        if start >= stop:
            return []
        if self.compiled:
            from engine.compiled.connect_replay import connect_boards

            return connect_boards(self, start, stop)
        return self._replayed(start, stop)

    def _replayed(self, start: int, stop: int) -> list[Any]:
        states = [self.search.root]  # of the latest row at each depth
        replies: list[Replies] = []  # to each of them that has children among these rows

        def replayed(row: int) -> Any:
            depth, code = int(self.columns.depth[row]), int(self.columns.move[row])
            if depth == 0:
                del states[1:], replies[:]
            else:
                del states[depth:], replies[depth:]
                if len(replies) < depth:
                    replies.append(Replies(self.game, states[-1]))
                states.append(self.game.play(states[-1], replies[-1].moves[code]))
            return states[-1]

        above = self.path(start)
        for row in above[:-1]:
            replayed(row)
        return [replayed(row) for row in range(start, stop)]

    def after(self, state: Any, row: int) -> Any:
        """The state of a row, given that of its parent."""
        return self.game.play(state, move_of(self.game, state, int(self.columns.move[row])))


def _read_only(column: np.ndarray) -> np.ndarray:
    column.flags.writeable = False
    return column
