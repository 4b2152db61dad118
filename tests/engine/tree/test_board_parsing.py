"""Boards that are only known as text: whose pieces they are, and what a move is called."""

import pytest

from engine.games.boards import MAX, MIN, NO_SIDE
from engine.tree.board_parsing import BoardChange, describe_move, detect_grid

EMPTY, FIRST, BOTH = "0 0\n0 0", "1 0\n0 0", "1 2\n0 0"


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ([], [MAX, MIN]),  # nothing is known
        ([BoardChange(EMPTY, FIRST, MIN), BoardChange(FIRST, BOTH, MAX)], [MIN, MAX]),
        ([BoardChange(EMPTY, FIRST, MIN)], [MIN, MAX]),
        ([BoardChange(EMPTY, FIRST, MAX), BoardChange(FIRST, BOTH, MAX)], [NO_SIDE, NO_SIDE]),  # MIN never moves
        ([BoardChange(EMPTY, FIRST, MAX), BoardChange(EMPTY, FIRST, MIN)], [NO_SIDE, NO_SIDE]),  # both sides have one piece
    ],
)
def test_a_piece_belongs_to_the_side_that_puts_it_on_the_board(changes, wanted):
    grid = detect_grid([EMPTY, FIRST, BOTH], changes)
    assert [piece.letter for piece in grid.pieces] == ["0", "1", "2"]
    assert [piece.side for piece in grid.pieces] == [NO_SIDE, *wanted]


def test_a_move_is_not_named_after_a_piece_that_is_a_number():
    assert describe_move(EMPTY, FIRST) == "0,0"
    assert describe_move(EMPTY, "0 0\n-1 0") == "1,0"
    assert describe_move(". .\n. .", ". X\n. .") == "X 0,1"
