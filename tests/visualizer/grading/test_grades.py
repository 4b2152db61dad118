"""Grades: only what is certain costs points, and each format has the fields that its system documents."""

import base64
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Literal

import msgspec
import pytest
from click.testing import CliRunner

from engine.checker.check import CheckedProgram, check
from engine.checker.sandbox.kernel_barrier import BarrierMissing
from engine.checker.sandbox.launcher import attach_files
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest
from engine.checker.verdict import NOT_RUN, NOTHING_FOUND, WRONG, ReferenceComparison, Unchecked, Verdict
from engine.core.errors import PlyscopeError
from tests.support.paths import TESTS
from visualizer.cli import grading
from visualizer.cli.main import plyscope
from visualizer.grading import grade
from visualizer.grading.formats import GRADE_FORMATS, render_grades
from visualizer.grading.grade import ResultStatus, build_grade, has_source
from visualizer.grading.rubric import (
    DEFAULT_DEDUCTIONS,
    START,
    BadRubric,
    Rubric,
    RubricPosition,
    parse_rubric,
    read_rubric_template,
)

PROGRAM = TESTS / "students" / "wrong" / "sides_swapped_2.py"
HOSTILE = 'a"b<c>&\x1b[31m\n::error file=x::y\u202e,%]]>'


@pytest.fixture(scope="module")
def checked_program():
    return check(attach_files(CheckRequest(str(PROGRAM))))


@pytest.fixture(scope="module")
def wrong_grade(checked_program):
    return build_grade(str(PROGRAM), Rubric(), [(START, make_certain(checked_program))])


def make_certain(checked, **changes):
    """Return the program with one finding: a certain one, unless changed."""
    finding = checked.verdict.findings[0]._replace(**{"certain": True, "proof": "with max and min exchanged", **changes})
    return checked._replace(verdict=replace(checked.verdict, findings=[finding]))


def make_failed_program():
    reason = "no search was found"
    return CheckedProgram(Verdict(PROGRAM.name, verdict=NOT_RUN, reason=reason), Answer(failed=reason))


# ---- points


def test_a_certain_finding_costs_points_once_and_the_points_add_up(checked_program, wrong_grade):
    assert (wrong_grade.points, wrong_grade.max_points) == (6, 10)
    twice = build_grade(str(PROGRAM), Rubric(), [(START, make_certain(checked_program))] * 2)
    assert (twice.points, twice.max_points) == (6, 10)
    assert [result.status for result in wrong_grade.results] == [ResultStatus.FAILED, ResultStatus.PASSED]


def test_a_likely_finding_is_shown_and_costs_nothing(checked_program):
    grade = build_grade(str(PROGRAM), Rubric(), [(START, make_certain(checked_program, certain=False, proof=""))])
    assert grade.points == grade.max_points == 10
    assert grade.results[0].status == ResultStatus.UNSURE
    assert "costs no points" in grade.results[0].output


def test_a_program_cannot_lose_more_than_it_has(checked_program):
    rubric = Rubric(points=3, deductions={"sides-swapped": 50})
    grade = build_grade(str(PROGRAM), rubric, [(START, make_certain(checked_program))])
    assert (grade.points, grade.max_points) == (0, 3)


@pytest.mark.parametrize(("not_run", "points"), [("full", 10), ("none", 0)])
def test_a_program_that_could_not_be_run_has_to_be_graded_by_hand(not_run, points):
    grade = build_grade(str(PROGRAM), Rubric(not_run=not_run), [(START, make_failed_program())])
    assert (grade.points, grade.max_points, grade.is_judged) == (points, 10, False)
    assert "graded by hand" in grade.results[0].output


