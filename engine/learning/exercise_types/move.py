"""Choose the move: which move is best for the side to move?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import back_up_values, draw_question, find_deciding_step, inner_rows, minimax_value
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.row_mapping import list_nodes
from engine.learning.seeded_random import SeededRandom

MIN_FIRST_PLY_DIFFICULTY = 3  # difficulty from which the moves at depth 1 are asked for, too


def draw_exercise(lots: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(lots, difficulty, "minimax")
    return None if question is None else {"question": question}


def asked_rows(exercise: Exercise) -> list[int]:
    """Return the nodes at which a move is to be chosen."""
    deepest = 0 if exercise.difficulty < MIN_FIRST_PLY_DIFFICULTY else 1
    return [row for row in inner_rows(exercise.full_tree) if exercise.full_tree[row].depth <= deepest]


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _make_answer(lambda exercise: back_up_values(exercise, minimax_value), minimax_value)(exercise)


def _make_answer(
    values: Callable[[Exercise], dict[int, float]], choice: Callable[[bool, list[float]], float]
) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that answers with the first move whose value `choice` picks, at every node."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        known, whole = values(exercise), exercise.full_tree
        chosen = {}
        for row in asked_rows(exercise):
            below = [known[child] for child in whole.child_rows(row)]
            chosen[str(row)] = below.index(choice(whole[row].maximizing, below))
        return chosen

    return answer


def is_equally_good(exercise: Exercise, part: str, given: Any, wanted: Any) -> bool:
    """Return True if both moves have the same value."""
    whole = exercise.full_tree
    below = [whole[child].value for child in whole.child_rows(int(part))]
    return bool(below[given] == below[wanted])


def _best_reachable_leaves(exercise: Exercise) -> dict[int, float]:
    """Give every child of such a node the value of the best leaf below it, as if the other side did not move."""
    whole = exercise.full_tree
    known: dict[int, float] = {}
    for row in asked_rows(exercise):
        for child in whole.child_rows(row):
            leaves = [node.value for node in list_nodes(whole) if child <= node < whole[child].end and node.is_leaf]
            known[child] = minimax_value(whole[row].maximizing, leaves)
    return known


EXERCISE_TYPE = ExerciseType(
    name="move",
    title="Choose the move",
    prompt="Choose the best move for the side that is to move at each node with a question mark.",
    how="child",
    rule="Back up the values first. MAX then chooses the child with the largest value, MIN the one with the smallest.",
    build=draw_exercise,
    searched_by="minimax",
    key=answer_key,
    read=answer_parsing.read_child,
    step=lambda exercise, part: find_deciding_step(exercise, int(part)),
    same=is_equally_good,
    thoughts=(
        make_misconception(
            "sides-swapped",
            "These are the worst moves, not the best: MAX wants the largest value, MIN the smallest.",
            _make_answer(
                lambda exercise: back_up_values(exercise, minimax_value),
                lambda maximizing, values: minimax_value(not maximizing, values),
            ),
        ),
        make_misconception(
            "best-leaf",
            "These moves lead towards the best leaf that can be seen: the other side moves in between and will not go there.",
            _make_answer(_best_reachable_leaves, minimax_value),
        ),
        make_misconception(
            "other-side-decides",
            "These moves would be right if all values were backed up with MAX and MIN swapped.",
            _make_answer(
                lambda exercise: back_up_values(exercise, lambda maximizing, values: minimax_value(not maximizing, values)),
                minimax_value,
            ),
        ),
    ),
)
