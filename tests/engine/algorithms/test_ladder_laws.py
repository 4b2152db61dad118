"""Laws of the ladder, each on random trees and graphs, and tempting ones that are false, each with the tree that refutes it.

What compares two rungs as they are is a claim (engine/analysis/claims.py, tests/engine/analysis/test_claims.py); here is the
rest: who is visited, in which order, and variants that leave something out.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import literal, search
from engine.algorithms import alphabeta_core
from engine.algorithms.alphabeta_core import AlphaBetaSearch
from engine.algorithms.move_ordering import ORDERS
from engine.algorithms.pass_runner import FULL_WINDOW, Additions
from engine.algorithms.transposition_table import TranspositionTable
from engine.record.columns import INFINITY, TABLE
from engine.record.recorder import Record
from tests.support.marks import examples
from tests.support.reference import minimax_value
from tests.visualizer.narration.test_sentences import TIES

SIDES = st.sampled_from(["max", "min"])
EXACT = ("alphabeta", "table", "aspiration", "pvs", "mtdf", "sss", "dual", "iterative", "engine")
OPEN = {"slots": 0, "replace": "depth", "draft": "equal"}


@st.composite
def uniform_trees(draw, distinct=False):
    """A tree with the same number of moves everywhere, all lines equally long."""
    branching, depth = draw(st.sampled_from([(1, 3), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3)]))
    count = branching**depth
    values = draw(st.permutations(range(count)) if distinct else st.lists(st.integers(0, 4), min_size=count, max_size=count))
    for _ in range(depth):
        values = [values[start : start + branching] for start in range(0, len(values), branching)]
    return values[0], branching, depth


def move_paths(tree, leaves=False):
    return {tuple(tree[row].moves) for row in range(len(tree)) if not leaves or tree[row].is_leaf}


def run_pass(game, window=FULL_WINDOW, **options):
    """The rows of one pass of the text, with this window at the root."""
    record = Record(10**6, True, None, extra_columns=["link"])
    additions = Additions(**{key: options[key] for key in ("table", "scout") if key in options})
    text = AlphaBetaSearch(game, record, {**OPEN, **options}, additions)
    text.run_pass(game.start(), 600, window)
    return record.columns()


def visited_paths(columns):
    """The paths of moves of the rows, in order."""
    found, path = [], []
    for depth, move in zip(columns.depth.tolist(), columns.move.tolist(), strict=True):
        path[max(0, depth - 1) :] = [move] if depth else []
        found.append(tuple(path))
    return found


def true_windows(game):
    """For every path of moves the best true values that MAX and MIN have among earlier siblings, of it and of its ancestors."""
    found = {}

    def walk(state, path, low, high):
        found[path] = low, high
        for move in game.moves(state):
            child = game.play(state, move)
            walk(child, (*path, move), low, high)
            value = minimax_value(game, child, 99)
            low, high = (max(low, value), high) if game.maximizing(state) else (low, min(high, value))

    walk(game.start(), (), -INFINITY, INFINITY)
    return found


def negate_leaves(leaves):
    return [negate_leaves(child) for child in leaves] if isinstance(leaves, list) else -leaves


def map_leaves(leaves, change):
    return [map_leaves(child, change) for child in leaves] if isinstance(leaves, list) else change(leaves)


def knuth_moore(branching, depth):
    return branching ** math.ceil(depth / 2) + branching ** (depth // 2) - 1


# ---- who is visited


@given(TIES, SIDES)
@examples(80)
def test_alphabeta_visits_exactly_where_neither_side_has_better(leaves, first):
    game = literal([leaves], first=first)
    best = true_windows(game)
    on_equal, strict = search(game), search(game, cut_on_equal=False)
    assert move_paths(on_equal) == {path for path, (low, high) in best.items() if low < high}
    assert move_paths(strict) == {path for path, (low, high) in best.items() if low <= high}
    assert (on_equal.alpha < on_equal.beta).all()


@given(TIES, SIDES, st.integers(-1, 3), st.integers(1, 3))
@examples(80)
def test_a_window_visits_exactly_what_lies_inside_it(leaves, first, low, width):
    game = literal([leaves], first=first)
    best = true_windows(game)
    inside = {path for path, (a, b) in best.items() if max(low, a) < min(low + width, b)}
    assert set(visited_paths(run_pass(game, (low, low + width)))) == inside
    assert inside <= set(visited_paths(run_pass(game, (low - 1, low + width + 1))))
    null = set(visited_paths(run_pass(game, (low - 1, low))))
    assert null == {path for path, (a, b) in best.items() if a < low <= b}


def fail_hard(game, state, alpha, beta, path, seen, strict=False):
    """Alpha-beta that gives back nothing outside its window."""
    seen.append(path)
    if game.is_over(state):
        return min(max(game.evaluate(state), alpha), beta)
    for move in game.moves(state):
        score = fail_hard(game, game.play(state, move), alpha, beta, (*path, move), seen, strict)
        if game.maximizing(state):
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
        if alpha > beta or (alpha == beta and not strict):
            break
    return alpha if game.maximizing(state) else beta


@given(TIES, SIDES)
@examples(60)
def test_fail_hard_visits_what_fail_soft_visits(leaves, first):
    game, seen = literal([leaves], first=first), []
    value = fail_hard(game, game.start(), -INFINITY, INFINITY, (), seen)
    assert value == search(game).root.value
    assert seen == visited_paths(search(game).columns)


def test_with_strict_cutoffs_fail_hard_visits_something_else():
    game, seen = literal([1, [[0], 0]]), []
    fail_hard(game, game.start(), -INFINITY, INFINITY, (), seen, strict=True)
    assert seen != visited_paths(search(game, cut_on_equal=False).columns)


@given(TIES, SIDES, st.integers(-2, 4), st.sampled_from(["pvs", "aspiration", "mtdf", "sss", "dual"]))
@examples(120)
def test_no_rung_visits_what_alphabeta_does_not(leaves, first, guess, rung):
    game = literal([leaves], first=first)
    options = {"guess": guess} if rung in ("aspiration", "mtdf") else {}
    options |= {"width": 1} if rung == "aspiration" else {}
    assert move_paths(search(game, algorithm=rung, **options)) <= move_paths(search(game))


# ---- SSS* and MTD(f)


def published_sss(game, by_age=False):
    """SSS* as it was published: a list of live and solved states, the best merit first, the leftmost of equals (or oldest)."""
    leaves, births = [], 0
    living = [(-INFINITY, (), "live", 0)]  # minus its merit

    def state_of(path):
        state = game.start()
        for move in path:
            state = game.play(state, move)
        return state

    while True:
        entry = min(living, key=lambda one: (one[0], one[3] if by_age else (), one[1]))
        living.remove(entry)
        minus, path, status, _ = entry
        state = state_of(path)
        births += 1
        if status == "solved":
            if not path:
                return -minus, leaves
            above = state_of(path[:-1])
            if game.maximizing(above):  # solved: the others below that MAX node are of no use any more
                living = [one for one in living if one[1][: len(path) - 1] != path[:-1]]
                living.append((minus, path[:-1], "solved", births))
            elif path[-1] + 1 < len(game.moves(above)):
                living.append((minus, (*path[:-1], path[-1] + 1), "live", births))
            else:
                living.append((minus, path[:-1], "solved", births))
        elif game.is_over(state):
            leaves.append(path)
            living.append((max(minus, -game.evaluate(state)), path, "solved", births))
        elif game.maximizing(state):
            living += [(minus, (*path, move), "live", births) for move in game.moves(state)]
        else:
            living.append((minus, (*path, 0), "live", births))


def leaves_in_order(tree):
    return [tuple(tree[row].moves) for row in range(len(tree)) if tree[row].is_leaf]


@given(TIES)
@examples(60)
def test_sss_evaluates_the_leaves_of_stockmans_in_his_order(leaves):
    game = literal([leaves])
    value, order = published_sss(game)
    tree = search(game, algorithm="sss")
    assert leaves_in_order(tree) == order
    assert len(order) == len(set(order))
    assert tree.root.value == value
    assert leaves_in_order(search(literal([negate_leaves(leaves)], first="min"), algorithm="dual")) == order


def test_sss_with_ties_broken_by_age_leaves_alphabeta():
    game = literal([[0, [0, 0]]])
    assert not set(published_sss(game, by_age=True)[1]) <= move_paths(search(game), leaves=True)


@given(TIES)
@examples(60)
def test_every_pass_of_sss_but_the_last_lowers_the_bound_to_a_leaf(leaves):
    tree = search(literal([leaves]), algorithm="sss")
    bounds = [each_pass.result for each_pass in tree.passes]
    assert all(after < before for before, after in pairwise(bounds[:-1]))
    assert bounds[-1] == tree.root.value
    values = {value for value in tree.value[tree.status != TABLE] if value >= tree.root.value}
    assert set(bounds) <= values
    assert len(bounds) <= len(set(np.ravel(flatten_leaves(leaves)))) + 1


def flatten_leaves(leaves):
    return [leaf for child in leaves for leaf in flatten_leaves(child)] if isinstance(leaves, list) else [leaves]


@given(TIES, SIDES)
@examples(60)
def test_mtd_from_the_value_needs_two_passes_and_evaluates_no_leaf_twice(leaves, first):
    game = literal([leaves], first=first)
    plain = search(game, algorithm="minimax")
    tree = search(game, algorithm="mtdf", guess=plain.root.value)
    assert len(tree.passes) == 2
    assert tree.root.best_move == plain.root.best_move
    order = leaves_in_order(search(game, algorithm="mtdf"))
    assert len(order) == len(set(order))


@given(st.lists(TIES, min_size=2, max_size=3), SIDES, st.sampled_from(["mtdf", "sss", "dual"]), st.integers(-1, 8))
@examples(60)
def test_the_first_move_with_the_best_value_of_the_last_pass_is_the_first_best_move(leaves, first, rung, guess):
    game = literal(leaves, first=first)
    root = search(game, algorithm=rung, **guess_options(rung, float(guess))).root
    best = (max if root.maximizing else min)(row.value for row in root.children)
    first_best = next(row.move for row in root.children if row.value == best)
    assert first_best == search(game, algorithm="minimax").root.best_move


# ---- the best case


@given(uniform_trees(), st.sampled_from(EXACT))
@examples(80)
def test_with_the_best_child_first_alphabeta_is_minimal_and_no_rung_is_better(uniform_tree, rung):
    leaves, branching, depth = uniform_tree
    game, least = literal(leaves), knuth_moore(branching, depth)
    best = search(game, order="best")
    assert best.leaves == least
    probes = search(game, algorithm="pvs", order="best")
    assert (probes.expanded, probes.statistics().researches) == (best.expanded, 0)
    assert len(move_paths(search(game, algorithm=rung), leaves=True)) >= least


@given(uniform_trees(distinct=True))
@examples(30)
def test_with_leaves_that_differ_strict_cutoffs_are_minimal_too(uniform_tree):
    leaves, branching, depth = uniform_tree
    assert search(literal(leaves), order="best", cut_on_equal=False).leaves == knuth_moore(branching, depth)


# ---- probes


@given(TIES, SIDES)
@examples(80)
def test_a_probe_that_fails_low_is_not_searched_again(leaves, first):
    game = literal([leaves], first=first)
    tree, plain = search(game, algorithm="pvs"), search(game, algorithm="minimax")
    for row in range(len(tree)):
        node = tree[row]
        if node.again is not None:
            assert node.alpha < node.value if node.parent.maximizing else node.value < node.beta
            assert tree.link[node.again] == node
            assert (node.again.alpha, node.again.beta) != (node.alpha, node.beta)
        assert [child.move for child in node.children] == sorted(child.move for child in node.children)
    best = next(child for child in tree.root.children if child.value == tree.root.value)
    assert best.move == plain.root.best_move == tree.root.best_move


def search_with_scout(game, state, alpha, beta, plies_left, again_above):
    """PVS that searches again only what is more than so many plies above its leaves."""
    if game.is_over(state):
        return game.evaluate(state)
    sign = 1 if game.maximizing(state) else -1
    value = -INFINITY
    for place, move in enumerate(game.moves(state)):
        child = game.play(state, move)
        low, high = (alpha, beta) if sign > 0 else (-beta, -alpha)  # for the side to move
        window = (low, high if place == 0 or low == -INFINITY else min(high, low + 1))
        score = sign * search_with_scout(game, child, *orient_window(window, sign), plies_left - 1, again_above)
        if low < score < high and window != (low, high) and plies_left > again_above:
            score = sign * search_with_scout(game, child, *orient_window((low, high), sign), plies_left - 1, again_above)
        value = max(value, score)
        if value >= high:
            break
        alpha, beta = (max(alpha, value), beta) if sign > 0 else (alpha, min(beta, -value))
    return sign * value


def orient_window(window, sign):
    return window if sign > 0 else (-window[1], -window[0])


@given(uniform_trees())
@examples(60)
def test_negascout_may_leave_out_what_is_searched_again_in_the_last_two_plies(uniform_tree):
    leaves, _, depth = uniform_tree
    game = literal(leaves)
    assert search_with_scout(game, game.start(), -INFINITY, INFINITY, depth, 2) == minimax_value(game, game.start(), 99)


@pytest.mark.parametrize(("leaves", "plies", "left_out"), [([0, [[1, 2]]], 3, 9), ([[[0, 0], [0, 0]], [[0, 2], [1, 2]]], 3, 3)])
def test_without_searching_again_the_value_may_be_wrong(leaves, plies, left_out):
    game = literal(leaves)
    truth = minimax_value(game, game.start(), 99)
    assert search_with_scout(game, game.start(), -INFINITY, INFINITY, plies, 0) == truth
    assert search_with_scout(game, game.start(), -INFINITY, INFINITY, plies, left_out) != truth


def test_a_null_window_without_a_table_does_not_tell_the_best_move():
    game = literal([[3, 0], 3])
    root_moves = run_pass(game, (3, 4))  # fails low: at most 3
    values = {path[0]: value for path, value in zip(visited_paths(root_moves), root_moves.value, strict=True) if len(path) == 1}
    assert values == {0: 3, 1: 3}  # the first is worth 0
    assert search(game, algorithm="minimax").root.best_move == 1


# ---- symmetry


@given(TIES, SIDES, st.sampled_from(EXACT), st.sampled_from([order for order in ORDERS if order != "static"]))
@examples(100)
def test_swapping_the_sides_and_any_increasing_change_leave_the_rows_as_they_are(leaves, first, rung, order):
    other = "min" if first == "max" else "max"
    tree = search(literal([leaves], first=first), algorithm=rung, order=order, **guess_options(rung, 1))
    grown = search(
        literal([map_leaves(leaves, lambda leaf: 3 * leaf)], first=first), algorithm=rung, order=order, **guess_options(rung, 3)
    )
    for column in ("move", "depth", "end", "flags"):
        np.testing.assert_array_equal(getattr(tree.columns, column), getattr(grown.columns, column))
    if rung in ("alphabeta", "pvs"):
        swapped = search(literal([negate_leaves(leaves)], first=other), algorithm=rung, order=order)
        np.testing.assert_array_equal(tree.columns.move, swapped.columns.move)
        np.testing.assert_array_equal(tree.value, -swapped.value)


def guess_options(rung, guess):
    return {"guess": guess, "width": guess} if rung == "aspiration" else {"guess": guess} if rung == "mtdf" else {}


# ---- tables


class Graph:
    """Positions in layers, each with moves to some of the next; the last are leaves. All may be evaluated."""

    number_kind = "whole"

    def __init__(self, edges, static):
        self.edges, self.static = edges, static  # by layer and number

    def start(self):
        return (0, 0)

    def moves(self, state):
        layer, number = state
        return list(range(len(self.edges[layer][number]))) if layer < len(self.edges) else []

    def play(self, state, move):
        return state[0] + 1, self.edges[state[0]][state[1]][move]

    def is_over(self, state):
        return not self.moves(state)

    def maximizing(self, state):
        return state[0] % 2 == 0

    def evaluate(self, state):
        return self.static[state[0]][state[1]]


@st.composite
def layered_graphs(draw):
    sizes = [1, *(draw(st.integers(1, 3)) for _ in range(draw(st.integers(1, 4))))]
    edges = [
        [draw(st.lists(st.integers(0, below - 1), min_size=0 if layer else 1, max_size=3)) for _ in range(size)]
        for layer, (size, below) in enumerate(pairwise(sizes))
    ]
    return Graph(edges, [[draw(st.integers(0, 3)) for _ in range(size)] for size in sizes])


@given(
    layered_graphs(),
    st.sampled_from(["table", "iterative", "mtdf", "sss", "dual", "engine"]),
    st.integers(1, 4),
    st.integers(0, 7),
)
@examples(150)
def test_tables_of_any_size_keep_the_value_on_graphs(game, rung, depth, slots):
    tree = search(game, depth=depth, algorithm=rung, slots=slots)
    assert tree.root.value == minimax_value(game, game.start(), depth)
    for row in np.flatnonzero(tree.status == TABLE):
        source = tree[int(tree.link[row])]
        assert source < row
        assert source.state == tree[row].state
        of_source, here = (tree.passes[tree.pass_number(node)] for node in (source, tree[row]))
        assert of_source.K - source.depth == here.K - tree[row].depth


@given(layered_graphs(), st.integers(1, 4))
@examples(100)
def test_a_table_saves_calls_and_evaluates_no_position_twice(game, depth):
    tree, plain = search(game, depth=depth, algorithm="table"), search(game, depth=depth)
    leaves = {plain[row].state for row in range(len(plain)) if plain[row].is_leaf}
    evaluated = [tree[row].state for row in range(len(tree)) if tree[row].is_leaf]
    assert len(evaluated) == len(set(evaluated)) <= len(leaves)
    assert tree.expanded <= plain.expanded


@given(layered_graphs())
@examples(60)
def test_deeper_entries_are_right_to_the_end_of_the_game(game):
    for rung in ("table", "mtdf"):
        tree = search(game, algorithm=rung, draft="deeper")
        assert tree.root.value == minimax_value(game, game.start(), 99)


def test_deepening_may_cost_calls_in_the_last_pass():
    game = Graph([[[0, 1]], [[0], [0, 1]]], [[1], [0, 1], [3, 2]])
    tree = search(game, depth=2, algorithm="iterative")
    assert len(tree) - tree.roots[-1] > search(game, depth=2).expanded


class Skipping:
    """A graph whose lines are not equally long. A state is a number and who is to move."""

    number_kind = "whole"

    def __init__(self, edges, static):
        self.edges, self.static = edges, static

    def start(self):
        return (0, True)

    def moves(self, state):
        return list(range(len(self.edges[state[0]])))

    def play(self, state, move):
        return self.edges[state[0]][move], not state[1]

    def is_over(self, state):
        return not self.edges[state[0]]

    def maximizing(self, state):
        return state[1]

    def evaluate(self, state):
        return self.static[state[0]]


def test_entries_from_deeper_searches_may_change_the_value():
    game = Skipping([[3, 1], [2], [3, 3], [4], []], [2, 3, 1, 2, 1])
    truth = minimax_value(game, game.start(), 3)
    assert search(game, depth=3, algorithm="table").root.value == truth
    assert search(game, depth=3, algorithm="table", draft="deeper").root.value != truth


def test_a_larger_table_may_cost_calls():
    game = Graph([[[1, 0]], [[0], [0]], [[3], [3]]], [[3], [3, 0], [1, 0], [0, 3, 1, 1]])
    two, three = (search(game, depth=3, algorithm="table", slots=slots).expanded for slots in (2, 3))
    assert three > two


class Overconfident(TranspositionTable):
    """A table that takes the bound that a cutoff leaves for the value."""

    def store(self, key, remaining, value, window, move, row):
        super().store(key, remaining, value, (-INFINITY, INFINITY), move, row)


def test_storing_bounds_as_exact_is_wrong(monkeypatch):
    """The second position of layer 2 is cut off at 1, worth at least that; by the other way it would be worth 2."""
    game = Graph([[[0, 1]], [[0, 1], [1]], [[0], [0, 1]]], [[0], [0, 0], [0, 0], [1, 2]])
    assert search(game, algorithm="table").root.value == search(game, algorithm="minimax").root.value == 2
    monkeypatch.setattr(alphabeta_core, "TranspositionTable", Overconfident)
    assert search(game, algorithm="table").root.value == 1


class Careless(TranspositionTable):
    """A table that does not look at the key."""

    def find(self, key, remaining):
        entry = self._entries.get(self._entry_key(key, remaining))
        return entry and entry._replace(key=key)


def test_a_table_without_key_check_is_wrong(monkeypatch):
    game = literal([[0], [1]])
    assert search(game, algorithm="table", slots=1).root.value == 1
    monkeypatch.setattr(alphabeta_core, "TranspositionTable", Careless)
    assert search(game, algorithm="table", slots=1).root.value == 0


class Repeating:
    """A: C, B; B: D; C: D or the end, -1 for MAX; D: C. MAX is to move at A, and a position that comes again is a draw. A state
    is the path; `with_path` says whether a table tells paths apart, or only their last positions."""

    number_kind = "whole"

    def __init__(self, with_path):
        self.with_path = with_path

    def start(self):
        return ("A",)

    def moves(self, state):
        return {"A": ["C", "B"], "B": ["D"], "C": ["D", "end"], "D": ["C"], "end": []}[state[-1]] if not self.drawn(state) else []

    def drawn(self, state):
        return state[-1] in state[:-1]

    def play(self, state, move):
        return (*state, move)

    def is_over(self, state):
        return not self.moves(state)

    def maximizing(self, state):
        return len(state) % 2 == 1

    def evaluate(self, state):
        return -1 if state[-1] == "end" else 0

    def position_key(self, state):
        return state if self.with_path else (state[-1], self.maximizing(state))


def test_a_table_by_position_is_wrong_where_repetition_is_a_draw():
    by_path = search(Repeating(with_path=True), algorithm="table", draft="deeper").root.value
    assert by_path == search(Repeating(with_path=True), algorithm="minimax").root.value
    by_position = search(Repeating(with_path=False), algorithm="table", draft="deeper").root.value
    assert by_position != by_path
