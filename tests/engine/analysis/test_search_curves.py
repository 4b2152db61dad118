"""The curves of a search in iterations, against counts at single moments, and exact values against searches to the end."""

import math

import numpy as np
import pytest

from engine import Question, chance, connect, literal, search, tictactoe
from engine.algorithms import ITERATIVE_ALGORITHMS
from engine.analysis.search_curves import MAX_MOMENTS, choose_moments, find_exact_values, has_curves, trace_search
from engine.core.errors import PlyscopeError
from engine.games.registry import read_game
from engine.solver.exhaustive_solver import ExhaustiveSolver

GAMES = {
    "connect": connect(rows=3, cols=3, connect=3),
    "tictactoe": tictactoe(),
    "tree": literal([[3, 12, 8], [2, 4], 5]),
    "tree, MIN first": literal([[3, 12, 8], [2, 4], 5], first="min"),
    "tree with chance": literal([5, chance((0.5, [4, 9]), (0.5, [3, 8]))]),
}
every_search = pytest.mark.parametrize(
    "tree",
    [
        pytest.param(search(game, algorithm=algorithm, iterations=60, seed=4), id=f"{algorithm} {name}")
        for algorithm in ITERATIVE_ALGORITHMS
        for name, game in GAMES.items()
        if not (algorithm == "mcts-solver" and "chance" in name)
    ],
)


@every_search
def test_curves_are_the_counts_of_each_moment(tree):
    curves = trace_search(tree, find_exact_values(tree.question))
    rows = [curve.row for curve in curves.moves]
    assert rows == list(tree.child_rows(0))
    for index, moment in enumerate(curves.iterations.tolist()):
        then = tree.at(moment)
        visits = then.visits[rows]
        assert [curve.visits[index] for curve in curves.moves] == visits.tolist()
        assert [curve.share[index] for curve in curves.moves] == (visits / moment).tolist()
        for curve, row in zip(curves.moves, rows, strict=True):
            assert curve.mean[index] == pytest.approx(then.mean[row], nan_ok=True)
        assert curves.best[index] == (int(np.argmax(visits)) if visits.any() else -1)
        assert curves.depth[index] == tree.columns.depth[tree.born <= moment].max()


@every_search
def test_regret_is_the_distance_to_the_best_move_of_the_position(tree):
    exact = find_exact_values(tree.question)
    curves = trace_search(tree, exact)
    assert curves.is_solved
    for best, regret in zip(curves.best.tolist(), curves.regret.tolist(), strict=True):
        lost = math.nan if best < 0 else max(exact.values()) - exact[curves.moves[best].move]
        assert regret == pytest.approx(lost, nan_ok=True)


def test_a_move_that_was_not_tried_counts_for_regret():
    tree = search(read_game("nim:3,4,5"), algorithm="mcts", iterations=5)
    exact = find_exact_values(tree.question)
    assert [move for move, value in exact.items() if value == 1] == [2]  # 3 xor 4 xor 5 = 2: only this move leaves 0
    assert 2 not in {curve.move for curve in trace_search(tree, exact).moves}
    assert trace_search(tree, exact).regret[-1] == 1


@pytest.mark.parametrize("position", ["04", "041", "0482"])
def test_exact_values_are_those_of_minimax(position):
    game = tictactoe()
    whole = search(game, position, algorithm="alphabeta", depth=None)
    values = find_exact_values(Question(game, position, algorithm="mcts", iterations=1), seconds=60)
    side = 1 if whole.root.maximizing else -1
    assert max(values.values()) == (np.sign(side * whole.root.value) + 1) / 2
    for move, value in values.items():
        after = search(game, f"{position}{move}", algorithm="alphabeta", depth=None).root.value
        assert value == (np.sign(side * after) + 1) / 2


@pytest.mark.parametrize("position", ["", "1", "12", "120"])
def test_both_solvers_find_the_same_values(position):
    game = connect(rows=3, cols=4, connect=3)
    state = game.state(position)
    side = 1 if game.maximizing(state) else -1
    results = ExhaustiveSolver(game, seconds=60).solve_moves(state)
    expected = {move: (side * result + 1) / 2 for move, result in results.items()}
    assert find_exact_values(Question(game, position), seconds=60) == expected


def test_values_of_numbers_are_scaled_for_the_side_to_move():
    tree = [[3, 12, 8], [2, 4], 5]
    assert find_exact_values(Question(literal(tree))) == {0: 0.1, 1: 0.0, 2: 0.3}
    assert find_exact_values(Question(literal(tree, first="min"))) == pytest.approx({0: 0.0, 1: 0.8, 2: 0.7})
    assert find_exact_values(Question(GAMES["tree with chance"])) == {0: 1 / 3, 1: 0.5 / 6}
    assert find_exact_values(Question(literal([7, 7]))) == {0: 0.5, 1: 0.5}


@pytest.mark.parametrize(
    "question",
    [
        Question(connect()),  # too many empty cells
        Question(read_game("pig:target=6,die=3")),
        Question(tictactoe(), "03142"),  # over
        Question(literal(chance((0.5, 3), (0.5, [1, 2])))),  # chance moves at the root
    ],
    ids=["start", "pig", "over", "chance"],
)
def test_values_that_no_solver_finds_are_left_out(question):
    assert find_exact_values(question) == {}


def test_a_solver_that_is_stopped_leaves_the_values_out():
    assert find_exact_values(Question(tictactoe()), on_progress=lambda nodes: False) == {}
    assert find_exact_values(Question(tictactoe()), seconds=0) == {}


def test_searches_without_a_choice_have_no_curves():
    over = search(tictactoe(), "03142", algorithm="mcts", iterations=3)
    rolled = search(literal(chance((0.5, 3), (0.5, [1, 2]))), algorithm="mcts", iterations=3)
    for tree, why in (
        (over, "no move at its root"),
        (rolled, "no move at its root"),
        (search(tictactoe(), depth=1), "iterations"),
    ):
        assert not has_curves(tree)
        with pytest.raises(PlyscopeError, match=why):
            trace_search(tree)


@pytest.mark.parametrize("iterations", [1, MAX_MOMENTS, MAX_MOMENTS + 1, 999, 1000, 1_000_000])
def test_moments_rise_from_the_first_to_the_last_iteration(iterations):
    moments = choose_moments(iterations)
    assert (moments[0], moments[-1]) == (1, iterations)
    assert (np.diff(moments) > 0).all()
    assert len(moments) <= MAX_MOMENTS + len(str(iterations))
    assert {10**power for power in range(len(str(iterations)))} <= set(moments.tolist())


def test_changes_of_mind_begin_after_the_first_choice():
    tree = search(GAMES["tree"], algorithm="puct", iterations=60)
    curves = trace_search(tree)
    assert curves.best[0] == -1  # the first iteration adds the moves and visits none of them
    naive = [t + 1 for t in range(2, 60) if curves.best[t] != curves.best[t - 1]]
    assert list(curves.changes) == naive
