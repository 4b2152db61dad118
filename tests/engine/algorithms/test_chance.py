"""Expectiminimax, Star1 and Star2: values in exact arithmetic, every bound and cutoff proved by brute force."""

from fractions import Fraction

import numpy as np
import pytest

from engine import ALGORITHMS, PlyscopeError, chance, literal, random_tree, search
from tests.engine.algorithms.test_laws import check_consistent, same_table
from tests.support.chance_trees import exact_value, random_chance_tree, subtree_at

CHANCE_ALGORITHMS = ("expectiminimax", "star1", "star2")
SEEDS = range(150)
TOLERANCE = 1e-9


def search_seed(seed, algorithm, **options):
    tree, first = random_chance_tree(seed)
    return search(literal(tree, first, **options), algorithm=algorithm), tree, first == "max"


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
def test_the_value_is_the_exact_one(algorithm):
    for seed in SEEDS:
        found, tree, maximizing = search_seed(seed, algorithm)
        truth = exact_value(tree, maximizing)
        assert found.root.value == pytest.approx(float(truth), abs=TOLERANCE), seed
        assert found.root.bound == "exact"
        best = found.root.best_child
        if best is not None:
            assert float(exact_value(*subtree_at(tree, maximizing, [best.move]))) == pytest.approx(float(truth), abs=TOLERANCE)


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
def test_every_bound_is_true(algorithm):
    for seed in SEEDS:
        found, tree, maximizing = search_seed(seed, algorithm)
        for node in found[:]:
            truth = float(exact_value(*subtree_at(tree, maximizing, node.moves)))
            assert node.bound != "open"
            if node.bound == "exact":
                assert node.value == pytest.approx(truth, abs=TOLERANCE), (seed, node)
            elif node.bound == "lower":
                assert node.value <= truth + TOLERANCE, (seed, node)
            else:
                assert node.value >= truth - TOLERANCE, (seed, node)


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_every_cutoff_at_a_chance_node_is_justified_by_brute_force(algorithm):
    """Whatever the outcomes that are left bring, within the range, the value stays outside the window."""
    cuts = 0
    for seed in SEEDS:
        found, tree, maximizing = search_seed(seed, algorithm)
        low, high = map(Fraction, found.game.value_range)
        for node in found[:]:
            if node.turn != "chance" or not node.pruned:
                continue
            cuts += 1
            least = most = Fraction(0)
            children = {child.move: child for child in node.children}  # the later call of an outcome counts
            here, side = subtree_at(tree, maximizing, node.moves)
            for move, p in enumerate(here.probabilities):
                known = children.get(move)
                truth = exact_value(*subtree_at(here, side, [move]))
                below, above = low, high
                if known is not None and known.bound in ("exact", "lower"):
                    below = max(low, Fraction(known.value))
                if known is not None and known.bound in ("exact", "upper"):
                    above = min(high, Fraction(known.value))
                assert below - Fraction(TOLERANCE) <= truth <= above + Fraction(TOLERANCE)
                least, most = least + p * below, most + p * above
            fails_high = node.bound == "lower" or (node.bound == "exact" and node.value >= node.beta)
            assert float(least) >= node.beta - TOLERANCE if fails_high else float(most) <= node.alpha + TOLERANCE
    assert cuts > 20


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
def test_no_window_is_empty_and_no_leaf_is_evaluated_twice(algorithm):
    for seed in SEEDS:
        found, *_ = search_seed(seed, algorithm)
        assert (found.alpha < found.beta).all()
        leaves = [tuple(node.moves) for node in found[:] if node.is_leaf]
        assert len(leaves) == len(set(leaves))
        check_consistent(found)


def test_a_worked_example():
    game = literal([5, chance(("1/2", [4, 9]), ("1/2", [3, 8]))])
    found = [search(game, algorithm=name) for name in CHANCE_ALGORITHMS]
    assert [tree.root.value for tree in found] == [5, 5, 5]
    assert [tree.leaves for tree in found] == [5, 4, 3]
    assert [[node.turn for node in tree[:3]] for tree in found] == [["max", "min", "chance"]] * 3


@pytest.mark.parametrize(
    ("tree", "first", "leaves"),
    [
        ([1, chance(("1/2", 0), ("1/2", [2, 2]))], "max", (3 + 1, 2, 3)),
        ([1, chance(("1/2", 3), ("1/2", 3))], "max", None),
        ([1, chance(("1/2", 3), ("1/2", [1, 3]))], "max", None),
        ([2, [chance(("1/2", [0, 2]), ("1/2", 3)), 3]], "max", None),
    ],
)
def test_trees_that_other_readings_get_wrong(tree, first, leaves):
    for place, name in enumerate(CHANCE_ALGORITHMS):
        found = search(literal(tree, first), algorithm=name)
        assert found.root.value == exact_value(tree, first == "max")
        assert leaves is None or found.leaves == leaves[place]


def test_the_skipped_moves_of_all_depths_add_up():
    """Moves that a probe leaves out are not skipped: they are searched later, or a cutoff of the chance node skips them."""
    for seed in SEEDS:
        found, *_ = search_seed(seed, "star2")
        assert sum(depth["skipped"] for depth in found.per_depth) == found.skipped
        assert found.skipped == sum(node.skipped for node in found[:] if node.status == "cutoff")


