"""Comparisons: counts, values and times per depth, watched and stopped."""

import itertools

import pytest

from engine import compare, connect, literal, nim, preset, search, tictactoe
from engine.analysis.comparison import MAX_WRITTEN_NODES, _make_level, plan_comparison
from engine.analysis.comparison_result import Row
from engine.analysis.minimal_tree import knuth_moore_size
from engine.analysis.published_figures import K_TABLE
from engine.core.parsing import depths_text, read_depths
from engine.games.capabilities import has_leaf_values_only
from tests.support.games import ALL_GAMES, TEXTBOOK, Countdown


def make_clock():
    """A clock that advances one second whenever it is looked at."""
    return itertools.count().__next__


@pytest.mark.parametrize("position", sorted({position for _, position, *_ in K_TABLE}))
def test_published_tables_through_compare(position):
    published = {K: figures for K, at, *figures in K_TABLE if at == position}
    comparison = compare(preset("k-tables"), position, sorted(published), repeat=1)
    for K, (minimax_nodes, alphabeta_nodes, value, move) in published.items():
        plain, pruned = (comparison.row(K, algorithm) for algorithm in ("minimax", "alphabeta"))
        assert (plain.expanded, pruned.expanded) == (minimax_nodes, alphabeta_nodes)
        assert (plain.published.expanded, pruned.published.expanded) == (minimax_nodes, alphabeta_nodes)
        assert plain.value == pruned.value == plain.published.value == value
        assert plain.best_move == pruned.best_move
        assert move in (plain.best_move, None)
    assert not comparison.disagreements


def test_other_positions_and_other_rules_have_nothing_published():
    game = preset("k-tables")
    assert compare(game, "3", "3", "alphabeta", 1).rows[0].published
    assert not compare(game, "4", "3", "alphabeta", 1).rows[0].published
    assert not compare(game, "3", "3", "alphabeta", 1, cut_on_equal=False).rows[0].published
    assert not compare(preset("k-tables", evaluation="lines"), "3", "3", "alphabeta", 1).rows[0].published
    assert not compare(connect(), "3", "3", "alphabeta", 1).rows[0].published


@pytest.mark.parametrize("name", ALL_GAMES)
@pytest.mark.parametrize("cut_on_equal", [True, False])
def test_every_game_can_be_compared(name, cut_on_equal):
    game, depth = ALL_GAMES[name]
    depths = [depth] if has_leaf_values_only(game) else [0, 1, min(depth, 3)]
    comparison = compare(game, None, depths, repeat=1, cut_on_equal=cut_on_equal)
    assert comparison.complete
    assert [(row.depth, row.algorithm) for row in comparison.rows] == [
        (K, name) for K in depths for name in ("minimax", "alphabeta")
    ]
    for row in comparison.rows:
        tree = search(game, None, row.depth, row.algorithm, cut_on_equal=cut_on_equal)
        for count in ("expanded", "leaves", "terminals", "cutoffs", "skipped"):
            assert getattr(row, count) == getattr(tree, count)
        assert row.value == tree.root.value
        assert row.best_move == (None if tree.root.best_move == -1 else tree.root.best_move)
    for level in comparison.levels:
        plain, pruned = (comparison.row(level.depth, algorithm) for algorithm in ("minimax", "alphabeta"))
        assert level.agree
        assert level.saved == plain.expanded - pruned.expanded
        assert level.minimal.nodes <= pruned.expanded
        assert level.minimal.nodes <= level.best_first.nodes <= plain.expanded
        assert sum(saving.saved for saving in level.savings) <= level.saved


def test_the_minimal_tree_of_a_uniform_game():
    level = compare(connect(), None, [4], repeat=1).levels[0]
    assert level.minimal == level.best_first == level.knuth_moore == knuth_moore_size([7] * 4)
    assert compare(connect(), "33333", [4], repeat=1).levels[0].knuth_moore is None  # a column fills up on the way


def test_depths_of_a_literal_tree_are_its_own():
    assert [row.depth for row in compare(literal(TEXTBOOK), repeat=1).rows] == [2, 2]
    with pytest.raises(ValueError, match="ends above the leaves of this tree"):
        compare(literal(TEXTBOOK), depths=[1, 2])


