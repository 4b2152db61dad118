"""`plyscope grade`, and the texts of exercises."""

import csv
import json
import re

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
from engine.learning.model import BadAnswer
from engine.learning.summary import record_answer, write_summary
from tests.support.exercises import encode_answers, quick, random_exercises
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


def write_file(folder, name, learner, change=lambda done: done):
    answers = encode_answers(
        [
            record_answer(make_exercise("values", 1)),
            record_answer(make_exercise("count", 2, 2), {"expanded": 15, "leaves": 8, "cutoffs": 0}),
        ]
    )
    target = folder / name
    target.write_bytes(write_summary(change(answers), learner))
    return target


def test_a_summary_is_checked_and_graded_again(tmp_path):
    process = run_grade(write_file(tmp_path, "ada.json", "Ada"), "--json")
    assert process.returncode == 0
    result = json.loads(process.stdout)
    assert result["learner"] == "Ada"
    assert [result[name] for name in ("unchanged", "honest", "points", "total")] == [True, True, 4, 7]
    assert [one["thought"] for one in result["exercises"]] == ["", "minimax"]


def test_a_class_is_listed_and_written_to_a_table(tmp_path):
    def add_points(answers):
        answers[1]["points"] = 3
        return answers

    honest, faked = write_file(tmp_path, "ada.json", "=Ada()"), write_file(tmp_path, "bob.json", "Bob\x1b[31m", add_points)
    edited = write_file(tmp_path, "eve.json", "Eve")
    edited.write_text(edited.read_text().replace('"points": 4', '"points": 2'))
    target = tmp_path / "grades.csv"
    result = run_grade(honest, faked, edited, "-o", target)
    assert result.returncode == 1
    assert "Unchanged files with right points: 1 of 3." in result.stdout
    assert "the file says 3 points, but the answer is worth 0 of 3" in " ".join(result.stdout.split())
    assert "changed after the download" in " ".join(result.stdout.split())
    assert "\x1b[31m" not in result.stdout
    rows = list(csv.DictReader(target.open()))
    assert [row["points"] for row in rows] == ["4", "0"] * 3
    assert [row["unchanged"] for row in rows] == ["yes"] * 4 + ["no"] * 2
    assert rows[0]["learner"] == "'=Ada()"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read"),
        (b"{}", "not a summary of progress"),
        (b"\x00" * 9, "not a summary"),
        (b"[" * 10**5, "not a summary"),
        ('{"format": "x", "learner": "J\xf6rg"}'.encode("latin-1"), "not UTF-8"),
    ],
)
def test_other_files_are_refused_in_one_line(tmp_path, content, message):
    target = tmp_path / "x.json"
    if content is not None:
        target.write_bytes(content)
    result = run_grade(target)
    assert result.returncode == 2
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_byte_order_mark_changes_nothing(tmp_path):
    target = write_file(tmp_path, "ada.json", "Ada")
    target.write_bytes(b"\xef\xbb\xbf" + target.read_bytes())
    assert run_grade(target).returncode == 0


def test_the_other_files_are_graded_if_one_is_bad(tmp_path):
    good, bad, target = write_file(tmp_path, "ada.json", "Ada"), tmp_path / "bad.json", tmp_path / "grades.csv"
    bad.write_text("{}")
    result = run_grade(bad, good, tmp_path / "none.json", "-o", target)
    assert result.returncode == 2
    assert "4/7" in result.stdout
    assert [line.split(":")[1].strip() for line in result.stderr.splitlines() if line.startswith("plyscope:")] == [
        "bad.json",
        "none.json",
    ]
    assert {row["file"] for row in csv.DictReader(target.open())} == {"ada.json"}


