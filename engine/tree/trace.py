"""The steps of a search, computed from its tree and never stored.

Every node is entered, left with a value, and (but for the root) comes back to its parent: three steps, so a step number is
arithmetic. While a node is entered, all rows before it have been entered, and all of them but its ancestors have been left and
have come back:

    enter(i) = 3 i - 2 depth(i)          leave(i) = 3 end(i) - 2 depth(i) - 2          back(i) = leave(i) + 1

Leaving is a leaf's evaluation, a cutoff, or the end of the moves.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np

from engine.games.quirks import AS_TYPED, FRESH_ROOT_WINDOWS
from engine.record.columns import CUTOFF, EXHAUSTED, OPEN, ROOT, STATUS_BITS
from engine.tree.node import Node
from engine.tree.tree import SearchTree

ENTER, EVALUATE, RETURN, LEAVE_CUT, LEAVE = "enter", "evaluate", "return", "cutoff", "leave"
FIRST_BLOCK, LAST_BLOCK = 1 << 10, 1 << 20  # rows looked at together when a cutoff is searched for


class Cause(NamedTuple):
    """Why a cutoff was right: what the other side is sure of elsewhere."""

    ancestor: Node  # where it has the choice
    child: Node  # the earlier move there that guarantees it
    bound: float


class Step(NamedTuple):
    """One step. `node` is where the search is, alpha and beta are its window and best its value after the step."""

    number: int
    kind: str
    node: Node
    alpha: float
    beta: float
    best: float | None  # None: nothing has come back yet
    child: Node | None = None  # return: the child that came back
    value: float | None = None  # evaluate, cutoff, leave: the node's value; return: the child's
    bound: str = ""  # what that value says: exact, lower, upper
    improves: bool = False  # return: the node's value got better
    narrows: str = ""  # return: "alpha" was raised, "beta" was lowered
    skipped_moves: tuple[int, ...] = ()  # cutoff
    cause: Cause | None = None  # cutoff; None if the window of the whole search did it


class Trace(Sequence[Step]):
    """All steps of a tree, by number."""

    def __init__(self, tree: SearchTree):
        self.tree = tree
        self._depths = tree.columns.depth.data

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        last = len(self.tree) - 1
        left = [row for row in self.tree.path(last) if self._status(row) != OPEN and self.tree.end[row] == last + 1]
        if not left:
            return self.enter_step(last) + 1
        return self.leave_step(left[0]) + (1 if left[0] == ROOT else 2)

    @overload
    def __getitem__(self, step: int) -> Step: ...
    @overload
    def __getitem__(self, step: slice) -> list[Step]: ...
    def __getitem__(self, step: int | slice) -> Step | list[Step]:
        if isinstance(step, slice):
            return [self[number] for number in range(*step.indices(len(self)))]
        length = len(self)
        number = step + length if step < 0 else step
        if not 0 <= number < length:
            raise IndexError(f"no step {step}: the search has {length}")
        entered = self._last_entered(number)
        since = number - self.enter_step(entered)
        path = self.tree.path(entered)
        if since == 0:
            return self._enter(number, path[-1])
        up, coming_back = divmod(since - 1, 2)
        if coming_back:
            return self._return(number, path[-2 - up], path[-1 - up])
        return self._leave(number, path[: len(path) - up])

    def __iter__(self) -> Iterator[Step]:
        return (self[number] for number in range(len(self)))

    # ---- step numbers

    def enter_step(self, row: int) -> int:
        """The number of the step that enters the node."""
        return 3 * int(row) - 2 * self._depths[row]

    def leave_step(self, row: int) -> int:
        """The number of the step that leaves it."""
        if self._status(row) == OPEN:
            raise ValueError(f"node {int(row)} was never left: the search was stopped")
        return 3 * int(self.tree.end[row]) - 2 * self._depths[row] - 2

    def _last_entered(self, number: int) -> int:
        return bisect_right(range(len(self.tree)), number, key=self.enter_step) - 1

    def next_cutoff(self, step: int) -> int | None:
        """The number of the first cutoff after the step."""
        entered = self._last_entered(step)
        ends = [self.leave_step(row) for row in self.tree.path(entered) if self._status(row) == CUTOFF]
        found = min((end for end in ends if end > step), default=None)
        start, block = entered + 1, FIRST_BLOCK
        while start < len(self.tree) and (found is None or self.enter_step(start) < found):
            leaves = self._cutoff_steps(start, start + block)
            if len(leaves):
                found = min(int(leaves.min()), len(self) if found is None else found)
            start, block = start + block, min(2 * block, LAST_BLOCK)
        return found

    def previous_cutoff(self, step: int) -> int | None:
        """The number of the last cutoff before the step."""
        stop, block = self._last_entered(step) + 1, FIRST_BLOCK
        found = -1
        while stop > 0:
            start = max(0, stop - block)
            around = [self.leave_step(row) for row in self.tree.path(start) if self._status(row) == CUTOFF]
            leaves = np.append(self._cutoff_steps(start, stop), np.array(around, np.int64))
            found = max(found, int(leaves.max(initial=-1, where=leaves < step)))
            if found >= self.enter_step(start):
                break
            stop, block = start, min(2 * block, LAST_BLOCK)
        return found if found >= 0 else None

    def _cutoff_steps(self, start: int, stop: int) -> np.ndarray:
        """Leave steps of the pruned nodes among the rows."""
        columns = self.tree.columns
        rows = start + np.flatnonzero(columns.flags[start:stop] & STATUS_BITS == CUTOFF)
        return 3 * columns.end[rows].astype(np.int64) - 2 * columns.depth[rows].astype(np.int64) - 2

    # ---- what happens in a step

    def _enter(self, number: int, row: int) -> Step:
        node = self.tree[row]
        return Step(number, ENTER, node, node.alpha, node.beta, None)

    def _return(self, number: int, row: int, child_row: int) -> Step:
        node, child = self.tree[row], self.tree[child_row]
        before = self._so_far(node, child_row)
        after = self._so_far(node, child_row + 1)
        narrows = "alpha" if after[0] > before[0] else "beta" if after[1] < before[1] else ""
        best = after[2]
        return Step(
            number,
            RETURN,
            node,
            *after,
            child=child,
            value=child.value,
            bound=child.bound,
            improves=best != before[2],
            narrows=narrows,
        )

    def _leave(self, number: int, path: list[int]) -> Step:
        node = self.tree[path[-1]]
        status = self._status(node)
        if status not in (CUTOFF, EXHAUSTED):
            return Step(number, EVALUATE, node, node.alpha, node.beta, node.value, value=node.value, bound="exact")
        alpha, beta, best = self._so_far(node, node.end)
        if status == EXHAUSTED:
            return Step(number, LEAVE, node, alpha, beta, best, value=node.value, bound=node.bound)
        skipped, cause = tuple(node.skipped_moves), self._cause(node, path)
        return Step(
            number, LEAVE_CUT, node, alpha, beta, best, value=node.value, bound=node.bound, skipped_moves=skipped, cause=cause
        )

    def _so_far(self, node: Node, before_row: int) -> tuple[float, float, float | None]:
        """Window and best value at the node when the children in rows before `before_row` have come back."""
        scores = [self.tree[row].value for row in self.tree.child_rows(node) if row < before_row and self._status(row) != OPEN]
        alpha, beta = node.alpha, node.beta
        if not scores:
            return alpha, beta, None
        better = max if node.maximizing else min
        best = better(scores)
        if self.tree.quirk == AS_TYPED and not node.maximizing:
            best = min(0.0, best)
        fresh = self.tree.quirk == FRESH_ROOT_WINDOWS and node == ROOT
        if not self.tree.windows or fresh:
            return alpha, beta, best
        return (max(alpha, *scores), beta, best) if node.maximizing else (alpha, min(beta, *scores), best)

    def _cause(self, node: Node, path: list[int]) -> Cause | None:
        """The nearest ancestor at which the bound that was reached came about, and the move that brought it."""
        field = "beta" if node.maximizing else "alpha"
        bound = getattr(node, field)
        for row, below in zip(reversed(path[:-1]), reversed(path), strict=False):
            ancestor = self.tree[row]
            if getattr(ancestor, field) != bound:
                source = next(child for child in ancestor.children if child.value == bound)
                return Cause(ancestor, source, bound) if source < below else None
        return None

    def _status(self, row: int) -> int:
        return int(self.tree.columns.flags[row]) & STATUS_BITS
