"""Estimate the time of a comparison before its first search. With readable searches it may take minutes."""

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import MAX_DEPTH
from engine.analysis.comparison_result import Comparison
from engine.analysis.node_estimate import estimate, estimate_tree_size, max_tree_nodes
from engine.searcher import search_unrecorded

SPEED_SAMPLE_NODES = 1000  # nodes searched to measure the speed
MAX_FAST_NODES = 20_000  # nodes that take only seconds, even readable


def estimate_seconds(comparison: Comparison) -> float:
    """Return about how many seconds it takes; 0 for compiled or small comparisons, which need no warning."""
    deepest = comparison.depths[-1]
    if comparison.compiled or max_tree_nodes(comparison.game, deepest) <= MAX_FAST_NODES:
        return 0.0
    questions = [comparison.questions[deepest, name] for name in comparison.algorithms]
    windowed = [question for question in questions if ALGORITHMS[question.algorithm].windows]
    nodes = 0.0
    if windowed:  # the first one represents all of them
        nodes += len(windowed) * min(estimate(windowed[0], compiled=False), comparison.max_nodes)
    if len(windowed) < len(questions):
        everything = estimate_tree_size(comparison.game, comparison.root, MAX_DEPTH if deepest is None else deepest)
        nodes += everything if everything <= comparison.max_nodes else 0  # a larger search is not run
    tried = search_unrecorded(questions[0], max_nodes=SPEED_SAMPLE_NODES, compiled=False)
    return 2 * comparison.repeat * nodes * tried.seconds / tried.expanded