def test_shared_mistakes_are_reported(tmp_path):
    def first_answer(answers):
        return answers[:1]

    ada, bob = write_file(tmp_path, "ada.json", "Ada"), write_file(tmp_path, "bob.json", "Bob")
    result = run_grade(ada, bob)
    assert result.returncode == 0
    output = " ".join(result.stdout.split())
    assert "bob.json: 2 of 2 answers are the same as in ada.json, 1 of them wrong, a common mistake" in output
    ada, bob = write_file(tmp_path, "ada.json", "Ada", first_answer), write_file(tmp_path, "bob.json", "Bob", first_answer)
    assert "the same" not in run_grade(ada, bob).stdout  # right answers are always the same


def test_repeated_answers_count_once(tmp_path):
    result = run_grade(write_file(tmp_path, "ada.json", "Ada", lambda done: done * 3), "--json")
    assert json.loads(result.stdout)["points"] == 4
    assert "4/4" in run_grade(write_file(tmp_path, "ada.json", "Ada", lambda done: done * 3)).stdout


def test_the_table_has_one_unit_and_fits_80_columns(tmp_path):
    answers = encode_answers([record_answer(make_exercise(kind, seed, 5)) for kind in EXERCISE_TYPES for seed in range(12)])
    target = tmp_path / "ada.json"
    target.write_bytes(write_summary(answers, "Augusta Ada King, Countess of Lovelace"))
    lines = run_grade(target).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    cells = [cell for line in lines if line.startswith("Augusta") for cell in line.split()]
    points = [tuple(map(int, cell.split("/"))) for cell in cells if "/" in cell]
    heads = [name for line in lines if line.startswith("learner") for name in line.split()[1:]]
    assert heads == ["all", *EXERCISE_TYPES]
    assert len(points) == 1 + len(EXERCISE_TYPES)  # every cell is points
    assert points[0] == tuple(map(sum, zip(*points[1:], strict=True)))


def test_only_csv_files_are_written(tmp_path):
    result = run_grade(write_file(tmp_path, "ada.json", "Ada"), "-o", tmp_path / "x.pdf")
    assert result.returncode == 2
    assert ".csv" in result.stderr


# ---- texts


@quick
@given(random_exercises())
def test_every_part_is_explained(exercise):
    prompt = exercise_prompt(exercise)
    assert "{" not in prompt
    without_rule = ("values", "move", "expectation", "chance-cut", "ucb", "backup")
    assert (CUTOFF_RULES[exercise.cut_on_equal] in prompt) == (exercise.kind not in without_rule)
    grade = grade_answer(exercise, {})
    for item in wrong_items(grade):
        assert describe_solution(exercise, item).endswith(".")
        assert len(explain_solution(exercise, item)) > 20
    assert grade_headline(exercise, grade)
    assert grade_headline(exercise, grade_answer(exercise, encode_answer(answer_key(exercise)))).startswith(
        ("Everything is right.", "That is")
    )
    for number in (1, 2, 3):
        assert format_hint(exercise, give_hint(exercise, {}, number)).endswith((".", "?"))


def test_reasons_use_the_sentences_of_step():
    exercise = make_exercise("pruned", 4, 1)
    first = wrong_items(grade_answer(exercise, {}))[0]
    assert describe_solution(exercise, first) == "The node after move 1, then move 1 is never visited."
    assert explain_solution(exercise, first) == (
        "At the node after move 1: MIN can already get 0 here, but at the root MAX is sure of 2 by choosing move 0. "
        "MAX will never let play reach this node, so there is a cutoff: moves 1 and 2 are skipped."
    )
    marked = next(item for item in grade_answer(exercise, {"1": True}).items if item.part == "1")
    assert describe_solution(exercise, marked) == "The node after move 0 is visited."


def test_a_value_is_explained_by_those_below_it_and_by_the_side_that_chooses():
    exercise = make_exercise("values", 4, 1)
    reasons = [explain_solution(exercise, item) for item in grade_answer(exercise, {}).items]
    assert sum("MIN moves there and chooses the smallest of the values below it: " in reason for reason in reasons) == 3
    root = exercise.full_tree.root
    below = " and ".join(f"{child.value:g}" for child in root.children).replace(" and ", ", ", len(root.children) - 2)
    assert f"MAX moves there and chooses the largest of the values below it: {below}." in [
        reason.replace("−", "-") for reason in reasons
    ]


