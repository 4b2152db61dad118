"""The contract of the engine: counts, results and refused input."""

import copy
import pickle
from decimal import Decimal

import numpy as np
import pytest

from engine import Question, connect, literal, nim, preset, search, tictactoe
from engine.analysis.node_estimate import READABLE_PROBE_NODES, Accuracy, NodeEstimate, estimate, estimate_nodes
from engine.analysis.statistics import count_cutoffs_by_rank, effective_branching
from engine.core.errors import (
    BadBoard,
    BadDepth,
    BadEvaluation,
    BadGame,
    BadLimit,
    BadTree,
    IllegalMove,
    NotCompilable,
    PlyscopeError,
    UnknownName,
)
from engine.searcher import search_unrecorded
from tests.support.games import ALL_GAMES, TEXTBOOK, Countdown
from tests.support.reference import perft

PERFT = {
    "connect4": (connect(), [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]),
    "tictactoe": (tictactoe(), [9, 72, 504, 3024, 15120, 54720]),
    "nim": (nim([3, 4, 5]), [12, 113]),
    "textbook": (literal(TEXTBOOK), [3, 9]),
}


@pytest.mark.parametrize("name", PERFT)
def test_perft(name):
    game, known = PERFT[name]
    depth = None if name == "textbook" else len(known)
    tree = search(game, depth=depth, algorithm="minimax")
    assert [row["expanded"] for row in tree.per_depth][1:] == known
    assert [perft(game, game.start(), depth) for depth in (1, 2, 3)][: len(known)] == known[:3]


ALL_OF_TICTACTOE = 549_946


@pytest.mark.slow
def test_tictactoe_is_a_draw():
    tree = search(tictactoe(), algorithm="minimax")
    assert [row["expanded"] for row in tree.per_depth][1:] == [*PERFT["tictactoe"][1], 148_176, 200_448, 127_872]
    assert (tree.expanded, tree.root.value) == (ALL_OF_TICTACTOE, 0)


BELOW_THE_FIRST_MOVE = {"0": 5_647_236, "1": 5_632_116, "2": 5_616_996, "3": 5_601_876}  # the others are mirror images


@pytest.mark.parametrize("first_move", BELOW_THE_FIRST_MOVE)
def test_perft_9_of_connect_4(first_move):
    tree = search(connect(), first_move, depth=8, algorithm="minimax")
    assert tree.per_depth[8]["expanded"] == BELOW_THE_FIRST_MOVE[first_move]
    *sides, middle = BELOW_THE_FIRST_MOVE.values()
    assert 2 * sum(sides) + middle == 39_394_572


def test_the_textbook_tree():
    tree = search(literal(TEXTBOOK))
    assert (tree.root.value, tree.root.best_move, tree.principal_variation) == (3, 0, [0, 0])
    assert (tree.expanded, tree.leaves, tree.cutoffs, tree.skipped) == (11, 7, 1, 2)
    cut = tree[5]
    assert (cut.status, cut.value, cut.bound, cut.skipped_moves, cut.alpha) == ("cutoff", 2, "upper", [1, 2], 3)
    assert (tree[7].value, tree[7].bound) == (2, "exact")
    assert search(literal(TEXTBOOK), algorithm="minimax").expanded == 13


@pytest.mark.parametrize("compiled", [True, False])
def test_full_tree_of_three_plies_is_400_nodes(compiled):
    tree = search(preset("k-tables"), "3", depth=3, algorithm="minimax", compiled=compiled)
    assert (tree.expanded, tree.leaves, tree.terminals) == (400, 343, 0)


def test_columns_and_nodes_agree():
    tree = search(preset("k-tables"), "334", depth=3)
    assert tree.value.dtype == tree.alpha.dtype == tree.beta.dtype == np.float64
    assert tree.alpha[0] == -np.inf
    assert tree.beta[0] == np.inf
    for row in (0, 1, 17, len(tree) - 1):
        node = tree[row]
        assert (node.depth, node.move, node.parent) == (tree.depth[row], tree.move[row], tree.parent[row])
        assert (node.alpha, node.beta, node.value, node.pruned) == (
            tree.alpha[row],
            tree.beta[row],
            tree.value[row],
            tree.pruned[row],
        )
        assert [tree.parent[child] for child in node.children] == [row] * len(node.children)
        assert node.path[0] == 0
        assert node.path[-1] == node
        assert tree.depth[node.subtree].min() == node.depth
    assert tree[-1] == len(tree) - 1
    with pytest.raises(IndexError):
        tree[len(tree)]


