"""Order the children, so that alpha-beta visits as few nodes as possible.

The trees have the same number of children everywhere and no value twice. For such trees a formula (Knuth and Moore) gives the
minimum number of nodes over all orders. The order with the best child first reaches it.
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
MIN_SAVED_NODES = 3  # by the best order, compared with the original one


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_uniform_question(rng, difficulty)
    saved = len(search(question)) - minimal_node_count(difficulty)
    return {"question": question} if saved >= min(MIN_SAVED_NODES, difficulty) else None


def minimal_node_count(difficulty: int) -> int:
    """Return the fewest nodes that alpha-beta can visit."""
    shape = UNIFORM_SHAPES[difficulty]
    return knuth_moore_size([shape["branching"]] * shape["depth"]).nodes


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer: the best child first at every node, the others unchanged."""
    tree = exercise.full_tree
    orders = {}
    for row in inner_rows(tree):
        values = [tree[child].value for child in tree.child_rows(row)]
        best = values.index(tree[row].value)
        orders[str(row)] = [best, *(index for index in range(len(values)) if index != best)]
    return orders


def search_reordered(exercise: Exercise, answer: Answer) -> SearchTree:
    """Run the right search with the children in the answered order. Nodes without an answer keep their order."""
    tree = exercise.full_tree

    def nested(row: int) -> Any:
        return [nested(child) for child in _ordered_children(exercise, answer, row)] or tree[row].value

    game = read_game(("tree:" if tree[0].maximizing else "tree-min:") + json.dumps(nested(0)))
    return search(exercise.question.replace(game=game))


def _ordered_children(exercise: Exercise, answer: Answer, row: int) -> list[int]:
    rows = exercise.full_tree.child_rows(row)
    return [rows[index] for index in answer.get(str(row), range(len(rows)))]


def visited_rows(exercise: Exercise, answer: Answer, reordered: SearchTree) -> set[int]:
    """Return the rows of the full tree, in its original order, that the reordered search visits."""
    rows, stack = [], [0]  # in the order of the reordered tree
    while stack:
        rows.append(stack.pop())
        stack += reversed(_ordered_children(exercise, answer, rows[-1]))
    return {rows[index] for index in map_rows(search(reordered.question.replace(algorithm="minimax")), reordered)}


def grade_orders(exercise: Exercise, answer: Answer) -> tuple[GradedItem, ...]:
    """Grade each order. If the search visits the fewest nodes possible, every order is right.

    Otherwise an order is wrong if the search uses it and it does not begin with the best child.
    """
    reordered = search_reordered(exercise, answer)
    is_minimal = len(reordered) == minimal_node_count(exercise.difficulty)
    visited = visited_rows(exercise, answer, reordered)
    items = []
    for part, order in answer_key(exercise).items():
        first = answer.get(part, [0])[0]
        right = is_minimal or first == order[0] or int(part) not in visited
        items.append(GradedItem(part, answer.get(part), order, right, find_deciding_step(exercise, int(part))))
    return tuple(items)


def score_answer(exercise: Exercise, answer: Answer, items: tuple[GradedItem, ...]) -> tuple[int, int]:
    """Return points for the share of the possible savings that this order reaches, compared with the original order."""
    original, reordered = len(exercise.search_tree), len(search_reordered(exercise, answer))
    minimum = minimal_node_count(exercise.difficulty)
    return max(0, MAX_POINTS * (original - reordered) // (original - minimum)), MAX_POINTS


def _is_chosen_first(exercise: Exercise, answer: Answer, choose: Callable[[bool, list[float]], float]) -> bool:
    """Return True if the first child of every node is the one that `choose` picks."""
    tree = exercise.full_tree
    for row in inner_rows(tree):
        values = [tree[child].value for child in tree.child_rows(row)]
        order = answer.get(str(row)) or range(len(values))
        if values[order[0]] != choose(tree[row].maximizing, values):
            return False
    return True


EXERCISE_TYPE = ExerciseType(
    name="order",
    title="Order the children",
    prompt="Put the children of each node in the best order for alpha-beta, so that it visits as few nodes as possible. {rule}",
    answer_format="order",
    rule="Alpha-beta skips the most if the best child always comes first: the largest value at MAX, the smallest at MIN.",
    draw=draw_exercise,
    answer_key=answer_key,
    read_part=answer_parsing.read_child_order,
    find_step=lambda exercise, part: find_deciding_step(exercise, int(part)),
    score_answer=score_answer,
    grade_parts=grade_orders,
    misconceptions=(
        Misconception(
            "as-it-was",
            "The order has not changed. At some node a better child can come first.",
            lambda exercise, answer: all(list(order) == sorted(order) for order in answer.values()),
        ),
        Misconception(
            "worst-first",
            "The worst child comes first everywhere. The best child has the largest value at MAX and the smallest at MIN.",
            lambda exercise, answer: _is_chosen_first(
                exercise, answer, lambda maximizing, values: min(values) if maximizing else max(values)
            ),
        ),
        Misconception(
            "largest-first",
            "The largest value comes first everywhere. But at MIN the smallest is the best.",
            lambda exercise, answer: _is_chosen_first(exercise, answer, lambda maximizing, values: max(values)),
        ),
        Misconception(
            "smallest-first",
            "The smallest value comes first everywhere. But at MAX the largest is the best.",
            lambda exercise, answer: _is_chosen_first(exercise, answer, lambda maximizing, values: min(values)),
        ),
    ),
)