def test_lost_points_are_explained():
    def headline(kind, answer, difficulty=1):
        exercise = make_exercise(kind, 4, difficulty)
        return grade_headline(exercise, grade_answer(exercise, answer))

    assert headline("values", {}) == "0 of 4 points: one for each right value."
    assert headline("window", {}).endswith("points: one for each node with the right α and β.")
    assert headline("count", {}) == "0 of 3 points: one for each right number."
    pruned = encode_answer(answer_key(make_exercise("pruned", 4, 1)))
    first = next(iter(pruned))
    total = len(pruned)
    assert headline("pruned", {first: True}) == f"1 of {total} points: 1 of {total} pruned nodes are marked."
    assert headline("pruned", {first: True, "1": True}) == (
        f"0 of {total} points: 1 right mark minus 1 wrong mark, because a wrong mark cancels a right one."
    )
    assert headline("pruned", {**pruned, "1": True, "2": True}).endswith(
        "minus 2 wrong marks, because a wrong mark cancels a right one."
    )
    assert headline("order", {}).endswith("The points are your share of the nodes that can be saved.")


@pytest.mark.parametrize(
    ("kind", "typed", "message"),
    [
        ("values", "abc", "'abc' is not a number: write a number such as 7 or -3"),
        ("values", "inf", "'inf' is not the value of a node: write a number such as 7 or -3"),
        ("count", "abc", "'abc' is not a count: write a whole number from 0 to"),
        ("count", "1.5", "'1.5' is not a count: write a whole number from 0 to"),
    ],
)
def test_wrong_input_is_refused_with_examples_that_fit_the_field(kind, typed, message):
    exercise = make_exercise(kind, 4, 1)
    with pytest.raises(BadAnswer, match=re.escape(message)):
        grade_answer(exercise, {next(iter(answer_key(exercise))): typed})


def test_the_first_wrong_call_is_never_called_right():
    exercise = make_exercise("mistake", 110, 1)
    item = grade_answer(exercise, {"call": 9}).items[0]
    assert (
        describe_solution(exercise, item)
        == "The first wrong call is the node after move 0, then move 1, not the node after move 2."
    )
    assert (
        describe_solution(exercise, grade_answer(exercise, answer_key(exercise)).items[0])
        == "The first wrong call is the node after move 0, then move 1."
    )


def test_advice_is_given_only_if_it_fits_the_rule_for_cutoffs():
    found = [make_exercise("mistake", seed, 3 + seed % 3) for seed in range(200)]
    strict = [exercise for exercise in found if exercise.mistake == "no-cutoff" and not exercise.cut_on_equal]
    assert strict
    for exercise in strict:
        assert "alpha >= beta" not in explain_solution(exercise, grade_answer(exercise, answer_key(exercise)).items[0])


@pytest.mark.parametrize("seed", range(6))
def test_the_solution_of_a_real_position_names_the_reply(seed):
    exercise = make_exercise("cut", seed, 2)
    after = answer_key(exercise)["after"]
    solution = describe_solution(exercise, grade_answer(exercise, {"after": (after + 1) % 3}).items[0])
    assert solution.startswith(
        f"The search leaves this node after move {cut.list_replies(exercise)[after - 1].name} and" if after else "Nothing"
    )


def test_hints_start_with_the_deepest_node():
    exercise = make_exercise("values", 1)
    assert give_hint(exercise, {}, 2).item.part == "1"


def test_every_kind_has_texts():
    for kind in EXERCISE_TYPES:
        exercise = make_exercise(kind, 3, 4)
        assert describe_solution(exercise, grade_answer(exercise, encode_answer(answer_key(exercise))).items[0])
