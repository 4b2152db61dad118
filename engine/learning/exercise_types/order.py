"""Order the children, so that alpha-beta visits as few nodes as possible.

The trees have the same number of children everywhere and no value twice. For them a formula gives the fewest nodes that any order
can reach (Knuth and Moore). The best child first reaches it.
"""

import json
from collections.abc import Callable
from typing import Any

from engine.analysis.minimal_tree import knuth_moore_size
from engine.games.registry import read_game
from engine.learning import answer_parsing
from engine.learning.exercise_trees import UNIFORM_SHAPES, draw_uniform_question, find_deciding_step, inner_rows
from engine.learning.model import Answer, Exercise, ExerciseType, GradedItem, Misconception
from engine.learning.row_mapping import map_rows
from engine.learning.seeded_random import SeededRandom
from engine.searcher import search
from engine.tree.tree import SearchTree

MAX_POINTS = 10
MIN_SAVED_NODES = 3  # nodes between the order as it is and the best one


def draw_exercise(lots: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_uniform_question(lots, difficulty)
    saved = len(search(question)) - minimal_node_count(difficulty)
    return {"question": question} if saved >= min(MIN_SAVED_NODES, difficulty) else None


def minimal_node_count(difficulty: int) -> int:
    """Return the fewest nodes that alpha-beta can visit."""
    shape = UNIFORM_SHAPES[difficulty]
    return knuth_moore_size([shape["branching"]] * shape["depth"]).nodes


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer: the best child first at every node, the others unchanged."""
    whole = exercise.full_tree
    orders = {}
    for row in inner_rows(whole):
        values = [whole[child].value for child in whole.child_rows(row)]
        first = values.index(whole[row].value)
        orders[str(row)] = [first, *(place for place in range(len(values)) if place != first)]
    return orders


def search_reordered(exercise: Exercise, given: Answer) -> SearchTree:
    """Run the right search with the children in the given order. Nodes without a given order stay as they are."""
    whole = exercise.full_tree

    def nested(row: int) -> Any:
        return [nested(child) for child in _ordered_children(exercise, given, row)] or whole[row].value

    game = read_game(("tree:" if whole[0].maximizing else "tree-min:") + json.dumps(nested(0)))
    return search(exercise.question.replace(game=game))


def _ordered_children(exercise: Exercise, given: Answer, row: int) -> list[int]:
    rows = exercise.full_tree.child_rows(row)
    return [rows[place] for place in given.get(str(row), range(len(rows)))]


def visited_rows(exercise: Exercise, given: Answer, tree: SearchTree) -> set[int]:
    """Return the rows of the full tree, in its original order, that the reordered search visits."""
    met, stack = [], [0]
    while stack:
        met.append(stack.pop())
        stack += reversed(_ordered_children(exercise, given, met[-1]))
    return {met[place] for place in map_rows(search(tree.question.replace(algorithm="minimax")), tree)}


def judge_orders(exercise: Exercise, given: Answer) -> tuple[GradedItem, ...]:
    """Grade each order. If the search visits the fewest nodes possible, every order is right.

    Else an order is wrong if it was used and does not begin with the best child.
    """
    tree = search_reordered(exercise, given)
    least = len(tree) == minimal_node_count(exercise.difficulty)
    used = visited_rows(exercise, given, tree)
    items = []
    for part, order in answer_key(exercise).items():
        first = given.get(part, [0])[0]
        right = least or first == order[0] or int(part) not in used
        items.append(GradedItem(part, given.get(part), order, right, find_deciding_step(exercise, int(part))))
    return tuple(items)


def score_answer(exercise: Exercise, given: Answer, items: tuple[GradedItem, ...]) -> tuple[int, int]:
    """Return points for the share of the possible savings that this order reaches, compared with the original order."""
    shown, reached, least = (
        len(exercise.search_tree),
        len(search_reordered(exercise, given)),
        minimal_node_count(exercise.difficulty),
    )
    return max(0, MAX_POINTS * (shown - reached) // (shown - least)), MAX_POINTS


def _is_chosen_first(exercise: Exercise, given: Answer, choice: Callable[[bool, list[float]], float]) -> bool:
    """Return True if the first child of every node is the one that `choice` picks."""
    whole = exercise.full_tree
    for row in inner_rows(whole):
        values = [whole[child].value for child in whole.child_rows(row)]
        order = given.get(str(row)) or range(len(values))
        if values[order[0]] != choice(whole[row].maximizing, values):
            return False
    return True


EXERCISE_TYPE = ExerciseType(
    name="order",
    title="Order the children",
    prompt="Put the children of each node in the order in which alpha-beta should try them, so that it visits as few nodes as "
    "possible. {rule}",
    how="order",
    rule="Alpha-beta saves most if the best child comes first everywhere: the largest value at MAX, the smallest at MIN.",
    build=draw_exercise,
    key=answer_key,
    read=answer_parsing.read_child_order,
    step=lambda exercise, part: find_deciding_step(exercise, int(part)),
    points=score_answer,
    judge=judge_orders,
    thoughts=(
        Misconception(
            "as-it-was",
            "The order is as it was: somewhere a better child can come first.",
            lambda exercise, given: all(list(order) == sorted(order) for order in given.values()),
        ),
        Misconception(
            "worst-first",
            "The worst child comes first everywhere: best first means the largest value at MAX and the smallest at MIN.",
            lambda exercise, given: _is_chosen_first(
                exercise, given, lambda maximizing, values: min(values) if maximizing else max(values)
            ),
        ),
        Misconception(
            "largest-first",
            "The largest value comes first everywhere: at MIN the smallest is the best.",
            lambda exercise, given: _is_chosen_first(exercise, given, lambda maximizing, values: max(values)),
        ),
        Misconception(
            "smallest-first",
            "The smallest value comes first everywhere: at MAX the largest is the best.",
            lambda exercise, given: _is_chosen_first(exercise, given, lambda maximizing, values: min(values)),
        ),
    ),
)
