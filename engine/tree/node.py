"""One node of a recorded search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.core.errors import BadRecord
from engine.games.boards import format_state
from engine.games.capabilities import move_namer
from engine.games.protocol import MovesByCode, move_name_from_code
from engine.record.columns import (
    BOUND_NAMES,
    CUTOFF,
    EXACT,
    HORIZON,
    KNOWN_FLAGS,
    LOWER,
    MAXIMIZING,
    NONE,
    OPEN,
    STANDS_PAT,
    STATUS_BITS,
    STATUS_NAMES,
    TERMINAL,
    TURN_BITS,
    TURN_NAMES,
    TURN_SHIFT,
    UPPER,
)
from engine.tree.visits import mean_of

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree


class Node(int):
    """One node of a tree: its row number, with properties that read the tree."""

    tree: SearchTree

    @classmethod
    def from_row(cls, tree: SearchTree, row: int) -> Node:
        node = cls(row)
        node.tree = tree
        return node

    def __repr__(self) -> str:
        return f"<Node {int(self)}: depth {self.depth}, {self.status}, {self.bound_sign}{self.value:g}>"

    @property
    def depth(self) -> int:
        return int(self.tree.columns.depth[self])

    @property
    def move(self) -> int:
        return int(self.tree.columns.move[self])

    @property
    def move_name(self) -> str:
        """Return the name of the move that led here; empty at a root."""
        if self.depth == 0:
            return ""
        if name := move_namer(self.tree.game):
            return name(self.move)
        return move_name_from_code(self.tree.game, self.parent.state, self.move)

    @property
    def alpha(self) -> float:
        stored = self.tree.columns.alpha
        return self.tree.public_number(stored[self]) if len(stored) else -np.inf

    @property
    def beta(self) -> float:
        stored = self.tree.columns.beta
        return self.tree.public_number(stored[self]) if len(stored) else np.inf

    @property
    def value(self) -> float:
        return self.tree.public_number(self.tree.columns.value[self])

    @property
    def flags(self) -> int:
        """Return the flags: status and side to move. Raise BadRecord if they are unknown."""
        flags = int(self.tree.columns.flags[self])
        if not KNOWN_FLAGS[flags]:
            raise BadRecord(f"row {int(self):,} has the unknown flags {flags}")
        return flags

    @property
    def status(self) -> str:
        return STATUS_NAMES[self.flags & STATUS_BITS]

    @property
    def turn(self) -> str:
        """Return who moves here: "min", "max" or "chance"."""
        return TURN_NAMES[self.flags >> TURN_SHIFT & TURN_BITS]

    @property
    def probability(self) -> float:
        """Return the probability of the outcome that led here; 1 if the parent is not a chance node."""
        return float(self.tree.weight[self])

    @property
    def maximizing(self) -> bool:
        return bool(self.flags & MAXIMIZING)

    @property
    def fails_high(self) -> bool:
        """Return True if a cutoff here is one at beta: MAX moves, or chance does and the value reaches beta."""
        return self.value >= self.beta if self.turn == "chance" else self.maximizing

    @property
    def link(self) -> Node | None:
        """Return the earlier row that this one refers to, or None. See SearchTree.link."""
        row = int(self.tree.link[self])
        return None if row == NONE else Node.from_row(self.tree, row)

    @property
    def probe(self) -> Node | None:
        """Return the call of the same move right before this one, which this one searches again; None if there is none."""
        if self.depth == 0:
            return None
        if self.parent.turn == "chance":
            linked = self.link if len(self.tree.columns.link) else None
            return linked if linked is not None and linked.status == "probe" else None
        before = [row for row in self.tree.child_rows(self.parent) if row < self][-1:]
        return Node.from_row(self.tree, before[0]) if before and self.tree.columns.move[before[0]] == self.move else None

    @property
    def again(self) -> Node | None:
        """Return the call right after this one that searches the same move again; None if there is none."""
        after, columns = self.end, self.tree.columns
        if self.status == "probe":
            return next((row for row in self.parent.children if row > self and row.move == self.move), None)
        is_sibling = after < len(self.tree) and columns.depth[after] == self.depth > 0
        return Node.from_row(self.tree, after) if is_sibling and columns.move[after] == self.move else None

    @property
    def is_repeated(self) -> bool:
        """Return True if a re-search of the same move follows, or would follow if the search had not stopped here.

        Such a call changes nothing at its parent.
        """
        return self.again is not None or self._was_to_be_repeated

    @property
    def _was_to_be_repeated(self) -> bool:
        """Return True for a probe at the end of the record that was to be searched again (see columns.complete_open_rows)."""
        if self.depth == 0 or self.status == "open":
            return False
        if self.status == "probe":  # the chance node was left, or the search stopped, before its full call
            return self.bound != "exact"
        if self.end < len(self.tree):
            return False
        parent = self.parent
        better = self.value > parent.value if parent.maximizing else self.value < parent.value
        return parent.status == "open" and better

    @property
    def static(self) -> float | None:
        """Return the static value that this node started with if it stood pat, else None."""
        return float(self.tree.columns.static[self]) if self.flags & STANDS_PAT else None

    @property
    def stands_pat(self) -> bool:
        """Return True if the value is the static value: no noisy move is better than standing pat."""
        return self.static is not None and self.static == self.value

    @property
    def visits(self) -> int:
        """Return the number of iterations that passed through this node."""
        return int(self.tree.visits[self])

    @property
    def born(self) -> int:
        """Return the iteration that added this node; 0 at the root."""
        return int(self.tree.born[self])

    @property
    def prior(self) -> float:
        """Return the prior of the move to this node."""
        return float(self.tree.prior[self])

    @property
    def proven(self) -> int:
        """Return 1 if MAX is proved to win here, -1 if MIN is, 0 if neither is."""
        return int(self.tree.proven[self])

    @property
    def mean(self) -> float:
        """Return the average result of the iterations through this node for the side that moved into it, from 0 to 1.

        At the root it is for the side that is not to move. Without visits it is nan.
        """
        return mean_of(self)

    @property
    def pruned(self) -> bool:
        return bool(self.tree.columns.flags[self] & STATUS_BITS == CUTOFF)

    @property
    def is_leaf(self) -> bool:
        return self.tree.columns.flags[self] & STATUS_BITS in (TERMINAL, HORIZON)

    @property
    def end(self) -> int:
        return int(self.tree.columns.end[self])

    @property
    def size(self) -> int:
        """Return the number of nodes of the subtree, including this one."""
        return self.end - self

    @property
    def subtree(self) -> slice:
        """Return the rows of the subtree as a slice: `tree.value[node.subtree]`."""
        return slice(int(self), self.end)

    @property
    def path(self) -> list[Node]:
        """Return the nodes from the root to this one."""
        return [Node.from_row(self.tree, row) for row in self.tree.path(self)]

    @property
    def moves(self) -> list[int]:
        """Return the moves from the root to this node."""
        return [int(self.tree.columns.move[row]) for row in self.tree.path(self)[1:]]

    @property
    def parent(self) -> Node:
        """Return the parent; -1 for a root, as in the column."""
        if self.depth == 0:
            return NONE  # type: ignore[return-value]
        return Node.from_row(self.tree, self.tree.path(self)[-2])

    @property
    def children(self) -> list[Node]:
        return [Node.from_row(self.tree, row) for row in self.tree.child_rows(self)]

    @property
    def child_values(self) -> list[float]:
        """Return the values of the children, in visiting order."""
        values, public = self.tree.columns.value.data, self.tree.public_number
        return [public(values[row]) for row in self.tree.child_rows(self)]

    def children_worth(self, value: float) -> Iterator[Node]:
        """Yield the children that have this value, in visiting order."""
        values, public = self.tree.columns.value.data, self.tree.public_number
        return (Node.from_row(self.tree, row) for row in self.tree.child_rows(self) if public(values[row]) == value)

    @property
    def best_child(self) -> Node | None:
        """Return the first child that proves this node's value, or None.

        It has that value, and the value is guaranteed: at MAX the child is worth at least that, at MIN at most. There is none
        at a
        leaf, where the side to move stands pat, and where only a bound is known that no single move accounts for. At the root
        of a
        pass, an earlier pass may have proved the value, for the same move.
        """
        return self.proving_child or (self.tree.find_earlier_proof(self) if self.depth == 0 and not self.stands_pat else None)

    @property
    def proving_child(self) -> Node | None:
        """Return the first child that proves this node's value, using only the rows below this node.

        In a search that runs in iterations nothing is proved by values: it is the most visited child.
        """
        return self.tree.backup.best(self)

    def is_proved_by(self, child: int) -> bool:
        """Return True if a child guarantees its value to the side to move: at MAX at least that much, at MIN at most."""
        is_open = self.tree.columns.flags[child] & STATUS_BITS == OPEN
        return not is_open and self.tree.bound[child] in (EXACT, LOWER if self.maximizing else UPPER)

    @property
    def best_move(self) -> int:
        """Return the move to the best child; -1 if there is none. If a move may be -1 itself, use best_child."""
        child = self.best_child
        return NONE if child is None else child.move

    @property
    def best_move_name(self) -> str:
        """Return the name of the best move; empty if there is none."""
        child = self.best_child
        return "" if child is None else child.move_name

    @property
    def bound(self) -> str:
        """Return what the value proves: "exact", "lower" (at least) or "upper" (at most); "open" while nothing is settled."""
        return BOUND_NAMES[self.tree.bound[self]]

    @property
    def bound_sign(self) -> str:
        return {"lower": ">=", "upper": "<=", "exact": "", "open": "?"}[self.bound]

    @property
    def skipped(self) -> int:
        """Return the number of legal moves that a cutoff left untried."""
        return int(self.tree.columns.skipped[self])

    @property
    def skipped_moves(self) -> list[int]:
        """Return the legal moves that a cutoff left untried, in child order. Beyond the depth limit, only noisy moves."""
        if not self.skipped:
            return []
        return self.tree.untried_moves(self, MovesByCode(self.tree.game, self.state))

    @property
    def state(self) -> Any:
        """Return the state, replayed from the root."""
        tree = self.tree
        state = tree.search.root
        for row in tree.path(self)[1:]:
            state = tree.child_state(state, row)
        return state

    @property
    def board(self) -> str:
        """Return the state as text."""
        return format_state(self.tree.game, self.state)
