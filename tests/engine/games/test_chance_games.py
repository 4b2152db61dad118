"""Games with chance: Pig, and any game against a random opponent."""

import copy
import pickle
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from engine import PlyscopeError, chance, compare, connect, literal, load, save, search
from engine.analysis.comparison import default_comparison
from engine.games.against_random import against_random
from engine.games.chance_outcomes import chance_outcomes
from engine.games.connect.evaluations import EVALUATIONS
from engine.games.protocol import REQUIRED_METHODS
from engine.games.registry import read_game
from visualizer import export
from visualizer.exporters.json import read_json

CHANCE_ALGORITHMS = ("expectiminimax", "star1", "star2")


def exact_expectation(game, state, plies):
    """Return the value of a state in exact arithmetic."""

    @cache
    def value(state, plies):
        if game.is_over(state) or plies == 0:
            return Fraction(game.evaluate(state))
        if outcomes := game.chances(state):
            return sum(Fraction(p) * value(game.play(state, outcome), plies - 1) for outcome, p in outcomes)
        best = max if game.maximizing(state) else min
        return best(value(game.play(state, move), plies - 1) for move in game.moves(state))

    return value(state, plies)


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
@pytest.mark.parametrize(("text", "position", "depth"), [("pig:target=12,die=3", "", 7), ("pig:target=5,die=2", "0,2,0,2", 9)])
def test_pig_has_the_exact_value(algorithm, text, position, depth):
    game = read_game(text)
    tree = search(game, position, depth=depth, algorithm=algorithm)
    assert tree.root.value == pytest.approx(float(exact_expectation(game, game.state(position), depth)), abs=1e-9)


def test_the_rules_of_pig():
    game = read_game("pig:target=12,die=3")
    start = game.start()
    assert [game.move_name(move) for move in game.moves(start)] == ["roll"]
    rolling = game.play(start, 0)
    assert [(outcome.move, outcome.probability) for outcome in chance_outcomes(game, rolling)] == [(n, 1 / 3) for n in (1, 2, 3)]
    rolled = game.play(rolling, 3)
    assert [game.move_name(move) for move in game.moves(rolled)] == ["roll", "hold"]
    assert game.evaluate(rolled) == 0.5 + 3 / 24
    assert not game.maximizing(game.play(game.play(rolled, 0), 1))
    assert game.play(game.play(rolled, 0), 1)[:3] == (0, 0, 0)
    assert game.play(rolled, 1)[:4] == (3, 0, 0, False)
    assert game.is_over(game.state("0,3,0,3,0,3,0,3"))
    assert game.evaluate(game.state("0,3,0,3,0,3,0,3")) == 1


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
def test_a_random_opponent_is_weaker_than_minimax_fears(algorithm):
    for text in ("nim:1,2,3", "tictactoe"):
        game = read_game(f"against-random:{text}")
        position = "0,4" if text == "tictactoe" else ""
        state = game.state(position)
        tree = search(game, position, depth=4, algorithm=algorithm)
        assert tree.root.value == pytest.approx(float(exact_expectation(game, state, 4)), abs=1e-9)
        assert tree.root.value >= search(read_game(text), position, depth=4, algorithm="minimax").root.value
        assert {node.turn for node in tree[:] if not node.is_leaf} <= {"max", "chance"}


def test_the_rules_of_a_game_against_a_random_opponent_cost_no_call_of_their_own():
    """A search calls them at every node: between it and the game stands nothing."""
    for text in ("nim:1,2,3", "tictactoe", "connect4"):
        game = read_game(text)
        wrapped = against_random(game)
        for rule in REQUIRED_METHODS:
            assert getattr(wrapped, rule) == getattr(game, rule)
        again = pickle.loads(pickle.dumps(wrapped))
        assert again == copy.deepcopy(wrapped) == wrapped
        assert again.moves(again.start()) == game.moves(game.start())


