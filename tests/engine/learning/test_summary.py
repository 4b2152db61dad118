"""Summaries of progress: read back, graded again, and refused if they are not valid."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.learning.exercise import EXERCISE_TYPES, make_exercise
from engine.learning.summary import BadSummary, compute_hash, read_summary, record_answer, summary_file_name, write_summary
from tests.support.exercises import JSON, encode_answers, quick


def answered_exercises():
    wrong = make_exercise("count", 3, 2)
    return [record_answer(make_exercise(kind, 1, 2)) for kind in EXERCISE_TYPES] + [record_answer(wrong, {"expanded": 1})]


def test_a_summary_is_read_back_and_graded_again():
    checked = read_summary(write_summary(encode_answers(answered_exercises()), "Ada"))
    assert checked.unchanged
    assert checked.is_consistent
    assert checked.learner == "Ada"
    assert checked.right == sum(regraded.answered.total for regraded in checked.exercises[:-1])
    assert checked.total == sum(regraded.answered.total for regraded in checked.exercises)
    assert [regraded.has_same_points for regraded in checked.exercises] == [True] * (len(EXERCISE_TYPES) + 1)


def test_points_that_were_edited_show_even_with_a_new_hash():
    answers = encode_answers(answered_exercises())
    answers[-1]["points"] = 3
    edited = json.loads(write_summary(encode_answers(answered_exercises())))
    edited["exercises"][-1]["points"] = 3
    checked = read_summary(json.dumps(edited).encode())
    assert not checked.unchanged
    assert not checked.is_consistent
    assert not checked.exercises[-1].has_same_points
    faked = read_summary(write_summary(answers))
    assert faked.unchanged
    assert not faked.is_consistent
    assert not faked.exercises[-1].has_same_points
    assert faked.right == checked.right == sum(regraded.answered.total for regraded in faked.exercises[:-1])


def test_the_first_answer_to_an_exercise_counts():
    answers = encode_answers([record_answer(make_exercise("values", 1)), record_answer(make_exercise("values", 1), {})])
    checked = read_summary(write_summary(answers))
    assert (checked.right, checked.total) == (4, 4)
    reversed_order = read_summary(write_summary(answers[::-1]))
    assert (reversed_order.right, reversed_order.total) == (0, 4)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"format": 1}',
        b"\xff",
        b'{"format":"other","learner":"","exercises":[],"hash":""}',
        b" " * 5_000_001,
    ],
    ids=["empty", "list", "object", "deep", "number", "bytes", "format", "large"],
)
def test_other_files_are_refused_with_a_message(content):
    with pytest.raises(BadSummary) as error:
        read_summary(content)
    assert len(str(error.value)) < 300


@quick
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "kind": st.text(max_size=8),
                "seed": st.integers(),
                "difficulty": st.integers(),
                "answer": st.dictionaries(st.text(max_size=3), JSON, max_size=3),
                "points": st.integers(0, 9),
            }
        ),
        max_size=3,
    ),
    st.text(max_size=100),
)
def test_every_list_from_a_browser_becomes_a_summary_or_is_refused(exercises, learner):
    try:
        content = write_summary(exercises, learner)
    except BadSummary:
        return
    checked = read_summary(content)
    assert checked.unchanged
    assert checked.learner.isprintable() or not checked.learner


def test_the_hash_is_of_the_contents():
    assert compute_hash("Ada", answered_exercises()) != compute_hash("Bob", answered_exercises())
    content = json.loads(write_summary(encode_answers(answered_exercises()), "Ada"))
    assert read_summary(json.dumps(content, indent=4).encode()).unchanged


@pytest.mark.parametrize(
    "learner", ["", "Ada", "Jörg  Müller", "../../etc/passwd", "a\x00b\n", "CON", ".", "x" * 300, "名前 ✓", "-" * 90]
)
def test_the_name_of_the_file_is_safe(learner):
    name = summary_file_name(learner)
    assert re.fullmatch(r"plyscope-progress(-\w+)*\.json", name)
    assert len(name) <= 70
