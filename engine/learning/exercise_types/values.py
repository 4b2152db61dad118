"""Back up the values: what is the value of every inner node?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import back_up_values, draw_question, find_deciding_step, inner_rows, minimax_value
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.seeded_random import SeededRandom


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(rng, difficulty, "minimax")
    return None if question is None else {"question": question}


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _make_answer(minimax_value)(exercise)


def _make_answer(rule: Callable[[bool, list[float]], float]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who backs up values by this rule."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        values = back_up_values(exercise, rule)
        return {str(row): values[row] for row in inner_rows(exercise.full_tree)}

    return answer


EXERCISE_TYPE = ExerciseType(
    name="values",
    title="Back up the values",
    prompt="{side} is to move at the root. What is the value of each inner node, from MAX's point of view?",
    answer_format="number",
    rule="Start at the leaves. A MAX node takes the largest value of its children, a MIN node the smallest.",
    draw=draw_exercise,
    user_tree_algorithm="minimax",
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_number(raw),
    find_step=lambda exercise, part: find_deciding_step(exercise, int(part)),
    misconceptions=(
        make_misconception(
            "sides-swapped",
            "The two sides are swapped: these are the values if MAX takes the smallest value and MIN the largest.",
            _make_answer(lambda maximizing, values: minimax_value(not maximizing, values)),
        ),
        make_misconception(
            "all-max",
            "Every node takes the largest value here. But MIN moves at every second ply, and takes the smallest.",
            _make_answer(lambda maximizing, values: max(values)),
        ),
        make_misconception(
            "all-min",
            "Every node takes the smallest value here. But MAX moves at every second ply, and takes the largest.",
            _make_answer(lambda maximizing, values: min(values)),
        ),
        make_misconception(
            "last-child",
            "Every node has the value of its last child here. The best child counts, not the last one.",
            _make_answer(lambda maximizing, values: values[-1]),
        ),
        make_misconception(
            "starts-at-zero",
            "These are the values if the best value starts at 0. A node has the value of its best child, even if 0 would be "
            "better.",
            _make_answer(lambda maximizing, values: minimax_value(maximizing, [0.0, *values])),
        ),
        make_misconception(
            "added-up",
            "The values of the children are added up here. But a side makes only one move, so one child decides.",
            _make_answer(lambda maximizing, values: sum(values)),
        ),
    ),
)
