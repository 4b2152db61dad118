"""Back up the values: what is every inner node worth?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import back_up_values, draw_question, find_deciding_step, inner_rows, minimax_value
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.seeded_random import SeededRandom


def draw_exercise(lots: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(lots, difficulty, "minimax")
    return None if question is None else {"question": question}


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _make_answer(minimax_value)(exercise)


def _make_answer(rule: Callable[[bool, list[float]], float]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who backs values up by this rule."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        values = back_up_values(exercise, rule)
        return {str(row): values[row] for row in inner_rows(exercise.full_tree)}

    return answer


EXERCISE_TYPE = ExerciseType(
    name="values",
    title="Back up the values",
    prompt="{side} is to move at the root. Which value does each node have, from MAX's side?",
    how="number",
    rule="Start at the leaves. A node where MAX moves takes the largest value of its children, one where MIN moves the smallest.",
    build=draw_exercise,
    searched_by="minimax",
    key=answer_key,
    read=lambda exercise, part, given: answer_parsing.read_number(given),
    step=lambda exercise, part: find_deciding_step(exercise, int(part)),
    thoughts=(
        make_misconception(
            "sides-swapped",
            "These are the values if MAX takes the smallest and MIN the largest: the two sides are swapped.",
            _make_answer(lambda maximizing, values: minimax_value(not maximizing, values)),
        ),
        make_misconception(
            "all-max",
            "These are the values if every node takes the largest: at every second ply MIN moves, and takes the smallest.",
            _make_answer(lambda maximizing, values: max(values)),
        ),
        make_misconception(
            "all-min",
            "These are the values if every node takes the smallest: at every second ply MAX moves, and takes the largest.",
            _make_answer(lambda maximizing, values: min(values)),
        ),
        make_misconception(
            "last-child",
            "Every node has the value of its last child here: it is the best one that counts, not the last.",
            _make_answer(lambda maximizing, values: values[-1]),
        ),
        make_misconception(
            "starts-at-zero",
            "These are the values if the best value starts at 0: a node is worth what its best child is, be that above or "
            "below 0.",
            _make_answer(lambda maximizing, values: minimax_value(maximizing, [0.0, *values])),
        ),
        make_misconception(
            "added-up",
            "The values of the children are added up here: a side makes one move only, so one child decides.",
            _make_answer(lambda maximizing, values: sum(values)),
        ),
    ),
)
