"""The rungs of the ladder: what each visits, counts and says, and that all of them find the value of minimax."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from engine import ALGORITHMS, Question, connect, literal, nim, preset, search, tictactoe
from engine.algorithms import move_ordering
from engine.algorithms.alphabeta_core import AlphaBetaSearch
from engine.algorithms.move_ordering import ORDERS
from engine.analysis.node_estimate import estimate, estimate_nodes
from engine.core.errors import BadLimit, BadOption, PlyscopeError, UnknownName
from engine.games.capabilities import adjacent_value
from engine.matches.match import Match
from engine.matches.players import SearchPlayer, player_text, read_player
from engine.record.recorder import Record
from engine.tree.parquet_file import load, save
from tests.support.games import ALL_GAMES, Countdown, literal_trees
from tests.support.marks import examples
from visualizer import to_dot
from visualizer.cli.command_line import plyscope
from visualizer.drawing.node_styles import NodeStyles
from visualizer.drawing.view import select_items
from visualizer.narration.move_reasons import explain_choice

RUNGS = ["minimax", "alphabeta", "iterative", "table", "aspiration", "pvs", "mtdf", "sss", "dual", "engine"]
WINDOWED = RUNGS[1:]
LEAVES = [41, 5, 12, 90, 101, 80, 20, 30, 34, 80, 36, 35, 50, 36, 25, 3]


def binary_tree(leaves):
    half = len(leaves) // 2
    return leaves[0] if len(leaves) == 1 else [binary_tree(leaves[:half]), binary_tree(leaves[half:])]


WORKED = literal(binary_tree(LEAVES))


def evaluated_leaves(tree):
    """The values of the leaves, in the order in which they were evaluated."""
    return [int(tree.value[row]) for row in range(len(tree)) if tree[row].is_leaf]


def test_the_ladder_is_registered_in_its_order():
    assert list(ALGORITHMS)[: len(RUNGS)] == RUNGS


# ---- the worked example of the literature


def test_alphabeta_of_the_worked_example():
    counts = search(WORKED).statistics()
    assert (counts.leaves, counts.expanded) == (12, 25)


def test_pvs_of_the_worked_example():
    counts = search(WORKED, algorithm="pvs").statistics()
    assert (counts.expanded, counts.evaluations, counts.researches, counts.passes) == (42, 22, 5, 1)


def test_mtdf_of_the_worked_example():
    tree = search(WORKED, algorithm="mtdf", guess=35)
    counts = tree.statistics()
    assert (counts.passes, counts.expanded, counts.evaluations) == (2, 27, 8)
    assert len({tuple(tree[row].moves) for row in range(len(tree)) if tree[row].is_leaf}) == 8
    assert [each_pass.window for each_pass in tree.passes] == [(34, 35), (35, 36)]


def test_sss_of_the_worked_example():
    tree = search(WORKED, algorithm="sss")
    assert evaluated_leaves(tree) == [41, 12, 34, 36, 5, 35, 50, 36]
    assert [each_pass.result for each_pass in tree.passes] == [41, 36, 35, 35]


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_finds_value_and_best_move_of_the_worked_example(rung):
    tree = search(WORKED, algorithm=rung)
    assert (tree.root.value, tree.root.best_move) == (35, 1)


# ---- values


@given(literal_trees, st.sampled_from(["max", "min"]), st.sampled_from(WINDOWED), st.sampled_from(ORDERS))
@examples(300)
def test_every_rung_in_every_order_finds_the_value_of_any_tree(leaves, first, rung, order):
    game = literal([leaves], first=first)
    plain, tree = search(game, algorithm="minimax"), search(game, algorithm=rung, order=order)
    assert tree.root.value == plain.root.value
    best = tree.root.best_child
    assert best is not None
    assert search(game, str(best.move), algorithm="minimax").root.value == plain.root.value


@pytest.mark.parametrize("rung", ["pvs", "engine"])
@given(literal_trees, st.sampled_from(["max", "min"]), st.sampled_from(ORDERS))
@example([0, 1], "max", "game")
@examples(150)
def test_the_best_line_leads_through_the_re_search(rung, leaves, first, order):
    tree = search(literal(leaves, first=first), algorithm=rung, order=order)
    part = select_items(tree)
    bold = {int(part.row[item]) for item in np.flatnonzero(NodeStyles(part).principal)}
    assert bold == set(map(int, tree.principal_nodes))
    for node in tree.principal_nodes:
        best = node.best_child
        if best is not None and node.proving_child is not None:
            later = [child for child in node.children if child.move == best.move and child > best]
            assert not [child for child in later if child.value == node.value and node.is_proved_by(child)]
    if len(tree.passes) == 1:
        assert all(node.bound == "exact" for node in tree.principal_nodes)


def test_the_picture_of_a_probe_and_its_re_search_is_bold_at_the_re_search():
    picture = to_dot(search(literal([0, 1]), algorithm="pvs"))
    assert re.findall(r"n0 -> (n\d) .*penwidth=3", picture) == ["n3"]


@pytest.mark.parametrize("name", ["connect4", "connect count", "long-state", "tictactoe", "nim", "countdown", "flips"])
@given(st.data())
@examples(24)
def test_every_rung_with_any_options_finds_the_value_on_every_game(name, data):
    game, depth = ALL_GAMES[name]
    rung = data.draw(st.sampled_from(WINDOWED))
    options = {}
    for option in ALGORITHMS[rung].options:
        if option.name not in ("as_published", "draft", "quiescence") and data.draw(st.booleans()):
            options[option.name] = data.draw(values_of(option))
    depth = data.draw(st.integers(0, min(depth, 3)))
    value = search(game, depth=depth, algorithm="minimax").root.value
    assert search(game, depth=depth, algorithm=rung, **options).root.value == value


def values_of(option):
    if option.is_switch:
        return st.booleans()
    if option.choices:
        return st.sampled_from(option.choices)
    if option.name == "slots":
        return st.integers(0, 7)
    return st.floats(option.minimum if option.name == "width" else -300, 300, allow_nan=False)


# ---- the text of the ladder is alpha-beta's where nothing is added


@pytest.mark.parametrize("name", ["k-tables", "tictactoe", "nim", "textbook", "countdown"])
@pytest.mark.parametrize("cut_on_equal", [True, False])
def test_without_anything_added_the_text_is_alphabeta(name, cut_on_equal):
    game, depth = ALL_GAMES[name]
    record = Record(10**6, True, None)
    AlphaBetaSearch(game, record, {"cut_on_equal": cut_on_equal}).run_pass(game.start(), depth)
    plain = search(game, depth=depth, compiled=False, cut_on_equal=cut_on_equal).columns
    for column, expected in zip(record.columns(), plain, strict=True):
        np.testing.assert_array_equal(column, expected)


def test_alphabeta_in_the_order_of_the_game_runs_compiled_and_in_others_says_why_not():
    assert search(connect(), depth=4).compiled
    assert not search(connect(), depth=4, order="static").compiled
    with pytest.raises(PlyscopeError, match="alphabeta has no compiled version with order=static"):
        search(connect(), depth=4, order="static", compiled=True)
    with pytest.raises(PlyscopeError, match="as_published runs the original program, which has no option order"):
        search(preset("threats"), depth=2, order="centre", as_published=True)


# ---- orders


def test_the_oracle_brings_the_minimal_tree(monkeypatch):
    assert search(connect(), depth=5, order="best").expanded == 564
    monkeypatch.setattr(move_ordering, "MAX_ORACLE_POSITIONS", 1000)
    with pytest.raises(BadLimit, match="order=best searches every position first"):
        search(connect(), depth=42, order="best")


def test_evaluations_that_order_are_counted():
    tree = search(tictactoe(), depth=2, order="static")
    inner = [tree[row] for row in range(len(tree)) if not tree[row].is_leaf]
    ordered = sum(len(node.children) + node.skipped for node in inner)
    assert tree.statistics().evaluations == tree.leaves + ordered
    assert "evaluations" in tree.statistics().extra_counts


def test_centre_is_by_column_on_connect_and_by_place_elsewhere():
    assert [node.move for node in search(connect(), depth=1, order="centre").root.children] == [3, 2, 4, 1, 5, 0, 6]
    full = connect(rows=2, cols=7)
    assert [node.move for node in search(full, "3344", 1, order="centre").root.children] == [2, 1, 5, 0, 6]
    assert [node.move for node in search(literal([1, 2, 3, 4]), order="centre").root.children] == [1, 2, 0, 3]


def test_killers_and_history_are_tried_first_and_passes_begin_without_killers():
    tree = literal([[5, 6], [7, 1, 9], [7, 1, 9]])
    moves = [child.move for child in search(tree, order="killer").root.children[2].children]
    assert moves == [1]  # it cut its sibling before
    assert [child.move for child in search(tree, order="history").root.children[2].children] == [1]
    assert [child.move for child in search(tree).root.children[2].children] == [0, 1]


# ---- tables


def test_a_table_answers_transpositions_and_links_to_what_it_knew():
    tree = search(connect(), depth=5, algorithm="table")
    assert tree.table_hits > 100
    for row in np.flatnonzero(tree.status == 5):
        node, source = tree[row], tree[int(tree.link[row])]
        assert node.state == source.state
        assert node.depth == source.depth
        assert node.bound in (source.bound, "exact") or source.bound == "exact"


def test_states_without_a_hash_have_a_table_too():
    class Lists(Countdown):
        def start(self):
            return [9, True]

        def play(self, state, move):
            return list(super().play(tuple(state), move))

    tree = search(Lists(), depth=5, algorithm="table")
    assert tree.table_hits
    assert tree.root.value == search(Lists(), depth=5, algorithm="minimax").root.value


def test_states_that_cannot_be_told_apart_are_refused():
    class Thing:  # noqa: PLW1641 - that is the point
        def __init__(self, number):
            self.number = number

        def __eq__(self, other):
            return self.number == other.number

    class Things(Countdown):
        def start(self):
            return Thing((9, True))

        def moves(self, state):
            return super().moves(state.number)

        def play(self, state, move):
            return Thing(super().play(state.number, move))

        def is_over(self, state):
            return super().is_over(state.number)

        def maximizing(self, state):
            return super().maximizing(state.number)

        def evaluate(self, state):
            return super().evaluate(state.number)

    with pytest.raises(PlyscopeError, match=r"the transposition table cannot tell states like .* declare position_key"):
        search(Things(), depth=2, algorithm="table")


# ---- numbers next to each other


def test_null_windows_are_as_narrow_as_the_values_of_the_game():
    assert adjacent_value(connect(), 3.0, up=True) == 4
    assert adjacent_value(literal([[0.5, 1]]), 3.0, up=True) == np.nextafter(3.0, np.inf)
    assert adjacent_value(preset("long-state"), 3.0, up=False) == float(np.nextafter(np.float32(3), np.float32(-np.inf)))
    assert adjacent_value(connect(), 2.0**60, up=True) > 2.0**60
    assert adjacent_value(connect(), -np.inf, up=True) == -np.finfo(np.float64).max
    probes = search(literal([[1.0, 2.0], [1.5, 3.0]]), algorithm="pvs")
    assert np.nextafter(1.0, 2.0) in probes.beta


# ---- options, files, players


def test_options_that_are_unknown_or_impossible_are_errors():
    with pytest.raises(UnknownName, match="there is no option of mtdf 'width'"):
        search(WORKED, algorithm="mtdf", width=2)
    with pytest.raises(BadOption, match="guess = 'much': a number"):
        search(WORKED, algorithm="mtdf", guess="much")
    with pytest.raises(BadOption, match=r"order = 'size': one of game, centre"):
        search(WORKED, order="size")


@pytest.mark.parametrize("rung", RUNGS[2:])
def test_trees_of_every_rung_are_saved_and_loaded(rung, tmp_path):
    for number, game in enumerate((WORKED, tictactoe(), Countdown())):
        given = {"order": "static"} if number == 1 else {}
        tree = search(game, depth=None if game is WORKED else 3, algorithm=rung, **given)
        save(tree, tmp_path / f"{number}.parquet")
        again = load(tmp_path / f"{number}.parquet", **({"game": game} if number == 2 else {}))
        assert again.statistics() == tree.statistics()
        assert again.passes == tree.passes
        assert again.question.options == tree.question.options
        for column, expected in zip(again.columns, tree.columns, strict=True):
            np.testing.assert_array_equal(column, expected)


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_plays(rung):
    for game, depth in ((connect(), 3), (tictactoe(), 3), (nim([1, 2]), 2), (WORKED, None)):
        choice = Match(game, SearchPlayer(depth, algorithm=rung)).choose()
        assert choice.move in game.moves(game.start())
        assert choice.tree.root.value == search(choice.question.replace(algorithm="minimax")).root.value
        sentences = list(explain_choice(choice))
        assert len(sentences) == 2 + len(choice.tree.root.children) + 2
        assert f"with {ALGORITHMS[rung].title}" in sentences[1]


def test_a_player_has_a_child_order_and_an_order_of_its_search():
    player = SearchPlayer(3, "engine", order="centre", ordering="history", table=False)
    assert (player.order, player.options["order"], player.options["table"]) == ("centre", "history", False)
    assert read_player(player_text(player)) == player
    assert player.replace(algorithm="alphabeta").options["order"] == "history"
    assert not SearchPlayer(3, "engine").replace(algorithm="pvs").options["table"]


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_is_searched_from_the_command_line(rung, tmp_path):
    given = [word for option in ALGORITHMS[rung].options if option.name == "order" for word in ("--order", "centre")]
    arguments = ["search", "tictactoe", "--moves", "40", "--depth", "3", "--algorithm", rung, *given]
    result = CliRunner().invoke(plyscope, [*arguments, "-o", str(tmp_path / "tree.parquet")], catch_exceptions=False)
    assert result.exit_code == 0
    assert "Principal variation" in result.output
    tree = search(tictactoe(), "40", 3, rung, **({"order": "centre"} if given else {}))
    output = json.loads(CliRunner().invoke(plyscope, [*arguments, "--json"], catch_exceptions=False).stdout)
    assert (output["expanded"], output["value"], output["best_move"]) == (tree.expanded, tree.root.value, tree.root.best_move)
    assert load(tmp_path / "tree.parquet").question.options == tree.question.options


def test_switches_that_are_on_in_one_rung_and_off_in_another_have_a_flag_for_either():
    def expanded(*arguments):
        command = ["search", "connect4", "--depth", "4", "--json", *arguments]
        return json.loads(CliRunner().invoke(plyscope, command, catch_exceptions=False).stdout)["expanded"]

    assert expanded("--algorithm", "pvs", "--table") == search(connect(), None, 4, "pvs", table=True).expanded
    assert expanded("--algorithm", "engine", "--no-table") == search(connect(), None, 4, "engine", table=False).expanded
    assert expanded("--algorithm", "iterative", "--scout") == search(connect(), None, 4, "iterative", scout=True).expanded


@pytest.mark.parametrize("rung", RUNGS)
def test_every_rung_can_be_foreseen(rung):
    small = search(tictactoe(), "40", 3, rung)
    assert estimate(tictactoe(), "40", 3, rung) == small.expanded
    question = Question(tictactoe(), depth=6, algorithm=rung)
    assert search(question, max_nodes=20_000).expanded / 30 < estimate_nodes(question).nodes < 500_000


@pytest.mark.parametrize("compiled", [True, False])
def test_the_static_value_that_aspiration_guesses_is_an_evaluation(compiled):
    guessing = search(connect(), depth=4, algorithm="aspiration", compiled=compiled)
    assert guessing.statistics().evaluations == guessing.leaves + 1
    with_guess = search(connect(), depth=4, algorithm="aspiration", guess=0, compiled=compiled)
    assert with_guess.statistics().evaluations == with_guess.leaves
    tree = search(literal([3, 5]), algorithm="aspiration")  # only its leaves have values: the guess is 0
    assert tree.statistics().evaluations == tree.leaves
