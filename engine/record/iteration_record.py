"""The record of a search that runs in iterations: a tree that grows, and a log with one entry per iteration.

Visits and results of every node at any time follow from the log: see engine/tree/iteration_replay.py.
"""

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.core.memory_budget import memory_budget
from engine.core.random_numbers import RandomNumbers
from engine.core.stop_reason import StopReason
from engine.games.chance_outcomes import chance_outcomes
from engine.games.protocol import Game, is_max_to_move, legal_moves, move_codes, play_move
from engine.record.columns import CHANCE, EXHAUSTED, MAX, MIN, NONE, OPEN, TERMINAL, Columns, pack_flags
from engine.record.recorder import ProgressReporter, SearchStopped

if TYPE_CHECKING:
    from engine.record.grown_tree import GrownTree

FIRST_NODES = 1 << 14  # added before the free memory is checked
NODE_BYTES = 900  # of a node in Python with a small state, measured
MAX_OUTCOME = 2  # half points: 0 a win of MIN, 1 a draw, 2 a win of MAX


class IterationLog(NamedTuple):
    """The log: one entry for each iteration. Entry 0 is iteration 1."""

    leaf: np.ndarray  # int32: the row where the iteration ended
    outcome: np.ndarray  # half points for MAX: uint8 if games are won, drawn or lost, else float64
    playout: np.ndarray  # uint16: plies of the playout
    seed: np.ndarray  # uint64: the state of the random numbers when the playout began


class SearchNode:
    """A node of the growing tree."""

    __slots__ = (
        "born", "children", "depth", "is_over", "move", "number", "parent",
        "prior", "probabilities", "proven", "state", "total", "turn", "untried", "visits", "weight",
    )  # fmt: skip

    def __init__(self, game: Game, number: int, born: int, parent: "SearchNode | None", move: int, state: Any, prior: float):
        self.number, self.born, self.parent, self.move, self.state, self.prior = number, born, parent, move, state, prior
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.is_over = bool(game.is_over(state))
        outcomes = [] if self.is_over else chance_outcomes(game, state)
        self.turn = CHANCE if outcomes else MAX if is_max_to_move(game, state) else MIN
        moves: Sequence[Any] = [outcome.move for outcome in outcomes]
        if not outcomes and not self.is_over:
            moves = legal_moves(game, state)
        self.probabilities = {
            code: outcome.probability for code, outcome in zip(move_codes(moves), outcomes, strict=False)
        }  # of the outcomes, if chance moves here
        self.weight = parent.probabilities[move] if parent is not None and parent.turn == CHANCE else 1.0
        self.untried = list(zip(move_codes(moves), moves, strict=True))  # in the order of the game
        self.children: list[SearchNode] = []  # in the order in which they were added
        self.visits = 0
        self.total: float = 0  # half points for MAX, summed over the visits
        self.proven = 0  # 1: MAX wins, -1: MIN wins, 0: not proved

    def prove(self) -> int:
        """Return 1 if the children prove that MAX wins, -1 if MIN wins, 0 if neither is proved."""
        won = 1 if self.turn == MAX else -1
        if any(child.proven == won for child in self.children):
            return won
        lost = self.children and not self.untried and all(child.proven == -won for child in self.children)
        return -won if lost else 0

    def mean_for(self, turn: int) -> float:
        """Return the average result for a side, from 0 to 1."""
        points = self.total if turn == MAX else MAX_OUTCOME * self.visits - self.total
        return points / (MAX_OUTCOME * self.visits)


