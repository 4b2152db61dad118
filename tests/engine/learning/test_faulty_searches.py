"""Searches with a mistake, and the first call that their record proves wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import literal, search
from engine.checker.diagnosis.mistakes import MISTAKES
from engine.learning.call_checks import wrong_calls
from engine.learning.exercise import grade, key, make
from engine.learning.exercise_types import mistake
from engine.learning.faulty_searches import WRONG, Right, searched_wrongly
from engine.learning.row_mapping import rows_in
from engine.question import Question
from engine.tree.trace import Trace
from tests.support.exercises import TREES, best_for, exercises, quick
from visualizer.narration.call_narration import events_of
from visualizer.narration.exercise_messages import what_is_wrong
from visualizer.narration.numbers import number


@quick
@given(TREES.filter(lambda tree: isinstance(tree, list)), st.booleans(), st.sampled_from(["max", "min"]))
def test_a_right_search_has_no_wrong_call_and_is_recorded_like_ours(tree, cut_on_equal, first):
    question = Question(literal(tree, first), cut_on_equal=cut_on_equal)
    ours, hand = search(question), searched_wrongly(question, Right())
    assert wrong_calls(ours, cut_on_equal) == wrong_calls(hand, cut_on_equal) == []
    for name, column in ours.columns._asdict().items():
        assert column.tolist() == hand.columns._asdict()[name].tolist()


@pytest.mark.parametrize("name", WRONG)
def test_every_mistake_is_shown_by_some_exercise_and_is_in_the_catalogue(name):
    assert name in MISTAKES
    shown = [make("mistake", seed, 1 + seed % 5) for seed in range(150)]
    assert any(exercise.wrong == name for exercise in shown)


@quick
@given(exercises(("mistake",)))
def test_up_to_the_first_wrong_call_the_record_is_that_of_a_right_search(exercise):
    """Proof from outside: a right search that gets the same values from below does the same until then."""
    record, first = mistake.record_of(exercise), mistake.calls_of(exercise)[0]
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
            assert node.value == best_for([child.value for child in node.children], node.maximizing)
    assert grade(exercise, key(exercise)).solved


def contradictions(record, row, cut_on_equal):
    """Call by call, in the order of the search: what alpha-beta would have done with what the call got, against what it did."""
    node = record[row]
    alpha, beta, got = node.alpha, node.beta, []
    for child in node.children:
        best = best_for(got, node.maximizing) if got else None
        cuts = best is not None and (best > beta if node.maximizing else best < alpha)
        cuts = cuts or (cut_on_equal and best is not None and best == (beta if node.maximizing else alpha))
        if best is not None and not cuts:
            alpha, beta = (max(alpha, best), beta) if node.maximizing else (alpha, min(beta, best))
        if cuts or (child.alpha, child.beta) != (alpha, beta):
            yield int(child)
        yield from contradictions(record, child, cut_on_equal)
        got.append(child.value)
    if got:
        best, bound = best_for(got, node.maximizing), beta if node.maximizing else alpha
        beyond = (best > bound if node.maximizing else best < bound) or (cut_on_equal and best == bound)
        if node.value != best or (node.skipped and not beyond):
            yield row


@quick
@given(exercises(("mistake",)))
def test_the_first_wrong_call_is_the_first_that_the_reference_finds(exercise):
    check_first_wrong_call(exercise)


@pytest.mark.slow
def test_the_first_wrong_calls_of_many_searches_are_what_the_reference_finds():
    for seed in range(400):
        check_first_wrong_call(make("mistake", seed, 1 + seed % 5))


def check_first_wrong_call(exercise):
    found = next(contradictions(mistake.record_of(exercise), 0, exercise.cut_on_equal))
    wanted = rows_in(exercise.whole, mistake.record_of(exercise))[found]
    assert key(exercise) == {"call": wanted}
    for row in {0, wanted - 1, wanted, wanted + 1, len(exercise.whole) - 1} & set(range(len(exercise.whole))):
        assert grade(exercise, {"call": row}).solved == (row == wanted)


@quick
@given(exercises(("mistake",)))
def test_a_recorded_search_is_told_call_by_call_up_to_its_mistake(exercise):
    record, events = mistake.record_of(exercise), events_of(exercise)
    assert len(events) == 2 * len(record)
    assert [event.row for event in events if not event.left] == mistake.shown_rows(exercise)
    assert sorted(event.row for event in events if event.left) == sorted(mistake.shown_rows(exercise))
    first = next(event for event in events if event.wrong)
    assert {"call": first.row} == key(exercise)
    assert first.words.endswith(what_is_wrong(exercise, mistake.calls_of(exercise)[0]))
    assert sum(event.wrong for event in events) == len(mistake.calls_of(exercise))
    calls = dict(zip(mistake.shown_rows(exercise), range(len(record)), strict=True))
    for event in events:
        node = record[calls[event.row]]
        told = number(node.value) if event.left else f"{number(node.alpha)} to {number(node.beta)}"
        assert told in event.words
