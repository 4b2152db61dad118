"""Back up the values: what is every inner node worth?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import best, folded, inner_rows, random_question, step_about
from engine.learning.model import Exercise, ExerciseKind, thinking
from engine.learning.seeded_random import Lots


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    question = random_question(lots, difficulty, "minimax")
    return None if question is None else {"question": question}


def key(exercise: Exercise) -> dict[str, Any]:
    return _answer(best)(exercise)


def _answer(rule: Callable[[bool, list[float]], float]) -> Callable[[Exercise], dict[str, Any]]:
    """The answer of somebody who backs values up by this rule."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        values = folded(exercise, rule)
        return {str(row): values[row] for row in inner_rows(exercise.whole)}

    return answer


KIND = ExerciseKind(
    name="values",
    title="Back up the values",
    prompt="{side} is to move at the root. Which value does each node have, from MAX's side?",
    how="number",
    rule="Start at the leaves. A node where MAX moves takes the largest value of its children, one where MIN moves the smallest.",
    build=build,
    searched_by="minimax",
    key=key,
    read=lambda exercise, part, given: answer_parsing.number(given),
    step=lambda exercise, part: step_about(exercise, int(part)),
    thoughts=(
        thinking(
            "sides-swapped",
            "These are the values if MAX takes the smallest and MIN the largest: the two sides are swapped.",
            _answer(lambda maximizing, values: best(not maximizing, values)),
        ),
        thinking(
            "all-max",
            "These are the values if every node takes the largest: at every second ply MIN moves, and takes the smallest.",
            _answer(lambda maximizing, values: max(values)),
        ),
        thinking(
            "all-min",
            "These are the values if every node takes the smallest: at every second ply MAX moves, and takes the largest.",
            _answer(lambda maximizing, values: min(values)),
        ),
        thinking(
            "last-child",
            "Every node has the value of its last child here: it is the best one that counts, not the last.",
            _answer(lambda maximizing, values: values[-1]),
        ),
        thinking(
            "starts-at-zero",
            "These are the values if the best value starts at 0: a node is worth what its best child is, be that above or "
            "below 0.",
            _answer(lambda maximizing, values: best(maximizing, [0.0, *values])),
        ),
        thinking(
            "added-up",
            "The values of the children are added up here: a side makes one move only, so one child decides.",
            _answer(lambda maximizing, values: sum(values)),
        ),
    ),
)
