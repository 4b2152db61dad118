"""Back up values with chance: what is the value of every inner node, if chance moves at some of them?"""

import json
from collections.abc import Callable, Sequence
from typing import Any

from engine.games.registry import read_game
from engine.learning import answer_parsing
from engine.learning.exercise_trees import MIN_VARIED_RULES_DIFFICULTY, find_deciding_step, inner_rows, minimax_value
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.seeded_random import SeededRandom
from engine.question import Question

LEVELS = {  # by difficulty: the children of a node at each depth; chance moves at every second depth
    1: ((3,), (2,)),
    2: ((2,), (2,), (2,)),
    3: ((2,), (2, 3), (2,)),
    4: ((3,), (2, 3), (1, 2)),
    5: ((2,), (2,), (2,), (2,)),
}
MAX_LEAF_VALUE = 9
PROBABILITIES = {  # in quarters, so that a learner can compute with them and type the values
    2: ((2, 2), (1, 3), (3, 1)),
    3: ((2, 1, 1), (1, 2, 1), (1, 1, 2)),
}
Mean = Callable[[Sequence[float], Sequence[float]], float]  # of the values and probabilities of the outcomes


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking: its probabilities or its choices would not matter."""
    kind = "tree-min" if difficulty >= MIN_VARIED_RULES_DIFFICULTY and rng.draw_chance(40) else "tree"
    game = read_game(f"{kind}:{json.dumps(_draw_node(rng, difficulty, 0))}")
    exercise = Exercise("expectation", 0, difficulty, Question(game).replace(algorithm="expectiminimax"))
    key = answer_key(exercise)
    others = (_make_answer(minimax_value, plain_mean), _make_answer(_swap_sides, expected_value))
    return None if any(other(exercise) == key for other in others) else {"question": exercise.question}


def _draw_node(rng: SeededRandom, difficulty: int, depth: int) -> Any:
    """Draw the part of a tree that begins at this depth, as JSON trees are written."""
    if depth == len(LEVELS[difficulty]):
        return rng.draw_below(2 * MAX_LEAF_VALUE + 1) - MAX_LEAF_VALUE if difficulty > 1 else rng.draw_below(MAX_LEAF_VALUE + 1)
    count = rng.choose_one(LEVELS[difficulty][depth])
    quarters = rng.choose_one(PROBABILITIES[count]) if depth % 2 else ()
    children = [_draw_node(rng, difficulty, depth + 1) for _ in range(count)]
    if not quarters:
        return children
    odds = zip(quarters, children, strict=True)
    return {"chance": [{"p": f"{part}/4", "children" if isinstance(child, list) else "value": child} for part, child in odds]}


def expected_value(values: Sequence[float], probabilities: Sequence[float]) -> float:
    """Return the mean of the values, each weighted by its probability. It is exact for quarters."""
    return sum(value * probability for value, probability in zip(values, probabilities, strict=True))


def plain_mean(values: Sequence[float], probabilities: Sequence[float]) -> float:
    """Return the mean without the probabilities, as a learner types it."""
    return round(sum(values) / len(values), answer_parsing.MAX_DECIMALS)


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _make_answer(minimax_value, expected_value)(exercise)


def _make_answer(choose: Callable[[bool, list[float]], float], average: Mean) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who chooses and averages in this way."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        tree = exercise.full_tree
        values: dict[int, float] = {}
        for row in reversed(range(len(tree))):
            node, children = tree[row], tree.child_rows(row)
            below = [values[child] for child in children]
            if not below:
                values[row] = node.value
            elif node.turn == "chance":
                values[row] = average(below, [tree[child].probability for child in children])
            else:
                values[row] = choose(node.maximizing, below)
        return {str(row): values[row] for row in inner_rows(tree)}

    return answer


def _swap_sides(maximizing: bool, values: list[float]) -> float:
    return minimax_value(not maximizing, values)


EXERCISE_TYPE = ExerciseType(
    name="expectation",
    title="Back up values with chance",
    prompt="{side} is to move at the root. At the circles, chance moves with the probabilities at the lines. What is the value "
    "of each inner node, from MAX's point of view? Write decimals, such as 2.5.",
    answer_format="number",
    rule="Start at the leaves. A chance node takes the sum of probability times value over its outcomes. A MAX node takes the "
    "largest value of its children, a MIN node the smallest.",
    draw=draw_exercise,
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_number(raw),
    find_step=lambda exercise, part: find_deciding_step(exercise, int(part)),
    misconceptions=(
        make_misconception(
            "not-weighted",
            "The chance nodes have the plain mean of their outcomes here. But each outcome counts with its probability.",
            _make_answer(minimax_value, plain_mean),
        ),
        make_misconception(
            "added-up",
            "The values of the outcomes are added up here. Multiply each value by its probability first.",
            _make_answer(minimax_value, lambda values, probabilities: sum(values)),
        ),
        make_misconception(
            "best-for-max",
            "The chance nodes have their largest outcome here. But nobody chooses the outcome: take the expected value.",
            _make_answer(minimax_value, lambda values, probabilities: max(values)),
        ),
        make_misconception(
            "best-for-min",
            "The chance nodes have their smallest outcome here. But nobody chooses the outcome: take the expected value.",
            _make_answer(minimax_value, lambda values, probabilities: min(values)),
        ),
        make_misconception(
            "most-likely",
            "The chance nodes have the value of their most likely outcome here. The other outcomes count, too.",
            _make_answer(minimax_value, lambda values, probabilities: values[list(probabilities).index(max(probabilities))]),
        ),
        make_misconception(
            "sides-swapped",
            "The two sides are swapped: these are the values if MAX takes the smallest value and MIN the largest.",
            _make_answer(_swap_sides, expected_value),
        ),
    ),
)
