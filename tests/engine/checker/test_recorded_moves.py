"""Moves of a recorded search, named as people write them."""

import re

import pytest

from engine.checker.check import check
from engine.checker.recorded_tree import build_tree
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.tree.trace import Trace
from tests.support.paths import TESTS
from visualizer.narration.sentences import sentence

STUDENTS = TESTS / "students" / "wrong"


@pytest.mark.parametrize(
    ("program", "name", "phrase"),
    [
        ("evaluation_inconsistent_1.py", r"\d( \(\d\))?", "the best move for MAX is column "),  # discs fall
        ("cut_too_early_1.py", r"[BW] \d,\d.*|move \d+.*", "the best move for MAX is B "),  # they do not
    ],
)
def test_moves_are_columns_where_pieces_fall(program, name, phrase):
    tree = build_tree(program, check(CheckRequest(str(STUDENTS / program))).answer)
    assert all(re.fullmatch(name, shown) for shown in tree.game.seen.names.values())
    trace = Trace(tree)
    assert phrase in sentence(trace[len(trace) - 1])
