"""Two trees of one position laid over each other, and the least that alpha-beta has to look at."""

from itertools import chain, combinations, product
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import connect, literal, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import Alignment
from engine.analysis.minimal_tree import best_first_size, knuth_moore_size, minimal_tree_size, uniform_branching
from engine.analysis.statistics import count_node_types
from engine.tree.trace import Trace
from tests.support.games import ALL_GAMES, TEXTBOOK, connect_games, literal_trees, random_positions
from tests.support.marks import examples

both_rules = st.booleans()


def search_both(game, position=None, depth=None, **options):
    return [search(game, position, depth, algorithm, **options) for algorithm in ("minimax", "alphabeta")]


def check_savings(plain, pruned):
    """What an alignment promises, counted the slow way: by paths of moves."""
    alignment = Alignment(plain, pruned)
    where = {tuple(plain[row].moves): row for row in range(len(plain))}
    rows = [where[tuple(pruned[row].moves)] for row in range(len(pruned))]
    assert alignment.row.tolist() == rows
    assert np.flatnonzero(alignment.visited).tolist() == rows  # visited in the same order, each once
    assert alignment.both + alignment.only_minimax == len(plain)
    trace = Trace(pruned)
    seen = set(rows)
    for row in alignment.ranked_cutoffs:
        saving = alignment.saving_at(int(row))
        under = [where[(*saving.node.moves, move)] for move in saving.node.skipped_moves]
        skipped = [other for top in under for other in range(top, plain.end[top])]
        assert list(range(len(plain)))[saving.rows] == skipped
        assert saving.saved == alignment.saved[row] == len(skipped)
        assert (trace[saving.step].kind, trace[saving.step].node) == ("cutoff", saving.node)
        assert not seen & set(skipped)
        seen |= set(skipped)
    assert len(alignment.ranked_cutoffs) == pruned.cutoffs
    assert sorted(alignment.saved[alignment.ranked_cutoffs], reverse=True) == alignment.saved[alignment.ranked_cutoffs].tolist()
    assert alignment.saved.sum() == len(plain) - len(pruned) == len(seen) - len(pruned)
    cut = [pruned[row] for row in range(len(pruned)) if pruned[row].pruned]
    skipped = [plain.value[where[(*node.moves, move)]] for node in cut for move in node.skipped_moves]
    assert alignment.spared.values.tolist() == skipped


@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.parametrize("cut_on_equal", [True, False])
def test_the_savings_of_all_cutoffs_add_up_to_the_difference(name, cut_on_equal):
    game, depth = ALL_GAMES[name]
    check_savings(*search_both(game, depth=min(depth, 3) if name != "textbook" else depth, cut_on_equal=cut_on_equal))


@given(literal_trees, st.sampled_from(["max", "min"]), both_rules)
def test_savings_on_any_literal_tree(tree, first, cut_on_equal):
    check_savings(*search_both(literal(tree, first=first), cut_on_equal=cut_on_equal))


@given(st.data())
def test_savings_on_any_connect_board(data):
    game = data.draw(connect_games())
    plain, pruned = search_both(
        game, data.draw(random_positions(game)), data.draw(st.integers(0, 3)), cut_on_equal=data.draw(both_rules)
    )
    assert Alignment(plain, pruned).saved.sum() == plain.expanded - pruned.expanded


@pytest.mark.parametrize("name", ["full-depth", "threats", "k-tables", "long-state"])
def test_savings_of_programs_as_published(name):
    game = ALL_GAMES[name][0]
    check_savings(*search_both(game, depth=3, as_published=True))


def test_savings_of_a_search_that_was_stopped():
    """What is still to come has not been saved."""
    plain = search(connect(), depth=5, algorithm="minimax")
    part = search(connect(), depth=5, max_nodes=700)
    alignment = Alignment(plain, part)
    assert part.stopped
    assert 0 < alignment.saved.sum() < alignment.only_minimax