def test_memory_per_node():
    for name, (game, depth) in ALL_GAMES.items():
        for algorithm in ("minimax", "alphabeta"):
            tree = search(game, depth=depth, algorithm=algorithm)
            stored = sum(column.nbytes for column in tree.columns) / len(tree)
            assert stored <= 40, name
            if tree.search.compiled:
                assert stored == (12 if algorithm == "minimax" else 20)


def test_a_users_game_with_text_moves():
    tree = search(Countdown(), depth=4)
    assert tree.root.children[1].move == 1
    assert tree.root.children[1].move_name == "('take', 2)"
    assert tree.root.children[1].state == (7, False)


def test_a_finished_position_is_a_one_node_tree():
    tree = search(connect(), "0101010", depth=4)
    assert (tree.expanded, tree.root.status, tree.root.best_move, tree.principal_variation) == (1, "terminal", -1, [])
    assert search(connect(), depth=0).root.status == "horizon"


def test_default_first_mover():
    assert preset("k-tables").state("3").max_to_move is False
    for name in ("full-depth", "connect-m", "long-state", "threats"):
        assert preset(name).state("3").max_to_move
        assert preset(name).state("").max_to_move
        assert not preset(name).state("3", first="max").max_to_move
    assert connect().state("3").max_to_move is False


def test_quirks_of_the_evaluations():
    game = preset("k-tables")
    assert (game.evaluate(game.state("0")), game.evaluate(game.state("6"))) == (7, 5)
    assert preset("threats").evaluate(preset("threats").state("3630311612246", first="max")) == 102


def test_full_depth_to_the_end():
    small = search(preset("full-depth", rows=5, cols=4), depth=20)
    assert (small.root.value, small.expanded) == (0, 1_494_017)


def test_none_counts_scores_under_rule_count():
    game = connect(rows=2, cols=2, connect=2, rule="count", evaluation="none")
    full = game.state("0101")
    assert game.evaluate(full) == game.score(full.max_discs) - game.score(full.min_discs)
    assert game.evaluate(game.state("01")) == 0


def test_statistics():
    tree = search(connect(), depth=5, algorithm="minimax")
    assert effective_branching(tree) == pytest.approx(7)
    assert count_cutoffs_by_rank(tree) == []
    pruned = search(preset("k-tables"), "3", depth=5)
    ranks = {}
    for row in range(len(pruned)):
        if pruned[row].pruned:
            ranks[len(pruned[row].children)] = ranks.get(len(pruned[row].children), 0) + 1
    assert count_cutoffs_by_rank(pruned) == [ranks.get(rank, 0) for rank in range(1, max(ranks) + 1)]
    assert sum(count_cutoffs_by_rank(pruned)) == pruned.cutoffs


class Uniform:
    """Four moves everywhere. All leaves are equal, or later moves are better for the side that made them."""

    def __init__(self, later_is_better):
        self.later_is_better = later_is_better

    def start(self):
        return 0, 0

    def moves(self, state):
        return range(4)

    def play(self, state, move):
        ply, value = state
        return ply + 1, value * 4 + (move if ply % 2 == 0 else -move)

    def is_over(self, state):
        return False

    def maximizing(self, state):
        return state[0] % 2 == 0

    def evaluate(self, state):
        return state[1] if self.later_is_better else 0


