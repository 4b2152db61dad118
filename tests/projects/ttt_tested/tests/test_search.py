from noughts.position import Position
from noughts.search import solve


def test_best_play_is_a_draw():
    assert solve(Position()) == 0


def test_crosses_win():
    assert solve(Position(0b11, 0b11000)) == 1
