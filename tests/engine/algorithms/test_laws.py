"""Laws that hold for every game, algorithm and tree."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import literal, search
from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import LAWS, PLAIN
from engine.compiled.alphabeta_driver import evaluate, why_board_not_compiled
from engine.games.capabilities import table_key
from engine.games.literal import LiteralTree
from engine.games.registry import read_game
from engine.record.columns import CHANCE, CUTOFF, EXHAUSTED, HORIZON, OPEN, PROBE, TABLE, TERMINAL
from engine.searcher import why_game_not_compiled
from engine.tree.counting import count_repetition
from tests.support.chance_trees import exact_value, random_chance_tree
from tests.support.games import ALL_GAMES, connect_games, literal_trees, random_positions
from tests.support.marks import examples
from tests.support.paths import ROOT
from tests.support.reference import Grid, minimax_value
from tests.support.toy_algorithms import TOYS, register_toys

every_game = pytest.mark.parametrize("name", ALL_GAMES)
COMPILED = [name for name, algorithm in ALGORITHMS.items() if algorithm.kernel == PLAIN]  # the others: test_ladder_kernel.py
FIRST_RUNGS = ("minimax", "alphabeta")
QUICK_GAMES = ("connect count", "k-tables", "nim", "textbook", "countdown")
every_search = pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        pytest.param(name, algorithm, marks=[] if algorithm in FIRST_RUNGS or name in QUICK_GAMES else pytest.mark.slow)
        for algorithm in ALGORITHMS
        for name in ALL_GAMES
    ],
)


def same_table(one, other):
    """Row for row, column for column."""
    assert len(one) == len(other)
    for column in ("parent", "move", "depth", "alpha", "beta", "value", "status", "pruned", "maximizing", "end"):
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column), err_msg=column)
    np.testing.assert_array_equal(one.columns.skipped, other.columns.skipped)


def check_consistent(tree):
    """What any recorded tree promises, complete or not."""
    rows = len(tree)
    assert rows >= 1
    assert tree.parent[0] == tree.move[0] == -1
    assert tree.depth[0] == 0
    parent, end, status, value = tree.parent, tree.end, tree.status, tree.value
    for row in range(rows):
        children = tree.child_rows(row)
        assert [int(parent[child]) for child in children] == [row] * len(children)
        assert row < end[row] <= rows
        assert (children[-1] if children else row) < end[row]
        assert end[row] == (end[children[-1]] if children else row + 1)
        assert all(tree.depth[child] == tree.depth[row] + 1 for child in children)
        if status[row] in (TERMINAL, HORIZON):
            assert not children
            assert math.isfinite(value[row])
        if status[row] in (EXHAUSTED, CUTOFF):
            assert all(status[child] != OPEN for child in children)
            best = max if tree.maximizing[row] else min
            assert tree.turn[row] == CHANCE or value[row] == best(value[child] for child in children)
        assert (status[row] == CUTOFF) == bool(tree.pruned[row])
        assert (tree.columns.skipped[row] > 0) == (status[row] in (CUTOFF, PROBE))
        assert tree[row].skipped == len(tree[row].skipped_moves)
        for child in children if tree.turn[row] != CHANCE else ():  # windows nest
            assert tree.alpha[row] <= tree.alpha[child]
            assert tree.beta[child] <= tree.beta[row]
    opened = [row for row in range(rows) if status[row] == OPEN]
    assert not (tree.complete and opened)
    assert opened == tree.path(rows - 1)[: len(opened)] or opened == tree.path(opened[-1])
    if not tree.complete:  # what was running is open; between two passes nothing was
        assert opened or tree.end[tree.root] == rows


# ---- the laws that algorithms declare to obey


def finds_the_value(tree, minimax):
    assert tree.root.value == minimax.root.value == minimax_value(tree.game, tree.search.root, 500 if tree.K is None else tree.K)


def keeps_the_first_of_equals(tree, minimax):
    assert tree.root.best_move == minimax.root.best_move


def expands_everything(tree, minimax):
    assert tree.expanded == minimax.expanded
    assert tree.cutoffs == 0


def expands_no_more(tree, minimax):
    assert tree.expanded <= minimax.expanded


def visits_once(tree, minimax):
    assert (*count_repetition(tree), len(tree.passes)) == (tree.expanded, 0, 1)


def is_part_of_minimax(tree, minimax):
    paths = {tuple(minimax[row].moves) for row in range(len(minimax))}
    assert all(tuple(tree[row].moves) in paths for row in range(len(tree)))
    if tree.K is None or isinstance(tree.game, LiteralTree):  # to the end: what is below a skipped move can be counted
        assert tree.expanded + skipped_nodes(tree) == minimax.expanded


def stays_within_alphabeta(tree, minimax):
    if isinstance(tree.game, LiteralTree):
        paths = {tuple(node.moves) for node in search(tree.question.replace(algorithm="alphabeta"))[:]}
        assert {tuple(node.moves) for node in tree[:]} <= paths


def answers_what_was_found_out(tree, minimax):
    states = tree.states()
    state_at = states.at if hasattr(states, "at") else states.__getitem__
    for row in np.flatnonzero(tree.status == TABLE):
        node, source = tree[row], tree[int(tree.link[row])]
        assert source < node
        assert state_at(source) == state_at(node)
        K, of_source = (tree.passes[tree.pass_number(one)].K or 0 for one in (node, source))
        assert K - node.depth == of_source - source.depth
        assert node.bound in (source.bound, "exact") or source.bound == "exact"


def evaluates_once(tree, minimax):
    leaves = [node for node in tree[:] if node.is_leaf]
    known = {(table_key(tree.game, node.state, tuple(node.moves)), node.depth) for node in leaves}
    assert len(leaves) == len(known)


def has_windows_that_nest(tree, minimax):
    for row in range(len(tree)):
        for child in tree.child_rows(row):
            assert tree.alpha[row] <= tree.alpha[child]
            assert tree.beta[child] <= tree.beta[row]


def is_written_by_the_kernel_too(tree, minimax):
    if tree.compiled:
        same_table(tree, search(tree.question, compiled=False))


def finds_the_expectation(tree, minimax):
    for seed in range(3):
        written, first = random_chance_tree(seed)
        found = search(literal(written, first), algorithm=tree.algorithm).root.value
        assert found == pytest.approx(float(exact_value(written, first == "max")), abs=1e-9)


CHECKS = {
    "value": finds_the_value,
    "expectation": finds_the_expectation,
    "first of equals": keeps_the_first_of_equals,
    "everything": expands_everything,
    "no more": expands_no_more,
    "once": visits_once,
    "part of minimax": is_part_of_minimax,
    "within alpha-beta": stays_within_alphabeta,
    "answers": answers_what_was_found_out,
    "no leaf twice": evaluates_once,
    "windows nest": has_windows_that_nest,
    "kernel": is_written_by_the_kernel_too,
}


TWO_CALLS, FAR, SMALL, ONE_HEAP = ("tree:[0,1]", None), ("tree:[100]", None), ("tree:[0]", None), ("nim:1", 2)
TO_THE_END, BIG, CUT = ("nim:2,2", None), ("connect:rows=9,cols=9,connect=5", 2), ("tree:[0,[0,0]]", None)
OVER = dict.fromkeys(("mtdf", "sss", "dual"), SMALL) | {
    "pvs": TWO_CALLS,
    "aspiration": FAR,
    "iterative": ONE_HEAP,
    "engine": ONE_HEAP,
}
COUNTEREXAMPLES = {  # by law and algorithm, a game and a depth: what is neither declared nor here is not claimed
    "first of equals": {"iterative": BIG, "engine": BIG, "mtdf": ("tree:[[0,0],0]", None), "dual": ("tree:[[0,0],0]", None)},
    "everything": {name: CUT for name in ALGORITHMS if name not in ("minimax", "expectiminimax")},
    "no more": OVER,
    "once": OVER,
    "part of minimax": {**OVER, "table": TO_THE_END, "iterative": TO_THE_END, "engine": TO_THE_END},
    "within alpha-beta": {"minimax": CUT, "expectiminimax": CUT, "engine": ("tree:[1,[3,1,2],[0,3,2]]", None)},
    "no leaf twice": {
        **dict.fromkeys(("minimax", "alphabeta", "expectiminimax", "star1", "star2"), ("nim:1,1", None)),
        **{name: OVER[name] for name in ("iterative", "aspiration", "pvs", "engine")},
        "table": ("nim:2,3,1", None),
    },
}


@pytest.mark.parametrize(("law", "algorithm"), [(law, name) for law, cases in COUNTEREXAMPLES.items() for name in cases])
def test_a_law_that_an_algorithm_breaks_has_a_counterexample(law, algorithm):
    game, depth = COUNTEREXAMPLES[law][algorithm]
    assert law not in ALGORITHMS[algorithm].laws
    tree, minimax = (search(read_game(game), depth=depth, algorithm=name) for name in (algorithm, "minimax"))
    with pytest.raises(AssertionError):
        CHECKS[law](tree, minimax)


@every_search
def test_every_algorithm_obeys_the_laws_it_declares(name, algorithm):
    game, depth = ALL_GAMES[name]
    tree, minimax = search(game, depth=depth, algorithm=algorithm), search(game, depth=depth, algorithm="minimax")
    check_consistent(tree)
    for law in ALGORITHMS[algorithm].laws:
        CHECKS[law](tree, minimax)


@pytest.mark.parametrize("toy", TOYS, ids=lambda toy: toy.name)
def test_toys_obey_the_laws_they_declare(toy, monkeypatch):
    register_toys(monkeypatch)
    for game, depth in ALL_GAMES.values():
        tree, minimax = search(game, depth=depth, algorithm=toy.name), search(game, depth=depth, algorithm="minimax")
        for law in toy.laws:
            CHECKS[law](tree, minimax)


def test_every_law_can_be_checked_and_is_in_the_guide():
    assert CHECKS.keys() == LAWS.keys()
    begin, end = "<!-- laws -->\n", "<!-- end of laws -->"
    assert (ROOT / "engine" / "algorithms" / "README.md").read_text().partition(begin)[2].partition(end)[0] == law_table()


def law_table():
    """Return the table of the guide: which algorithm obeys which law, breaks it, or does not claim it. `python -m
    tests.engine.algorithms.test_laws` prints it."""
    lines = [f"| | {' | '.join(algorithm.title for algorithm in ALGORITHMS.values())} |", "|---" * (len(ALGORITHMS) + 1) + "|"]
    for law, words in LAWS.items():
        broken = COUNTEREXAMPLES.get(law, {})
        marks = ("yes" if law in known.laws else "no" if name in broken else "–" for name, known in ALGORITHMS.items())
        lines.append(f"| {words} | {' | '.join(marks)} |")
    return "\n".join(lines) + "\n"


@every_search
def test_counts_agree(name, algorithm):
    game, depth = ALL_GAMES[name]
    tree = search(game, depth=depth, algorithm=algorithm)
    assert tree.expanded == len(tree) == sum(row["expanded"] for row in tree.per_depth)
    assert tree.leaves == sum(node.is_leaf for node in map(tree.__getitem__, range(len(tree))))
    assert tree.terminals == int((tree.status == TERMINAL).sum())
    assert tree.cutoffs == int(tree.pruned.sum()) == sum(row["cutoffs"] for row in tree.per_depth)
    assert tree.skipped == sum(row["skipped"] for row in tree.per_depth) == int(tree.columns.skipped.astype(int).sum())


@every_game
def test_states_are_those_of_the_search(name):
    game, depth = ALL_GAMES[name]
    tree = search(game, depth=depth)
    states = tree.states()
    state_at = states.at if hasattr(states, "at") else states.__getitem__
    for row in range(0, len(tree), max(1, len(tree) // 50)):
        assert tree[row].state == state_at(row)
        assert game.maximizing(tree[row].state) == tree[row].maximizing
        if tree[row].is_leaf:
            assert tree[row].value == game.evaluate(tree[row].state)
    middle = len(tree) // 2
    part = tree.states(middle, middle + 5)
    assert (part.at(0) if hasattr(part, "at") else part[0]) == tree[middle].state


@given(literal_trees, st.sampled_from(["max", "min"]), st.booleans())
def test_alphabeta_on_any_literal_tree(tree, first, cut_on_equal):
    game = literal(tree, first=first)
    plain = search(game, algorithm="minimax")
    pruned = search(game, algorithm="alphabeta", cut_on_equal=cut_on_equal)
    assert pruned.root.value == plain.root.value == minimax_value(game, game.start(), 99)
    assert pruned.expanded <= plain.expanded
    assert pruned.root.best_move == plain.root.best_move
    assert pruned.principal_variation == plain.principal_variation
    assert pruned.expanded + skipped_nodes(pruned) == plain.expanded
    check_consistent(pruned)
    for row in range(len(pruned)):
        node = pruned[row]
        true = minimax_value(game, node.state, 99)
        assert node.bound != "open"
        if node.bound in ("exact", "lower"):
            assert true >= node.value
        if node.bound in ("exact", "upper"):
            assert true <= node.value
        if node.pruned:
            assert node.bound == ("lower" if node.maximizing else "upper")


def skipped_nodes(tree):
    """Nodes under the skipped moves, counted one by one."""

    def size(game, state):
        return 1 + sum(size(game, game.play(state, move)) for move in game.moves(state))

    nodes = (tree[row] for row in range(len(tree)))
    return sum(size(tree.game, tree.game.play(node.state, move)) for node in nodes for move in node.skipped_moves)


@given(st.data())
@examples(250)
def test_kernel_equals_readable_text(data):
    game = data.draw(connect_games())
    state = data.draw(random_positions(game))
    depth = data.draw(st.integers(0, 4 if game.cols < 5 else 3 if game.cols < 8 else 2))
    options = {"algorithm": data.draw(st.sampled_from(COMPILED)), "cut_on_equal": data.draw(st.booleans())}
    obstacle = why_board_not_compiled(game)
    if obstacle:
        with pytest.raises(ValueError, match="cannot run compiled"):
            search(game, state, depth, compiled=True)
        return
    same_table(search(game, state, depth, compiled=True, **options), search(game, state, depth, compiled=False, **options))


@given(st.data())
@examples(400)
def test_kernel_equals_readable_text_as_published(data):
    from engine import preset

    name = data.draw(st.sampled_from(["full-depth", "connect-m", "long-state", "threats", "k-tables"]))
    game = preset(name)
    state = data.draw(random_positions(game))
    depth = data.draw(st.integers(0, 3))
    empty = (game.cells & ~(state.max_discs | state.min_discs)).bit_count()
    if empty <= 5:
        depth += data.draw(st.integers(0, 4))
    options = {
        "algorithm": data.draw(st.sampled_from(["minimax", "alphabeta"])),
        "cut_on_equal": data.draw(st.booleans()),
        "as_published": True,
    }
    same_table(search(game, state, depth, compiled=True, **options), search(game, state, depth, compiled=False, **options))


@given(st.data())
@examples(300)
def test_compiled_evaluations_equal_the_plain_ones(data):
    game = data.draw(connect_games())
    state = data.draw(random_positions(game))
    if not why_board_not_compiled(game):
        assert evaluate(game, state) == game.evaluate(state)


@given(st.data())
@examples(150)
def test_bitboards_agree_with_a_grid(data):
    game = data.draw(connect_games(bits=120))
    columns = data.draw(st.lists(st.integers(0, game.cols - 1), max_size=game.rows * game.cols))
    grid, state = Grid(game.rows, game.cols), game.start()
    for column in columns:
        if column not in game.moves(state):
            continue
        grid.drop(column, state.max_to_move)
        state = game.play(state, column)
    filled = grid.full_windows(game.connect)
    assert (game.score(state.max_discs), game.score(state.min_discs)) == (filled[True], filled[False])
    won = game.rule == "first" and (filled[True] or filled[False])
    assert game.is_over(state) == bool(won or len(grid.cells) == game.rows * game.cols)
    drawn = [line.split() for line in game.show(state).splitlines()]
    for (column, row), side in grid.cells.items():
        assert drawn[game.rows - 1 - row][column] == ("X" if side else "O")


@every_search
def test_a_budget_of_exactly_the_trees_size_is_enough(name, algorithm):
    game, depth = ALL_GAMES[name]
    whole = search(game, depth=depth, algorithm=algorithm)
    same_table(whole, search(game, depth=depth, algorithm=algorithm, max_nodes=len(whole)))
    short = search(game, depth=depth, algorithm=algorithm, max_nodes=len(whole) - 1)
    assert whole.complete
    assert (short.complete, short.stopped, short.root.status, len(short)) == (False, "node limit", "open", len(whole) - 1)


@given(st.data())
def test_stopping_anywhere_leaves_a_consistent_tree(data):
    game, depth = ALL_GAMES[data.draw(st.sampled_from(sorted(ALL_GAMES)))]
    algorithm = data.draw(st.sampled_from(list(ALGORITHMS)))
    whole = search(game, depth=depth, algorithm=algorithm)
    budget = data.draw(st.integers(1, len(whole)))
    part = search(game, depth=depth, algorithm=algorithm, max_nodes=budget)
    check_consistent(part)
    for column in ("parent", "move", "depth", "alpha", "beta", "maximizing"):
        np.testing.assert_array_equal(getattr(part, column), getattr(whole, column)[:budget])
    closed = part.status != OPEN
    np.testing.assert_array_equal(part.value[closed], whole.value[:budget][closed])
    np.testing.assert_array_equal(part.end[closed], whole.end[:budget][closed])
    if not why_game_not_compiled(game):
        same_table(part, search(game, depth=depth, algorithm=algorithm, max_nodes=budget, compiled=False))


@every_game
def test_nothing_in_a_tree_can_be_changed(name):
    game, depth = ALL_GAMES[name]
    tree = search(game, depth=depth)
    for column in (
        *tree.columns,
        tree.value,
        tree.alpha,
        tree.beta,
        tree.parent,
        tree.pruned,
        tree.status,
        tree.move,
        tree.depth,
    ):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


if __name__ == "__main__":
    print(law_table(), end="")
