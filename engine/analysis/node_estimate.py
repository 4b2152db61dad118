"""How many nodes a search will expand, told before it starts."""

import time
from enum import Enum
from math import inf, log
from random import Random
from typing import Any, NamedTuple

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import MAX_DEPTH
from engine.games.capabilities import most_moves
from engine.games.protocol import legal_moves
from engine.question import USUAL_ALGORITHM, Question, as_question
from engine.searcher import checked, search_to_the_end

COMPILED_PROBE, READABLE_PROBE = 200_000, 2_000  # nodes: some milliseconds either way
DIVES, DIVE_SECONDS = 400, 0.1
MOST = 10**18
MOST_POWER = 1.2  # all passes of a search together may expand more than there are nodes


class Accuracy(Enum):
    """How much an estimate says; the value is the word before the number."""

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
        """Return the estimate that is left when a search has expanded `nodes` and goes on."""
        return self if self.accuracy is Accuracy.EXACT or nodes < self.nodes else lower_bound(nodes)


def lower_bound(nodes: int) -> NodeEstimate:
    """Return all that a search says of its size that was stopped after `nodes`."""
    return NodeEstimate(nodes, Accuracy.LOWER_BOUND)


def estimate(game: Any, position: Any = None, depth: int | None = None, algorithm: str = USUAL_ALGORITHM, **options: Any) -> int:
    """About how many nodes `search` with the same arguments, or the same `Question`, would expand.

    >>> from engine import connect
    >>> estimate(connect(), depth=4, algorithm="minimax")
    2801
    """
    compiled = options.pop("compiled", None)
    return foresee(as_question(game, position, depth, algorithm, **options), compiled).nodes


def foresee(question: Question, compiled: bool | None = None) -> NodeEstimate:
    """Estimate the nodes of a search, and say how accurate that is.

    The search itself is tried to small depths; if it gets to the end within a small budget the answer is exact. Otherwise the
    size of the whole tree is estimated by random dives (Knuth 1975), and a search with windows is taken to expand the same share
    of it, as a power, that it expands at the deepest depth that was tried.
    """
    game = question.game
    budget = COMPILED_PROBE if checked(question, COMPILED_PROBE, compiled).compiled else READABLE_PROBE
    plies = MAX_DEPTH if question.depth is None else question.depth
    whole = search_to_the_end(question, max_nodes=budget, compiled=compiled)
    if whole.complete:
        return NodeEstimate(whole.expanded)
    root = whole.search.root
    everything = tree_size(game, root, plies)
    if ALGORITHMS[question.algorithm].windows:
        everything **= _saving(question, root, plies, budget, compiled)
    if everything > MOST:
        return lower_bound(MOST)
    return NodeEstimate(round(everything), Accuracy.EXTRAPOLATED).after(whole.expanded)


def most_nodes(game: Any, depth: int | None) -> float:
    """What no search of this game to this depth exceeds in one pass that calls nothing twice, known without looking; infinite
    where nothing is known."""
    most = most_moves(game)
    return inf if depth is None or most is None else sum(most**ply for ply in range(depth + 1))


def tree_size(game: Any, root: Any, plies: int) -> float:
    """Nodes of the whole game tree to this depth, on average over random dives: each meets 1 + b1 + b1 b2 + ... of them."""
    choose = Random(0).choice  # noqa: S311 - the same estimate for the same question
    total, dives, until = 0.0, 0, time.perf_counter() + DIVE_SECONDS
    while dives < DIVES and (dives < 10 or time.perf_counter() < until):
        state, weight, dives = root, 1.0, dives + 1
        for _ in range(plies + 1):
            total += weight
            if game.is_over(state) or weight > MOST:
                break
            moves = legal_moves(game, state)
            weight *= len(moves)
            state = game.play(state, choose(moves))
    return total / dives


def _saving(question: Question, root: Any, plies: int, budget: int, compiled: bool | None) -> float:
    """The power of the whole tree's size that this algorithm expands, at the deepest depth within the budget."""
    power = 0.75
    for shallow in range(2, plies):
        try:
            pruned = search_to_the_end(question.replace(depth=shallow), max_nodes=budget, compiled=compiled)
        except ValueError:  # a literal tree cannot be cut short: keep the usual saving
            break
        if not pruned.complete:
            break
        size = tree_size(question.game, root, shallow)
        power = min(MOST_POWER, log(pruned.expanded) / log(size)) if size > 2 else power
    return power