def test_monte_carlo_tree_search_is_recorded_and_graded_by_hand(checked_program):
    facts = {"verdict": NOTHING_FOUND, "findings": [], "not_looked_at": [Unchecked.TREE_OF_SAMPLES]}
    recorded = checked_program._replace(verdict=replace(checked_program.verdict, **facts))
    grade = build_grade(str(PROGRAM), Rubric(), [(START, recorded)])
    assert grade.headline.endswith("a Monte Carlo tree search: recorded, not judged")
    assert [(result.name, result.status) for result in grade.results] == [("Not judged", ResultStatus.UNSURE)]
    assert (grade.points, grade.is_judged) == (10, False)
    found = replace(recorded.verdict, verdict=WRONG, findings=checked_program.verdict.findings)
    assert build_grade(str(PROGRAM), Rubric(), [(START, recorded._replace(verdict=found))]).is_judged


def test_a_program_whose_choice_of_moves_was_not_judged_is_graded_by_hand(checked_program):
    facts = {"verdict": NOTHING_FOUND, "findings": [], "complete": True, "reason": "nothing could be checked", "looked_at": []}
    unjudged = checked_program._replace(verdict=replace(checked_program.verdict, **facts))
    grade = build_grade(str(PROGRAM), Rubric(), [(START, unjudged)])
    assert [(result.name, result.status) for result in grade.results] == [("Not judged", ResultStatus.UNSURE)]
    assert grade.results[0].output.startswith("Nothing could be checked.")
    assert (grade.points, grade.is_judged) == (10, False)
    judged = checked_program._replace(verdict=replace(unjudged.verdict, reason="one score", looked_at=["the root"]))
    assert build_grade(str(PROGRAM), Rubric(), [(START, unjudged), (START, judged)]).is_judged
    no_choice = replace(judged.verdict, not_looked_at=[str(Unchecked.MOVE_CHOICE)])
    assert not build_grade(str(PROGRAM), Rubric(), [(START, judged._replace(verdict=no_choice))]).is_judged


def test_no_program_gets_no_points(tmp_path):
    (tmp_path / "empty.py").write_text(" \n")
    for path in (tmp_path, tmp_path / "empty.py", tmp_path / "missing.py"):
        assert not has_source(str(path))
        assert build_grade(str(path), Rubric(), [(START, make_failed_program())]).points == 0


def change_verdict(checked, **changes):
    return checked._replace(verdict=replace(checked.verdict, findings=[], **changes))


def reference(**changes):
    return ReferenceComparison(
        **{"value_equal": True, "move_equal": None, "nodes": 5, "reference_nodes": 5, "convention": "", **changes}
    )


@pytest.mark.parametrize(
    ("condition", "verdict", "points"),
    [
        ({"max_calls": 100}, {"rows": 100}, 2),
        ({"max_calls": 100}, {"rows": 101}, 0),
        ({"max_calls": 100}, {"rows": 101, "complete": False}, 0),
        ({"max_calls": 100}, {"rows": 50, "complete": False}, 2),
        ({"min_calls": 100}, {"rows": 100}, 2),
        ({"min_calls": 100}, {"rows": 99}, 0),
        ({"min_calls": 100}, {"rows": 99, "complete": False}, 2),
        ({"same_value": True}, {"reference": reference()}, 2),
        ({"same_value": True}, {"reference": reference(value_equal=False)}, 0),
        ({"same_value": True}, {"reference": reference(value_equal=False), "complete": False}, 2),
        ({"same_move": True}, {"reference": reference()}, 2),
        ({"same_move": True}, {"reference": None}, 2),
    ],
)
def test_a_condition_that_cannot_be_judged_costs_nothing(checked_program, condition, verdict, points):
    position = RubricPosition("start", points=2, game="tictactoe", **condition)
    grade = build_grade(str(PROGRAM), Rubric(positions=(position,)), [(position, change_verdict(checked_program, **verdict))])
    assert (grade.points, grade.max_points) == (10 + points, 12) == (grade.points, Rubric(positions=(position,)).total)


# ---- rubrics


def test_the_printed_template_is_the_default():
    printed = CliRunner().invoke(plyscope, ["autograder", "rubric"]).output
    assert printed == read_rubric_template()
    assert parse_rubric(printed.encode(), "r.toml") == msgspec.structs.replace(Rubric(), deductions=DEFAULT_DEDUCTIONS)


