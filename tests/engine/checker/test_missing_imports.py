"""Imports that definitions need are added; all other names stay as the program has them."""

import ast

import pytest

from engine.checker.sandbox.missing_imports import add_missing_imports
from engine.checker.sandbox.program_files import read_project_files


@pytest.mark.parametrize(
    ("source", "added"),
    [
        ("def search(board, alpha=-math.inf):\n    return 0\n", ["math"]),
        ("class Agent:\n    best = np.zeros(3)\n", ["numpy"]),
        ("@functools.lru_cache\ndef search(board):\n    return 0\n", ["functools"]),
        ("import math\ndef search(board, alpha=-math.inf):\n    return 0\n", []),
        ("from tools import *\ndef search(board, alpha=-math.inf):\n    return 0\n", []),
        ("def search(board):\n    return math.inf\n", []),
        ("def search(board, depth=rules.DEPTH):\n    return 0\n", []),
        ("class Mine(MultiAgentSearchAgent):\n    stop = Directions.STOP\n", ["Directions", "MultiAgentSearchAgent"]),
        ("stop = Directions.STOP\nclass Mine:\n    pass\n", []),
        ("search = lambda board: math.inf\n", []),
    ],
)
def test_only_imports_that_definitions_need_are_added(source, added):
    assert add_missing_imports(ast.parse(source)) == added


def test_the_docstring_and_imports_from_the_future_stay_first():
    tree = ast.parse('"""A search."""\nfrom __future__ import annotations\ndef search(alpha=-math.inf):\n    return alpha\n')
    add_missing_imports(tree)
    names: dict[str, object] = {}
    exec(compile(ast.fix_missing_locations(tree), "search.py", "exec"), names)
    assert names["__doc__"] == "A search."
    assert "math" in names


def test_a_file_that_alone_defines_what_the_program_calls_belongs_to_it(tmp_path):
    program = "def search(board):\n    if is_over(board):\n        return 0\n    return search(play(board, 1))\n"
    (tmp_path / "search.py").write_text(program)
    (tmp_path / "rules.py").write_text("def is_over(board):\n    return not board\n")
    (tmp_path / "one.py").write_text("def play(board, move):\n    return board\n")
    (tmp_path / "other.py").write_text("def play(board, move):\n    return board\n")
    (tmp_path / "alone.py").write_text("def move(board):\n    return board\n")
    assert set(read_project_files(tmp_path / "search.py").files) >= {"search.py", "rules.py"}
    (tmp_path / "search.py").write_text(program.replace("is_over(board)", "not board"))
    assert set(read_project_files(tmp_path / "search.py").files) == {"search.py"}
