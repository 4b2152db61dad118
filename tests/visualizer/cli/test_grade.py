"""`plyscope grade`, and what is said about exercises."""

import csv
import json

import pytest
from hypothesis import given

from engine.learning.exercise import (
    EXERCISE_TYPES,
    answer_key,
    encode_answer,
    give_hint,
    grade_answer,
    make_exercise,
    wrong_items,
)
from engine.learning.exercise_types import cut
from engine.learning.summary import record_answer, write_summary
from tests.support.exercises import as_plain, exercises, quick
from tests.support.processes import run_command
from visualizer.narration.exercise_messages import (
    CUTOFF_RULES,
    describe_solution,
    exercise_prompt,
    explain_solution,
    format_hint,
    grade_headline,
)


def run_grade(*arguments):
    return run_command("grade", *map(str, arguments))


def handed_in(folder, name, learner, change=lambda done: done):
    done = as_plain(
        [
            record_answer(make_exercise("values", 1)),
            record_answer(make_exercise("count", 2, 2), {"expanded": 15, "leaves": 8, "cutoffs": 0}),
        ]
    )
    target = folder / name
    target.write_bytes(write_summary(change(done), learner))
    return target


def test_a_summary_is_checked_and_graded_again(tmp_path):
    shown = run_grade(handed_in(tmp_path, "ada.json", "Ada"), "--json")
    assert shown.returncode == 0
    told_of = json.loads(shown.stdout)
    assert told_of["learner"] == "Ada"
    assert [told_of[name] for name in ("unchanged", "honest", "points", "total")] == [True, True, 4, 7]
    assert [one["thought"] for one in told_of["exercises"]] == ["", "minimax"]


def test_of_a_class_one_line_each_and_a_table_in_a_file(tmp_path):
    def better(done):
        done[1]["points"] = 3
        return done

    honest, faked = handed_in(tmp_path, "ada.json", "=Ada()"), handed_in(tmp_path, "bob.json", "Bob\x1b[31m", better)
    edited = handed_in(tmp_path, "eve.json", "Eve")
    edited.write_text(edited.read_text().replace('"points": 4', '"points": 2'))
    target = tmp_path / "grades.csv"
    shown = run_grade(honest, faked, edited, "-o", target)
    assert shown.returncode == 1
    assert "as downloaded" in shown.stdout
    assert "the file says 3 points, and the answer is worth 0 of 3" in " ".join(shown.stdout.split())
    assert "it was changed" in " ".join(shown.stdout.split())
    assert "\x1b[31m" not in shown.stdout
    rows = list(csv.DictReader(target.open()))
    assert [row["points"] for row in rows] == ["4", "0"] * 3
    assert [row["unchanged"] for row in rows] == ["yes"] * 4 + ["no"] * 2
    assert rows[0]["learner"] == "'=Ada()"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot read"),
        (b"{}", "no summary of progress"),
        (b"\x00" * 9, "no summary"),
        (b"[" * 10**5, "no summary"),
        ('{"format": "x", "learner": "J\xf6rg"}'.encode("latin-1"), "not UTF-8"),
    ],
)
def test_what_is_no_summary_is_one_sentence(tmp_path, content, said):
    target = tmp_path / "x.json"
    if content is not None:
        target.write_bytes(content)
    shown = run_grade(target)
    assert shown.returncode == 2
    assert said in shown.stderr
    assert len(shown.stderr.splitlines()) == 1


def test_a_byte_order_mark_changes_nothing(tmp_path):
    target = handed_in(tmp_path, "ada.json", "Ada")
    target.write_bytes(b"\xef\xbb\xbf" + target.read_bytes())
    assert run_grade(target).returncode == 0


def test_one_bad_file_does_not_keep_the_others_from_being_graded(tmp_path):
    good, bad, target = handed_in(tmp_path, "ada.json", "Ada"), tmp_path / "bad.json", tmp_path / "grades.csv"
    bad.write_text("{}")
    shown = run_grade(bad, good, tmp_path / "none.json", "-o", target)
    assert shown.returncode == 2
    assert "4 of 7" in shown.stdout
    assert [line.split(":")[1].strip() for line in shown.stderr.splitlines() if line.startswith("plyscope:")] == [
        "bad.json",
        "none.json",
    ]
    assert {row["file"] for row in csv.DictReader(target.open())} == {"ada.json"}