@pytest.mark.parametrize(("later_is_better", "depth"), [(True, 7), (False, 11)])
def test_an_estimate_includes_what_pruning_saves(later_is_better, depth):
    game = Uniform(later_is_better)
    real = search(game, depth=depth).expanded
    assert real > READABLE_PROBE_NODES  # so that it is an estimate
    assert real / 2 < estimate(game, depth=depth) < real * 2


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("compiled", [True, False])
def test_an_unrecorded_search_is_the_same_search(compiled, algorithm):
    question = (preset("k-tables"), "334", 4, algorithm)
    tree, alone = search(*question, compiled=compiled), search_unrecorded(Question(*question), compiled=compiled)
    assert (alone.expanded, alone.value) == (tree.expanded, tree.root.value)
    stopped = search_unrecorded(Question(*question), compiled=compiled, max_nodes=100)
    assert stopped.expanded == 100
    assert np.isnan(stopped.value)


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize("question", [(connect(), 8), (tictactoe(), 9), (nim([3, 4, 5]), None), (preset("k-tables"), 6)])
def test_estimates_are_of_the_right_size(question, algorithm):
    game, depth = question
    if game == nim([3, 4, 5]) and algorithm == "minimax":
        pytest.skip("millions of nodes by the readable text")
    whole = (game, depth, algorithm) == (tictactoe(), 9, "minimax")
    real = ALL_OF_TICTACTOE if whole else search(game, depth=depth, algorithm=algorithm).expanded
    assert real / 4 < estimate(game, depth=depth, algorithm=algorithm) < real * 4


def test_an_estimate_has_an_accuracy():
    small, large, endless = (estimate_nodes(Question(connect(), depth=depth, algorithm="minimax")) for depth in (3, 9, 40))
    assert (small.nodes, small.accuracy) == (400, Accuracy.EXACT)
    assert large.accuracy is Accuracy.EXTRAPOLATED
    assert endless.accuracy is Accuracy.LOWER_BOUND  # nothing larger is estimated
    assert [str(small), str(large)[:6], str(endless)[:10]] == ["400 nodes", "about ", "more than "]


def test_a_search_that_passes_its_estimate_leaves_a_lower_bound():
    expected = NodeEstimate(1000, Accuracy.EXTRAPOLATED)
    assert expected.after(999) == expected
    assert str(expected.after(1200)) == "more than 1,200 nodes"
    assert NodeEstimate(1000).after(1000) == NodeEstimate(1000)


class Reading(Countdown):
    """Reads positions as text, and its states are tuples too."""

    def state(self, moves, first="max"):
        return (9 - sum(int(move) for move in moves), first == "max")


def test_a_position_is_a_state_or_a_text():
    assert search(Reading(), (5, False), depth=1).root.state == (5, False)
    assert search(Reading(), "12", depth=1).root.state == (6, True)


class NumpyMoves(Countdown):
    def moves(self, state):
        return np.flatnonzero([0, 1, 1]) if state[0] >= 2 else [np.int64(1)]

    def play(self, state, move):
        return (state[0] - int(move), not state[1])


def test_numpy_ints_are_moves_like_others():
    assert [child.move for child in search(NumpyMoves(), depth=2).root.children] == [1, 2]


def test_values_are_floats_throughout():
    assert search(literal([2**53, 2**53 + 1])).root.best_move == 0
    assert search(literal([np.int64(3), np.float32(2.5)])).root.value == 3


def test_a_depth_limit_counts_from_the_position():
    assert search(literal([[[1, 2], 3], [4, 5]]), "1", depth=1).root.value == 4


def test_full_depth_as_published_with_min_at_the_root():
    for compiled in (True, False):
        tree = search(preset("full-depth"), "2", depth=2, first="max", as_published=True, compiled=compiled)
        assert tree.root.value == 0


def test_trees_can_be_copied_and_pickled():
    tree = search(connect(), depth=4)
    assert tree[5].parent == 4 or tree[5].path
    for again in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree)):
        assert (again.value == tree.value).all()
        assert not again.columns.value.flags.writeable


def test_slices_give_nodes():
    tree = search(literal(TEXTBOOK))
    assert [node.value for node in tree[1:4]] == [3, 3, 12]
    with pytest.raises(TypeError):
        tree[1.5]


def test_bounds_of_trees_full_of_ties_are_found_quickly():
    tree = search(connect(evaluation="none"), depth=8, cut_on_equal=False)
    assert {child.bound for child in tree.root.children} <= {"exact", "upper", "lower"}
    deep = search(literal(comb_tree(480)), cut_on_equal=False)
    assert deep[2].bound in ("exact", "upper", "lower")


