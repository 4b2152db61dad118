"""An algorithm from a file of the user: searched, compared, and refused in a sentence when it is wrong."""

import json
import sys

import pytest
from click.testing import CliRunner

from engine import ALGORITHMS, PlyscopeError
from engine.algorithms import all_algorithms
from tests.test_recipes import RECIPES
from visualizer.cli.command_line import plyscope

NEGAMAX = RECIPES["engine/algorithms 1"].partition("\nALGORITHMS[")[0]
DECLARED = '\nDECLARED = Algorithm("mine", "my negamax", "minimax with signs", negamax, [CodeLine("negamax(state, plies)")])\n'
GAME = "tree:[[3,12,8],[2,4,6],[14,5,2]]"


def run_plyscope(*arguments):
    """Run a command in this process, without its handling of errors."""
    return CliRunner().invoke(plyscope, arguments)


@pytest.fixture(autouse=True)
def _folder_with_the_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    tmp_path.joinpath("own.py").write_text(NEGAMAX + DECLARED)
    tmp_path.joinpath("plain.py").write_text(NEGAMAX)
    before = dict(ALGORITHMS)
    yield
    ALGORITHMS.clear()
    ALGORITHMS.update(before)


@pytest.mark.parametrize(
    ("typed", "name"), [("own.py:DECLARED", "mine"), ("own.py", "mine"), ("plain.py:negamax", "negamax"), ("plain.py", "negamax")]
)
def test_an_algorithm_of_the_user_searches(typed, name):
    result = run_plyscope("search", GAME, "--algorithm", typed, "--json")
    found = json.loads(result.output)
    assert (found["algorithm"], found["expanded"], found["value"]) == (name, 13, 3)


def test_an_algorithm_of_the_user_is_compared():
    result = run_plyscope("compare", GAME, "--algorithms", "minimax,plain.py:negamax", "--repeat", "1", "--json")
    rows = json.loads(result.output)["rows"]
    assert [(row["algorithm"], row["expanded"]) for row in rows] == [("minimax", 13), ("negamax", 13)]


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("missing.py:x", None, "there is no file 'missing.py'"),
        ("bad.py:x", "x = 3", "`x` in bad.py is not an algorithm: it must be an `Algorithm` or a function x(game, record,"),
        (
            "bad.py:y",
            "from operator import add\ndef x(game, record, state, plies, options): ...\ndef f(): ...",
            "no algorithm 'y'. Known: x.",
        ),
        ("bad.py", "x = 3", "bad.py has no algorithm: write a function (game, record, state, plies, options, …)"),
        ("bad.py:x", "def x(a, b): ...", "is not an algorithm"),
        ("bad.py:x", "def x(:", "bad.py has a syntax error on line 1"),
        ("bad.py:x", "def x(game, record, state, plies, options): return 1 / 0", "x() failed: bad.py, line 1: ZeroDivisionError"),
        (
            "bad.py:alphabeta",
            "def alphabeta(game, record, state, plies, options): ...",
            "there is already an algorithm 'alphabeta'",
        ),
    ],
)
def test_a_bad_algorithm_is_refused_in_a_sentence(file, text, sentence, tmp_path):
    if text is not None:
        tmp_path.joinpath("bad.py").write_text(text)
    result = run_plyscope("search", GAME, "--algorithm", file)
    assert isinstance(result.exception, PlyscopeError)
    assert sentence in str(result.exception)


def test_a_limit_stops_an_algorithm_of_the_user():
    result = run_plyscope("search", "nim:3,4,5", "--algorithm", "plain.py:negamax", "--max-nodes", "100", "--json")
    assert (result.exit_code, json.loads(result.stdout)["stopped"]) == (3, "node limit")


def test_list_as_json_names_everything_that_can_be_chosen():
    listed = json.loads(run_plyscope("list", "--json").output)
    assert [one["name"] for one in listed["algorithms"]] == list(all_algorithms())
    assert {"k-tables", "threats"} <= {one["name"] for one in listed["presets"]}
    assert {"evaluation", "rule"} <= listed["options"].keys()
    assert all(one["description"] for one in listed["games"])
