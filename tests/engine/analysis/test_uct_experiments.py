"""Experiments with UCT: traps are exactly what the solver and a search find, and rates count what they say."""

import pytest

from engine import search
from engine.analysis import uct_experiments
from engine.analysis.agreement import find_solved_positions
from engine.analysis.uct_experiments import EDGE_VALUES, FailureRate, PGame, find_traps, measure_p_games, measure_traps
from engine.games.registry import read_game

GAME = read_game("connect4:evaluation=none")


@pytest.fixture(scope="module")
def solved():
    return list(find_solved_positions(GAME, 60, seed=0))


@pytest.mark.parametrize("level", [3, 5])
def test_a_trap_of_a_level_loses_within_exactly_that_many_plies(level, solved):
    found = [(solution, column) for solution in solved for column in find_traps(solution, level)]
    assert found
    for solution, column in found:
        lost = 1 if not GAME.maximizing(solution.state) else -1
        after = GAME.play(solution.state, column)
        assert search(GAME, after, depth=level).root.value == lost
        assert search(GAME, after, depth=level - 2).root.value == 0


def test_alphabeta_never_falls_into_a_trap_that_it_can_see(monkeypatch, solved):
    monkeypatch.setattr(uct_experiments, "find_solved_positions", lambda *_: solved)
    rates = list(measure_traps(iterations=(50,), levels=(3, 5)))
    assert [rate.setting.split(",")[1].strip() for rate in rates] == ["UCT", "alpha-beta"] * 2
    assert all(rate.failures == 0 < rate.trials for rate in rates if "alpha-beta" in rate.setting)


def test_p_games_have_the_result_of_minimax():
    for seed in range(8):
        game = PGame(3, 4, seed)
        value = search(game, algorithm="minimax").root.value
        assert game.result(game.start()) == (value > 0) - (value < 0)
        first = game.play(game.start(), 1)
        assert 0 <= first[2] < EDGE_VALUES
        assert game.play(first, 0)[2] <= first[2]


def test_failures_on_p_games_are_counted_by_iterations():
    rates = list(measure_p_games(trees=12, depth=6, checkpoints=(2, 300)))
    expected = 0
    for seed in range(12):
        game = PGame(2, 6, seed)
        results = [game.result(game.play(game.start(), move)) for move in (0, 1)]
        best = search(game, algorithm="mcts", iterations=300, seed=seed).root.best_move
        expected += results[best] < max(results)
    assert (rates[1].failures, rates[1].trials) == (expected, 12)
    assert rates[0].failures >= rates[1].failures


def test_an_interval_contains_its_share():
    for failures in range(21):
        rate = FailureRate("traps", "", failures, 20)
        assert 0 <= rate.interval[0] <= rate.share <= rate.interval[1] <= 1
    assert str(FailureRate("traps", "", 0, 39).interval[0]) == "0.0"
    assert FailureRate("traps", "", 0, 0).interval == (0.0, 1.0)
