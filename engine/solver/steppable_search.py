"""Ordinary searches that solve a position and can be stepped through.

If few cells are empty, a search to the end of the game finds the solver's score. It evaluates with `score`, so that its value
is the score for MAX, and tries the middle columns first. It is recorded and stepped like any other.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.games.positions import read_position
from engine.games.registry import has_options, replace_options
from engine.question import Question
from engine.searcher import search_unrecorded
from engine.solver.solvable import count_empty_cells, why_not_solvable

STEPPABLE_ALGORITHMS = ("alphabeta", "table")
SOLVING_OPTIONS = {"evaluation": "score", "order": "centre"}
MAX_STEP_NODES = 5_000_000  # counting more takes too long for an offer


class SteppableSearch(NamedTuple):
    """A search that solves a position, and the number of nodes it expands."""

    question: Question
    nodes: int


def find_steppable_searches(
    game: Any,
    position: Any = None,
    *,
    first: str | None = None,
    max_nodes: int = MAX_STEP_NODES,
    on_progress: Callable[[int], object] | None = None,
) -> list[SteppableSearch]:
    """Return the searches that find the score of a position within `max_nodes`, counted by running them. A finished game has
    none.
    `on_progress` gets the number of nodes so far, and stops a search by returning False.

    >>> from engine import connect
    >>> found = find_steppable_searches(connect(), "362054655404441106432333305600")
    >>> [(search.question.algorithm, search.nodes) for search in found]
    [('alphabeta', 3277), ('table', 1263)]
    """
    if why_not_solvable(game) or not has_options(game, SOLVING_OPTIONS):
        return []
    state = read_position(game, position, first)
    if game.is_over(state):
        return []
    asked = Question(replace_options(game, SOLVING_OPTIONS), position, count_empty_cells(game, state), first=first)
    found = []
    for algorithm in STEPPABLE_ALGORITHMS:
        question = asked.replace(algorithm=algorithm)
        counted = search_unrecorded(question, max_nodes=max_nodes, on_progress=on_progress)
        if not counted.stopped:
            found.append(SteppableSearch(question, counted.expanded))
    return found
