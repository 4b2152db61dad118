"""About how long a comparison takes, told before its first search: those by readable texts may take minutes."""

from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import MAX_DEPTH
from engine.analysis.comparison_result import Comparison
from engine.analysis.node_estimate import estimate, most_nodes, tree_size
from engine.searcher import search_unrecorded

TRIED = 1000  # nodes that are searched to know the speed
FEW = 20_000  # nodes that take seconds by any text


def expected_seconds(comparison: Comparison) -> float:
    """About how long it takes to its end; 0 for what is compiled or small, where nobody has to be warned."""
    deepest = comparison.depths[-1]
    if comparison.compiled or most_nodes(comparison.game, deepest) <= FEW:
        return 0.0
    questions = [comparison.questions[deepest, name] for name in comparison.algorithms]
    windowed = [question for question in questions if ALGORITHMS[question.algorithm].windows]
    nodes = 0.0
    if windowed:  # one of them stands for all
        nodes += len(windowed) * min(estimate(windowed[0], compiled=False), comparison.max_nodes)
    if len(windowed) < len(questions):
        everything = tree_size(comparison.game, comparison.root, MAX_DEPTH if deepest is None else deepest)
        nodes += everything if everything <= comparison.max_nodes else 0  # beyond it is not run
    tried = search_unrecorded(questions[0], max_nodes=TRIED, compiled=False)
    return 2 * comparison.repeat * nodes * tried.seconds / tried.expanded
