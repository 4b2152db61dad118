"""The student programs of tests/students are what their manifest says: the right ones right, the wrong ones wrong in one thing.

A wrong program carries the small patch that repairs it. Repaired, it must satisfy everything that a right one does (value and
move of a plain minimax over its own moves and values, and the very number of calls that alpha-beta makes on them); as written
it must differ from that in what the manifest says it shows: value, move, calls, an error, or a board that is left changed.
"""

import ast
import json
import sys
from collections import Counter

import pytest

from tests.support.marks import mostly_slow
from tests.support.paths import TESTS
from tests.support.processes import run

STUDENTS = TESTS / "students"
RUNNER = TESTS / "support" / "student_runner.py"
MANIFEST = json.loads((STUDENTS / "manifest.json").read_text(encoding="utf-8"))
WRONG = [entry for entry in MANIFEST if entry["mistake"]]
RIGHT = [entry for entry in MANIFEST if not entry["mistake"]]

MIN_PROGRAMS = {
    "root-fresh-window": 5,
    "window-not-passed": 1,
    "window-not-updated": 1,
    "wrong-bound-updated": 1,
    "wrong-bound-compared": 1,
    "cut-too-early": 1,
    "no-cutoff": 3,
    "calls-plain-minimax": 1,
    "sides-swapped": 1,
    "sides-do-not-alternate": 5,
    "sign-lost": 1,
    "returns-last-child": 1,
    "returns-too-soon": 1,
    "starts-at-zero": 1,
    "depth-not-reduced": 1,
    "depth-by-two": 1,
    "off-by-one": 1,
    "terminal-not-tested": 3,
    "depth-before-win": 1,
    "not-undone": 1,
    "shared-board": 1,
    "searched-twice": 1,
    "move-not-tracked": 1,
    "tie-takes-bound": 1,
    "table-wrong": 3,
    "evaluation-inconsistent": 1,
    "infinite-or-huge": 1,
    "inner-break": 3,
    "window-swapped": 3,
    "bound-loosened": 1,
    "leaf-viewpoint": 3,
    "no-move-when-lost": 3,
    "win-lines-missing": 1,
    "extra-turn-ignored": 1,
    "move-overwritten": 1,
}  # minimum number of programs of each mistake
VARIANTS = [
    "minimax",
    "alphabeta",
    "negamax",
    "pair",
    "fail-hard",
    "fail-soft",
    "strict-cut",
    "equal-cut",
    "root-loop",
    "depth-up",
    "depth-down",
    "undo",
    "copy",
    "no-move",
    "random-ties",
    "iterative",
    "table",
    "ordering",
    "own-evaluation",
]
TRAITS = [
    "capped-window",
    "carried-move",
    "extra-turn",
    "last-ties",
    "root-reset",
    "slow-win",
    "sibling-module",
    "tighter-window",
    "undo-skipped-on-copy",
    "win-before-call",
]  # that are right too but have no name in a report, or are a remark only
SHOWS = ("value", "move", "calls", "error", "changed")


def name_of(entry):
    return entry["file"]


def source_of(entry):
    return (STUDENTS / entry["file"]).read_text(encoding="utf-8")


def repaired(entry):
    """The program with its patch, each part of which fits in one place."""
    source = source_of(entry)
    for patch in entry["patch"]:
        assert source.count(patch["old"]) == 1, f"{entry['file']}: {patch['old']!r} occurs {source.count(patch['old'])} times"
        source = source.replace(patch["old"], patch["new"])
    return source


def seen_in(entries):
    """Every version of some programs, run at all calls of the manifest, and the reference of each: in one process for all."""
    jobs = [
        {
            "path": str(STUDENTS / entry["file"]),
            "versions": {"written": source_of(entry)} | ({"repaired": repaired(entry)} if entry["mistake"] else {}),
            "calls": [entry["call"], *entry.get("shows_at", [])],
            "board": entry["reference"].get("board", entry["reference"]["state"]),
            **{key: entry[key] for key in ("functions", "call_value", "call_move", "reference")},
        }
        for entry in entries
    ]
    done = run([sys.executable, str(RUNNER)], input=json.dumps(jobs))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def best_moves(reference):
    return [move for move, value in reference["moves"] if value == reference["value"]]


