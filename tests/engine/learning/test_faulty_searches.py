"""Searches with a mistake, and the first call that their record proves wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import literal, search
from engine.checker.diagnosis.mistakes import MISTAKES
from engine.learning.call_checks import find_wrong_calls
from engine.learning.exercise import answer_key, grade_answer, make_exercise
from engine.learning.exercise_types import mistake
from engine.learning.faulty_searches import FAULTY_DECISIONS, AlphaBetaDecisions, run_faulty_search
from engine.learning.row_mapping import map_rows
from engine.question import Question
from engine.tree.trace import Trace
from tests.support.exercises import TREES, best_value, quick, random_exercises
from visualizer.narration.call_narration import list_call_events
from visualizer.narration.exercise_messages import describe_wrong_call
from visualizer.narration.numbers import format_number


@quick
@given(TREES.filter(lambda tree: isinstance(tree, list)), st.booleans(), st.sampled_from(["max", "min"]))
def test_a_right_search_has_no_wrong_call_and_is_recorded_like_ours(tree, cut_on_equal, first):
    question = Question(literal(tree, first), cut_on_equal=cut_on_equal)
    ours, decisions = search(question), run_faulty_search(question, AlphaBetaDecisions())
    assert find_wrong_calls(ours, cut_on_equal) == find_wrong_calls(decisions, cut_on_equal) == []
    for name, column in ours.columns._asdict().items():
        assert column.tolist() == decisions.columns._asdict()[name].tolist()


@pytest.mark.parametrize("name", FAULTY_DECISIONS)
def test_every_mistake_is_shown_by_some_exercise_and_is_in_the_catalogue(name):
    assert name in MISTAKES
    exercises = [make_exercise("mistake", seed, 1 + seed % 5) for seed in range(150)]
    assert any(exercise.mistake == name for exercise in exercises)


@quick
@given(random_exercises(("mistake",)))
def test_up_to_the_first_wrong_call_the_record_is_that_of_a_right_search(exercise):
    """A right search that gets the same values from below does the same until then."""
    record, first = mistake.faulty_search(exercise), mistake.list_wrong_calls(exercise)[0]
    trace = Trace(record)
    for row in range(first.row):
        node = record[row]
        if node.depth == 0 or trace.enter(row) > first.step:
            continue
        parent = node.parent
        before = [child.value for child in parent.children if child < row]
        alpha, beta = parent.alpha, parent.beta
        if before:
            best = max(before) if parent.maximizing else min(before)
            alpha, beta = (max(alpha, best), beta) if parent.maximizing else (alpha, min(beta, best))
        assert (node.alpha, node.beta) == (alpha, beta)
        if trace.leave(row) < first.step and node.children:
            assert node.value == best_value([child.value for child in node.children], node.maximizing)
    assert grade_answer(exercise, answer_key(exercise)).solved


def find_contradictions(record, row, cut_on_equal):
    """Yield the rows where a call differs from alpha-beta with the same child values, in the order of the search."""
    node = record[row]
    alpha, beta, scores = node.alpha, node.beta, []
    for child in node.children:
        best = best_value(scores, node.maximizing) if scores else None
        cuts = best is not None and (best > beta if node.maximizing else best < alpha)
        cuts = cuts or (cut_on_equal and best is not None and best == (beta if node.maximizing else alpha))
        if best is not None and not cuts:
            alpha, beta = (max(alpha, best), beta) if node.maximizing else (alpha, min(beta, best))
        if cuts or (child.alpha, child.beta) != (alpha, beta):
            yield int(child)
        yield from find_contradictions(record, child, cut_on_equal)
        scores.append(child.value)
    if scores:
        best, bound = best_value(scores, node.maximizing), beta if node.maximizing else alpha
        beyond = (best > bound if node.maximizing else best < bound) or (cut_on_equal and best == bound)
        if node.value != best or (node.skipped and not beyond):
            yield row


@quick
@given(random_exercises(("mistake",)))
def test_the_first_wrong_call_is_the_first_that_the_reference_finds(exercise):
    check_first_wrong_call(exercise)


@pytest.mark.slow
def test_the_first_wrong_calls_of_many_searches_are_what_the_reference_finds():
    for seed in range(400):
        check_first_wrong_call(make_exercise("mistake", seed, 1 + seed % 5))


def check_first_wrong_call(exercise):
    found = next(find_contradictions(mistake.faulty_search(exercise), 0, exercise.cut_on_equal))
    expected = map_rows(exercise.full_tree, mistake.faulty_search(exercise))[found]
    assert answer_key(exercise) == {"call": expected}
    for row in {0, expected - 1, expected, expected + 1, len(exercise.full_tree) - 1} & set(range(len(exercise.full_tree))):
        assert grade_answer(exercise, {"call": row}).solved == (row == expected)


@quick
@given(random_exercises(("mistake",)))
def test_the_narration_of_a_record_marks_every_wrong_call(exercise):
    record, events = mistake.faulty_search(exercise), list_call_events(exercise)
    assert len(events) == 2 * len(record)
    assert [event.row for event in events if not event.left] == mistake.map_record_rows(exercise)
    assert sorted(event.row for event in events if event.left) == sorted(mistake.map_record_rows(exercise))
    first = next(event for event in events if event.wrong)
    assert {"call": first.row} == answer_key(exercise)
    assert first.words.endswith(describe_wrong_call(exercise, mistake.list_wrong_calls(exercise)[0]))
    assert sum(event.wrong for event in events) == len(mistake.list_wrong_calls(exercise))
    calls = dict(zip(mistake.map_record_rows(exercise), range(len(record)), strict=True))
    for event in events:
        node = record[calls[event.row]]
        expected = format_number(node.value) if event.left else f"{format_number(node.alpha)} to {format_number(node.beta)}"
        assert expected in event.words
