"""Order the children, so that alpha-beta visits as few nodes as possible.

The trees have the same number of children everywhere and no value twice: for them the least that any order reaches is a formula
(Knuth and Moore), and the best child first reaches it.
"""

import json
from collections.abc import Callable
from typing import Any

from engine.analysis.minimal_tree import knuth_moore
from engine.games.registry import read_game
from engine.learning import answer_parsing
from engine.learning.exercise_trees import UNIFORM, inner_rows, step_about, uniform_question
from engine.learning.model import Answer, Exercise, ExerciseKind, Item, Thought
from engine.learning.row_mapping import rows_in
from engine.learning.seeded_random import Lots
from engine.searcher import search
from engine.tree.tree import SearchTree

POINTS = 10
LEAST_SAVED = 3  # nodes between the order as it is and the best one


def build(lots: Lots, difficulty: int) -> dict[str, Any] | None:
    question = uniform_question(lots, difficulty)
    saved = len(search(question)) - least_of(difficulty)
    return {"question": question} if saved >= min(LEAST_SAVED, difficulty) else None


def least_of(difficulty: int) -> int:
    """The fewest nodes that alpha-beta can visit."""
    shape = UNIFORM[difficulty]
    return knuth_moore([shape["branching"]] * shape["depth"]).nodes


def key(exercise: Exercise) -> dict[str, Any]:
    """The best child first at every node, the others as they are."""
    whole = exercise.whole
    orders = {}
    for row in inner_rows(whole):
        values = [whole[child].value for child in whole.child_rows(row)]
        first = values.index(whole[row].value)
        orders[str(row)] = [first, *(place for place in range(len(values)) if place != first)]
    return orders


def reordered(exercise: Exercise, given: Answer) -> SearchTree:
    """The right search with the children in this order; where none was given, as they are."""
    whole = exercise.whole

    def nested(row: int) -> Any:
        return [nested(child) for child in _children(exercise, given, row)] or whole[row].value

    game = read_game(("tree:" if whole[0].maximizing else "tree-min:") + json.dumps(nested(0)))
    return search(exercise.question.replace(game=game))


def _children(exercise: Exercise, given: Answer, row: int) -> list[int]:
    rows = exercise.whole.child_rows(row)
    return [rows[place] for place in given.get(str(row), range(len(rows)))]


def visited(exercise: Exercise, given: Answer, tree: SearchTree) -> set[int]:
    """The rows of the whole tree, as it was, that the reordered search visits."""
    met, stack = [], [0]
    while stack:
        met.append(stack.pop())
        stack += reversed(_children(exercise, given, met[-1]))
    return {met[place] for place in rows_in(search(tree.question.replace(algorithm="minimax")), tree)}


def judge(exercise: Exercise, given: Answer) -> tuple[Item, ...]:
    """If the count is the least, every order is right; else those are wrong that were used and do not begin with the best."""
    tree = reordered(exercise, given)
    least = len(tree) == least_of(exercise.difficulty)
    used = visited(exercise, given, tree)
    items = []
    for part, order in key(exercise).items():
        first = given.get(part, [0])[0]
        right = least or first == order[0] or int(part) not in used
        items.append(Item(part, given.get(part), order, right, step_about(exercise, int(part))))
    return tuple(items)


def points(exercise: Exercise, given: Answer, items: tuple[Item, ...]) -> tuple[int, int]:
    """By how much of what can be saved is saved, against the order as it was."""
    shown, reached, least = len(exercise.searched), len(reordered(exercise, given)), least_of(exercise.difficulty)
    return max(0, POINTS * (shown - reached) // (shown - least)), POINTS


def _firsts(exercise: Exercise, given: Answer, choice: Callable[[bool, list[float]], float]) -> bool:
    whole = exercise.whole
    for row in inner_rows(whole):
        values = [whole[child].value for child in whole.child_rows(row)]
        order = given.get(str(row)) or range(len(values))
        if values[order[0]] != choice(whole[row].maximizing, values):
            return False
    return True


KIND = ExerciseKind(
    name="order",
    title="Order the children",
    prompt="Put the children of each node in the order in which alpha-beta should try them, so that it visits as few nodes as "
    "possible. {rule}",
    how="order",
    rule="Alpha-beta saves most if the best child comes first everywhere: the largest value at MAX, the smallest at MIN.",
    build=build,
    key=key,
    read=answer_parsing.order,
    step=lambda exercise, part: step_about(exercise, int(part)),
    points=points,
    judge=judge,
    thoughts=(
        Thought(
            "as-it-was",
            "The order is as it was: somewhere a better child can come first.",
            lambda exercise, given: all(list(order) == sorted(order) for order in given.values()),
        ),
        Thought(
            "worst-first",
            "The worst child comes first everywhere: best first means the largest value at MAX and the smallest at MIN.",
            lambda exercise, given: _firsts(
                exercise, given, lambda maximizing, values: min(values) if maximizing else max(values)
            ),
        ),
        Thought(
            "largest-first",
            "The largest value comes first everywhere: at MIN the smallest is the best.",
            lambda exercise, given: _firsts(exercise, given, lambda maximizing, values: max(values)),
        ),
        Thought(
            "smallest-first",
            "The smallest value comes first everywhere: at MAX the largest is the best.",
            lambda exercise, given: _firsts(exercise, given, lambda maximizing, values: min(values)),
        ),
    ),
)