def test_trees_that_do_not_belong_together_are_refused():
    plain, pruned = search_both(connect(), "3", 3)
    for wrong, words in (
        ((pruned, plain), "minimax"),
        ((search(connect(), "3", 3, "minimax", max_nodes=50), pruned), "the minimax tree is incomplete"),
        ((plain, search(connect(), "3", 4)), "is not in the minimax tree"),
        ((plain, search(connect(), "3", 2)), "is not in the minimax tree"),
        ((plain, search(connect(), "4", 3)), "is not in the minimax tree"),
        ((plain, search(connect(order="centre"), "3", 3)), "is not in the minimax tree"),
    ):
        with pytest.raises(ValueError, match=words):
            Alignment(*wrong)
    with pytest.raises(ValueError, match="no cutoff at node 0"):
        Alignment(plain, pruned).saving_at(0)


def minimax_of(tree, maximizing):
    if not isinstance(tree, list):
        return tree
    return (max if maximizing else min)(minimax_of(child, not maximizing) for child in tree)


def put_best_first(tree, maximizing):
    """The tree with the best child of every node moved to the front."""
    if not isinstance(tree, list):
        return tree
    values = [minimax_of(child, not maximizing) for child in tree]
    best = values.index((max if maximizing else min)(values))
    children = [tree[best], *tree[:best], *tree[best + 1 :]]
    return [put_best_first(child, not maximizing) for child in children]


@given(literal_trees, st.sampled_from(["max", "min"]), both_rules)
@examples(300)
def test_best_child_first_is_alpha_beta_on_the_reordered_tree(tree, first, cut_on_equal):
    """Brute force: reorder the tree, search it."""
    given_order = search(literal(tree, first), algorithm="minimax", cut_on_equal=cut_on_equal)
    forced = search(literal(put_best_first(tree, first == "max"), first), algorithm="alphabeta", cut_on_equal=cut_on_equal)
    assert best_first_size(given_order) == (forced.expanded, forced.leaves)


def nested_values(game, state, depth):
    """A game's tree written out."""
    if game.is_over(state) or depth == 0:
        return game.evaluate(state)
    return [nested_values(game, game.play(state, move), depth - 1) for move in game.moves(state)]


@pytest.mark.parametrize(
    ("game", "position", "depth"), [(connect(), "334", 4), (tictactoe(), "40", 4), (connect(rows=3, cols=3, connect=3), "", 6)]
)
@pytest.mark.parametrize("cut_on_equal", [True, False])
def test_best_child_first_on_real_games(game, position, depth, cut_on_equal):
    plain, pruned = search_both(game, position, depth, cut_on_equal=cut_on_equal)
    first = "max" if plain.root.maximizing else "min"
    tree = put_best_first(nested_values(game, game.state(position), depth), first == "max")
    forced = search(literal(tree, first), cut_on_equal=cut_on_equal)
    assert best_first_size(plain) == (forced.expanded, forced.leaves)
    assert best_first_size(plain).nodes <= pruned.expanded


@given(st.integers(1, 4), st.integers(0, 4), st.randoms(use_true_random=False))
def test_uniform_trees_meet_the_formula(branching, depth, random):
    """b^ceil(K/2) + b^floor(K/2) - 1 leaves, whatever the values: also with many ties."""

    def grow(plies):
        return random.randint(-3, 3) if plies == 0 else [grow(plies - 1) for _ in range(branching)]

    plain = search(literal(grow(depth)), algorithm="minimax")
    assert uniform_branching(plain) == [branching] * depth
    least = knuth_moore_size([branching] * depth)
    assert best_first_size(plain) == minimal_tree_size(plain) == least
    assert least.leaves == branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def leaf_paths(tree, path=()):
    if not isinstance(tree, list):
        return [path]
    return [leaf for move, child in enumerate(tree) for leaf in leaf_paths(child, (*path, move))]


def possible_values(tree, maximizing, known, path=()):
    """The least and the greatest value of a tree of which only some leaves are known."""
    if not isinstance(tree, list):
        return (tree, tree) if path in known else (-inf, inf)
    below = [possible_values(child, not maximizing, known, (*path, move)) for move, child in enumerate(tree)]
    best = max if maximizing else min
    return best(low for low, _ in below), best(high for _, high in below)


FEW_LEAVES = st.recursive(st.integers(-2, 2), lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=9).filter(
    lambda tree: len(leaf_paths(tree)) <= 9
)