def test_the_examples_in_the_template_are_valid():
    lines = [line.removeprefix("# ") for line in read_rubric_template().splitlines()]
    examples = [line for line in lines if line.startswith(("[[", "sides-", "slow-")) or " = " in line]
    head = [line for line in examples if not line.startswith(("sides-", "slow-"))]
    at = head.index("[[positions]]")
    text = "\n".join([*head[: at - 2], "[deductions]", *head[at - 2 : at], "sides-swapped = 6", "slow-win = 0", *head[at:]])
    rubric = parse_rubric(text.encode(), "r.toml")
    assert rubric.positions[0].conditions == ["max_calls", "min_calls", "same_value", "same_move"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("points = -1", ">= 0"),
        ("point = 3", "unknown field `point`"),
        ("[deductions]\nno-such = 3", "no-such"),
        ('[[positions]]\nname = "a"\nsame_value = true', "needs a game"),
        ('[[positions]]\ncall = "a"', "missing required field `name`"),
        ("points = ", "cannot be used"),
        ("points = nan", "cannot be used"),
    ],
)
def test_a_wrong_rubric_is_refused_with_a_reason(text, words):
    with pytest.raises(PlyscopeError, match=re.escape(words)):
        parse_rubric(text.encode(), "r.toml")


def test_a_rubric_is_read_before_any_program_runs(tmp_path):
    result = CliRunner().invoke(plyscope, ["check", str(PROGRAM), "--format", "junit", "--rubric", str(tmp_path / "gone.toml")])
    assert isinstance(result.exception, BadRubric)


# ---- formats

Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]
TextFormat = Literal["text", "html", "simple_format", "md", "ansi"]