def test_star2_evaluates_fewer_leaves_than_star1_on_average_but_not_always():
    counts = [[search_seed(seed, name)[0].leaves for seed in SEEDS] for name in CHANCE_ALGORITHMS]
    full, star1, star2 = map(np.array, counts)
    assert (star1 <= full).all()
    assert (star2 <= full).all()
    assert (star2 > star1).any()
    assert star2.sum() < star1.sum() < full.sum()


@pytest.mark.parametrize("pair", [("expectiminimax", "minimax"), ("star1", "alphabeta"), ("star2", "alphabeta")])
@pytest.mark.parametrize("seed", range(10))
def test_without_chance_the_rows_are_those_of_the_usual_search(pair, seed):
    with_chance, usual = (search(literal(random_tree(3, 4, seed=seed)), algorithm=name, compiled=False) for name in pair)
    same_table(with_chance, usual)
    assert (with_chance.weight == 1).all()


def test_a_probe_has_one_child_and_the_full_call_links_to_it():
    probes = 0
    for seed in SEEDS:
        found, *_ = search_seed(seed, "star2")
        for node in found[:]:
            if node.status == "probe":
                probes += 1
                assert len(node.children) == 1
                assert node.skipped >= 1
                assert not node.pruned
                assert node.parent.turn == "chance"
                again = node.again
                if again is not None:
                    assert again.probe == node == again.link
                    assert again.children[0].status == "table"
                    assert again.children[0].link == node.children[0]
                    assert again.children[0].value == node.children[0].value
                    assert again.probability == node.probability
    assert probes > 50


def test_wider_ranges_never_evaluate_fewer_leaves():
    for seed in SEEDS:
        tree, first = random_chance_tree(seed)
        narrow, wide = (search(literal(tree, first, value_range=(-size, size)), algorithm="star1") for size in (4, 9))
        assert narrow.root.value == pytest.approx(wide.root.value, abs=TOLERANCE)
        assert narrow.leaves <= wide.leaves


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name not in CHANCE_ALGORITHMS])
def test_other_algorithms_refuse_and_name_those_that_take_chance(algorithm):
    with pytest.raises(PlyscopeError, match=r"use expectiminimax, star1, star2, mcts or puct$"):
        search(literal([chance((0.5, 3), ("1/2", [1, 2])), 4]), algorithm=algorithm)


class Coin:
    """A toss, then MAX or MIN chooses. A game of one's own."""

    def __init__(self, chances, leaf=1.0):
        self.declared, self.leaf = chances, leaf

    def start(self):
        return ()

    def chances(self, state):
        return self.declared if state == () else []

    def moves(self, state):
        assert state != (), "moves() is not asked where chance moves"
        return ["left", "right"]

    def maximizing(self, state):
        assert state != (), "maximizing() is not asked where chance moves"
        return state[0] == "heads"

    def play(self, state, move):
        return (*state, move)

    def is_over(self, state):
        return len(state) == 2

    def evaluate(self, state):
        return self.leaf * (len(state) == 2 and state[1] == "left")


class RangedCoin(Coin):
    value_range = (0, 1)


def test_a_game_of_ones_own():
    game = RangedCoin([("heads", Fraction(1, 4)), ("tails", 0.75)])
    for name in CHANCE_ALGORITHMS:
        tree = search(game, algorithm=name)
        assert tree.root.turn == "chance"
        assert tree.root.value == pytest.approx(0.25)
        assert tree.root.best_move == -1
        assert tree.principal_variation == []
        assert {child.move_name: child.probability for child in tree.root.children} == {"heads": 0.25, "tails": 0.75}
        assert tree.root.children[0].move_name == "heads"
        assert search(game, depth=0, algorithm=name).root.status == "horizon"


@pytest.mark.parametrize(
    ("chances", "message"),
    [
        ([("heads", 0.5), ("tails", 0.25)], r"state \(\) add up to 3/4"),
        ([("heads", 1.5), ("tails", -0.5)], r"'tails' the probability -0.5 in state \(\)"),
        ([("heads", "x")], r"the probability 'x'"),
        (["heads"], r"return a list of \(outcome, probability\)"),
    ],
)
def test_wrong_probabilities_are_refused_with_the_state_and_the_sum(chances, message):
    with pytest.raises(PlyscopeError, match=message):
        search(Coin(chances), algorithm="expectiminimax")


def test_star_needs_a_true_range():
    fair = [("heads", 0.5), ("tails", 0.5)]
    with pytest.raises(PlyscopeError, match=r"value_range = \(low, high\)"):
        search(Coin(fair), algorithm="star1")
    with pytest.raises(PlyscopeError, match=r"returned 2 in state \('heads', 'left'\)"):
        search(RangedCoin(fair, leaf=2.0), algorithm="star1")


@pytest.mark.parametrize("algorithm", CHANCE_ALGORITHMS)
def test_a_stopped_search_is_a_tree(algorithm):
    tree, first = random_chance_tree(3, height=6)
    whole = search(literal(tree, first), algorithm=algorithm)
    for limit in range(1, whole.expanded):
        part = search(literal(tree, first), algorithm=algorithm, max_nodes=limit)
        assert part.expanded == limit
        assert part.root.status == "open"
        check_consistent(part)
