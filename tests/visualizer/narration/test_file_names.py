"""The names of downloads."""

import re

import pytest

from engine import Question, connect, literal, nim, preset, tictactoe
from engine.core.file_names import make_file_name
from visualizer.narration.file_names import game_file_part, position_file_parts, search_file_name

SAFE = r"\w+(-\w+)*\.svg"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        (Question(connect(), depth=4), "connect4-K4-alphabeta.svg"),
        (Question(preset("k-tables"), "334", 3, "minimax"), "k-tables-334-K3-minimax.svg"),
        (Question(nim([3, 4, 5])), "nim-3-4-5-alphabeta.svg"),
        (Question(connect(rows=4, cols=5, rule="count"), depth=2), "connect-K2-alphabeta.svg"),
        (Question(literal([[3, 12], [2, 4]])), "tree-alphabeta.svg"),
        (Question(tictactoe(), "0123456", 1), "tictactoe-0123456-K1-alphabeta.svg"),
        (Question(connect(), "0123456012345601", 1), "connect4-K1-alphabeta.svg"),  # a long position is left out
    ],
)
def test_the_name_of_a_tree_says_which_search_it_is(question, name):
    assert search_file_name(question, ".svg") == name


def test_the_name_of_a_part_says_which_part_it_is():
    assert search_file_name(Question(connect(), depth=4), ".gif", root=12, plies=2) == "connect4-K4-alphabeta-node12-2plies.gif"


@pytest.mark.parametrize(
    "text", ["", "../../etc/passwd", "C:\\x", "a/b\x00c\n", "CON", "..", ".", "x" * 300, "名前 ✓", "-", "<b>"]
)
def test_names_have_no_path_parts_and_are_short(text):
    class Hostile:
        name = text

        def start(self):
            return 0

        def moves(self, state):
            return [0]

        def play(self, state, move):
            return 1

        def is_over(self, state):
            return state > 0

        def maximizing(self, state):
            return True

        def evaluate(self, state):
            return 0

    for name in (
        search_file_name(Question(Hostile()), ".svg"),
        make_file_name([text], ".svg"),
        make_file_name([game_file_part(text), "tournament"], ".svg"),
        make_file_name([*position_file_parts(Question(Hostile())), "comparison"], ".svg"),
    ):
        assert re.fullmatch(SAFE, name)
        assert len(name) <= 64
