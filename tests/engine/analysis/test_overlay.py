"""Two searches of one position over each other: sets of paths, whatever the algorithms are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ALGORITHMS, connect, literal, preset, search, tictactoe
from engine.analysis.alignment import Alignment, NotAligned
from engine.analysis.overlay import Overlay
from engine.tree.trace import Trace
from tests.support import toy_algorithms
from tests.support.games import ALL_GAMES, TEXTBOOK, Countdown, literal_trees
from tests.support.marks import examples
from visualizer.narration.overlay_messages import describe_difference, describe_overlap
from visualizer.viewer.overlay_data import encode_overlay


@pytest.fixture(autouse=True)
def registered_toys(monkeypatch):
    toy_algorithms.register_toys(monkeypatch)


def algorithm_names():
    return sorted(ALGORITHMS)


def paths_of(tree):
    """Every path of moves that was called, with its rows, the slow way."""
    found = {}
    for row in range(len(tree)):
        found.setdefault(tuple(tree[row].moves), []).append(row)
    return found


def check_overlay(left, right):
    """What an overlay promises, counted by paths of moves."""
    over = Overlay(left, right)
    one, other = paths_of(left), paths_of(right)
    assert (over.only_left, over.both, over.only_right) == (
        len(one.keys() - other),
        len(one.keys() & other),
        len(other.keys() - one),
    )
    assert over.only_left + over.both == left.statistics().distinct
    assert over.both + over.only_right == right.statistics().distinct
    assert over.only_left + over.both + over.only_right == len(over) == len(one.keys() | other)
    moves = [tuple(over.moves(path)) for path in range(len(over))]
    assert set(moves) == one.keys() | other
    for path, way in enumerate(moves):
        assert (over.depth[path], over.move[path]) == (len(way), way[-1] if way else -1)
        assert [row for row, below in enumerate(moves) if below[: len(way)] == way] == list(range(path, over.end[path]))
        for side, rows in ((over.left, one), (over.right, other)):
            known = rows.get(way, [])
            assert (side.calls[path], side.first[path], side.last[path]) == (
                len(known),
                *((known[0], known[-1]) if known else (-1, -1)),
            )
    check_differences(over, left, right)
    assert encode_overlay(over)
    for side in (over.left, over.right):
        assert [over.moves(path) for path in side.path.tolist()] == [side.tree[row].moves for row in range(len(side.tree))]


def check_differences(over, left, right):
    listed = over.differences(len(over))
    assert len(listed) == over.parting_count == len({(apart.above, apart.left) for apart in listed})
    assert sum(apart.paths for apart in listed) == over.only_left + over.only_right
    assert [apart.paths for apart in listed] == sorted((apart.paths for apart in listed), reverse=True)
    for apart in listed:
        here, away = (left, right) if apart.left else (right, left)
        ways = [over.moves(path) for path in apart.heads]
        assert {tuple(way[:-1]) for way in ways} == {tuple(over.moves(apart.above))}
        calls = {(over.left.calls[path] > 0, over.right.calls[path] > 0) for path in apart.heads}
        assert calls == {(apart.left, not apart.left)}
        assert apart.paths == sum(over.end[path] - path for path in apart.heads)
        step = Trace(here)[apart.step]
        assert step.kind == "enter"
        assert here[int(step.node)].moves in ways
        parting = Trace(away)[apart.parting]
        assert away[int(parting.node)].moves == over.moves(apart.above)
        assert parting.kind in ("leave", "cutoff", "table", "evaluate")
        assert describe_difference(over, apart, left.algorithm, right.algorithm)[0].startswith(f"{apart.paths:,} path")
    assert describe_overlap(over, left.algorithm, right.algorithm)


@given(literal_trees, st.sampled_from(["max", "min"]), st.data())
@examples(60)
def test_the_sets_of_any_two_searches_of_any_tree_add_up(tree, first, data):
    game = literal(tree, first=first)
    names = data.draw(st.lists(st.sampled_from(algorithm_names()), min_size=2, max_size=2))
    check_overlay(*(search(game, algorithm=name) for name in names))


@pytest.mark.parametrize("name", ["k-tables", "tictactoe", "nim", "countdown", "connect wide"])
def test_the_sets_of_every_kind_of_game_add_up(name):
    game, depth = ALL_GAMES[name]
    check_overlay(*(search(game, None, min(depth, 3), algorithm) for algorithm in ("toy-pvs", "toy-deepening")))


def test_of_minimax_and_alpha_beta_it_says_what_the_alignment_says():
    plain, pruned = (search(preset("k-tables"), "3", 4, name) for name in ("minimax", "alphabeta"))
    over, aligned = Overlay(plain, pruned), Alignment(plain, pruned)
    assert (over.only_left, over.both, over.only_right) == (aligned.only_minimax, aligned.both, 0)
    assert over.right.is_called.tolist() == aligned.visited.tolist()
    assert over.parent.tolist() == plain.parent.tolist()


def test_a_tree_over_itself_has_no_differences_and_sides_can_be_swapped():
    one, other = search(preset("k-tables"), "3", 3), search(preset("k-tables"), "3", 3, "toy-deepening")
    assert len(Overlay(one, one).topmost_differences) == 0
    there, back = Overlay(one, other), Overlay(other, one)
    assert (there.only_left, there.both, there.only_right) == (back.only_right, back.both, back.only_left)


def test_calls_of_one_path_fold_onto_it():
    over = Overlay(search(literal(TEXTBOOK)), search(literal(TEXTBOOK), algorithm="toy-deepening"))
    assert over.right.calls.sum() == len(over.right.tree)
    assert over.right.calls[0] == len(over.right.tree.passes)


def test_a_thousand_thousand_calls_are_laid_over_in_a_moment():
    left, right = search(connect(), depth=8), search(connect(), depth=8, cut_on_equal=False)
    over = Overlay(left, right)
    assert over.only_left == 0  # whoever cuts on equal visits a part of what the strict one visits
    assert over.both == len(left)
    assert over.both + over.only_right == len(right)
    assert np.all(over.end > np.arange(len(over)))


def test_trees_that_do_not_belong_together_are_refused():
    tree = search(connect(), "3", 3)
    for wrong, words in (
        (search(connect(), "3", 4), "must have the same game, position and depth"),
        (search(connect(), "4", 3), "must have the same game, position and depth"),
        (search(tictactoe(), None, 3), "must have the same game"),
        (search(connect(), "3", 3, max_nodes=20), "right tree is incomplete"),
    ):
        with pytest.raises(NotAligned, match=words):
            Overlay(tree, wrong)

    class Turning(Countdown):
        turned = False

        def maximizing(self, state):
            return state[1] != self.turned

    game = Turning()
    before = search(game, None, 2)
    game.turned = True
    with pytest.raises(NotAligned, match="different sides to move"):
        Overlay(before, search(game, None, 2))