class GradescopeTest(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    score: float
    max_score: float
    status: Literal["passed", "failed"]
    output: str
    number: str = ""
    visibility: Visibility = "visible"
    tags: list[str] = []
    output_format: TextFormat = "text"
    name_format: TextFormat = "text"
    extra_data: dict = {}


class GradescopeResults(msgspec.Struct, forbid_unknown_fields=True):
    """The documented fields of Gradescope's results.json."""

    tests: list[GradescopeTest]
    score: float
    output: str = ""
    execution_time: float = 0
    output_format: TextFormat = "text"
    test_output_format: TextFormat = "text"
    test_name_format: TextFormat = "text"
    visibility: Visibility = "visible"
    stdout_visibility: Visibility = "hidden"
    extra_data: dict = {}
    leaderboard: list = []


class PrairieLearnImage(msgspec.Struct, forbid_unknown_fields=True):
    url: str
    label: str = ""


class PrairieLearnTest(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    points: float
    max_points: float
    description: str = ""
    message: str = ""
    output: str = ""
    images: list[PrairieLearnImage] = []


class PrairieLearnResults(msgspec.Struct, forbid_unknown_fields=True):
    """The documented fields of PrairieLearn's results.json."""

    gradable: bool
    score: float | None = None
    message: str = ""
    output: str = ""
    images: list[PrairieLearnImage] = []
    tests: list[PrairieLearnTest] = []
    format_errors: list[str] = []


def test_gradescope_gets_its_documented_fields(wrong_grade):
    results = msgspec.json.decode(render_grades("gradescope", [wrong_grade], Rubric()), type=GradescopeResults)
    assert results.score == sum(test.score for test in results.tests) == 6
    assert sum(test.max_score for test in results.tests) == 10
    assert results.tests[0].status == "failed"
    assert "sides-swapped" in results.tests[0].tags


def test_prairielearn_gets_its_documented_fields_and_a_picture(wrong_grade):
    results = msgspec.json.decode(render_grades("prairielearn", [wrong_grade], Rubric()), type=PrairieLearnResults)
    assert results.score == 0.6
    kind, _, content = results.images[0].url.partition(";base64,")
    assert kind == "data:image/svg+xml"
    assert ET.fromstring(base64.b64decode(content)).tag.endswith("svg")


def test_prairielearn_does_not_count_an_attempt_that_could_not_be_run():
    grade = build_grade(str(PROGRAM), Rubric(), [(START, make_failed_program())])
    results = msgspec.json.decode(render_grades("prairielearn", [grade], Rubric()), type=PrairieLearnResults)
    assert (results.gradable, results.score) == (False, None)
    assert results.format_errors


def test_junit_counts_its_cases(wrong_grade):
    root = ET.fromstring(render_grades("junit", [wrong_grade, wrong_grade], Rubric()))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "4", "2")
    assert [suite.tag for suite in root] == ["testsuite"] * 2
    case = root.find("testsuite/testcase")
    assert (case.get("file"), int(case.get("line"))) == (PROGRAM.name, wrong_grade.results[0].finding.line)
    assert "> " in case.find("failure").text


def test_github_gets_an_annotation_at_the_line(wrong_grade):
    first, last = render_grades("github", [wrong_grade], Rubric()).splitlines()
    assert first.startswith(f"::error file={PROGRAM.as_posix()},line={wrong_grade.results[0].finding.line},title=MAX and MIN")
    assert last.startswith("::notice file=")


@pytest.mark.parametrize("name", GRADE_FORMATS)
def test_texts_of_a_program_do_not_break_a_format(checked_program, name):
    hostile = make_certain(checked_program, sentence=HOSTILE, file=HOSTILE, proof=HOSTILE, board=HOSTILE)
    text = render_grades(name, [build_grade(HOSTILE, Rubric(), [(START, hostile)])], Rubric())
    assert not {"\x1b", "\u202e"} & set(text)
    if name == "junit":
        ET.fromstring(text)
    elif name == "github":
        assert all(line.startswith(("::error file=a", "::notice file=a")) for line in text.splitlines())
        assert "\n::error file=x" not in text
    else:
        json.loads(text)


def test_one_format_holds_one_program():
    result = CliRunner().invoke(plyscope, ["check", "a.py", "b.py", "--format", "gradescope"])
    assert "holds one program" in str(result.exception)


def test_programs_for_graders_run_behind_the_kernel_barrier_where_there_is_one(monkeypatch, tmp_path):
    seen = []

    def note(request):
        seen.append(request.isolated)
        return make_failed_program()

    monkeypatch.setattr(grade, "check", note)
    monkeypatch.setattr(grading, "try_barrier", lambda: None)
    for name in GRADE_FORMATS:
        CliRunner().invoke(plyscope, ["check", str(PROGRAM), "--format", name, "-o", str(tmp_path / name)])
    assert dict(zip(GRADE_FORMATS, seen, strict=True)) == {
        "gradescope": True, "prairielearn": True, "junit": False, "github": False,
    }  # fmt: skip
    assert json.loads((tmp_path / "gradescope").read_text())["extra_data"]["isolated"]

    def refuse():
        raise BarrierMissing("Landlock is missing")

    monkeypatch.setattr(grading, "try_barrier", refuse)
    result = CliRunner().invoke(plyscope, ["check", str(PROGRAM), "--format", "gradescope", "-o", str(tmp_path / "open")])
    assert "graded without the kernel barrier: Landlock is missing" in result.stderr
    assert (seen[-1], json.loads((tmp_path / "open").read_text())["extra_data"]["isolated"]) == (False, False)


def test_lines_that_may_forge_a_verdict_are_for_instructors_and_cost_nothing(checked_program):
    doubtful = checked_program._replace(
        verdict=replace(checked_program.verdict, findings=[], doubts=["a.py:3 looks into the memory"])
    )
    built = build_grade(str(PROGRAM), Rubric(), [(START, doubtful)])
    assert built.points == built.max_points
    shown = json.loads(render_grades("gradescope", [built], Rubric()))["tests"][-1]
    assert (shown["visibility"], shown["max_score"]) == ("hidden", 0.0)
    assert "read this line: a.py:3 looks into the memory" in shown["output"]
