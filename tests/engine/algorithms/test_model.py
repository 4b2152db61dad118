"""The room for algorithms to come is real: toys that search again, in several passes and with a table go through everything."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine import PlyscopeError, Question, Trace, compare, connect, literal, nim, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.analysis.alignment import Alignment, NotAligned
from engine.core.errors import BadOption, BadRecord, UnknownName
from engine.games.protocol import legal_moves, move_codes
from engine.matches.match import Match
from engine.matches.players import SearchPlayer, player_text, read_player
from engine.record.columns import BOUND_NAMES, CHANCE, OPEN, PROBE, TABLE, TERMINAL, pack_flags
from engine.record.recorder import Record
from engine.tree.counting import EXTRA_COUNTS
from engine.tree.parquet_file import load, save
from engine.tree.tree import SearchTree
from tests.engine.algorithms.test_laws import check_consistent, same_table
from tests.support.formats import quick_style
from tests.support.games import TEXTBOOK, Countdown, literal_trees
from tests.support.marks import examples, mostly_slow
from tests.support.reference import minimax_value
from tests.support.toy_algorithms import TOYS, register_toys
from tests.visualizer.app.test_pages import open_step
from tests.visualizer.viewer.test_viewer_logic import ask_browser, check_answer, needs_node
from visualizer import View, export, formats
from visualizer.app.state.url_params import read_search_params, search_params
from visualizer.cli.command_line import plyscope
from visualizer.exporters.json import chunks, read_json
from visualizer.narration.move_reasons import search_command
from visualizer.narration.sentences import sentence


@pytest.fixture(autouse=True)
def registered_toys(monkeypatch):
    register_toys(monkeypatch)


SIXTEEN = [41, 5, 12, 90, 101, 80, 20, 30, 34, 80, 36, 35, 50, 36, 25, 3]


def binary_tree(leaves):
    middle = len(leaves) // 2
    return leaves[0] if middle == 0 else [binary_tree(leaves[:middle]), binary_tree(leaves[middle:])]


SEARCHES = {
    "pvs, sixteen leaves": (literal(binary_tree(SIXTEEN)), None, None, "toy-pvs"),
    "pvs, textbook": (literal(TEXTBOOK), None, None, "toy-pvs"),
    "pvs, tictactoe": (tictactoe(), "40", 5, "toy-pvs"),
    "pvs, connect": (connect(), "33", 2, "toy-pvs"),
    "pvs, own game": (Countdown(), None, 6, "toy-pvs"),
    "deepening, textbook": (literal(TEXTBOOK), None, None, "toy-deepening"),
    "deepening, tictactoe": (tictactoe(), "40", 4, "toy-deepening"),
    "deepening, nim": (nim([2, 3, 1]), None, 5, "toy-deepening"),
    "deepening, own game": (Countdown(), None, 5, "toy-deepening"),
    "deepening, one ply": (tictactoe(), "40", 1, "toy-deepening"),
    "deepening, one leaf": (literal(7), None, None, "toy-deepening"),
}
QUICK = ("pvs, sixteen leaves", "pvs, own game", "deepening, textbook")
every_search = pytest.mark.parametrize("name", mostly_slow(sorted(SEARCHES, key=lambda name: name not in QUICK), len(QUICK)))


def run_search(name, **limits):
    return search(*SEARCHES[name], **limits)


def export_json(tree):
    return b"".join(chunks(tree))


# ---- what they find


@every_search
def test_they_find_the_value_and_write_consistent_rows(name):
    game, moves, depth, _ = SEARCHES[name]
    tree = run_search(name)
    start = game.state(moves) if moves else game.start()
    assert tree.root.value == minimax_value(game, start, 500 if depth is None else depth)
    check_consistent(tree)
    assert tree.root.best_child is not None or tree.root.is_leaf
    for row in range(len(tree)):
        node = tree[row]
        true = minimax_value(game, node.state, 500 if depth is None else node.tree.passes[tree.pass_number(row)].K - node.depth)
        assert node.bound in BOUND_NAMES[:3]
        assert true >= node.value if node.bound in ("exact", "lower") else True
        assert true <= node.value if node.bound in ("exact", "upper") else True
        if node.pruned:
            legal = set(move_codes(legal_moves(game, node.state)))
            assert set(node.skipped_moves) == legal - {child.move for child in node.children}
        link = node.link
        assert link is None or (link < node and link.state == node.state)
        if node.status == "table":
            assert link.value == node.value
        if node.probe is not None:
            assert (node.link, node.probe.again) == (node.probe, node)


@given(literal_trees, st.sampled_from(["max", "min"]), st.sampled_from([toy.name for toy in TOYS]))
@examples(150)
def test_they_find_the_value_of_any_literal_tree(tree, first, algorithm):
    with pytest.MonkeyPatch.context() as patch:
        register_toys(patch)
        game = literal(tree, first=first)
        found = search(game, algorithm=algorithm)
        plain = search(game, algorithm="minimax")
        assert found.root.value == plain.root.value
        assert found.root.best_child is not None or len(plain) == 1
        for row in range(len(found)):
            true, node = minimax_value(game, found[row].state, 99), found[row]
            assert true >= node.value if node.bound in ("exact", "lower") else node.bound == "upper"
            assert true <= node.value if node.bound in ("exact", "upper") else node.bound == "lower"


def test_the_worked_example_is_counted_as_it_is_published():
    counts = run_search("pvs, sixteen leaves").statistics()
    assert (counts.expanded, counts.evaluations, counts.researches, counts.distinct, counts.passes) == (42, 22, 5, 25, 1)
    assert search(literal(binary_tree(SIXTEEN))).statistics().extra_counts == {}


def test_passes_are_told():
    tree = run_search("deepening, tictactoe")
    assert [(one.K, one.window, one.why) for one in tree.passes] == [(K, (-np.inf, np.inf), f"to {K}") for K in (1, 2, 3, 4)]
    assert [tree.depth[one.first] for one in tree.passes] == [0] * 4
    assert tree.root == tree.passes[-1].first > 0
    assert tree.passes[-1].result == tree.root.value
    counts = tree.statistics()
    assert counts.passes == 4
    assert counts.table_hits == (tree.status == TABLE).sum() > 0
    assert counts.evaluations == tree.leaves
    paths = {tuple(tree[row].moves) for row in range(len(tree))}
    assert counts.distinct == len(paths) < counts.expanded
    assert len(search(literal(TEXTBOOK)).passes) == 1
    assert [node.move for node in tree.principal_nodes[1:]] == tree.principal_variation


def test_links_are_an_error_where_there_are_none():
    with pytest.raises(PlyscopeError, match="alphabeta records no links"):
        search(literal(TEXTBOOK)).link  # noqa: B018


# ---- options


def test_options_are_declared_checked_and_carried():
    question = Question(tictactoe(), "40", 3, "toy-deepening", begin=2, table=False)
    assert question.extras == ["without a table", "from K=2 on"]
    assert [one.K for one in search(question).passes] == [2, 3]
    assert search(question).statistics().table_hits == 0
    with pytest.raises(UnknownName, match=r"there is no option of toy-deepening 'guess'\. Known: table, begin"):
        search(tictactoe(), depth=2, algorithm="toy-deepening", guess=3)
    for value in (0, 101, 1.5, "2", True):
        with pytest.raises(BadOption, match="a whole number from 1 up to 100 is needed"):
            question.replace(begin=value)
    assert question.replace(algorithm="toy-pvs").options == {"cut_on_equal": True}


def test_the_command_line_shows_the_options_that_are_declared():
    def typed(*arguments):
        return CliRunner().invoke(plyscope, ["search", "tictactoe", "--depth", "3", "--json", *arguments], standalone_mode=False)

    output = json.loads(typed("--algorithm", "toy-deepening", "--no-table", "--begin", "2").output)
    assert (output["passes"], output["table_hits"], output["researches"], output["evaluations"]) == (2, 0, 0, output["leaves"])
    assert not set(json.loads(typed().output)) & set(EXTRA_COUNTS)
    assert "from 1 up to 100" in str(typed("--algorithm", "toy-deepening", "--begin", "0").exception)
    assert "no option of alphabeta 'begin'" in str(typed("--begin", "2").exception)
    helped = CliRunner().invoke(plyscope, ["search", "--help"]).output
    assert "--no-table" in helped
    assert "[default: 1]" in helped


def test_links_and_players_carry_the_options():
    question = Question(tictactoe(), "40", 3, "toy-deepening", begin=2, table=False)
    assert search_params(question)["no-table"] == "1"
    assert read_search_params(search_params(question)) == (question, "")
    assert "a whole number from 1 up to 100 is needed" in read_search_params({**search_params(question), "begin": "x"})[1]
    player = SearchPlayer(3, "toy-deepening", begin=2, table=False)
    assert player_text(player) == "search:depth=3,algorithm=toy-deepening,no-table,begin=2"
    assert read_player(player_text(player)) == player
    choice = Match(tictactoe(), max_player=player).choose()
    assert choice.question.options == {"table": False, "begin": 2}
    assert search_command(choice.question).endswith("--algorithm toy-deepening --no-table --begin 2")


def test_the_form_asks_for_the_options_of_the_algorithm():
    app = open_step(search_params(Question(tictactoe(), "4081", 2, "toy-deepening")))
    assert not app.exception
    assert "Without a table" in [toggle.label for toggle in app.toggle]
    assert "Cut only when strictly better" not in [toggle.label for toggle in app.toggle]
    assert [number.value for number in app.number_input if number.label == "Begin with K"] == [1]


# ---- steps


@every_search
def test_every_step_has_its_number(name):
    tree = run_search(name)
    trace = Trace(tree)
    assert len(trace) == 3 * len(tree) - (not tree.notes)
    steps = list(trace)
    assert [step.number for step in steps] == list(range(len(trace)))
    for row in range(len(tree)):
        entered, left = trace.enter(row), trace.leave(row)
        assert (steps[entered].kind, int(steps[entered].node), int(steps[left].node)) == ("enter", row, row)
        states = [trace.state_at(row, step) for step in (entered - 1, entered, left - 1, left)]
        assert states == ["future", "path", "path", "cut" if tree[row].pruned else "done"]
    for kind in {step.kind for step in steps}:
        numbers = [step.number for step in steps if step.kind == kind]
        for number in range(0, len(trace), 7):
            assert trace.next(kind, number) == next((found for found in numbers if found > number), None)
    for step in steps:
        assert sentence(step)
        if step.kind == "leave":
            assert step.best == step.node.value


@every_search
def test_a_search_stopped_anywhere_is_a_tree(name):
    whole = run_search(name)
    for budget in range(1, len(whole), max(1, len(whole) // 20)):
        tree = run_search(name, max_nodes=budget)
        check_consistent(tree)
        assert [sentence(step) for step in Trace(tree)]
        assert tree.root.status == "open" or tree.notes


# ---- files


@every_search
def test_they_are_saved_loaded_and_exported(name, tmp_path):
    tree = run_search(name)
    own = {"game": Countdown()} if isinstance(tree.game, Countdown) else {}
    save(tree, tmp_path / "tree.parquet")
    for read in (load(tmp_path / "tree.parquet", **own), read_json(export_json(tree), **own)):
        same_table(read, tree)
        np.testing.assert_array_equal(read.link, tree.link)
        np.testing.assert_array_equal(read.columns.flags, tree.columns.flags)
        assert (read.passes, read.question.replace(game=tree.game)) == (tree.passes, tree.question)
    for extension in formats():
        whole = {"view": View(max_depth=2)} if extension in (".png", ".pdf") else {}
        assert export(tree, tmp_path / f"tree{extension}", **whole, **quick_style(extension)) > 0
    text = (tmp_path / "tree.txt").read_text()
    assert text.count("depth 0") == len(tree.passes)
    assert (tmp_path / "tree.csv").read_text().splitlines()[0].endswith(",end,link")


def test_a_file_that_lies_about_links_or_passes_is_refused():
    tree = run_search("deepening, tictactoe")
    text = json.loads(export_json(tree))
    for change in (
        lambda document: document["nodes"][-1].update(link=0),
        lambda document: document["header"]["passes"].pop(),
        lambda document: next(node for node in document["nodes"] if node["status"] == "table").update(bound="lower"),
        lambda document: document["header"].update(options={"begin": 2}),
        lambda document: document["nodes"][3].update(status="guessed"),
    ):
        document = json.loads(json.dumps(text))
        change(document)
        with pytest.raises(PlyscopeError):
            read_json(json.dumps(document))


# ---- the browser, comparisons


@needs_node
@pytest.mark.slow
def test_the_browser_steps_through_them(tmp_path):
    trees = [run_search(name) for name in SEARCHES] + [run_search("deepening, tictactoe", max_nodes=300)]
    for tree, answer in zip(trees, ask_browser(trees, tmp_path), strict=True):
        check_answer(tree, *answer)


def test_they_are_compared_and_not_laid_over_minimax():
    comparison = compare(
        tictactoe(), "40", depths=[2, 3], algorithms=["minimax", "alphabeta", *(toy.name for toy in TOYS)], repeat=1
    )
    assert not comparison.disagreements
    assert {row.value for row in comparison.rows} == {0.0}
    with pytest.raises(NotAligned, match="alphabeta"):
        Alignment(search(tictactoe(), "40", 3, "minimax"), search(tictactoe(), "40", 3, "toy-pvs"))


# ---- nothing unknown gets through


def test_what_nobody_knows_is_refused():
    record = Record(10, True, None)
    with pytest.raises(BadRecord, match="3 is not a turn"):
        record.enter(-1, 0, 0, 0, 3)
    node = record.enter(-1, 0, 0, 0, True)
    with pytest.raises(BadRecord, match="7 is not a status"):
        record.leave(node, 7, 0)
    with pytest.raises(BadRecord, match="does not declare"):
        record.enter(0, 1, 0, 0, True, link=0)
    record.leave(node, TERMINAL, 0)
    with pytest.raises(BadRecord, match="begin_pass"):
        record.enter(-1, 0, 0, 0, True)
    assert pack_flags(OPEN, 1) == 8


@pytest.mark.parametrize("flags", [7, PROBE | CHANCE << 3, TERMINAL | 3 << 3, TERMINAL | 1 << 5, TABLE | 3 << 5])
def test_a_tree_with_an_unknown_status_or_turn_says_so(flags):
    tree = search(literal(TEXTBOOK))
    changed = tree.columns.flags.copy()
    changed[3] = flags
    broken = SearchTree(tree.search, tree.columns._replace(flags=changed), 0.0)
    for read_property in (lambda: broken[3].status, lambda: broken.status, lambda: broken.leaves, lambda: broken.maximizing):
        with pytest.raises(BadRecord, match="row 3 has the unknown flags"):
            read_property()
    assert ALGORITHMS
