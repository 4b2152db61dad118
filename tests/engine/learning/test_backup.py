"""Exercises about backing up in MCTS: the key against counts from the log alone, means that can be typed, and wrong ideas."""

from fractions import Fraction

import pytest
from hypothesis import given

from engine.learning.answer_parsing import can_be_typed, read_visits
from engine.learning.exercise import EXERCISE_TYPES, answer_key, encode_answer, grade_answer, make_exercise
from engine.learning.exercise_types.backup import path_nodes
from engine.learning.model import BadAnswer
from tests.support.exercises import quick, random_exercises
from visualizer.narration.exercise_messages import describe_solution, exercise_prompt, explain_solution


def count_results(exercise, iterations):
    """Return the results for the side that moved into it of each node on the last path, from the log alone."""
    tree = exercise.search_tree
    results = {}
    for row, node in path_nodes(exercise).items():
        end = int(tree.columns.end[int(node)])
        passed = [
            Fraction(outcome) / 2
            for leaf, outcome in zip(tree.log.leaf[:iterations].tolist(), tree.log.outcome[:iterations].tolist(), strict=True)
            if int(node) <= leaf < end
        ]
        for_max = tree.root.turn == "min" if node.depth == 0 else node.parent.turn == "max"
        results[str(row)] = passed if for_max else [1 - result for result in passed]
    return results


def average(results):
    return float(len(results)), round(float(sum(results) / len(results)), 2)


@quick
@given(random_exercises(("backup",)))
def test_the_key_counts_the_results_of_the_log(exercise):
    iterations = exercise.question.options["iterations"]
    after, before = (count_results(exercise, time) for time in (iterations, iterations - 1))
    key = answer_key(exercise)
    assert key == {part: average(results) for part, results in after.items()}
    assert all(len(after[part]) == len(before[part]) + 1 for part in key)
    assert all(
        can_be_typed(mean) and Fraction(str(mean)) == sum(after[part]) / len(after[part]) for part, (_, mean) in key.items()
    )
    for part, (_, mean) in key.items():
        shown, result = average(before[part])[1], float(after[part][-1])
        assert round((len(before[part]) * shown + result) / len(after[part]), 2) == mean, "the rounded means shown are enough"
    assert "0" in key
    assert len(key) >= 2
    prompt = exercise_prompt(exercise)
    assert f"after {iterations - 1} iterations" in prompt
    assert "{" not in prompt
    last = max(key, key=int)
    name = describe_solution(exercise, grade_answer(exercise, {}).items[-1]).partition(":")[0]
    assert name[0].lower() + name[1:] in prompt, "the prompt names the end of the path"
    assert list(key)[-1] == last
    for item in grade_answer(exercise, {}).items:
        visits, _ = key[item.part]
        assert f"{visits:g} visits instead of {visits - 1:g}" in explain_solution(exercise, item)


@pytest.mark.parametrize("name", ["not-flipped", "other-side", "mean-kept", "last-result", "last-node-only"])
def test_wrong_ideas_about_backing_up_are_recognized(name):
    found = 0
    for seed in range(30):
        exercise = make_exercise("backup", seed, 1 + seed % 5)
        key, tree = answer_key(exercise), exercise.search_tree
        after = count_results(exercise, tree.iterations)
        wrong = {}
        for part, node in path_nodes(exercise).items():
            *past, result = after[str(part)]
            for_max = tree.root.turn == "min" if node.depth == 0 else node.parent.turn == "max"
            wrong[str(part)] = {
                "not-flipped": average([*past, result if for_max else 1 - result]),
                "other-side": average([*past, 1 - result]),
                "mean-kept": (len(past) + 1.0, average(past)[1]),
                "last-result": (len(past) + 1.0, float(result)),
                "last-node-only": average([*past, result]) if str(part) == list(key)[-1] else average(past),
            }[name]
        grade = grade_answer(exercise, encode_answer(wrong))
        assert grade.solved == (wrong == key)
        found += grade.misconception is not None and grade.misconception.name == name
    assert found >= 5


def test_every_wrong_idea_about_backing_up_is_tested():
    assert [one.name for one in EXERCISE_TYPES["backup"].misconceptions] == [
        "not-flipped",
        "other-side",
        "mean-kept",
        "last-result",
        "last-node-only",
    ]


def test_visits_and_means_are_read_as_they_are_typed():
    assert read_visits(["4", "0,25"]) == (4.0, 0.25)
    assert read_visits(["4", ""]) is None
    assert read_visits([None, "0.5"]) is None
    for raw in ("4", ["4"], ["4", "inf"], [True, 1], {"n": 4}):
        with pytest.raises(BadAnswer):
            read_visits(raw)
