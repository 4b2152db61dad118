"""The laws of searches in iterations: visits are sums over the log, the selected child has the largest sum, proofs are true."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import chance, connect, continue_search, literal, load, nim, save, search, solve, tictactoe
from engine.algorithms import ITERATIVE_ALGORITHMS
from engine.core.errors import BadDepth, BadOption, PlyscopeError, UnknownName
from engine.core.random_numbers import RandomNumbers, starting_state
from engine.core.stop_reason import StopReason
from engine.games.registry import read_game
from engine.record.columns import CHANCE, MAXIMIZING, STATUS_BITS, TERMINAL
from engine.searcher import search_unrecorded, why_game_not_compiled
from engine.solver.exhaustive_solver import ExhaustiveSolver
from tests.support.chance_trees import random_chance_tree
from tests.support.games import ALL_GAMES, connect_games
from tests.support.marks import examples

NAMES = list(ITERATIVE_ALGORITHMS)
every_algorithm = pytest.mark.parametrize("algorithm", NAMES)
CHANCE_GAMES = {
    "pig": read_game("pig:target=8,die=3"),
    "against random": read_game("against-random:tictactoe"),
    "chance tree": literal([chance((0.5, 3), ("1/2", [1, 2])), [4, chance((0.25, [0, 9]), (0.75, 1))]]),
    "chance root": literal(chance(("1/3", [1, 2]), ("2/3", [0, [5, chance((1, 3))]]))),
}
CASES = {
    **{f"{algorithm}, {name}": (game, algorithm) for name, (game, _) in ALL_GAMES.items() for algorithm in NAMES},
    **{f"{algorithm}, {name}": (game, algorithm) for name, game in CHANCE_GAMES.items() for algorithm in ("mcts", "puct")},
}  # a game, and an algorithm that can search it
every_case = pytest.mark.parametrize(("game", "algorithm"), CASES.values(), ids=CASES)


def assert_same_search(one, other):
    for first, second in ((one.columns, other.columns), (one.log, other.log)):
        for name in first._fields:
            left, right = getattr(first, name), getattr(second, name)
            assert left.dtype == right.dtype, name
            assert np.array_equal(left, right), name


def live_counts(tree, iterations):
    """Visits and totals of a search that stopped earlier, by the rows of the whole tree. Paths of moves tell nodes apart."""
    shorter = search(tree.question.replace(iterations=iterations))
    places = {tuple(node.moves): int(node) for node in tree[:]}
    visits, total = np.zeros(len(tree), np.int32), np.zeros(len(tree))
    for node in shorter[:]:
        visits[places[tuple(node.moves)]] = node.visits
        if node.visits:
            total[places[tuple(node.moves)]] = float(shorter.columns.value[node])
    return visits, total


@every_case
def test_visits_are_sums(game, algorithm):
    tree = search(game, algorithm=algorithm, iterations=120, seed=4)
    assert tree.root.visits == tree.iterations == len(tree.log.outcome)
    assert tree.iterations == 120 or tree.root.proven
    assert tree.root.born == 0
    ended = np.bincount(tree.log.leaf, minlength=len(tree))
    for node in tree[:]:
        below = sum(child.visits for child in node.children)
        assert node.visits == ended[node] + below
        if node.status == "terminal":
            assert below == 0
        elif algorithm == "puct":
            assert ended[node] == min(1, node.visits)
        else:
            assert ended[node] == (node != 0)
    expanded = int((tree.born[tree.log.leaf] == np.arange(1, tree.iterations + 1)).sum())
    assert algorithm == "puct" or len(tree) == 1 + expanded


@every_case
def test_the_selected_child_has_the_largest_sum(game, algorithm):
    c = 0.9
    tree = search(game, algorithm=algorithm, iterations=60, c=c, seed=9)
    for iteration, leaf in enumerate(tree.log.leaf, start=1):
        before = tree.at(iteration - 1)
        for row, chosen in zip(tree.path(leaf), tree.path(leaf)[1:], strict=False):
            if tree.born[chosen] == iteration or tree.turn[row] == CHANCE:
                continue
            rows = [child for child in tree.child_rows(row) if tree.born[child] < iteration]
            if algorithm == "mcts-solver":
                rows = [child for child in rows if not tree.replay.was_proven(child, iteration - 1)]
            n, N = before.visits[rows], before.visits[row]
            value = np.where(n > 0, before.value[rows], before.value[row])
            mean = value if tree.columns.flags[row] & MAXIMIZING else 1 - value
            bonus = c * tree.prior[rows] * math.sqrt(N) / (1 + n) if algorithm == "puct" else c * np.sqrt(math.log(N) / n)
            sums = mean + bonus
            assert sums[rows.index(chosen)] >= sums.max() - 1e-12
            assert chosen in rows


@every_case
def test_replayed_counts_equal_live_ones(game, algorithm):
    tree = search(game, algorithm=algorithm, iterations=90, seed=2)
    for iterations in {1, 7, tree.iterations // 2, tree.iterations} - {0}:
        moment = tree.at(iterations)
        visits, means = live_counts(tree, iterations)
        assert np.array_equal(moment.visits, visits)
        assert np.array_equal(np.where(visits > 0, moment.value, 0), means)
        for row in range(0, len(tree), 7):
            assert tree.replay.count(row, iterations) == (moment.visits[row], moment.total[row])
    whole = tree.at(tree.iterations)
    assert np.array_equal(whole.visits, tree.visits)
    assert np.array_equal(whole.value[tree.visits > 0], tree.value[tree.visits > 0])
    assert whole.best_move == tree.root.best_move or algorithm == "mcts-solver"
    assert np.array_equal(whole.mean[tree.visits > 0], [node.mean for node in tree[:] if node.visits])


@examples(60)
@given(connect_games(), st.sampled_from(NAMES), st.integers(1, 300), st.integers(0, 2**53 - 1), st.data())
def test_the_kernel_writes_the_same_tree_and_log(game, algorithm, iterations, seed, data):
    assume(not why_game_not_compiled(game))
    state = game.start()
    for _ in range(data.draw(st.integers(0, 6))):
        if game.is_over(state):
            break
        state = game.play(state, data.draw(st.sampled_from(game.moves(state))))
    options = {"algorithm": algorithm, "iterations": iterations, "seed": seed, "c": data.draw(st.floats(0, 3))}
    readable = search(game, state, compiled=False, **options)
    assert_same_search(search(game, state, compiled=True, **options), readable)
    limit = data.draw(st.integers(1, len(readable) + 5))
    stopped = search(game, state, compiled=True, max_nodes=limit, **options)
    assert_same_search(stopped, search(game, state, compiled=False, max_nodes=limit, **options))
    assert len(stopped) <= limit
    assert stopped.complete == (limit >= len(readable))


def test_the_compiled_search_grows_its_arrays(monkeypatch):
    from engine.compiled import mcts_driver

    whole = search(connect(), algorithm="puct", iterations=3000, compiled=True)
    monkeypatch.setattr(mcts_driver, "FIRST_ROOM", 8)
    monkeypatch.setattr(mcts_driver, "FIRST_SLICE", 16)
    assert_same_search(search(connect(), algorithm="puct", iterations=3000, compiled=True), whole)
    alone = search_unrecorded(connect(), algorithm="puct", iterations=3000, compiled=True)
    assert (alone.expanded, alone.value) == (whole.expanded, whole.root.value)


@every_algorithm
def test_a_playout_can_be_replayed_from_its_seed(algorithm):
    game = connect(rows=4, cols=5)
    tree = search(game, algorithm=algorithm, iterations=200, seed=11)
    for leaf, outcome, plies, seed in zip(*tree.log, strict=True):
        state, numbers = tree[int(leaf)].state, RandomNumbers(int(seed))
        played = 0
        while not game.is_over(state):
            moves = game.moves(state)
            state, played = game.play(state, moves[numbers.draw(len(moves))]), played + 1
        assert (played, {"max": 2, "": 1, "min": 0}[game.won_by(state)]) == (plies, outcome)


def test_random_numbers_are_those_of_splitmix64():
    """The first words after the states 0 and 1234567, as published with the generator."""
    assert RandomNumbers(0).next_word() == 0xE220A8397B1DCDAF
    numbers = RandomNumbers(1234567)
    assert [numbers.next_word() for _ in range(2)] == [6457827717110365317, 3203168211198807973]
    drawn = np.bincount([RandomNumbers(starting_state(5, iteration)).draw(7) for iteration in range(7000)], minlength=7)
    assert (abs(drawn - 1000) < 150).all()


@pytest.mark.parametrize("game", [tictactoe(), nim([2, 3, 1]), connect(rows=4, cols=4, connect=3)], ids=["ttt", "nim", "connect"])
def test_proven_values_are_those_of_perfect_play(game):
    solver = ExhaustiveSolver(game, seconds=60)
    tree = search(game, algorithm="mcts-solver", iterations=2500, seed=1)
    proven = [node for node in tree[:] if node.proven]
    assert len(proven) > 20
    for node in proven[:: max(1, len(proven) // 80)]:
        values = [node.proven]
        if node.status != "terminal":
            values = solver.solve_moves(node.state).values()
        assert node.proven == (max(values) if node.maximizing else min(values))


def check_against_the_solver(game, moves, iterations):
    """Return True if the search proves the position, after comparing it with the exact solver."""
    tree = search(game, moves, algorithm="mcts-solver", iterations=iterations, compiled=True)
    if not tree.root.proven:
        return False
    score = solve(game, moves, columns=False).score
    assert tree.root.proven == (1 if (score > 0) == tree.root.maximizing else -1)
    assert score != 0
    return True


def late_positions(game, count, discs):
    """Return positions after random moves, which are not over."""
    numbers = RandomNumbers(starting_state(3, discs))
    found = []
    while len(found) < count:
        state, moves = game.start(), []
        while len(moves) < discs and not game.is_over(state):
            legal = game.moves(state)
            moves.append(legal[numbers.draw(len(legal))])
            state = game.play(state, moves[-1])
        if not game.is_over(state):
            found.append("".join(map(str, moves)))
    return found


@pytest.mark.parametrize("count", [12, pytest.param(500, marks=pytest.mark.slow)])
def test_proofs_on_connect4_equal_the_exact_solver(count):
    positions = late_positions(connect(), count, discs=26)
    proved = sum(check_against_the_solver(connect(), position, 3000) for position in positions)
    assert proved > count // 2


@every_algorithm
def test_the_best_move_is_the_most_visited(algorithm):
    tree = search(connect(), "33", algorithm=algorithm, iterations=400, seed=6)
    visits = {child.move: child.visits for child in tree.root.children}
    assert tree.root.best_move == max(visits, key=visits.get)
    assert tree.principal_variation[0] == tree.root.best_move
    mean = tree.root.best_child.mean
    assert mean == (tree.root.best_child.value if tree.root.maximizing else 1 - tree.root.best_child.value)


def test_a_proven_win_comes_first():
    tree = search(connect(), "304152", algorithm="mcts-solver", iterations=500)
    assert (tree.root.best_move, tree.root.proven) == (6, 1)
    assert tree.iterations < 500
    assert tree.root.best_child.status == "terminal"


def test_a_position_that_is_over_is_its_own_leaf():
    tree = search(connect(), "0011223", algorithm="mcts", iterations=5)
    assert (len(tree), tree.root.visits, tree.log.leaf.tolist(), tree.log.outcome.tolist()) == (1, 5, [0] * 5, [2] * 5)
    assert tree.root.best_move == -1


def test_outcomes_of_numbers_are_scaled_by_their_range():
    tree = search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), algorithm="mcts", iterations=300, seed=1)
    assert tree.log.outcome.dtype == np.float64
    for leaf, outcome in zip(tree.log.leaf, tree.log.outcome, strict=True):
        if tree.columns.flags[leaf] & STATUS_BITS == TERMINAL:
            assert outcome == 2 * (tree.game.evaluate(tree[int(leaf)].state) - 2) / 12
    assert tree.root.best_move == 0
    flat = search(literal([7, 7]), algorithm="mcts", iterations=9)
    assert set(flat.log.outcome) == {1.0}


def test_without_playouts_the_evaluation_counts():
    tree = search(connect(), algorithm="mcts", iterations=40, playout="none", scale=50.0)
    assert not tree.compiled
    assert not tree.log.playout.any()
    value = tree.game.evaluate(tree[int(tree.log.leaf[3])].state)
    assert tree.log.outcome[3] == 1 + value / (abs(value) + 50)


def test_priors_of_a_game_guide_the_search():
    class Biased(type(tictactoe())):
        def prior(self, state):
            return [5 if move == 8 else 1 for move in self.moves(state)]

    tree = search(Biased(), algorithm="puct", iterations=60, c=5.0)
    assert tree.root.best_move == 8
    assert sum(child.prior for child in tree.root.children) == pytest.approx(1)
    for wrong in ([1], None, "high", [0] * 9, [float("nan")] * 9):
        Biased.prior = lambda self, state, wrong=wrong: wrong
        with pytest.raises(PlyscopeError, match=r"prior\(\) returned"):
            search(Biased(), algorithm="puct", iterations=5)


def test_wrong_questions_say_what_would_do():
    with pytest.raises(BadDepth, match="iterations"):
        search(connect(), depth=4, algorithm="mcts")
    with pytest.raises(BadOption, match="iterations"):
        search(connect(), algorithm="mcts", iterations=0)
    with pytest.raises(BadOption, match="from 0 up to 9,007,199,254,740,991 is needed"):
        search(connect(), algorithm="mcts", seed=2**53)
    with pytest.raises(BadOption, match="has values only at its leaves: use random"):
        search(literal([[3, 12], 8]), algorithm="puct", playout="none")
    with pytest.raises(UnknownName, match="mcts-solver"):
        search(connect(), algorithm="uct")
    with pytest.raises(PlyscopeError, match="only mcts, puct and mcts-solver have a log"):
        _ = search(tictactoe(), depth=1).log
    with pytest.raises(PlyscopeError, match="records no visits"):
        _ = search(tictactoe(), depth=1).visits
    with pytest.raises(PlyscopeError, match="choose 0 to 5"):
        search(tictactoe(), algorithm="mcts", iterations=5).at(6)


def test_options_may_be_numbers_of_numpy():
    options = {"iterations": 50, "seed": 3, "c": 0.5}
    tree = search(tictactoe(), algorithm="mcts", iterations=np.int64(50), seed=np.uint8(3), c=np.float32(0.5))
    assert tree.question.options == search(tictactoe(), algorithm="mcts", **options).question.options
    assert [type(tree.question.options[name]) for name in options] == [int, int, float]


@pytest.mark.parametrize("compiled", [True, False])
@every_algorithm
def test_a_stopped_search_is_the_beginning_of_the_whole_one(algorithm, compiled):
    options = {"algorithm": algorithm, "seed": 3, "compiled": compiled}
    reports = []
    tree = search(connect(), iterations=10**6, on_progress=lambda done: reports.append(done) or False, **options)
    assert tree.stopped == StopReason.CANCELLED
    assert 0 < tree.iterations == reports[-1] < 10**6
    assert_same_search(tree, search(connect(), iterations=tree.iterations, **options))


@every_algorithm
def test_an_interrupted_iteration_leaves_no_trace(algorithm, monkeypatch):
    game = tictactoe()
    kind, calls = type(game), []
    play = kind.play

    def interrupted(self, state, move):
        calls.append(move)
        if len(calls) == 900:
            raise KeyboardInterrupt
        return play(self, state, move)

    monkeypatch.setattr(kind, "play", interrupted)
    tree = search(game, algorithm=algorithm, iterations=5000)
    monkeypatch.undo()
    assert tree.stopped == StopReason.INTERRUPTED
    assert_same_search(tree, search(game, algorithm=algorithm, iterations=tree.iterations))


@every_case
def test_a_continued_search_is_one_search_with_all_iterations(game, algorithm):
    options = {"algorithm": algorithm, "seed": 5, "c": 0.8}
    beginning = search(game, iterations=37, **options)
    longer = continue_search(continue_search(beginning, 1), 52)
    assert_same_search(longer, search(game, iterations=90, **options))
    assert longer.question.options["iterations"] == 90 or longer.root.proven
    assert_same_search(beginning, search(game, iterations=37, **options))


@examples(40)
@given(connect_games(), st.sampled_from(NAMES), st.integers(1, 200), st.integers(1, 200), st.booleans(), st.booleans())
def test_the_kernel_continues_every_search(game, algorithm, first, more, was_compiled, is_compiled):
    assume(not why_game_not_compiled(game))
    options = {"algorithm": algorithm, "seed": first + more}
    beginning = search(game, iterations=first, compiled=was_compiled, **options)
    longer = continue_search(beginning, more, compiled=is_compiled)
    assert_same_search(longer, search(game, iterations=beginning.iterations + more, compiled=True, **options))
    limited = continue_search(beginning, more, compiled=is_compiled, max_nodes=len(beginning))
    assert len(limited) == len(beginning)
    assert limited.iterations >= beginning.iterations


def test_a_stopped_search_goes_on_and_a_saved_one_too(tmp_path):
    options = {"algorithm": "mcts", "seed": 8}
    stopped = search(connect(), iterations=10**6, on_progress=lambda done: False, **options)
    assert stopped.stopped == StopReason.CANCELLED
    save(stopped, tmp_path / "tree.parquet")
    longer = continue_search(load(tmp_path / "tree.parquet"), 500)
    assert longer.complete
    assert_same_search(longer, search(connect(), iterations=stopped.iterations + 500, **options))


def test_only_searches_in_iterations_can_be_continued():
    with pytest.raises(PlyscopeError, match="alphabeta does not run in iterations"):
        continue_search(search(tictactoe(), depth=1))
    with pytest.raises(BadOption, match="a whole number from 1"):
        continue_search(search(tictactoe(), algorithm="mcts", iterations=5), 0)


@pytest.mark.parametrize("algorithm", ["mcts", "puct"])
def test_chance_draws_its_outcomes_by_their_probabilities(algorithm):
    tree = search(literal([chance((0.1, 1), (0.2, 2), (0.7, 4)), 0]), algorithm=algorithm, iterations=6000, seed=1)
    drawn = max(tree.root.children, key=lambda child: child.visits)
    assert (drawn.turn, drawn.best_move, tree.principal_variation) == ("chance", -1, [drawn.move])
    for outcome in drawn.children:
        expected = drawn.visits * outcome.probability
        assert abs(outcome.visits - expected) < 5 * math.sqrt(expected)
        assert outcome.mean == outcome.value
    assert drawn.value == pytest.approx((0.1 * 1 + 0.2 * 2 + 0.7 * 4) / 4, abs=0.02)


@pytest.mark.parametrize("seed", range(8))
def test_with_many_iterations_the_best_move_is_nearly_that_of_expectiminimax(seed):
    game = literal(*random_chance_tree(seed, height=3))
    exact = search(game, algorithm="expectiminimax").root
    tree = search(game, algorithm="mcts", iterations=3000, seed=seed)
    low, high = game.value_range
    chosen = exact if exact.turn == "chance" or not exact.children else exact.children[0]
    chosen = next((child for child in exact.children if child.move == tree.root.best_move), chosen)
    assert abs(chosen.value - exact.value) <= 0.1 * (high - low)


def test_a_playout_with_chance_is_replayed_from_its_seed():
    tree = search(CHANCE_GAMES["pig"], algorithm="mcts", iterations=60, seed=2)
    for iteration in range(1, 61):
        states = tree.timeline.playout(iteration)
        assert len(states) == 1 + tree.log.playout[iteration - 1]
        assert tree.game.is_over(states[-1])
        assert tree.log.outcome[iteration - 1] == 2 * tree.game.evaluate(states[-1])


def test_mcts_solver_refuses_chance():
    with pytest.raises(PlyscopeError, match="use expectiminimax, star1, star2, mcts or puct"):
        search(CHANCE_GAMES["pig"], algorithm="mcts-solver")


@pytest.mark.parametrize("algorithm", ["mcts", "puct"])
def test_trees_with_chance_are_saved_and_loaded(algorithm, tmp_path):
    tree = search(CHANCE_GAMES["chance tree"], algorithm=algorithm, iterations=40, seed=3)
    save(tree, tmp_path / "tree.parquet")
    assert_same_search(load(tmp_path / "tree.parquet"), tree)


@pytest.mark.parametrize("name", ["tic_tac_toe", "pig"])
def test_openspiel_games_are_searched_with_and_without_chance(name):
    pytest.importorskip("pyspiel")
    tree = search(read_game(f"openspiel:{name}"), algorithm="mcts", iterations=30, seed=1)
    assert tree.root.visits == 30
    assert tree.has_chance == (name == "pig")
    assert_same_search(continue_search(search(tree.question.replace(iterations=12)), 18), tree)
