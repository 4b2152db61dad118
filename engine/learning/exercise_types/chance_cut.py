"""What does Star1 skip? Which outcomes of chance nodes does it never visit?"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.games.capabilities import value_range
from engine.games.registry import read_game
from engine.learning import answer_parsing
from engine.learning.exercise_trees import MIN_VARIED_RULES_DIFFICULTY, find_deciding_step
from engine.learning.exercise_types.expectation import MAX_LEAF_VALUE, PROBABILITIES
from engine.learning.exercise_types.pruned import mark_rows, score_answer
from engine.learning.model import Exercise, ExerciseType, make_misconception
from engine.learning.seeded_random import SeededRandom
from engine.question import Question


class TreeShape(NamedTuple):
    """The shape of a tree: the chance nodes below the root, the outcomes of each, and the moves below an outcome."""

    chance_nodes: int
    outcomes: tuple[int, ...]  # one of them is drawn for each chance node
    moves: int  # 0: every outcome is a leaf
    has_sure_move: bool = False  # the first move of the root leads to a leaf


SHAPES = {
    1: TreeShape(2, (2, 3), 0, has_sure_move=True),
    2: TreeShape(3, (2, 3), 0),
    3: TreeShape(2, (3,), 2, has_sure_move=True),
    4: TreeShape(3, (2, 3), 2),
    5: TreeShape(3, (3,), 2),
}


class Progress(NamedTuple):
    """A chance node after one of its outcomes, seen from the side that moves at the root: larger is better for it."""

    best: float  # of the moves before
    value: float  # of this outcome
    total: float  # of probability times value, up to this outcome
    rest: float  # the probability of the outcomes that are left
    highest: float  # that a leaf can have
    expectation: float  # of all outcomes


def draw_exercise(rng: SeededRandom, difficulty: int) -> dict[str, Any] | None:
    """Draw an exercise. Return None if it is not worth asking: nothing is skipped, or a wrong rule skips the same."""
    kind = "tree-min" if difficulty >= MIN_VARIED_RULES_DIFFICULTY and rng.draw_chance(40) else "tree"
    shape = SHAPES[difficulty]
    moves = [_draw_chance_node(rng, shape) for _ in range(shape.chance_nodes)]
    sure_moves = [_draw_leaf(rng)] if shape.has_sure_move else []
    game = read_game(f"{kind}:{json.dumps([*sure_moves, *moves])}")
    exercise = Exercise("chance-cut", 0, difficulty, Question(game).replace(algorithm="star1"))
    key = answer_key(exercise)
    is_worth_asking = key and all(answer(exercise) != key for answer in (_cut_by_value, _cut_by_expectation))
    return {"question": exercise.question} if is_worth_asking else None


def _draw_leaf(rng: SeededRandom) -> int:
    return rng.draw_below(MAX_LEAF_VALUE + 1)


def _draw_chance_node(rng: SeededRandom, shape: TreeShape) -> dict[str, Any]:
    """Draw a chance node, as JSON trees are written."""
    outcomes: list[dict[str, Any]] = []
    for quarters in rng.choose_one(PROBABILITIES[rng.choose_one(shape.outcomes)]):
        below = {"children": [_draw_leaf(rng) for _ in range(shape.moves)]} if shape.moves else {"value": _draw_leaf(rng)}
        outcomes.append({"p": f"{quarters}/4", **below})
    return {"chance": outcomes}


def list_outcomes(exercise: Exercise) -> list[str]:
    """Return the outcomes of all chance nodes."""
    tree = exercise.full_tree
    return [str(row) for row in range(1, len(tree)) if tree[row].parent.turn == "chance"]


def answer_key(exercise: Exercise) -> dict[str, Any]:
    """Return the right answer: the outcomes that the recorded search did not visit."""
    return mark_rows({int(part) for part in list_outcomes(exercise)} - set(exercise.visited_rows))


def _make_answer(is_cut: Callable[[Progress], bool]) -> Callable[[Exercise], dict[str, Any]]:
    """Return a function that gives the answer of a learner who leaves a chance node by this rule."""

    def answer(exercise: Exercise) -> dict[str, Any]:
        tree, marked = exercise.full_tree, set()
        sign = 1 if tree.root.maximizing else -1
        highest = max(sign * bound for bound in value_range(exercise.question.game) or ())
        best = float("-inf")
        for move in tree.root.children:
            total, rest, outcomes = 0.0, 1.0, list(move.children)
            for place, outcome in enumerate(outcomes, start=1):
                total, rest = total + outcome.probability * sign * outcome.value, rest - outcome.probability
                progress = Progress(best, sign * outcome.value, total, rest, highest, sign * move.value)
                if is_cut(progress):
                    marked |= {int(left) for left in outcomes[place:]}
                    break
            best = max(best, sign * move.value)  # a node that is left early is not better
        return mark_rows(marked)

    return answer


_cut_by_value = _make_answer(lambda progress: progress.value <= progress.best)
_cut_by_expectation = _make_answer(lambda progress: progress.expectation <= progress.best)


def _mark_with_cause(exercise: Exercise) -> dict[str, Any]:
    """Mark the skipped outcomes and, at each chance node, the outcome before them."""
    key = {int(part) for part in answer_key(exercise)}
    tree = exercise.full_tree
    causes = {
        int(before)
        for node in tree.root.children
        for before, after in zip(node.children, node.children[1:], strict=False)
        if int(after) in key and int(before) not in key
    }
    return mark_rows(key | causes)


EXERCISE_TYPE = ExerciseType(
    name="chance-cut",
    title="What does Star1 skip?",
    prompt="{side} is to move at the root, and at the circles chance moves. Star1 searches this tree from left to right. It "
    "knows that every leaf is worth from {low} to {high}. Mark every outcome of a chance node that it never visits.",
    answer_format="mark",
    rule="After each outcome, add up probability times value. For the outcomes that are left, take the best value that a leaf "
    "can have for the side at the root. If even this sum is not better than a move before, Star1 skips the outcomes that are "
    "left.",
    draw=draw_exercise,
    answer_key=answer_key,
    read_part=lambda exercise, part, raw: answer_parsing.read_mark(raw),
    find_step=lambda exercise, part: find_deciding_step(exercise, int(part), entering=True),
    list_parts=list_outcomes,
    score_answer=score_answer,
    misconceptions=(
        make_misconception(
            "nothing",
            "Nothing is marked, as in expectiminimax. But Star1 skips something here.",
            lambda exercise: {},
        ),
        make_misconception(
            "as-alphabeta",
            "A chance node is left here as soon as one outcome is not better than a move before, as in alpha-beta. But the "
            "outcomes that are left may make up for it.",
            _cut_by_value,
        ),
        make_misconception(
            "rest-is-zero",
            "The outcomes that are left count as 0 here. But they may be as good as the best leaf.",
            _make_answer(lambda progress: progress.total <= progress.best),
        ),
        make_misconception(
            "known-expectation",
            "These outcomes are skipped if the expectation is known after the first outcome. But Star1 knows only between which "
            "values the leaves lie.",
            _cut_by_expectation,
        ),
        make_misconception(
            "with-cause",
            "The outcome whose value causes the cutoff is marked, too. But the search must visit it to find its value.",
            _mark_with_cause,
        ),
    ),
)
