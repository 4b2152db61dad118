"""Exercises about Star1: the key against exact fractions, and wrong ideas about cutoffs at chance nodes."""

from fractions import Fraction

import pytest
from hypothesis import given

from engine.games.tree_formats.chance_lists import ChanceList
from engine.learning.exercise import EXERCISE_TYPES, answer_key, grade_answer, make_exercise
from tests.support.exercises import quick, random_exercises
from visualizer.narration.exercise_messages import describe_solution, exercise_prompt, explain_solution


def list_leaves(node):
    return [leaf for child in node for leaf in list_leaves(child)] if isinstance(node, list) else [node]


def flatten_rows(node):
    """Return the nodes below and with this one, in the order of rows."""
    return [node, *(row for child in node for row in flatten_rows(child))] if isinstance(node, list) else [node]


def star1_bound(total, rest, value, best, highest, expectation):
    return total + rest * highest <= best


WRONG_RULES = {
    "as-alphabeta": lambda total, rest, value, best, highest, expectation: value <= best,
    "rest-is-zero": lambda total, rest, value, best, highest, expectation: total <= best,
    "known-expectation": lambda total, rest, value, best, highest, expectation: expectation <= best,
}


def naive_answer(exercise, is_cut=star1_bound):
    """Return the outcomes that are skipped, by their rows, computed from the lists of the tree alone."""
    game = exercise.question.game
    sign = 1 if game.maximizing(game.start()) else -1
    highest = max(sign * leaf for leaf in list_leaves(game.tree))
    best, row, skipped = None, 1, {}
    for move in game.tree:
        outcomes = move if isinstance(move, ChanceList) else [move]
        below = [Fraction(min(sign * leaf for leaf in list_leaves([each]))) for each in outcomes]  # the other side replies
        odds = move.probabilities if isinstance(move, ChanceList) else [Fraction(1)]
        expectation = sum(p * value for p, value in zip(odds, below, strict=True))
        total, rest, is_left, at = Fraction(0), Fraction(1), False, row + 1
        for place, (p, value) in enumerate(zip(odds, below, strict=True)):
            if is_left:
                skipped[str(at)] = True
            else:
                total, rest = total + p * value, rest - p
                is_left = best is not None and is_cut(total, rest, value, best, highest, expectation)
            at += len(flatten_rows(move[place])) if isinstance(move, ChanceList) else 0
        best = expectation if best is None else max(best, expectation)
        row += len(flatten_rows(move))
    return skipped


@quick
@given(random_exercises(("chance-cut",)))
def test_the_key_is_what_the_bounds_allow(exercise):
    key = answer_key(exercise)
    assert key == naive_answer(exercise) != {}
    low, high = (bound(list_leaves(exercise.question.game.tree)) for bound in (min, max))
    assert f"every leaf is worth from {low} to {high}." in exercise_prompt(exercise)
    for item in grade_answer(exercise, {}).items:
        assert describe_solution(exercise, item).endswith("is never visited.")
        assert "Even if the remaining" in explain_solution(exercise, item)
    for part in exercise.visited_rows:
        assert str(part) not in key


@pytest.mark.parametrize("name", WRONG_RULES)
def test_wrong_ideas_about_chance_cutoffs_are_recognized(name):
    found = 0
    for seed in range(40):
        exercise = make_exercise("chance-cut", seed, 1 + seed % 5)
        wrong = naive_answer(exercise, WRONG_RULES[name])
        grade = grade_answer(exercise, wrong)
        assert grade.solved == (wrong == answer_key(exercise))
        found += grade.misconception is not None and grade.misconception.name == name
    assert found >= 3


def test_missing_and_extra_marks_are_recognized():
    found = 0
    for seed in range(20):
        exercise = make_exercise("chance-cut", seed, 1 + seed % 5)
        assert grade_answer(exercise, {}).misconception.name == "nothing"
        tree, key = exercise.full_tree, answer_key(exercise)
        outcomes = {int(node): [int(child) for child in node.children] for node in tree.root.children}
        causes = {rows[place - 1] for rows in outcomes.values() for place in range(1, len(rows)) if str(rows[place]) in key}
        grade = grade_answer(exercise, {**key, **{str(row): True for row in causes}})
        assert not grade.solved
        found += grade.misconception.name == "with-cause"
    assert found >= 5  # the other answers fit another wrong idea, too


def test_every_wrong_idea_about_chance_cutoffs_is_tested():
    assert {one.name for one in EXERCISE_TYPES["chance-cut"].misconceptions} == {*WRONG_RULES, "nothing", "with-cause"}


def test_both_sides_occur_at_the_root():
    assert {make_exercise("chance-cut", seed, 4).full_tree.root.turn for seed in range(20)} == {"max", "min"}