def test_to_the_end():
    comparison = compare(nim([2, 1]), depths="2,end", repeat=1)
    assert [row.depth for row in comparison.rows] == [2, 2, None, None]
    assert comparison.row(None, "minimax").expanded == 12


def test_the_timed_runs_take_turns():
    runs = []

    def write(tree):
        runs.append((tree.algorithm, tree.K))

    comparison = compare(tictactoe(), "40", [1, 2], repeat=3, write=write, clock=make_clock())
    assert runs[:2] == [("minimax", 1), ("alphabeta", 1)]  # not measured
    assert runs[2:] == [(name, K) for K in (1, 2) for _ in range(3) for name in ("minimax", "alphabeta")]
    for row in comparison.rows:
        assert row.alone == row.recorded == (1, 1, 1)
        assert row.written == (2, 2, 2)  # the recorded search and the writing


def test_median_and_spread():
    moments = iter([0, 5, 5, 6, 10, 11, 11, 13, 20, 22, 22, 30])  # recorded 5, 1, 2; alone 1, 2, 8
    row = compare(tictactoe(), "40", [1], "alphabeta", 3, clock=moments.__next__).rows[0]
    assert (row.recorded, row.alone, row.written) == ((2, 1, 5), (2, 1, 8), None)


def test_too_large_a_tree_of_minimax_is_not_run_but_alpha_beta_is():
    comparison = compare(connect(), None, [3, 6], repeat=1, max_nodes=50_000)
    refused = comparison.row(6, "minimax")
    assert refused.expanded is None
    assert refused.about == pytest.approx(137_257, rel=0.2)
    assert refused.note == f"not run, {refused.about:,} nodes"
    assert comparison.row(6, "alphabeta").expanded == search(connect(), depth=6).expanded
    assert comparison.row(3, "minimax").expanded == 400
    assert (comparison.level(6).saved, comparison.level(6).best_first) == (None, None)
    assert comparison.complete


def test_a_cap_that_alpha_beta_reaches_is_said():
    comparison = compare(connect(), None, [6], repeat=2, max_nodes=1000)
    assert comparison.row(6, "alphabeta").expanded is None
    assert comparison.row(6, "alphabeta").note == "stopped (node limit) after 1,000 nodes"


def test_small_trees_are_kept():
    comparison = compare(connect(), None, [1, 2, 3], repeat=2, keep_nodes=100)
    assert {key: len(tree) for key, tree in comparison.trees.items()} == {
        (1, "minimax"): 8,
        (1, "alphabeta"): 8,
        (2, "minimax"): 57,
        (2, "alphabeta"): comparison.row(2, "alphabeta").expanded,
    }
    assert compare(connect(), "3", [1], repeat=1, keep_nodes=100).trees[1, "minimax"].question.position == "3"


class Moody(Countdown):
    """A game whose evaluation depends on how often it was asked."""

    asked = 0

    def evaluate(self, state):
        self.asked += 1
        return self.asked


def test_values_that_differ_are_shown():
    comparison = compare(Moody(), None, [2, 3], repeat=1)
    assert [level.depth for level in comparison.disagreements] == [2, 3]
    assert "is not in the minimax tree" in comparison.levels[0].note
    assert comparison.rows[0].value != comparison.rows[1].value
    assert compare(Moody(), None, [2], "minimax", 1).disagreements == []  # nothing to disagree with


def test_rows_with_different_values_or_moves_do_not_agree():
    rows = [Row(2, "minimax", expanded=9, value=1.0, best_move=3), Row(2, "alphabeta", expanded=7, value=1.0, best_move=3)]
    plan = plan_comparison(tictactoe(), depths="2")
    assert _make_level(plan, 2, rows, {}).agree
    assert not _make_level(plan, 2, [rows[0], rows[1]._replace(value=2.0)], {}).agree
    assert not _make_level(plan, 2, [rows[0], rows[1]._replace(best_move=4)], {}).agree
    assert _make_level(plan, 2, [rows[0], Row(2, "alphabeta", "stopped")], {}).agree  # a row without a result says nothing


