"""A finding is shown at its line, with its source, its proof and what to change; a class is shown as a table."""

import csv
import json
from dataclasses import replace
from io import StringIO

import pytest
from click.testing import CliRunner
from rich.console import Console

from engine.checker.check import check
from engine.checker.sandbox.launcher import attach_files
from engine.checker.sandbox.worker_protocol import Answer, CheckRequest, FunctionSource
from engine.checker.verdict import NOT_RUN, NOTHING_FOUND, Finding, Verdict
from tests.support.paths import TESTS
from tests.support.processes import run_command
from visualizer.cli.main import plyscope
from visualizer.cli.output.check_output import choose_writers, show_verdict
from visualizer.narration.check_messages import quote_source
from visualizer.report.check_page import render_class_page, render_program_page

PROGRAM = TESTS / "students" / "wrong" / "sides_swapped_2.py"
PROOF = "with max and min exchanged the same search finds 14 instead of 2"
HOSTILE = '=HYPERLINK("x")<script>\x1b[31m\u202e'


@pytest.fixture(scope="module")
def checked_program():
    return check(attach_files(CheckRequest(str(PROGRAM))))


def replace_findings(checked, *findings, file=PROGRAM.name):
    return checked._replace(verdict=replace(checked.verdict, file=file, findings=list(findings)))


def render_verdict(checked):
    terminal = Console(file=StringIO(), width=100)
    show_verdict(terminal, checked, with_prints=False)
    return terminal.file.getvalue()


def locate_finding(checked, **changes):
    first = checked.answer.sources[0].first_line
    return checked.verdict.findings[0]._replace(
        **{"file": PROGRAM.name, "line": first + 2, "certain": True, "proof": PROOF, **changes}
    )


def test_a_finding_is_shown_at_its_line_with_its_proof(checked_program):
    finding = locate_finding(checked_program)
    lines = checked_program.answer.sources[0].lines
    for page in (
        render_verdict(replace_findings(checked_program, finding)),
        render_program_page(replace_findings(checked_program, finding)),
    ):
        expected = [
            "Your search takes the smallest score for MAX",
            f"{PROGRAM.name}:{finding.line}",
            lines[1].strip(),
            lines[2].strip(),
            lines[3].strip(),
            "at call 0",
            "Proof: With max and min exchanged the same search finds 14 instead of 2.",
            "What to change",
        ]
        at = 0
        for words in expected:
            at = page.find(words, at)
            assert at >= 0, words
    marked = [
        line for line in render_verdict(replace_findings(checked_program, finding)).splitlines() if line.lstrip().startswith(">")
    ]
    assert [line.split(maxsplit=2)[1] for line in marked] == [str(finding.line)]


def test_three_lines_are_quoted_also_at_the_end_of_a_function():
    source = FunctionSource("f", 9, ["def f():", "\tif x:", "\t\treturn 1", "\treturn 2"], "ai.py")
    other = FunctionSource("g", 9, ["def g():", "    pass", "", ""], "other.py")
    answer = Answer(sources=[other, source])
    finding = Finding("no-cutoff", True, 0, 1, "", file="ai.py")
    assert quote_source(
        finding._replace(line=9), answer
    ) == "> \u20079  def f():\n  10      if x:\n  11          return 1".replace("\u2007", " ")
    assert quote_source(finding._replace(line=12), answer) == "  10  if x:\n  11      return 1\n> 12  return 2"
    assert quote_source(finding._replace(line=13), answer) == quote_source(finding, answer) == ""


def test_a_finding_without_a_line_has_no_place(checked_program):
    plain = replace_findings(checked_program, locate_finding(checked_program, line=0, proof=""))
    for page in (render_verdict(plain), render_program_page(plain)):
        assert "Proof" not in page
        assert f"{PROGRAM.name}:" not in page.replace(f"{PROGRAM.name}: something is wrong", "")


def test_the_json_has_file_line_and_proof(checked_program):
    [finding] = replace_findings(checked_program, locate_finding(checked_program)).verdict.as_json()["findings"]
    assert (finding["file"], finding["proof"]) == (PROGRAM.name, PROOF)
    assert list(finding) == ["name", "certain", "row", "times", "sentence", "cost", "file", "line", "proof", "board"]


