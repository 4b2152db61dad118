"""Solving that can be watched: where few cells are empty, an ordinary search to the end of the game finds the score, too.

It evaluates with `score`, so that its value is the solver's score (for MAX: minus that if MIN is to move), tries the middle
columns first, and is recorded and stepped like any other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.games.positions import read_position
from engine.games.registry import has_options, with_options
from engine.question import Question
from engine.searcher import search_unrecorded
from engine.solver.solvable import empty_cells, why_not_solvable

ALGORITHMS = ("alphabeta", "table")
CHANGES = {"evaluation": "score", "order": "centre"}
NODES = 5_000_000  # of a search that the page Step shows, unless its server is told otherwise


class Steppable(NamedTuple):
    """A search that solves a position, and how many nodes it expands."""

    question: Question
    nodes: int


def steppable(
    game: Any,
    position: Any = None,
    *,
    first: str | None = None,
    max_nodes: int = NODES,
    on_progress: Callable[[int], object] | None = None,
) -> list[Steppable]:
    """The searches that find the score of a position within so many nodes, counted by running them; none of a finished game.
    `on_progress` hears how many it has counted, and stops one by returning False.

    >>> from engine import connect
    >>> [(found.question.algorithm, found.nodes) for found in steppable(connect(), "362054655404441106432333305600")]
    [('alphabeta', 3277), ('table', 1263)]
    """
    if why_not_solvable(game) or not has_options(game, CHANGES):
        return []
    state = read_position(game, position, first)
    if game.is_over(state):
        return []
    asked = Question(with_options(game, CHANGES), position, empty_cells(game, state), first=first)
    found = []
    for algorithm in ALGORITHMS:
        question = asked.replace(algorithm=algorithm)
        counted = search_unrecorded(question, max_nodes=max_nodes, on_progress=on_progress)
        if not counted.stopped:
            found.append(Steppable(question, counted.expanded))
    return found
