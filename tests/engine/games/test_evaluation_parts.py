"""The parts of an evaluation add up to its value, and their cells are correct."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import connect, literal, nim, preset, tictactoe
from engine.games.connect.evaluations import EVALUATIONS
from engine.games.evaluation_parts import evaluation_parts
from tests.support.games import connect_games
from tests.support.marks import examples


def play_random_moves(game, seed, most):
    """A position after random moves, not beyond the end of the game."""
    source, state = random.Random(seed), game.start()
    for _ in range(most):
        if game.is_over(state):
            break
        state = game.play(state, source.choice(game.moves(state)))
    return state


def check_parts(game, state):
    parts = evaluation_parts(game, state)
    value = game.evaluate(state)
    total = sum(part.points for part in parts)
    if getattr(game, "evaluation", "") == "spread":
        assert np.float32(total) == pytest.approx(value, rel=1e-6, abs=1e-5)
    else:
        assert total == value
    assert [abs(part.points) for part in parts] == sorted((abs(part.points) for part in parts), reverse=True)
    assert all(part.points for part in parts)
    return parts


@examples(150)
@given(connect_games(), st.integers(0, 2**32), st.integers(0, 64))
def test_the_parts_add_up_on_any_connect_board(game, seed, most):
    state = play_random_moves(game, seed, most)
    for part in check_parts(game, state):
        assert len(set(part.cells)) == len(part.cells) > 0
        assert all(0 <= cell < game.rows * game.cols for cell in part.cells)


@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize("rule", ["first", "count"])
def test_the_parts_add_up_throughout_games(evaluation, rule):
    game = connect(rule=rule, evaluation=evaluation)
    for seed in range(12):
        for most in range(0, 43, 3):
            check_parts(game, play_random_moves(game, seed, most))


@pytest.mark.parametrize("game", [tictactoe(), nim([2, 3, 1])], ids=["tictactoe", "nim"])
def test_the_parts_of_other_games_name_the_winner(game):
    ends = [play_random_moves(game, seed, 20) for seed in range(30)]
    for state in ends:
        check_parts(game, state)
    assert {len(evaluation_parts(game, state)) for state in ends} <= {0, 1}


def test_a_win_is_one_part_with_its_line():
    game = connect()
    [part] = evaluation_parts(game, game.state("0011223"))
    assert part == ("MAX has 4 in a row", 1_000_000, (35, 36, 37, 38))
    [part] = evaluation_parts(tictactoe(), tictactoe().state("03142"))
    assert part == ("MAX has three in a row", 1, (0, 1, 2))


def test_a_full_board_without_a_line_has_no_parts_for_threats():
    game = connect(rows=1, cols=4, evaluation="threats")
    assert evaluation_parts(game, game.state("0123")) == []


def test_a_literal_tree_declares_no_parts():
    game = literal([1, 2])
    assert evaluation_parts(game, game.start()) is None


def test_chains_are_described():
    game = preset("k-tables")
    parts = evaluation_parts(game, game.state("0"))
    assert [(part.points, part.words) for part in parts] == [
        (3, "MAX's discs, each worth the number of lines of four through its cell: 3"),
        (2, "MAX has a chain of 1 along a row with 2 free cells: 1 × 2"),
        (2, "MAX has a chain of 1 up a column with 2 free cells: 1 × 2"),
    ]