@pytest.mark.parametrize("game", [connect(), Countdown(), tictactoe()])
def test_rows_come_one_by_one_and_a_comparison_can_be_cancelled(game):
    rows, seen = [], []

    def watch(progress):
        seen.append(progress)
        return len(rows) < 4

    comparison = compare(game, None, "1-9", repeat=2, on_row=rows.append, on_progress=watch)
    assert comparison.stopped == "cancelled"
    assert rows == comparison.rows
    assert [row.depth for row in rows] == [1, 1, 2, 2]
    assert all(0 <= progress.run < progress.runs == 2 * 2 * 2 * 9 for progress in seen)
    assert [progress.run for progress in seen] == sorted(progress.run for progress in seen)


@pytest.mark.parametrize("compiled", [True, False])
def test_ctrl_c_keeps_the_rows_that_are_done(compiled, ctrl_c):
    def press(progress):
        if progress.depth >= 4:
            ctrl_c.press_or_wait()

    comparison = compare(connect(), None, [1, 2, 4, 14], repeat=1, on_progress=press, compiled=compiled)
    assert comparison.stopped == "interrupted"
    assert [row.depth for row in comparison.rows][:4] == [1, 1, 2, 2]
    assert comparison.row(14, "minimax") is None


def test_an_error_in_a_game_is_not_swallowed():
    class Broken(Countdown):
        def evaluate(self, state):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compare(Broken(), depths=[2], repeat=1)


def test_a_finished_position_is_one_node():
    comparison = compare(tictactoe(), "03142", [1, 3], repeat=1)
    assert {row.expanded for row in comparison.rows} == {1}
    assert comparison.rows[0].best_move is None
    assert comparison.levels[0].best_first == (1, 1)


class Untouched(Countdown):
    """A game that must not be searched."""

    def evaluate(self, state):
        raise AssertionError("searched before the question was checked")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"depths": "6-1"}, "backwards: write 1-6"),
        ({"depths": [3, 2]}, "do not ascend"),
        ({"depths": [2, 2]}, "do not ascend"),
        ({"depths": []}, "do not ascend"),
        ({"depths": "two"}, "not a list of depths"),
        ({"depths": "1-"}, "not a list of depths"),
        ({"depths": ""}, "not a list of depths"),
        ({"depths": [1, 501]}, "choose 0-500 plies"),
        ({"depths": [1.5]}, "not a number of plies"),
        ({"depths": [-1]}, "not a number of plies"),
        ({"repeat": 0}, "0 repeats"),
        ({"repeat": True}, "True repeats"),
        ({"repeat": 1.5}, "1.5 repeats"),
        ({"algorithms": "minimax,alfabeta"}, "did you mean 'alphabeta'"),
        ({"algorithms": "minimax,minimax"}, "name each once"),
        ({"algorithms": []}, "name at least one"),
        ({"max_nodes": 0}, "0 is not a node limit"),
        ({"as_published": True}, "needs a preset"),
        ({"first": "max"}, "cannot read positions"),
        ({"on_row": 3}, "on_row is 3"),
        ({"compiled": True}, "cannot run compiled"),
    ],
)
def test_bad_questions_are_refused_before_any_search(options, words):
    with pytest.raises(ValueError, match=words):
        compare(Untouched(), **options)


def test_depths_as_text():
    assert read_depths("1-3, 5,end") == (1, 2, 3, 5, None)
    assert read_depths(range(2, 4)) == (2, 3)
    assert read_depths(4) == (4,)
    for text in ("1-3,5,end", "7", "end", "0,2,4-6"):
        assert depths_text(read_depths(text)) == text


def test_very_large_trees_are_not_written(monkeypatch):
    monkeypatch.setattr("engine.analysis.comparison.MAX_WRITTEN_NODES", 60)
    sizes = []
    comparison = compare(connect(), None, [2, 3], "minimax", 1, write=lambda tree: sizes.append(len(tree)))
    assert max(sizes) == 57
    assert comparison.rows[0].written
    assert comparison.rows[1].written is None
    assert MAX_WRITTEN_NODES == 2_000_000