def comb_tree(plies):
    tree = 0
    for _ in range(plies):
        tree = [0, tree]
    return tree


def test_effective_branching_of_a_deep_tree():
    assert effective_branching(search(literal(comb_tree(480)), algorithm="minimax")) < 2


# ---- bad input


class Endless(Countdown):
    def is_over(self, state):
        return False

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return state


class Stuck(Countdown):
    def moves(self, state):
        return []


class Infinite(Countdown):
    def evaluate(self, state):
        return float("inf")


class NotANumber(Infinite):
    def evaluate(self, state):
        return float("nan")


class Word(Infinite):
    def evaluate(self, state):
        return "high"


class Nothing(Countdown):
    def moves(self, state):
        return None


class Signed(Countdown):
    def maximizing(self, state):
        return -1


class Changing(Countdown):
    def start(self):
        return [9, True]

    def play(self, state, move):
        state[0] -= move[1]
        return state


class Decimals(Infinite):
    def evaluate(self, state):
        return Decimal("sNaN")


class Huge(Infinite):
    def evaluate(self, state):
        return 10**400


BAD = [
    (
        lambda: search(connect(), "3333333", 2),
        IllegalMove,
        "column 3 is full (move 7 of the position '3333333'): choose 0-2, 4-6",
    ),
    (lambda: search(connect(), "37", 2), IllegalMove, "there is no column 7 (move 2 of the position '37'): choose 0-6"),
    (lambda: search(connect(), "3x", 2), IllegalMove, "'x' in the position '3x' is not a move"),
    (lambda: search(connect(), "3²", 2), IllegalMove, "is not a move"),
    (lambda: search(connect(), "01010101", 2), IllegalMove, "over before move 8"),
    (lambda: search(connect(rows=3, cols=12), "3,12", 2), IllegalMove, "no column 12"),
    (lambda: search(connect(), 334, 2), IllegalMove, "is not a position"),
    (lambda: connect().state(connect().start()._replace(max_discs=2)), IllegalMove, "is not a position on this board"),
    (lambda: connect().state(connect().start()._replace(max_discs=1 << 6)), IllegalMove, "is not a position on this board"),
    (
        lambda: connect().state(connect().start()._replace(max_discs=1, min_discs=1)),
        IllegalMove,
        "is not a position on this board",
    ),
    (lambda: search(tictactoe(), "00", 2), IllegalMove, "square 0 is taken"),
    (lambda: search(preset("long-state"), 2**70, 2), IllegalMove, "64-bit"),
    (lambda: search(preset("long-state"), -1, 2), IllegalMove, "discs, and 6 fit"),
    (lambda: connect().state("3", first="me"), UnknownName, "there is no side 'me'"),
    (lambda: search(connect(), depth=-1), BadDepth, "choose 0-500 plies"),
    (lambda: search(connect(), depth=10**9), BadDepth, "choose 0-500 plies"),
    (lambda: search(connect(), depth=2.5), BadDepth, "2.5"),
    (lambda: search(Endless()), BadDepth, "beyond 500 plies"),
    (lambda: search(literal(TEXTBOOK), depth=1), BadDepth, "use depth 2 or none"),
    (lambda: search(connect(), depth=2, max_nodes=0), BadLimit, "from 1"),
    (lambda: search(connect(), depth=2, algorithm="alpha-beta"), UnknownName, "did you mean 'alphabeta'"),
    (lambda: preset("ktables"), UnknownName, "did you mean 'k-tables'"),
    (lambda: preset("k-tables", size=5), UnknownName, "option of the preset k-tables"),
    (lambda: preset("connect-m", size=11), BadBoard, "choose 3-10"),
    (lambda: preset("connect-m", scoring="log"), UnknownName, "linear, power"),
    (lambda: preset("k-tables", rows=5), BadEvaluation, "only defined on 6 rows x 7 columns"),
    (lambda: connect(evaluation="segment:power"), UnknownName, "did you mean 'segments:power'"),
    (lambda: connect(rule="last"), UnknownName, "first, count"),
    (lambda: connect(rows=0), BadBoard, "a board cannot have 0 rows: choose 1-32"),
    (lambda: connect(rows=1000, cols=1000), BadBoard, "choose 1-32"),
    (lambda: connect(rows=4, cols=5, connect=6), BadBoard, "choose 2-5 in a row"),
    (lambda: connect(order=[0, 1]), BadBoard, "each of the columns 0 to 6"),
    (lambda: connect(order="middle"), UnknownName, "left, centre"),
    (lambda: connect(rows=9, cols=9, evaluation="chains"), BadEvaluation, "6 rows x 7"),
    (lambda: search(connect(rows=9, cols=9), depth=1, compiled=True), NotCompilable, "90 bits"),
    (lambda: search(tictactoe(), depth=1, compiled=True), NotCompilable, "only Connect"),
    (lambda: search(connect(), depth=1, as_published=True), PlyscopeError, "needs a preset"),
    (lambda: literal([[1, 2], []]), BadTree, "empty list"),
    (lambda: literal([[1, "2"]]), BadTree, "'2' in the tree"),
    (lambda: literal([1, float("nan")]), BadTree, "too large or not a number"),
    (lambda: literal([1, 1e300]), BadTree, "too large or not a number"),
    (lambda: literal([1, 10**400]), BadTree, "too large or not a number"),
    (lambda: nim([3, -1]), BadBoard, "a nim heap cannot have -1 sticks: choose 0-999"),
    (lambda: nim([]), BadBoard, "nim cannot have 0 heaps: choose 1-20"),
    (lambda: search(connect(), 3.5, 2), IllegalMove, "is not a position"),
    (lambda: search(connect(rows=4, cols=12), "00000000000012", 2), IllegalMove, "no column 12"),
    (lambda: nim([3, 4]).state("12345678901002"), IllegalMove, "is not a move"),
    (
        lambda: preset("long-state").state("-4496562564508441720"),
        IllegalMove,
        "write a 64-bit state as long:-4496562564508441720",
    ),
    (lambda: connect().state(connect().start()._replace(max_discs=1.0)), IllegalMove, "bits of an int"),
    (lambda: tictactoe().state(tictactoe().start()._replace(max_marks=511, min_marks=1)), IllegalMove, "is not a position"),
    (lambda: nim([2]).state(nim([3]).start()), IllegalMove, "is not a position"),
    (lambda: connect(rows=1, cols=1), BadBoard, "one cell"),
    (lambda: connect(order=5), BadBoard, "a list of columns"),
    (lambda: preset([]), UnknownName, "preset []"),
    (lambda: search(connect(), depth=2, on_progress=5), PlyscopeError, "on_progress is 5"),
    (lambda: search(Countdown, depth=1), BadGame, "is a class"),
    (lambda: search(Nothing(), depth=1), BadGame, "moves() returned None"),
    (lambda: search(Signed(), depth=1), BadGame, "maximizing() returned -1"),
    (lambda: search(Changing(), depth=2), BadGame, "return a new one"),
    (lambda: search(Decimals(), depth=2), BadEvaluation, "return a number"),
    (lambda: search(Huge(), depth=2), BadEvaluation, "the search itself uses infinity"),
    (lambda: search(preset("k-tables", evaluation="spread"), depth=1, as_published=True, compiled=True), NotCompilable, "floats"),
    (
        lambda: search(object(), depth=1),
        BadGame,
        "`object` is not a game: it has no `start()`, `moves()`, `play()`, `is_over()`, `maximizing()` or `evaluate()` method",
    ),
    (lambda: search(Stuck(), depth=2), BadGame, "moves() is empty although is_over() is false in state (9, True)"),
    (lambda: search(Infinite(), depth=2), BadEvaluation, "large finite number"),
    (lambda: search(NotANumber(), depth=2), BadEvaluation, "nan"),
    (lambda: search(Word(), depth=2), BadEvaluation, "'high'"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_input_is_refused_with_a_reason(number):
    ask, error, words = BAD[number]
    with pytest.raises(error) as caught:
        ask()
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_deeply_nested_literal_is_refused_not_recursed_into():
    tree = 1
    for _ in range(100_000):
        tree = [tree]
    with pytest.raises(BadTree, match="too large"):
        literal(tree)
