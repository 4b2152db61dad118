"""The steps of a search, computed from its tree and never stored.

Every row has three steps: the search enters it, leaves it with a value, and comes back to its parent. The root of a pass comes
back to the driver that made the passes. So step numbers are arithmetic. When a row is entered, all rows before it have been
entered, and all of them except its ancestors have been left and have come back:

    enter(i) = 3 i - 2 depth(i)          leave(i) = 3 end(i) - 2 depth(i) - 2          back(i) = leave(i) + 1

A row is left by a leaf's evaluation, the table's answer, a cutoff, or the end of the moves. A search of a single pass has no
driver: it ends when its root is left.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, overload

import numpy as np

from engine.core.errors import PlyscopeError, UnknownName
from engine.core.notebook import NotebookDisplay
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, OPEN, PROBE, STATUS_BITS, STATUS_NAMES, TABLE, TERMINAL
from engine.tree.expectation import Expectation, expectation_so_far
from engine.tree.node import Node

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

ENTER, EVALUATE, RETURN, LEAVE_CUT, LEAVE = "enter", "evaluate", "return", "cutoff", "leave"
TABLE_ANSWER, DRIVER = "table", "driver"  # the table answers; the root of a pass returns to the driver
STEP_KIND_BY_STATUS = {
    TERMINAL: EVALUATE,
    HORIZON: EVALUATE,
    EXHAUSTED: LEAVE,
    CUTOFF: LEAVE_CUT,
    TABLE: TABLE_ANSWER,
    PROBE: LEAVE,
}
STEP_KINDS = (ENTER, EVALUATE, RETURN, LEAVE_CUT, LEAVE, TABLE_ANSWER, DRIVER)
FUTURE, ON_PATH, DONE, CUT = "future", "path", "done", "cut"  # the state of a row at a step
MIN_BLOCK_ROWS, MAX_BLOCK_ROWS = 1 << 10, 1 << 20  # rows examined together to find a step

RowTest = Callable[["slice | np.ndarray"], np.ndarray]  # for each of some rows: whether it is sought


def entering_step(row: int, depth: int) -> int:
    """Return the number of the step that enters a row at this depth."""
    return 3 * row - 2 * depth


def leaving_step(end: int, depth: int) -> int:
    """Return the number of the step that leaves a row at this depth. `end` is one past the last row of its subtree."""
    return 3 * end - 2 * depth - 2


class Cause(NamedTuple):
    """The reason why a cutoff is correct: a value that the other side is guaranteed elsewhere."""

    ancestor: Node  # where the other side has that choice
    child: Node | None  # the earlier move there that guarantees it; None: it stands pat there
    bound: float


class Step(NamedTuple):
    """One step. `node` is where the search is; alpha, beta and best are its window and its value after the step."""

    number: int
    kind: str
    node: Node
    alpha: float
    beta: float
    best: float | None  # None: nothing has come back yet
    child: Node | None = None  # return: the child that came back
    value: float | None = None  # evaluate, cutoff, leave: the node's value; return: the child's
    bound: str = ""  # the bound that the value proves: exact, lower, upper
    improves: bool = False  # return: the node's value got better
    narrows: str = ""  # return: "alpha" was raised, "beta" was lowered
    skipped_moves: tuple[int, ...] = ()  # cutoff
    cause: Cause | None = None  # cutoff; None if the bound comes from the window of the whole search or of a probe
    probe: Node | None = None  # cutoff: the call with a narrower window than its parent's, which set the bound
    again: Node | None = None  # return: the call that searches the same move again, since this was only a probe
    before: float | None = None  # return: the node's value before the child came back; None if nothing had


def check_has_calls(tree: SearchTree) -> None:
    """Raise PlyscopeError if a search ran in iterations, so that its rows are not its calls in order."""
    if tree.has_iterations:
        raise PlyscopeError(
            f"{tree.algorithm} runs in iterations, not in calls, so it cannot be stepped through like this: `tree.timeline` has "
            "its steps, and .svg, .html, .csv and other formats hold its tree"
        )


class Timeline(Protocol):
    """The steps of a search by number, as pages, sentences and exports use them. Other orders of steps can implement it."""

    tree: SearchTree

    def __len__(self) -> int: ...
    def __getitem__(self, step: int) -> Step: ...
    def enter(self, row: int) -> int: ...  # the number of the step that enters the row
    def leave(self, row: int) -> int: ...  # and of the one that leaves it
    def next(self, kind: str, step: int) -> int | None: ...  # the first step of this kind after the step
    def state_at(self, row: int, step: int) -> str: ...  # FUTURE, ON_PATH, DONE or CUT


class Trace(Sequence[Step], NotebookDisplay):
    """All steps of a tree by number: its calls, in pre-order."""

    display_name = "trace"

    def __init__(self, tree: SearchTree):
        check_has_calls(tree)
        self.tree = tree
        self._depths = tree.columns.depth.data

    def __repr__(self) -> str:
        return f"<Trace of {len(self):,} steps: {repr(self.tree).strip('<>')}>"

    def __len__(self) -> int:
        return self._step_count

    @cached_property
    def _step_count(self) -> int:
        last = len(self.tree) - 1
        left = [row for row in self.tree.path(last) if self._row_status(row) != OPEN and self.tree.end[row] == last + 1]
        if not left:
            return self.enter(last) + 1
        comes_back = self._depths[left[0]] > 0 or bool(self.tree.notes)
        return self.leave(left[0]) + 1 + comes_back

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
            raise IndexError(f"there is no step {step}: the search has {length} steps")
        entered = self.last_entered_row(number)
        since = number - self.enter(entered)
        path = self.tree.path(entered)
        if since == 0:
            return self._make_enter_step(number, path[-1])
        up, coming_back = divmod(since - 1, 2)
        if coming_back and up == len(path) - 1:
            return self._make_driver_step(number, path[0])
        if coming_back:
            return self._make_return_step(number, path[-2 - up], path[-1 - up])
        return self._make_leave_step(number, path[: len(path) - up])

    def __iter__(self) -> Iterator[Step]:
        return (self[number] for number in range(len(self)))

    # ---- step numbers

    def enter(self, row: int) -> int:
        """Return the number of the step that enters the row."""
        return entering_step(int(row), self._depths[row])

    def leave(self, row: int) -> int:
        """Return the number of the step that leaves the row."""
        if self._row_status(row) == OPEN:
            raise ValueError(f"node {int(row)} was never left: the search stopped before")
        return leaving_step(int(self.tree.end[row]), self._depths[row])

    def state_at(self, row: int, step: int) -> str:
        """Return the state of a row after the step: still to come, on the path, done, or done with a cutoff."""
        if step < self.enter(row):
            return FUTURE
        if self._row_status(row) == OPEN or step < self.leave(row):
            return ON_PATH
        return CUT if self._row_status(row) == CUTOFF else DONE

    def window_at(self, row: int, step: int) -> tuple[float, float, float | None]:
        """Return alpha, beta and the best value so far at a row after the step; the best is None if no child has come back.

        >>> from engine import literal, search
        >>> Trace(search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))).window_at(0, 14)
        (3.0, inf, 3.0)
        """
        if self.tree[row].turn == "chance" and self._row_status(row) != OPEN and step >= self.leave(row):
            return self.tree[row].alpha, self.tree[row].beta, self.tree[row].value
        return self.tree.backup.so_far(self.tree[row], self._first_pending(row, step))

    def expectation_at(self, row: int, step: int) -> Expectation:
        """Return what is known of a chance node after the step: the sum of its outcomes so far, and bounds of the expectation."""
        return expectation_so_far(self.tree[row], self._first_pending(row, step))

    def _first_pending(self, row: int, step: int) -> int:
        """Return the first child of a row that has not come back by the step, or else the end of its subtree."""
        children = self.tree.child_rows(row)
        pending = (child for child in children if self._row_status(child) == OPEN or step <= self.leave(child))
        return next(pending, int(self.tree.end[row]))

    def last_entered_row(self, number: int) -> int:
        """Return the row that was entered last, at or before the step."""
        return bisect_right(range(len(self.tree)), number, key=self.enter) - 1

    def next(self, kind: str, step: int) -> int | None:
        """Return the number of the first step of this kind after the step; None if there is none."""
        if kind not in STEP_KINDS:
            raise UnknownName("kind of step", kind, STEP_KINDS)
        step = max(step, -1)
        if kind == ENTER:
            entered = self.last_entered_row(step) + 1
            return self.enter(entered) if entered < len(self.tree) else None
        if kind == DRIVER:
            ends = (self.leave(root) + 1 for root in self.tree.roots if self.tree.notes and self._row_status(root) != OPEN)
            return next((end for end in ends if end > step), None)
        if kind == RETURN:  # nothing returns on the way down to a leaf
            return next((number for number in range(step + 1, len(self)) if self[number].kind == RETURN), None)
        return self.next_leaving(self._test_kind(kind), step)

    def next_leaving(self, is_sought: RowTest, step: int) -> int | None:
        """Return the number of the first step after this one that leaves a row which is sought; None if there is none."""
        entered = self.last_entered_row(step)
        path = np.array(self.tree.path(entered) if entered >= 0 else [], np.int64)
        ends = [self.leave(row) for row in path[is_sought(path)]]
        found = min((end for end in ends if end > step), default=None)
        start, block = entered + 1, MIN_BLOCK_ROWS
        while start < len(self.tree) and (found is None or self.enter(start) < found):
            leaves = self._leaving_steps(is_sought, start, start + block)
            if len(leaves):
                found = min(int(leaves.min()), len(self) if found is None else found)
            start, block = start + block, min(2 * block, MAX_BLOCK_ROWS)
        return found

    def previous(self, kind: str, step: int) -> int | None:
        """Return the number of the last step of this kind before the step; None if there is none. Only kinds that leave a
        row are allowed.
        """
        if kind not in STEP_KIND_BY_STATUS.values():
            raise PlyscopeError(
                f"there is no previous step of kind {kind!r}: choose {', '.join(dict.fromkeys(STEP_KIND_BY_STATUS.values()))}"
            )
        stop, block = self.last_entered_row(step) + 1, MIN_BLOCK_ROWS
        found = -1
        while stop > 0:
            start = max(0, stop - block)
            around = [self.leave(row) for row in self.tree.path(start) if STEP_KIND_BY_STATUS.get(self._row_status(row)) == kind]
            leaves = np.append(self._leaving_steps(self._test_kind(kind), start, stop), np.array(around, np.int64))
            found = max(found, int(leaves.max(initial=-1, where=leaves < step)))
            if found >= self.enter(start):
                break
            stop, block = start, min(2 * block, MAX_BLOCK_ROWS)
        return found if found >= 0 else None

    def _test_kind(self, kind: str) -> RowTest:
        """Return the test that is true for rows that are left by a step of this kind."""
        statuses = [status for status, left in STEP_KIND_BY_STATUS.items() if left == kind]
        return lambda rows: np.isin(self.tree.columns.flags[rows] & STATUS_BITS, statuses)

    def _leaving_steps(self, is_sought: RowTest, start: int, stop: int) -> np.ndarray:
        """Return the steps that leave those rows from `start` to `stop` that are sought."""
        columns = self.tree.columns
        rows = start + np.flatnonzero(is_sought(slice(start, stop)))
        return 3 * columns.end[rows].astype(np.int64) - 2 * columns.depth[rows].astype(np.int64) - 2

    # ---- the contents of a step

    def _make_enter_step(self, number: int, row: int) -> Step:
        node = self.tree[row]
        return Step(number, ENTER, node, *self.tree.backup.so_far(node, row))

    def _make_return_step(self, number: int, row: int, child_row: int) -> Step:
        node, child = self.tree[row], self.tree[child_row]
        before = self.tree.backup.so_far(node, child_row)
        after = self.tree.backup.so_far(node, child_row + 1)
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
            again=child.again,
            before=before[2],
        )

    def _make_driver_step(self, number: int, row: int) -> Step:
        root = self.tree[row]
        alpha, beta, best = self.tree.backup.so_far(root, root.end)
        return Step(number, DRIVER, root, alpha, beta, root.value if best is None else best, value=root.value, bound=root.bound)

    def _make_leave_step(self, number: int, path: list[int]) -> Step:
        node = self.tree[path[-1]]
        kind = STEP_KIND_BY_STATUS[STATUS_NAMES.index(node.status)]
        if kind in (EVALUATE, TABLE_ANSWER):
            return Step(number, kind, node, node.alpha, node.beta, node.value, value=node.value, bound=node.bound)
        alpha, beta, best = self.tree.backup.so_far(node, node.end)
        if node.turn == "chance":  # the value may count outcomes that were skipped
            best = node.value
        if kind == LEAVE:
            return Step(number, LEAVE, node, alpha, beta, best, value=node.value, bound=node.bound)
        cause, probe = self._find_cause(node, path)
        return Step(
            number,
            LEAVE_CUT,
            node,
            alpha,
            beta,
            best,
            value=node.value,
            bound=node.bound,
            skipped_moves=tuple(node.skipped_moves),
            cause=cause,
            probe=probe,
        )

    def _find_cause(self, node: Node, path: list[int]) -> tuple[Cause | None, Node | None]:
        """Return the cause of a cutoff: the nearest ancestor where the reached bound arose, and the move that produced it.

        If no move produced it, return the call below that ancestor instead: a probe, which was called with that bound.
        """
        field = "beta" if node.fails_high else "alpha"
        bound = getattr(node, field)
        for row, below in zip(reversed(path[:-1]), reversed(path), strict=False):
            ancestor = self.tree[row]
            if ancestor.turn == "chance":  # its windows are its own: they say what keeps its value inside its window
                return None, self.tree[below]
            if getattr(ancestor, field) != bound:
                other_side = ancestor.maximizing != node.fails_high  # the other side has that choice there
                if other_side and ancestor.static == bound:
                    return Cause(ancestor, None, bound), None
                earlier = (child for child in ancestor.children_worth(bound) if other_side and child < below)
                sure = (child for child in earlier if self.tree.quirk or ancestor.is_proved_by(child))
                source = next((child for child in sure if child.again is None or child.again > below), None)
                if source is not None:
                    return Cause(ancestor, source, bound), None
                return None, None if self.tree.quirk else self.tree[below]
        return None, None

    def _row_status(self, row: int) -> int:
        return int(self.tree.columns.flags[row]) & STATUS_BITS
