"""Exercises about UCB: the key against the formula computed from the log alone, sums that are clear, and wrong ideas."""

import re
from math import log, sqrt

import pytest
from hypothesis import given

from engine.learning.exercise import EXERCISE_TYPES, accepted_answers, answer_key, grade_answer, make_exercise
from engine.learning.exercise_types.ucb import selecting_step
from tests.support.exercises import quick, random_exercises
from visualizer.narration.exercise_messages import describe_solution, exercise_prompt, explain_solution


def count_children(exercise):
    """Return visits and mean for the side to move of each child of the root, before the last iteration, from the log alone."""
    tree = exercise.search_tree
    leaves, outcomes = tree.log.leaf[:-1].tolist(), tree.log.outcome[:-1].tolist()
    counts = []
    for child in tree.child_rows(0):
        end = int(tree.columns.end[child])
        results = [outcome / 2 for leaf, outcome in zip(leaves, outcomes, strict=True) if child <= leaf < end]
        wins = sum(results) if tree.root.maximizing else len(results) - sum(results)
        counts.append((len(results), wins / len(results)))
    return counts


def naive_sums(exercise):
    c, root_visits = exercise.question.options["c"], exercise.question.options["iterations"] - 1
    return [mean + c * sqrt(log(root_visits) / visits) for visits, mean in count_children(exercise)]


@quick
@given(random_exercises(("ucb",)))
def test_the_key_has_the_largest_sum(exercise):
    sums, tree = naive_sums(exercise), exercise.full_tree
    right = answer_key(exercise)["0"]
    assert sums[right] == max(sums)
    assert sorted(sums)[-1] - sorted(sums)[-2] > 0.02, "means with two decimals must decide"
    assert accepted_answers(exercise) == {"0": [right]}
    chosen = exercise.search_tree.path(int(exercise.search_tree.log.leaf[-1]))[1]
    assert exercise.search_tree[chosen].move == tree.root.children[right].move, "the recorded search goes there"
    assert [(child.visits, child.mean) for child in tree.root.children] == [
        (visits, pytest.approx(mean)) for visits, mean in count_children(exercise)
    ]
    assert len(tree.root.children) == len(exercise.question.game.tree), "no move is untried"


@quick
@given(random_exercises(("ucb",)))
def test_shown_numbers_decide_and_the_formula_is_explained(exercise):
    options, tree = exercise.question.options, exercise.full_tree
    assert f"c = {options['c']:g} after {tree.iterations} iterations" in exercise_prompt(exercise)
    (item,) = grade_answer(exercise, {}).items
    name = tree.root.children[answer_key(exercise)["0"]].move_name
    assert describe_solution(exercise, item) == f"The root: move {name} is right."
    terms = re.findall(r"move (\d+): ([\d.]+) \+ ([\d.]+) · √\(ln (\d+) / (\d+)\) = (\d+\.\d+)", explain_solution(exercise, item))
    assert [term[0] for term in terms] == [child.move_name for child in tree.root.children]
    by_hand = {move: float(mean) + float(c) * sqrt(log(int(above)) / int(n)) for move, mean, c, above, n, _ in terms}
    assert all(by_hand[move] == pytest.approx(float(shown), abs=0.011) for move, *_, shown in terms)
    assert max(by_hand, key=by_hand.get) == name


WRONG_SCORES = {
    "mean-only": lambda visits, mean: mean,
    "fewest-visits": lambda visits, mean: -visits,
    "most-visits": lambda visits, mean: visits,
}


@pytest.mark.parametrize("name", WRONG_SCORES)
def test_wrong_ideas_about_ucb_are_recognized(name):
    found = 0
    for seed in range(40):
        exercise = make_exercise("ucb", seed, 1 + seed % 5)
        scores = [WRONG_SCORES[name](visits, mean) for visits, mean in count_children(exercise)]
        wrong = scores.index(max(scores))
        grade = grade_answer(exercise, {"0": wrong})
        assert grade.solved == (wrong == answer_key(exercise)["0"])
        found += grade.misconception is not None and grade.misconception.name == name
    assert found >= 3


def test_every_wrong_idea_about_ucb_is_tested():
    assert {one.name for one in EXERCISE_TYPES["ucb"].misconceptions} == set(WRONG_SCORES)


def test_both_sides_and_several_constants_occur():
    drawn = [make_exercise("ucb", seed, 4) for seed in range(30)]
    assert {exercise.full_tree.root.turn for exercise in drawn} == {"max", "min"}
    assert len({exercise.question.options["c"] for exercise in drawn}) == 4
    assert all(selecting_step(exercise).node == 0 for exercise in drawn)