def test_the_same_answers_with_the_same_mistakes_are_named(tmp_path):
    def all_right(done):
        return done[:1]

    ada, bob = handed_in(tmp_path, "ada.json", "Ada"), handed_in(tmp_path, "bob.json", "Bob")
    shown = run_grade(ada, bob)
    assert shown.returncode == 0
    said = " ".join(shown.stdout.split())
    assert "bob.json: the same 2 of 2 answers as in ada.json, 1 of them wrong, a common mistake" in said
    ada, bob = handed_in(tmp_path, "ada.json", "Ada", all_right), handed_in(tmp_path, "bob.json", "Bob", all_right)
    assert "the same" not in run_grade(ada, bob).stdout  # who has everything right has the same answers


def test_what_was_answered_again_is_counted_once(tmp_path):
    shown = run_grade(handed_in(tmp_path, "ada.json", "Ada", lambda done: done * 3), "--json")
    assert json.loads(shown.stdout)["points"] == 4
    assert "1 of 1" in run_grade(handed_in(tmp_path, "ada.json", "Ada", lambda done: done * 3)).stdout


def test_only_tables_are_written(tmp_path):
    shown = run_grade(handed_in(tmp_path, "ada.json", "Ada"), "-o", tmp_path / "x.pdf")
    assert shown.returncode == 2
    assert ".csv" in shown.stderr


# ---- words


@quick
@given(exercises())
def test_every_answer_is_told_with_its_reason(exercise):
    said = exercise_prompt(exercise)
    assert "{" not in said
    assert (CUTOFF_RULES[exercise.cut_on_equal] in said) == (exercise.kind not in ("values", "move"))
    judged = grade_answer(exercise, {})
    for item in wrong_items(judged):
        assert describe_solution(exercise, item).endswith(".")
        assert len(explain_solution(exercise, item)) > 20
    assert grade_headline(exercise, judged)
    assert grade_headline(exercise, grade_answer(exercise, encode_answer(answer_key(exercise)))).startswith(("All", "That is"))
    for number in (1, 2, 3):
        assert format_hint(exercise, give_hint(exercise, {}, number)).endswith((".", "?"))


def test_reasons_are_the_sentences_of_step():
    exercise = make_exercise("pruned", 4, 1)
    first = wrong_items(grade_answer(exercise, {}))[0]
    assert describe_solution(exercise, first) == "The node after 1, 1 is never visited."
    assert explain_solution(exercise, first) == (
        "At the node after 1: MIN already holds 0 here, but MAX is sure of 2 by choosing move 0 at the root; "
        "MAX will never allow this node, so moves 1 and 2 are not looked at."
    )
    marked = next(item for item in grade_answer(exercise, {"1": True}).items if item.part == "1")
    assert describe_solution(exercise, marked) == "The node after 0 is visited."


def test_the_first_wrong_call_is_never_called_right():
    exercise = make_exercise("mistake", 110, 1)
    item = grade_answer(exercise, {"call": 9}).items[0]
    assert describe_solution(exercise, item) == "The first wrong call is the node after 0, 1, not the node after 2."
    assert (
        describe_solution(exercise, grade_answer(exercise, answer_key(exercise)).items[0])
        == "The first wrong call is the node after 0, 1."
    )


def test_what_a_program_should_do_is_only_said_where_it_fits_the_rule():
    found = [make_exercise("mistake", seed, 3 + seed % 3) for seed in range(200)]
    strict = [exercise for exercise in found if exercise.wrong == "no-cutoff" and not exercise.cut_on_equal]
    assert strict
    for exercise in strict:
        assert "alpha >= beta" not in explain_solution(exercise, grade_answer(exercise, answer_key(exercise)).items[0])


@pytest.mark.parametrize("seed", range(6))
def test_of_a_real_position_the_reply_is_named(seed):
    exercise = make_exercise("cut", seed, 2)
    after = answer_key(exercise)["after"]
    said = describe_solution(exercise, grade_answer(exercise, {"after": (after + 1) % 3}).items[0])
    assert said.startswith(
        f"The search leaves this node after move {cut.list_replies(exercise)[after - 1].name}," if after else "Nothing"
    )


def test_hints_begin_where_the_search_does():
    """The deepest node first, not the root."""
    exercise = make_exercise("values", 1)
    assert give_hint(exercise, {}, 2).item.part == "1"


def test_there_are_words_for_every_kind():
    for kind in EXERCISE_TYPES:
        exercise = make_exercise(kind, 3, 4)
        assert describe_solution(exercise, grade_answer(exercise, encode_answer(answer_key(exercise))).items[0])
