"""The checker manages the projects of tests/projects without help: it records each search and gives a true verdict."""

import json
import re
from collections import Counter

import pytest

from engine.checker.diagnosis.mistakes import MISTAKES
from engine.checker.verdict import NOTHING_FOUND, WASTEFUL, WASTEFUL_MISTAKES, WRONG
from tests.support.paths import TESTS
from tests.support.processes import run_command

PROJECTS = TESTS / "projects"
MANIFEST = json.loads((PROJECTS / "manifest.json").read_text(encoding="utf-8"))
QUICK = {
    "connect4_table",
    "maze_agents",
    "nim_missing_return",
    "ttt_closure_fresh",
    "ttt_package",
    "ttt_package_wrong_bound",
    "tree_from_file",
}  # checked every time; the others are slow tests


def mark_case(entry):
    marks = [] if entry["path"] in QUICK else [pytest.mark.slow]
    if entry.get("todo"):
        marks.append(pytest.mark.xfail(strict=True, reason="the checker does not manage this project yet"))
    return pytest.param(entry, id=entry["path"], marks=marks)


@pytest.mark.parametrize("entry", [mark_case(entry) for entry in MANIFEST])
def test_a_project_gets_a_true_verdict(entry):
    printed = run_command("check", str(PROJECTS / entry["path"]), "--json")
    answer = json.loads(printed.stdout)
    assert list_faults(entry, answer) == [], (answer["reason"], answer["findings"])
    for finding in answer["findings"]:
        prove_place(PROJECTS / entry["path"], answer, finding)


def prove_place(folder, answer, finding):
    """Assert that files, lines, calls and counts of a finding exist, and that it is certain if and only if it was proved."""
    source = folder / finding["file"]
    lines = [line for path in folder.rglob("*.ipynb") for line in path.read_text().splitlines()] or [""]
    lines = source.read_text(encoding="utf-8").splitlines() if source.suffix == ".py" and source.is_file() else lines
    assert 0 < finding["line"] <= len(lines)
    assert bool(finding["proof"]) == finding["certain"]
    assert -1 <= finding["row"] < answer["rows"]
    for call in re.findall(r"call (\d[\d,]*)", finding["sentence"]):
        assert finding["row"] < 0 or int(call.replace(",", "")) < answer["rows"]
    if place := re.search(r"(?:in|called by) ([\w.]+) \(line (\d+)\): ", finding["sentence"]):
        assert source.suffix != ".py" or not source.is_file() or place[1].rpartition(".")[2] in lines[int(place[2]) - 1]
    if counts := re.search(r"with ([\d,]+) calls instead of ([\d,]+)", finding["proof"]):
        few, many = (int(part.replace(",", "")) for part in counts.groups())
        assert few < many


def list_faults(entry, answer):
    """Return what is wrong with the answer of the checker, in words."""
    if answer["rows"] < 2:
        return ["not recorded"]
    names = {finding["name"] for finding in answer["findings"]}
    certain = {finding["name"] for finding in answer["findings"] if finding["certain"]}
    faults = [f"{name} is false" for name in sorted(certain - set(entry["real"]))]
    if entry["truth"] != "wrong" and answer["verdict"] == WRONG:
        faults.append("a right answer is called wrong")
    if entry["truth"] == "wasteful" and not entry.get("hard") and answer["verdict"] != WASTEFUL:
        faults.append("the waste is not noticed")
    if entry["truth"] == "wrong":
        if answer["verdict"] == NOTHING_FOUND:
            faults.append("acquitted")
        elif not entry.get("hard") and not names & set(entry["real"]):
            faults.append("the mistake is not named")
    return faults


def test_every_folder_has_an_entry():
    assert sorted(entry["path"] for entry in MANIFEST) == sorted(path.name for path in PROJECTS.iterdir() if path.is_dir())
    assert {entry["path"] for entry in MANIFEST} >= QUICK


@pytest.mark.parametrize("entry", MANIFEST, ids=lambda entry: entry["path"])
def test_an_entry_fits_its_folder(entry):
    assert set(entry) <= {"path", "truth", "real", "note", "hard", "todo"}
    assert entry["note"]
    assert set(entry["real"]) <= set(MISTAKES) | {"missing-return", "raises", "terminal-wrong-player"}
    assert bool(entry["real"]) == (entry["truth"] != "right")
    assert set(entry["real"]) <= WASTEFUL_MISTAKES or entry["truth"] == "wrong"
    assert sum(1 for path in (PROJECTS / entry["path"]).rglob("*") if path.is_file() and "__pycache__" not in path.parts) >= 2


def test_there_are_enough_of_each_truth():
    counts = Counter(entry["truth"] for entry in MANIFEST)
    assert counts.total() >= 60
    assert counts["right"] >= 30
    assert counts["wrong"] >= 30
    assert counts["wasteful"] >= 5


def test_a_finding_of_a_project_names_the_file_and_the_line_in_it():
    answer = json.loads(run_command("check", str(PROJECTS / "ttt_package_last_move"), "--json").stdout)
    [finding] = answer["findings"]
    lines = (PROJECTS / "ttt_package_last_move" / finding["file"]).read_text(encoding="utf-8").splitlines()
    assert finding["file"] == "tictactoe/agents.py"
    assert lines[finding["line"] - 1].strip() == "best_move = move"
