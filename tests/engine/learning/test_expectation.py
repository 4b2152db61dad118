"""Exercises with chance: the key against exact fractions, values that can be typed, and wrong ideas about chance."""

from fractions import Fraction

import pytest
from hypothesis import given

from engine.games.tree_formats.chance_lists import ChanceList
from engine.learning.answer_parsing import can_be_typed
from engine.learning.exercise import EXERCISE_TYPES, answer_key, encode_answer, grade_answer, make_exercise
from tests.support.exercises import quick, random_exercises
from visualizer.narration.exercise_messages import describe_solution, explain_solution


def choose(maximizing, values):
    return max(values) if maximizing else min(values)


def expect_value(values, odds):
    return sum(value * chance for value, chance in zip(values, odds, strict=True))


def naive_answer(exercise, average=expect_value, choose=choose):
    """Return the value of every inner node by its row, computed from the lists of the tree alone."""
    found, rows = {}, iter(range(10_000))

    def visit(node, maximizing):
        row = str(next(rows))
        if not isinstance(node, list):
            return Fraction(node)
        by_chance = isinstance(node, ChanceList)
        below = [visit(child, maximizing if by_chance else not maximizing) for child in node]
        found[row] = average(below, node.probabilities) if by_chance else choose(maximizing, below)
        return found[row]

    game = exercise.question.game
    visit(game.tree, game.maximizing(game.start()))
    return {row: found[row] for row in sorted(found, key=int)}


WRONG_MEANS = {
    "not-weighted": lambda values, odds: Fraction(round(float(sum(values)) / len(values), 4)),
    "added-up": lambda values, odds: sum(values),
    "best-for-max": lambda values, odds: max(values),
    "best-for-min": lambda values, odds: min(values),
    "most-likely": lambda values, odds: values[odds.index(max(odds))],
}
WRONG_CHOICES = {"sides-swapped": lambda maximizing, values: choose(not maximizing, values)}


@quick
@given(random_exercises(("expectation",)))
def test_the_key_is_the_exact_expectation(exercise):
    key = answer_key(exercise)
    assert key == naive_answer(exercise)
    assert key["0"] == exercise.full_tree.root.value
    assert all(map(can_be_typed, key.values()))
    assert exercise.full_tree.has_chance
    for part, value in key.items():
        item = next(item for item in grade_answer(exercise, {}).items if item.part == part)
        assert "is right." in describe_solution(exercise, item)
        reason = explain_solution(exercise, item)
        if exercise.full_tree[int(part)].turn == "chance":
            terms, total = reason.removeprefix("Chance moves there: ").removesuffix(".").replace("−", "-").split(" = ")
            products = (term.split(" × ") for term in terms.split(" + "))
            assert sum(Fraction(odds) * Fraction(worth) for odds, worth in products) == Fraction(total) == value


@pytest.mark.parametrize("name", [*WRONG_MEANS, *WRONG_CHOICES])
def test_wrong_ideas_about_chance_are_recognized(name):
    found = 0
    for seed in range(40):
        exercise = make_exercise("expectation", seed, 1 + seed % 5)
        wrong = naive_answer(exercise, WRONG_MEANS.get(name, expect_value), WRONG_CHOICES.get(name, choose))
        grade = grade_answer(exercise, encode_answer({part: float(value) for part, value in wrong.items()}))
        assert not grade.solved or wrong == answer_key(exercise)
        found += grade.misconception is not None and grade.misconception.name == name
    assert found >= 5


def test_every_wrong_idea_about_chance_is_tested():
    assert {one.name for one in EXERCISE_TYPES["expectation"].misconceptions} == {*WRONG_MEANS, *WRONG_CHOICES}
