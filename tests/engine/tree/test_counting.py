"""The counts of a tree, compared with naive counting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ALGORITHMS, connect, literal, search
from engine.algorithms import alphabeta
from engine.algorithms.spec import Algorithm
from engine.compiled.tree_kernels import count_rows
from engine.games.protocol import legal_moves, move_codes, play_move
from engine.record.columns import EXHAUSTED, INFINITY, TERMINAL
from engine.tree import counting, tree
from engine.tree.counting import count_repetition
from tests.support.games import ALL_GAMES, literal_trees


def naive_repetition(tree):
    """Distinct paths and re-searches by sets of paths and of moves."""
    paths, called, again = [()], set(), 0
    distinct = set()
    for row in range(len(tree)):
        depth, move = int(tree.depth[row]), int(tree.move[row])
        paths[depth:] = [(*paths[depth - 1], move) if depth else ()]
        distinct.add(paths[depth])
        if depth:
            again += (int(tree.parent[row]), move) in called
            called.add((int(tree.parent[row]), move))
    return len(distinct), again


def count_both_ways(tree, monkeypatch):
    """Return the counts by interpreted and by compiled code."""
    found = []
    for few in (len(tree), 0):
        monkeypatch.setattr(counting, "INTERPRETED_ROWS", few)
        found.append(count_repetition(tree))
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", ["connect count", "k-tables", "nim", "textbook", "countdown"])
def test_path_counts_equal_a_naive_count(name, algorithm, monkeypatch):
    game, depth = ALL_GAMES[name]
    found = search(game, depth=depth, algorithm=algorithm)
    assert count_both_ways(found, monkeypatch) == naive_repetition(found)
    counts = found.statistics()
    assert (counts.distinct, counts.researches) == naive_repetition(found)


@pytest.mark.parametrize("algorithm", ["pvs", "iterative", "engine", "mtdf"])
@pytest.mark.parametrize("max_nodes", [30_000, 90_001])
def test_path_counts_of_a_large_tree_equal_a_naive_count(algorithm, max_nodes):
    found = search(connect(), depth=10, algorithm=algorithm, max_nodes=max_nodes)
    assert count_repetition(found) == naive_repetition(found)


def search_repeatedly(game, record, state, plies, options, depth=0, move=-1, calls=3):
    """Minimax that calls all moves of every other ply again, in the other direction: no repeated call follows its first."""
    node = record.enter(move, depth, -INFINITY, INFINITY, game.maximizing(state))
    if game.is_over(state):
        return record.leave(node, TERMINAL, game.evaluate(state))
    replies = legal_moves(game, state)
    moves = list(zip(move_codes(replies), replies, strict=True))
    rounds = [moves, moves[::-1], moves][: calls if depth % 2 == 0 else 1]
    better = max if game.maximizing(state) else min
    scores = [
        search_repeatedly(game, record, play_move(game, state, reply), plies - 1, options, depth + 1, code, calls)
        for order in rounds
        for code, reply in order
    ]
    return record.leave(node, EXHAUSTED, better(scores))


@given(literal_trees, st.integers(1, 3))
def test_repeated_calls_that_are_not_consecutive_are_counted(shape, calls):
    with pytest.MonkeyPatch.context() as patch:
        run = lambda *asked: search_repeatedly(*asked, calls=calls)  # noqa: E731
        patch.setitem(ALGORITHMS, "again", Algorithm("again", "again", "", run, alphabeta.PSEUDOCODE, laws=()))
        found = search(literal(shape), algorithm="again")
        assert count_repetition(found) == naive_repetition(found)


@pytest.mark.parametrize("wide", [40, 3000])
def test_moves_of_wide_nodes_are_distinguished(wide, monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "again", Algorithm("again", "again", "", search_repeatedly, alphabeta.PSEUDOCODE, laws=()))
    found = search(literal([[[*range(wide)], 1], 5]), algorithm="again")
    assert count_both_ways(found, monkeypatch) == naive_repetition(found)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_large_trees_are_counted_like_small_ones(algorithm, monkeypatch):
    game, depth = ALL_GAMES["connect count"]
    small, large = (search(game, depth=depth, algorithm=algorithm) for _ in range(2))
    monkeypatch.setattr(tree, "MAX_NUMPY_ROWS", 1)
    assert large.per_depth
    monkeypatch.undo()
    assert small.per_depth == large.per_depth
    flags, skipped = count_rows(small.columns, small.height)
    assert flags.sum() == len(small)
    assert skipped.sum() == small.columns.skipped.astype(np.int64).sum()
