"""Choose the move: which move is best for the side to move?"""

from collections.abc import Callable
from typing import Any

from engine.learning import answer_parsing
from engine.learning.exercise_trees import back_up_values, draw_question, find_deciding_step, inner_rows, minimax_value
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.row_mapping import list_nodes
from engine.learning.seeded_random import SeededRandom

MIN_FIRST_PLY_DIFFICULTY = 3  # from here on the moves at depth 1 are asked for, too


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking."""
    question = draw_question(rng, difficulty, "minimax")
    return None if question is None else {"question": question}


def asked_rows(exercise: Exercise) -> list[int]:
    """Return the nodes where a move is asked for."""
    max_depth = 0 if exercise.difficulty < MIN_FIRST_PLY_DIFFICULTY else 1
    return [row for row in inner_rows(exercise.full_tree) if exercise.full_tree[row].depth <= max_depth]


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer."""
    return _make_answer(lambda exercise: back_up_values(exercise, minimax_value), minimax_value)(exercise)


def _make_answer(
    find_values: Callable[[Exercise], dict[int, float]], choose: Callable[[bool, list[float]], float]
) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that answers with the first move whose value `choose` picks, at every node."""

    def find_answer(exercise: Exercise) -> dict[str, Any]:
        values, tree = find_values(exercise), exercise.full_tree
        moves = {}
        for row in asked_rows(exercise):
            child_values = [values[child] for child in tree.child_rows(row)]
            moves[str(row)] = child_values.index(choose(tree[row].maximizing, child_values))
        return moves

    return find_answer


def is_equally_good(exercise: Exercise, part: str, answer: int, expected: int) -> bool:
    """Return True if both moves have the same value."""
    tree = exercise.full_tree
    values = [tree[child].value for child in tree.child_rows(int(part))]
    return bool(values[answer] == values[expected])


def _best_reachable_leaves(exercise: Exercise) -> dict[int, float]:
    """Return for the children of these nodes the value of the best leaf below them, as if the other side did not move."""
    tree = exercise.full_tree
    values: dict[int, float] = {}
    for row in asked_rows(exercise):
        for child in tree.child_rows(row):
            leaves = [node.value for node in list_nodes(tree) if child <= node < tree[child].end and node.is_leaf]
            values[child] = minimax_value(tree[row].maximizing, leaves)
    return values


EXERCISE_TYPE = ExerciseType(
    name="move",
    title="Choose the move",
    prompt="Choose the best move for the side to move at each node with a question mark.",
    answer_format="child",
    rule="Back up the values first. Then MAX chooses the child with the largest value, MIN the one with the smallest.",
    draw=draw_exercise,
    user_tree_algorithm="minimax",
    answer_key=answer_key,
    read_part=answer_parsing.read_child,
    find_step=lambda exercise, part: find_deciding_step(exercise, int(part)),
    is_equivalent=is_equally_good,
    misconceptions=(
        make_misconception(
            "sides-swapped",
            "These are the worst moves, not the best. MAX wants the largest value, MIN the smallest.",
            _make_answer(
                lambda exercise: back_up_values(exercise, minimax_value),
                lambda maximizing, values: minimax_value(not maximizing, values),
            ),
        ),
        make_misconception(
            "best-leaf",
            "These moves lead towards the best leaf. But the other side moves in between and will not go there.",
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