def render_table(*programs):
    [(_, write)] = choose_writers(("class.csv",), True)
    return list(csv.DictReader(StringIO(write(list(programs)).decode())))


def test_a_class_groups_equal_mistakes(checked_program):
    one = replace_findings(checked_program, locate_finding(checked_program), file="anna.py")
    two = replace_findings(
        checked_program,
        locate_finding(checked_program, certain=False),
        Finding("no-cutoff", True, 0, 1, "in f: x"),
        file="ben.py",
    )
    none = checked_program._replace(verdict=Verdict("cleo.py", verdict=NOT_RUN, reason="no search was found"))
    page = render_class_page([one, two, none])
    assert "sides-swapped: 2 programs" in page
    assert "no-cutoff: 1 program<" in page
    assert page.count("Take the maximum at MAX") == 1
    assert f"anna.py ({PROGRAM.name}:{locate_finding(checked_program).line}), certain" in page
    alone = render_class_page([replace_findings(checked_program, locate_finding(checked_program)), none])
    assert f"<li>{PROGRAM.name}:{locate_finding(checked_program).line}, certain" in alone
    assert "cleo.py: no search was found" in page
    assert "not looked at" not in page
    gap = Verdict("dora.py", verdict=NOTHING_FOUND, rows=2, calls=9, not_looked_at=["the rules of the game: unknown"])
    assert "<li>dora.py: the rules of the game: unknown</li>" in render_class_page([one, checked_program._replace(verdict=gap)])
    rows = render_table(one, two, none)
    assert [(row["program"], row["mistake"], row["certain"]) for row in rows] == [
        ("anna.py", "sides-swapped", "yes"),
        ("ben.py", "sides-swapped", "no"),
        ("ben.py", "no-cutoff", "yes"),
        ("cleo.py", "", ""),
    ]
    assert (rows[0]["line"], rows[0]["proof"], rows[3]["reason"]) == (
        str(locate_finding(checked_program).line),
        PROOF,
        "no search was found",
    )


def test_texts_of_a_program_are_escaped_everywhere(checked_program):
    source = FunctionSource(HOSTILE, 1, [HOSTILE], HOSTILE)
    bad = replace_findings(checked_program, Finding("no-cutoff", True, 0, 1, HOSTILE, HOSTILE, HOSTILE, 1, HOSTILE), file=HOSTILE)
    bad.answer.sources.insert(0, source)
    try:
        for text in (render_verdict(bad), render_program_page(bad), render_class_page([bad, bad])):
            assert "\x1b[31m" not in text
            assert "\u202e" not in text
        assert "<script" not in render_program_page(bad) + render_class_page([bad, bad])
        cells = [cell for row in render_table(bad, bad) for cell in row.values()]
        assert not any(cell.startswith("=") for cell in cells)
        assert sum(cell.startswith("'=") for cell in cells) == 2 * 5
    finally:
        bad.answer.sources.remove(source)


def test_one_program_is_an_object_and_several_are_a_list(tmp_path):
    one = run_command("check", str(PROGRAM), "--json")
    assert json.loads(one.stdout)["verdict"] == "wrong"
    two = run_command("check", str(PROGRAM), str(tmp_path / "none.py"), "--json", "-o", str(tmp_path / "class.csv"))
    assert [verdict["verdict"] for verdict in json.loads(two.stdout)] == ["wrong", "not run"]
    assert (tmp_path / "class.csv").read_text().startswith("program,verdict,")


def test_programs_of_the_same_name_are_told_apart_by_their_folders(checked_program, tmp_path, monkeypatch):
    monkeypatch.setattr("visualizer.cli.commands.check.check", lambda request: replace_findings(checked_program, file="main.py"))
    files = [str(tmp_path / name / "src" / "main.py") for name in ("anna", "ben")]
    result = CliRunner().invoke(plyscope, ["check", *files, "--json"])
    assert [verdict["file"] for verdict in json.loads(result.stdout)] == ["anna/src/main.py", "ben/src/main.py"]
