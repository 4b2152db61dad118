"""The steps of a search that ran in iterations, computed from its tree and its log and never stored.

An iteration has four phases. It selects (one step for each node of the path where a child is chosen), expands (one step, unless
it ended at a node that is over), simulates (one step) and backs up (one step for each node of the path, the leaf first). So the
number of steps of an iteration follows from the depth of its leaf, and the number of a step from prefix sums.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

from engine.algorithms.monte_carlo.outcomes import play_randomly
from engine.core.errors import PlyscopeError, UnknownName
from engine.core.random_numbers import RandomNumbers
from engine.games.protocol import MovesByCode
from engine.record.columns import NONE, ROOT, STATUS_BITS, TERMINAL
from engine.record.iteration_record import MAX_OUTCOME
from engine.tree.node import Node
from engine.tree.trace import DONE, FUTURE, ON_PATH
from engine.tree.visits import is_max_moving_into

if TYPE_CHECKING:
    from engine.tree.tree import SearchTree

BLOCK_COUNTS = 1 << 14  # counts of root moves that are compared together
SELECT, EXPAND, SIMULATE, BACKUP = PHASES = ("select", "expand", "simulate", "backup")


class Candidate(NamedTuple):
    """A child as it looks when its parent selects: for the side to move there."""

    node: Node
    visits: int
    mean: float  # of a child without visits (PUCT), that of its parent
    bonus: float
    proven: int = 0  # 1: MAX wins, -1: MIN wins; such a child is not selected (MCTS-Solver)

    @property
    def sum(self) -> float:
        return self.mean + self.bonus


class Count(NamedTuple):
    """Visits of a node, and its average result for the side that moved into it; nan without visits."""

    visits: int
    mean: float


class IterationStep(NamedTuple):
    """One step. `node` is where the iteration is."""

    number: int
    kind: str  # one of PHASES
    iteration: int  # from 1
    node: Node
    child: Node | None = None  # select: the child that is chosen; expand: the one that was added (PUCT: None, all were)
    candidates: tuple[Candidate, ...] = ()  # select: all children, in the order in which they were added; none where chance moves
    untried: int = 0  # expand: how many moves had no child before
    outcome: float | None = None  # simulate, backup: half points for MAX
    playout: int = 0  # simulate: plies
    before: Count | None = None  # backup
    after: Count | None = None  # backup


class IterationTimeline(Sequence[IterationStep]):
    """All steps of a search in iterations, by number."""

    def __init__(self, tree: SearchTree):
        self.tree, self.log, self.replay = tree, tree.log, tree.replay

    def __repr__(self) -> str:
        return f"<IterationTimeline of {len(self):,} steps: {repr(self.tree).strip('<>')}>"

    # ---- step numbers

    @cached_property
    def _expands(self) -> np.ndarray:
        """Return True for each iteration that expanded: it added its leaf, or ended at a node that is not over (PUCT)."""
        if self._adds_all:
            return self.tree.columns.flags[self.log.leaf] & STATUS_BITS != TERMINAL
        return self.tree.columns.born[self.log.leaf] == np.arange(1, len(self.log.leaf) + 1, dtype=np.int32)

    @property
    def _adds_all(self) -> bool:
        """Return True if an expansion adds all children of the leaf (PUCT); else it adds the leaf itself."""
        return len(self.tree.columns.prior) > 0

    @cached_property
    def _depths(self) -> np.ndarray:
        """Return the depth of the leaf of each iteration."""
        return self.tree.columns.depth[self.log.leaf].astype(np.int32)

    @cached_property
    def _selects(self) -> np.ndarray:
        """Return the number of select steps of each iteration."""
        return self._depths if self._adds_all else self._depths - self._expands

    @cached_property
    def _starts(self) -> np.ndarray:
        """Return the first step of each iteration, and the number of all steps."""
        return np.concatenate([[0], np.cumsum(self._selects + self._expands + (self._depths + 2), dtype=np.int64)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def iteration_of(self, step: int) -> int:
        """Return the iteration that a step belongs to, from 1."""
        return int(np.searchsorted(self._starts, step, side="right"))

    def find(self, iteration: int, phase: str = SELECT) -> int:
        """Return the first step of a phase of an iteration. If the iteration has no such phase, return the next step that it has.

        >>> from engine import search, tictactoe
        >>> timeline = search(tictactoe(), algorithm="mcts", iterations=20).timeline
        >>> [timeline[timeline.find(15, phase)].kind for phase in PHASES]
        ['select', 'expand', 'simulate', 'backup']
        """
        if phase not in PHASES:
            raise UnknownName("phase", phase, PHASES)
        if not 1 <= iteration <= self.tree.iterations:
            raise PlyscopeError(f"there is no iteration {iteration}: choose 1 to {self.tree.iterations}")
        return int(self._starts[iteration - 1]) + self._offset(iteration, phase)

    def _offset(self, iteration: int, phase: str) -> int:
        selects, expands = int(self._selects[iteration - 1]), int(self._expands[iteration - 1])
        return {SELECT: 0, EXPAND: selects, SIMULATE: selects + expands, BACKUP: selects + expands + 1}[phase]

    def steps_of(self, iteration: int) -> list[IterationStep]:
        """Return all steps of an iteration."""
        return self[self.find(iteration) : int(self._starts[iteration])]

    def last_of(self, iteration: int) -> int:
        """Return the last step of an iteration: the root counts its result."""
        return int(self._starts[iteration]) - 1

    def enter(self, row: int) -> int:
        """Return the step that adds a row; 0 for the root."""
        return 0 if row == ROOT else self.find(int(self.tree.born[row]), EXPAND)

    def leave(self, row: int) -> int:
        """Return the last step that changes a row. Raise ValueError if it was never visited."""
        passed = self.replay.history(int(row)).iterations
        if not len(passed):
            raise ValueError(f"node {int(row)} was never visited")
        last = int(passed[-1])
        return self.find(last, BACKUP) + int(self.tree.columns.depth[self.log.leaf[last - 1]]) - int(self.tree.columns.depth[row])

    def state_at(self, row: int, step: int) -> str:
        """Return the state of a row after the step: still to come, on the path of the iteration, or neither."""
        if step < self.enter(row):
            return FUTURE
        here, leaf = self[step], int(self.log.leaf[self.iteration_of(step) - 1])
        is_above = row <= leaf < self.tree.columns.end[row]
        reached = here.node if here.child is None else here.child
        is_reached = here.kind not in (SELECT, EXPAND) or self.tree.columns.depth[row] <= reached.depth
        return ON_PATH if is_above and is_reached else DONE

    def next(self, kind: str, step: int) -> int | None:
        """Return the first step of this phase after the step; None if there is none."""
        if kind not in PHASES:
            raise UnknownName("kind of step", kind, PHASES)
        step = max(step, -1)
        iteration = self.iteration_of(step) if step >= 0 else 0
        if iteration and step + 1 < self._starts[iteration] and self._kind_at(iteration, step + 1) == kind:
            return step + 1
        if iteration and self.has_phase(iteration, kind) and self.find(iteration, kind) > step:
            return self.find(iteration, kind)
        has = {SELECT: self._selects > 0, EXPAND: self._expands}.get(kind)
        later = iteration if has is None else self._next_true(has, iteration)
        return self.find(later + 1, kind) if later is not None and later < self.tree.iterations else None

    def has_phase(self, iteration: int, phase: str) -> bool:
        """Return True if an iteration has such a step."""
        if phase == SELECT:
            return bool(self._selects[iteration - 1] > 0)
        return phase != EXPAND or bool(self._expands[iteration - 1])

    @staticmethod
    def _next_true(has: np.ndarray, first: int) -> int | None:
        found = int(has[first:].argmax()) + first if first < len(has) else len(has)
        return found if found < len(has) and has[found] else None

    def _kind_at(self, iteration: int, step: int) -> str:
        offsets = [self._offset(iteration, phase) for phase in PHASES]
        return PHASES[bisect_right(offsets, step - int(self._starts[iteration - 1])) - 1]

    # ---- the contents of a step

    @overload
    def __getitem__(self, step: int) -> IterationStep: ...
    @overload
    def __getitem__(self, step: slice) -> list[IterationStep]: ...
    def __getitem__(self, step: int | slice) -> IterationStep | list[IterationStep]:
        if isinstance(step, slice):
            return [self[number] for number in range(*step.indices(len(self)))]
        number = step + len(self) if step < 0 else step
        if not 0 <= number < len(self):
            raise IndexError(f"there is no step {step}: the search has {len(self)} steps")
        iteration = self.iteration_of(number)
        kind = self._kind_at(iteration, number)
        place = number - int(self._starts[iteration - 1]) - self._offset(iteration, kind)
        path = [self.tree[row] for row in self.tree.path(int(self.log.leaf[iteration - 1]))]
        return {SELECT: self._select, EXPAND: self._expand, SIMULATE: self._simulate, BACKUP: self._back_up}[kind](
            number, iteration, path, place
        )

    def __iter__(self) -> Iterator[IterationStep]:
        return (self[number] for number in range(len(self)))

    def _select(self, number: int, iteration: int, path: list[Node], place: int) -> IterationStep:
        candidates = () if path[place].turn == "chance" else tuple(self.candidates(path[place], iteration))
        return IterationStep(number, SELECT, iteration, path[place], path[place + 1], candidates)

    def _expand(self, number: int, iteration: int, path: list[Node], place: int) -> IterationStep:
        node = path[-1] if self._adds_all else path[-2]
        before = sum(1 for child in node.children if child.born < iteration)
        untried = len(MovesByCode(self.tree.game, node.state).moves) - before
        return IterationStep(number, EXPAND, iteration, node, None if self._adds_all else path[-1], untried=untried)

    def _simulate(self, number: int, iteration: int, path: list[Node], place: int) -> IterationStep:
        outcome, plies = self.log.outcome[iteration - 1].item(), int(self.log.playout[iteration - 1])
        return IterationStep(number, SIMULATE, iteration, path[-1], outcome=outcome, playout=plies)

    def _back_up(self, number: int, iteration: int, path: list[Node], place: int) -> IterationStep:
        node = path[len(path) - 1 - place]
        before, after = (self.count_at(node, time) for time in (iteration - 1, iteration))
        outcome = self.log.outcome[iteration - 1].item()
        return IterationStep(number, BACKUP, iteration, node, outcome=outcome, before=before, after=after)

    def count_at(self, node: Node, iteration: int) -> Count:
        """Return visits and mean of a node after this many iterations, for the side that moved into it."""
        visits, total = self.replay.count(node, iteration)
        return Count(visits, _share(visits, total, is_max_moving_into(node)))

    def candidates(self, node: Node, iteration: int) -> Iterator[Candidate]:
        """Yield the children of a node as they look when this iteration selects one of them."""
        time, c, maximizing = iteration - 1, self.tree.question.options["c"], node.maximizing
        here, own_total = self.replay.count(node, time)
        has_proofs = len(self.tree.columns.proven) > 0
        for child in node.children:
            if child.born >= iteration:
                continue
            visits, total = self.replay.count(child, time)
            if self._adds_all:
                mean = _share(visits, total, maximizing) if visits else _share(here, own_total, maximizing)
                bonus = c * child.prior * math.sqrt(here) / (1 + visits)
            else:
                mean, bonus = _share(visits, total, maximizing), c * math.sqrt(math.log(here) / visits)
            yield Candidate(child, visits, mean, bonus, self.replay.was_proven(child, time) if has_proofs else 0)

    def playout(self, iteration: int) -> list[Any]:
        """Return the states of the playout of an iteration, from its leaf to the end, replayed from its seed."""
        numbers = RandomNumbers(int(self.log.seed[iteration - 1]))
        states = [self.tree[int(self.log.leaf[iteration - 1])].state]
        for _ in range(int(self.log.playout[iteration - 1])):
            states.append(play_randomly(self.tree.game, states[-1], numbers))
        return states

    # ---- over time

    @cached_property
    def best_moves(self) -> np.ndarray:
        """Return the row of the most visited child of the root after each iteration, the first of equals; -1 if there was none.

        Where the first move is far ahead of the second, no iteration of a block can change the order.
        """
        rows = self.tree.child_rows(ROOT) if self.tree.root.turn != "chance" else []
        best, visits = np.full(self.tree.iterations, NONE, np.int32), np.zeros(len(rows) + 1, np.int64)
        if not rows:
            return best
        place_of = np.zeros(len(self.tree), np.min_scalar_type(len(rows)))  # of the move that leads to each row, from 1
        for place, row in enumerate(rows, start=1):
            place_of[row : self.tree.columns.end[row]] = place
        moves, size = place_of[self.log.leaf], max(BLOCK_COUNTS // len(rows), 1)
        for start in range(0, len(moves), size):
            block = moves[start : start + size]
            most = np.partition(visits[1:], -2)[-2:] if len(rows) > 1 else np.array([0, visits[1]])
            if most[1] - most[0] > len(block):
                best[start : start + size] = rows[int(visits[1:].argmax())]
            else:
                counts = visits[1:] + np.cumsum(block[:, None] == np.arange(1, len(rows) + 1), axis=0, dtype=np.int32)
                best[start : start + size] = np.where(counts.any(axis=1), np.array(rows)[counts.argmax(axis=1)], NONE)
            visits += np.bincount(block, minlength=len(visits))
        return best

    @property
    def mind_changes(self) -> list[int]:
        """Return the iterations after which another move of the root was the most visited one. The first move is no change."""
        return (np.flatnonzero((np.diff(self.best_moves) != 0) & (self.best_moves[:-1] != NONE)) + 2).tolist()


def _share(visits: int, total: float, maximizing: bool) -> float:
    """Return the average result for a side; nan without visits."""
    if not visits:
        return math.nan
    return (total if maximizing else MAX_OUTCOME * visits - total) / (MAX_OUTCOME * visits)