@given(FEW_LEAVES, st.sampled_from(["max", "min"]))
@examples(300)
def test_the_minimal_tree_is_the_least_that_proves_the_value(tree, first):
    """Brute force: all sets of leaves that leave no doubt. No rung needs less."""
    every, maximizing = leaf_paths(tree), first == "max"
    value = minimax_of(tree, maximizing)
    chosen = chain.from_iterable(combinations(every, size) for size in range(1, len(every) + 1))
    proofs = [known for known in chosen if possible_values(tree, maximizing, set(known)) == (value, value)]
    least = minimal_tree_size(search(literal(tree, first), algorithm="minimax"))
    nodes = min(len({leaf[:depth] for leaf in known for depth in range(len(leaf) + 1)}) for known in proofs)
    assert least == (nodes, min(map(len, proofs)))
    for rung in ALGORITHMS:
        assert search(literal(tree, first), algorithm=rung).statistics().distinct >= least.nodes


@given(literal_trees, st.sampled_from(["max", "min"]), both_rules)
@examples(200)
def test_no_order_beats_the_minimal_tree(tree, first, cut_on_equal):
    plain = search(literal(tree, first), algorithm="minimax", cut_on_equal=cut_on_equal)
    pruned = search(literal(tree, first), cut_on_equal=cut_on_equal)
    least, ordered = minimal_tree_size(plain), best_first_size(plain)
    assert least.nodes <= min(pruned.expanded, ordered.nodes)
    assert least.leaves <= min(pruned.leaves, ordered.leaves)


def test_best_child_first_can_cost_more_than_the_order_as_it_is():
    tree = literal([1, [0, [-2]]])
    plain = search(tree, algorithm="minimax")
    assert (best_first_size(plain).nodes, search(tree).expanded, minimal_tree_size(plain).nodes) == (5, 4, 4)


def test_no_order_of_a_small_uniform_tree_is_better_than_the_formula():
    """Every order of children of every node of a 2-ary tree of depth 3, all tried."""

    def orders(tree):
        if not isinstance(tree, list):
            return [tree]
        both_ways = [[left, right] for left, right in product(orders(tree[0]), orders(tree[1]))]
        return both_ways + [pair[::-1] for pair in both_ways]

    counts = {search(literal(tree)).leaves for tree in orders([[[3, 1], [4, 1]], [[5, 9], [2, 6]]])}
    assert min(counts) == knuth_moore_size([2, 2, 2]).leaves
    assert max(counts) > min(counts)


def test_levels_of_different_branching():
    tree = search(literal([[[1, 2], [3, 4], [5, 6]]] * 4), algorithm="minimax")
    assert uniform_branching(tree) == [4, 3, 2]
    assert best_first_size(tree) == minimal_tree_size(tree) == knuth_moore_size([4, 3, 2])


def test_uneven_trees_have_no_formula():
    assert uniform_branching(search(literal([[1, 2], [3]]), algorithm="minimax")) is None
    assert uniform_branching(search(literal([[1, 2], 3]), algorithm="minimax")) is None
    assert uniform_branching(search(literal(3), algorithm="minimax")) == []


def test_best_child_first_needs_the_whole_tree_of_minimax():
    with pytest.raises(ValueError, match="only a complete minimax tree"):
        best_first_size(search(literal(TEXTBOOK)))


def type_of(node, cut_on_equal):
    """PV, CUT or ALL, by the definition, with numbers seen from the side to move."""
    sign = 1 if node.maximizing else -1
    sure, limit = sorted((sign * node.alpha, sign * node.beta))
    value = sign * node.value
    if value > limit or (cut_on_equal and value == limit):
        return "cut"
    return "all" if value < sure or (cut_on_equal and value == sure) else "pv"


@given(literal_trees, both_rules)
def test_node_types(tree, cut_on_equal):
    pruned = search(literal(tree), cut_on_equal=cut_on_equal)
    types = [type_of(pruned[row], cut_on_equal) for row in range(len(pruned))]
    assert count_node_types(pruned)._asdict() == {name: types.count(name) for name in ("pv", "cut", "all")}
    assert types[0] == "pv"
    for row in np.flatnonzero(pruned.pruned):
        assert types[row] == "cut"


def test_minimax_has_no_node_types():
    with pytest.raises(ValueError, match="no windows"):
        count_node_types(search(literal(TEXTBOOK), algorithm="minimax"))