class IterationRecord:
    """The growing tree and the log, with the verbs of a search: add a node, log an iteration."""

    def __init__(
        self,
        game: Game,
        max_nodes: int,
        whole_outcomes: bool,
        on_progress: Callable[[int], object] | None = None,
        max_memory: int | None = None,
    ):
        self.game, self.max_nodes = game, max_nodes
        self.nodes: list[SearchNode] = []
        self._watch = ProgressReporter(on_progress)
        self._max_memory = max_memory
        self._room = min(max_nodes, FIRST_NODES) if max_memory is None else self._affordable_nodes()
        self._leaf, self._playout, self._seed = array("i"), array("H"), array("Q")
        self._outcome = array("B" if whole_outcomes else "d")

    @property
    def iteration(self) -> int:
        """Return the number of the iteration that is running, from 1."""
        return len(self._leaf) + 1

    def add_root(self, state: Any) -> SearchNode:
        """Add the root, and return it. No iteration added it: it was born at 0. A restored record has it already."""
        if not self.nodes:
            self.nodes.append(SearchNode(self.game, 0, 0, None, NONE, state, 1.0))
        return self.nodes[0]

    def restore(self, grown: "GrownTree", state: Any) -> None:
        """Add the nodes and the iterations of an earlier search of `state`, which goes on now."""
        self.add_root(state)
        facts = zip(grown.parent.tolist(), grown.move.tolist(), grown.born.tolist(), grown.prior.tolist(), strict=True)
        for number, (above, code, born, prior) in enumerate(facts):
            if number:
                parent = self.nodes[above]
                index = next(place for place, (known, _) in enumerate(parent.untried) if known == code)
                self._append_child(parent, index, born, prior)
        counts = zip(self.nodes, grown.visits.tolist(), grown.total.tolist(), grown.proven.tolist(), strict=True)
        for node, visits, total, proven in counts:
            node.visits, node.total, node.proven = visits, total, proven
        log = grown.log
        for column, known in ((self._outcome, log.outcome), (self._playout, log.playout), (self._seed, log.seed)):
            column.extend(known.tolist())
        self._leaf.extend(log.leaf.tolist())

    def add_child(self, parent: SearchNode, index: int, prior: float = 1.0) -> SearchNode:
        """Add the child after the untried move with this index."""
        number = len(self.nodes)
        if number >= self._room:
            self._extend_room(number)
        return self._append_child(parent, index, self.iteration, prior)

    def _append_child(self, parent: SearchNode, index: int, born: int, prior: float) -> SearchNode:
        code, move = parent.untried[index]
        state = play_move(self.game, parent.state, move)
        child = SearchNode(self.game, len(self.nodes), born, parent, code, state, prior)
        del parent.untried[index]
        parent.children.append(child)
        self.nodes.append(child)
        return child

    def draw_outcome(self, node: SearchNode, numbers: RandomNumbers) -> tuple[SearchNode, bool]:
        """Return what chance brings at a node, and True if that outcome was drawn for the first time and is added."""
        codes = list(node.probabilities)
        code = codes[numbers.draw_weighted(list(node.probabilities.values()))]
        known = next((child for child in node.children if child.move == code), None)
        if known is not None:
            return known, False
        return self.add_child(node, next(place for place, (untried, _) in enumerate(node.untried) if untried == code)), True

    def log(self, leaf: SearchNode, outcome: float, playout: int, seed: int) -> None:
        """End the iteration: note where it ended, and how."""
        self._outcome.append(outcome)  # type: ignore[arg-type] # whole outcomes are ints
        self._playout.append(playout)
        self._seed.append(seed)
        self._leaf.append(leaf.number)  # last: an interrupt before this leaves the iteration out
        self._watch.report(len(self._leaf))

    def _extend_room(self, nodes: int) -> None:
        if nodes < self.max_nodes and self._max_memory is None and self._room == FIRST_NODES:
            self._room = self._affordable_nodes()
        if nodes >= self._room:
            raise SearchStopped(StopReason.NODE_LIMIT if nodes >= self.max_nodes else StopReason.MEMORY_LIMIT)

    def _affordable_nodes(self) -> int:
        return min(self.max_nodes, max(1, memory_budget(self._max_memory) // NODE_BYTES))

    def discard_unfinished(self) -> None:
        """Remove what an iteration that was stopped has changed."""
        logged = len(self._leaf)
        while self.nodes[-1].born > logged:
            child = self.nodes.pop()
            if child.parent is not None and child.parent.children[-1:] == [child]:
                child.parent.children.pop()
                child.parent.untried.append((child.move, None))
        for node in reversed(self.nodes):
            node.visits, node.total = 0, 0
            if not node.is_over:
                node.proven = node.prove() if node.proven else 0
        for number, outcome in zip(self._leaf, self._outcome, strict=False):
            node = self.nodes[number]
            while node is not None:
                node.visits, node.total = node.visits + 1, node.total + outcome
                node = node.parent  # type: ignore[assignment]

    def finish(self, extra_columns: Sequence[str]) -> tuple[Columns, IterationLog]:
        """Return the tree in pre-order, and the log."""
        nodes = self.nodes
        parents = np.array([NONE if node.parent is None else node.parent.number for node in nodes], np.int32)
        row, end = order_rows(parents)
        ordered: list[SearchNode] = [None] * len(nodes)  # type: ignore[list-item]
        for node in nodes:
            ordered[row[node.number]] = node
        none = np.empty(0, np.float64)
        extras = {name: np.array([getattr(node, name) for node in ordered], EXTRA_DTYPES[name]) for name in extra_columns}
        columns = Columns(
            move=np.array([node.move for node in ordered], np.int32),
            depth=np.array([node.depth for node in ordered], np.uint16),
            flags=np.array([pack_flags(_find_status(node), node.turn) for node in ordered], np.uint8),
            skipped=np.zeros(len(nodes), np.uint32),
            alpha=none,
            beta=none,
            value=np.array([node.mean_for(MAX) if node.visits else UNKNOWN_VALUE for node in ordered], np.float64),
            end=end,
            **extras,
        )
        count = len(self._leaf)
        leaf = row[np.array(self._leaf, np.int32)] if count else np.empty(0, np.int32)
        outcome = np.array(self._outcome[:count])
        return columns, IterationLog(
            leaf, outcome, np.array(self._playout[:count], np.uint16), np.array(self._seed[:count], np.uint64)
        )


EXTRA_DTYPES = {"weight": np.float64, "visits": np.int32, "born": np.int32, "prior": np.float64, "proven": np.int8}
UNKNOWN_VALUE = 0.5  # the value of a node without visits


def _find_status(node: SearchNode) -> int:
    if node.is_over:
        return TERMINAL
    return OPEN if node.untried else EXHAUSTED


def order_rows(parents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the row of each node in pre-order, and by row the end of its subtree. Nodes are numbered as they were added.

    >>> row, end = order_rows(np.array([-1, 0, 0, 1]))
    >>> row.tolist(), end.tolist()
    ([0, 1, 3, 2], [4, 3, 3, 4])
    """
    count = len(parents)
    above, size = parents.tolist(), [1] * count
    for node in range(count - 1, 0, -1):
        size[above[node]] += size[node]
    row, free = [0] * count, [1] * count  # free: the row of the next child
    for node in range(1, count):
        parent = above[node]
        row[node] = free[parent]
        free[parent] += size[node]
        free[node] = row[node] + 1
    rows = np.array(row, np.int32)
    end = np.empty(count, np.int32)
    end[rows] = rows + np.array(size, np.int32)
    return rows, end
