"""Choose the move."""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import best, folded, inner_rows, random_question, step_about
from engine.learning.model import Exercise, ExerciseKind, thinking
from engine.learning.row_mapping import nodes
from engine.learning.seeded_random import Lots

FIRST_PLY_FROM = 3  # difficulty from which the moves at depth 1 are asked for, too


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    question = random_question(lots, difficulty, "minimax")
    return None if question is None else {"question": question}


def asked(exercise: Exercise) -> list[int]:
    """The nodes at which a move is to be chosen."""
    deepest = 0 if exercise.difficulty < FIRST_PLY_FROM else 1
    return [row for row in inner_rows(exercise.whole) if exercise.whole[row].depth <= deepest]


def key(exercise: Exercise) -> dict[str, Any]:
    return _answer(lambda exercise: folded(exercise, best), best)(exercise)


def _answer(
    values: Callable[[Exercise], dict[int, float]], choice: Callable[[bool, list[float]], float]
) -> Callable[[Exercise], dict[str, Any]]:
    """At every node the first move with the chosen one of these values."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        known, whole = values(exercise), exercise.whole
        chosen = {}
        for row in asked(exercise):
            below = [known[child] for child in whole.child_rows(row)]
            chosen[str(row)] = below.index(choice(whole[row].maximizing, below))
        return chosen

    return answer


def same(exercise: Exercise, part: str, given: Any, wanted: Any) -> bool:
    """A move that is worth as much is as good."""
    whole = exercise.whole
    below = [whole[child].value for child in whole.child_rows(int(part))]
    return bool(below[given] == below[wanted])


def _own_leaves(exercise: Exercise) -> dict[int, float]:
    """Every node below one where a move is chosen counts as the best leaf in reach of who chooses, as if nobody answered."""
    whole = exercise.whole
    known: dict[int, float] = {}
    for row in asked(exercise):
        for child in whole.child_rows(row):
            leaves = [node.value for node in nodes(whole) if child <= node < whole[child].end and node.is_leaf]
            known[child] = best(whole[row].maximizing, leaves)
    return known


KIND = ExerciseKind(
    name="move",
    title="Choose the move",
    prompt="Choose the best move for the side that is to move at each node with a question mark.",
    how="child",
    rule="Back up the values first. MAX then chooses the child with the largest value, MIN the one with the smallest.",
    build=build,
    searched_by="minimax",
    key=key,
    read=answer_parsing.child,
    step=lambda exercise, part: step_about(exercise, int(part)),
    same=same,
    thoughts=(
        thinking(
            "sides-swapped",
            "These are the worst moves, not the best: MAX wants the largest value, MIN the smallest.",
            _answer(lambda exercise: folded(exercise, best), lambda maximizing, values: best(not maximizing, values)),
        ),
        thinking(
            "best-leaf",
            "These moves lead towards the best leaf that can be seen: the other side moves in between and will not go there.",
            _answer(_own_leaves, best),
        ),
        thinking(
            "other-side-decides",
            "These moves would be right if all values were backed up with MAX and MIN swapped.",
            _answer(lambda exercise: folded(exercise, lambda maximizing, values: best(not maximizing, values)), best),
        ),
    ),
)