def assert_right(entry, seen, reference):
    """One call's value, move and number of calls are those of the reference."""
    what = (entry["file"], seen, reference)
    assert seen["error"] is None, what
    assert not seen["changed"], what
    if entry["call_value"]:
        assert seen["value"] == reference["value"], what
    if entry["call_move"]:
        assert seen["move"] in best_moves(reference), what
    if entry["nodes"]:
        assert seen["calls"] == reference[entry["nodes"]] - (1 if "root-loop" in entry["variants"] else 0), what


@pytest.mark.parametrize("part", mostly_slow(range(3), quick=1))
def test_a_right_program_is_right(part):
    entries = RIGHT[part::3]
    for entry, seen in zip(entries, seen_in(entries), strict=True):
        assert_right(entry, seen["written"][0], seen["reference"])
        assert seen["written"][0]["calls"] >= 100, entry["file"]
        if "slow-win" in entry["traits"]:
            assert seen["written"][1]["value"] == 1, entry["file"]
            assert seen["written"][1]["move"] != repr(entry["faster"]), entry["file"]


@pytest.mark.parametrize("mistake", mostly_slow(MIN_PROGRAMS, quick=8))
def test_a_wrong_program_is_wrong_in_one_thing(mistake):
    entries = [entry for entry in WRONG if entry["mistake"] == mistake]
    for entry, seen in zip(entries, seen_in(entries), strict=True):
        assert_right(entry, seen["repaired"][0], seen["reference"])
        assert max(versions[0]["calls"] for versions in (seen["written"], seen["repaired"])) >= 100, entry["file"]
        pairs = list(zip(seen["written"], seen["repaired"], strict=True))
        assert not any(repaired["error"] for _, repaired in pairs), entry["file"]
        if mistake in ("tie-takes-bound", "move-not-tracked", "move-overwritten"):
            assert seen["written"][0]["move"] not in best_moves(seen["reference"]), entry["file"]
        shows = [what for what in SHOWS if any(written[what] != repaired[what] for written, repaired in pairs)]
        assert shows == entry["shows"], (entry["file"], pairs)


@pytest.mark.parametrize("entry", MANIFEST, ids=name_of)
def test_an_entry_fits_its_program(entry):
    tree = ast.parse(source_of(entry))
    arguments = {
        node.name: {argument.arg for argument in node.args.args} for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    }
    assert set(entry["roles"]) == set(entry["functions"])
    for function, roles in entry["roles"].items():
        assert list(roles) == ["state", "depth", "alpha", "beta", "side"]
        assert {name for name in roles.values() if name} <= arguments[function]
    assert set(entry["variants"]) <= set(VARIANTS)
    assert set(entry["traits"]) <= set(TRAITS)
    assert entry["note"]
    assert 40 <= len(source_of(entry).splitlines()) <= 150
    if entry["mistake"]:
        assert set(entry["also"]) <= set(MIN_PROGRAMS)
        assert entry["file"].startswith("wrong/" + entry["mistake"].replace("-", "_"))
        assert entry["shows"]
        assert set(entry["shows"]) <= set(SHOWS)


def test_every_file_has_an_entry_or_belongs_to_one():
    named = [file for entry in MANIFEST for file in (entry["file"], *entry.get("siblings", []))]
    assert sorted(named) == sorted(path.relative_to(STUDENTS).as_posix() for path in STUDENTS.rglob("*.py"))


def test_every_mistake_and_every_variant_occurs():
    assert {entry["mistake"] for entry in WRONG} == set(MIN_PROGRAMS)
    assert Counter(entry["mistake"] for entry in WRONG) >= Counter(MIN_PROGRAMS)
    assert {name for entry in RIGHT for name in entry["variants"]} == set(VARIANTS)
    assert {name for entry in RIGHT for name in entry["traits"]} == set(TRAITS)
    assert len(WRONG) >= 45
    assert len(RIGHT) >= 30
