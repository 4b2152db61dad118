"""Estimate the number of nodes that a search will expand, before it starts."""

import time
from enum import Enum
from math import inf, log
from random import Random
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS, find_algorithm
from engine.algorithms.spec import MAX_DEPTH
from engine.games.capabilities import max_branching
from engine.games.protocol import legal_moves
from engine.question import DEFAULT_ALGORITHM, Question, make_question
from engine.searcher import check_question, search_uninterrupted

COMPILED_PROBE_NODES, READABLE_PROBE_NODES = 200_000, 2_000  # nodes: some milliseconds either way
MAX_DIVES, MAX_DIVE_SECONDS = 400, 0.1
MAX_ESTIMATE_NODES = 10**18
MAX_POWER = 1.2  # several passes together may expand more nodes than the tree has


class Accuracy(Enum):
    """The accuracy of an estimate. The value is the word before the number."""

    EXACT = ""
    EXTRAPOLATED = "about"
    LOWER_BOUND = "more than"


class NodeEstimate(NamedTuple):
    """The number of nodes that a search expands, as far as it is known.

    >>> print(NodeEstimate(2801), NodeEstimate(12_000_000, Accuracy.EXTRAPOLATED), lower_bound(327_687), sep=", ")
    2,801 nodes, about 12,000,000 nodes, more than 327,687 nodes
    """

    nodes: int
    accuracy: Accuracy = Accuracy.EXACT

    def __str__(self) -> str:
        return f"{self.accuracy.value} {self.nodes:,} node{'s' * (self.nodes != 1)}".lstrip()

    def after(self, nodes: int) -> "NodeEstimate":
        """Return the estimate that remains when a search has expanded `nodes` and goes on."""
        return self if self.accuracy is Accuracy.EXACT or nodes < self.nodes else lower_bound(nodes)


def lower_bound(nodes: int) -> NodeEstimate:
    """Return the estimate for a search that was stopped after `nodes`."""
    return NodeEstimate(nodes, Accuracy.LOWER_BOUND)


def estimate(
    game: Any, position: Any = None, depth: int | None = None, algorithm: str = DEFAULT_ALGORITHM, **options: Any
) -> int:
    """Return about how many nodes `search` with the same arguments, or the same `Question`, would expand.

    >>> from engine import connect
    >>> estimate(connect(), depth=4, algorithm="minimax")
    2801
    """
    compiled = options.pop("compiled", None)
    return estimate_nodes(make_question(game, position, depth, algorithm, **options), compiled).nodes


def estimate_nodes(question: Question, compiled: bool | None = None) -> NodeEstimate:
    """Estimate the nodes of a search, with the accuracy of the estimate.

    The search itself is run to small depths. If it reaches the end within a small budget, the answer is exact. Otherwise the
    size of the whole tree is estimated by random dives (Knuth 1975). A search with windows is assumed to expand the same
    power of that size as at the deepest depth that was run.
    """
    game = question.game
    if find_algorithm(question.algorithm).iterate is not None:
        return _estimate_iterations(question)
    budget = COMPILED_PROBE_NODES if check_question(question, COMPILED_PROBE_NODES, compiled).compiled else READABLE_PROBE_NODES
    plies = MAX_DEPTH if question.depth is None else question.depth
    whole = search_uninterrupted(question, max_nodes=budget, compiled=compiled)
    if whole.complete:
        return NodeEstimate(whole.expanded)
    root = whole.search.root
    everything = estimate_tree_size(game, root, plies)
    if ALGORITHMS[question.algorithm].windows:
        everything **= _estimate_power(question, root, plies, budget, compiled)
    if everything > MAX_ESTIMATE_NODES:
        return lower_bound(MAX_ESTIMATE_NODES)
    return NodeEstimate(round(everything), Accuracy.EXTRAPOLATED).after(whole.expanded)


def _estimate_iterations(question: Question) -> NodeEstimate:
    """Return about how many nodes a search in iterations adds: one in each, or with priors all children of one."""
    added = 1 if "prior" not in find_algorithm(question.algorithm).columns else max_branching(question.game) or 1
    return NodeEstimate(1 + question.options["iterations"] * added, Accuracy.EXTRAPOLATED)


def max_tree_nodes(game: Any, depth: int | None) -> float:
    """Return an upper limit of the nodes of one pass that calls nothing twice, known without searching; infinity if unknown."""
    most = max_branching(game)
    return inf if depth is None or most is None else sum(most**ply for ply in range(depth + 1))


def estimate_tree_size(game: Any, root: Any, plies: int) -> float:
    """Estimate the nodes of the full game tree to this depth. Each random dive sums 1 + b1 + b1 b2 + ..."""
    choose = Random(0).choice  # noqa: S311 - the same estimate for the same question
    total, dives, until = 0.0, 0, time.perf_counter() + MAX_DIVE_SECONDS
    while dives < MAX_DIVES and (dives < 10 or time.perf_counter() < until):
        state, weight, dives = root, 1.0, dives + 1
        for _ in range(plies + 1):
            total += weight
            if game.is_over(state) or weight > MAX_ESTIMATE_NODES:
                break
            moves = legal_moves(game, state)
            weight *= len(moves)
            state = game.play(state, choose(moves))
    return total / dives


def _estimate_power(question: Question, root: Any, plies: int, budget: int, compiled: bool | None) -> float:
    """Return the power of the whole tree's size that this algorithm expands, at the deepest depth within the budget."""
    power = 0.75
    for shallow in range(2, plies):
        try:
            pruned = search_uninterrupted(question.replace(depth=shallow), max_nodes=budget, compiled=compiled)
        except ValueError:  # a literal tree cannot be cut short: keep the usual saving
            break
        if not pruned.complete:
            break
        size = estimate_tree_size(question.game, root, shallow)
        power = min(MAX_POWER, log(pruned.expanded) / log(size)) if size > 2 else power
    return power