def test_chance_moves_against_max_nowhere_else_than_for_min():
    game = read_game("against-random:nim:1,2")
    start = game.start()
    after = game.play(start, 1002)
    assert game.chances(start) == []
    assert game.chances(after) == [(1, 1.0)]
    assert game.chances(game.play(after, 1)) == []  # over
    assert game.chances(game.play(game.play(start, 1), 1001)) == []
    assert game.chances(game.play(start, 1001)) == [(1, 0.5), (1001, 0.5)]


def test_a_literal_tree_against_a_random_opponent():
    tree = search(against_random(literal([[3, 12, 9], [2, 4, 6], [14, 5, 2]])), algorithm="expectiminimax")
    assert tree.root.value == 8
    with pytest.raises(PlyscopeError, match="has chance already"):
        read_game("against-random:pig:target=5,die=2")


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
@pytest.mark.parametrize(
    "text",
    ["pig:target=6,die=3", "against-random:nim:1,2", 'tree:[5,{"chance":[{"p":"1/2","children":[4,9]},{"p":"1/2","value":3}]}]'],
)
def test_a_saved_tree_comes_back_the_same(text, algorithm, tmp_path):
    tree = search(read_game(text), depth=None if "tree" in text else 5, algorithm=algorithm)
    save(tree, tmp_path / "tree.parquet")
    again = load(tmp_path / "tree.parquet")
    for name, column in tree.columns._asdict().items():
        assert (getattr(again.columns, name) == column).all()


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
@pytest.mark.parametrize("extension", ["dot", "json", "csv", "graphml", "svg", "txt", "html", "tex"])
def test_every_export_takes_a_tree_with_chance(algorithm, extension, tmp_path):
    tree = search(read_game("pig:target=6,die=3"), depth=5, algorithm=algorithm)
    path = tmp_path / f"tree.{extension}"
    export(tree, path)
    text = path.read_text(encoding="utf-8")
    assert text
    if extension == "json":
        again = read_json(text)
        assert (again.columns.weight == tree.columns.weight).all()
        assert (again.turn == tree.turn).all()
    if extension == "csv":
        assert ",chance," in text


@pytest.mark.parametrize("evaluation", EVALUATIONS)
@pytest.mark.parametrize("rule", ["first", "count"])
def test_the_values_of_connect_boards_lie_in_their_range(evaluation, rule):
    """So Star1 and Star2 can search Connect 4 against a random opponent. Two evaluations have no known range."""
    game = connect(rule=rule, evaluation=evaluation)
    found = game.result_range
    assert (found is None) == (evaluation in ("spread", "chains"))
    if found is None:
        with pytest.raises(PlyscopeError, match="Star1 and Star2 need the least and the greatest value of `against-random:"):
            search(against_random(game), depth=1, algorithm="star1")
        assert default_comparison(against_random(game)) == ("expectiminimax",)
        return
    numbers = Random(3)
    for _ in range(8):
        state = game.start()
        while not game.is_over(state):
            state = game.play(state, numbers.choice(game.moves(state)))
            assert found[0] <= game.evaluate(state) <= found[1]
    trees = [search(against_random(game), depth=2, algorithm=name) for name in CHANCE_ALGORITHMS]
    assert len({round(tree.root.value, 6) for tree in trees}) == 1


def test_the_default_comparison_suits_the_game():
    assert default_comparison(read_game("pig")) == CHANCE_ALGORITHMS
    assert default_comparison(read_game("connect4")) == ("minimax", "alphabeta")
    assert [row.algorithm for row in compare(literal([chance((1, 3)), 4]), repeat=1).rows] == list(CHANCE_ALGORITHMS)


def test_the_state_of_a_finished_race_names_the_winner():
    game = read_game("pig:target=3,die=3")
    assert game.show(game.state("0,3")) == "MAX 0, MIN 0, turn total 3: MAX has won"
    assert game.show(game.state("0,1")) == "MAX 0, MIN 0, turn total 0: MIN to move"
