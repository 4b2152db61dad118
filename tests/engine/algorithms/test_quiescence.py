"""Quiescence: what it finds, records and says, beside naive second opinions."""

import csv
import io
import json
import re
from collections import Counter

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from engine import Question, compare, connect, nim, preset, search, tictactoe
from engine.algorithms import ALGORITHMS
from engine.algorithms.move_ordering import ORDERS
from engine.algorithms.spec import CUT_ON_EQUAL, QUIESCENCE
from engine.analysis.alignment import Alignment, NotAligned
from engine.core.errors import BadGame, BadOption, BadRecord, BadTreeFile, NotCompilable, PlyscopeError, UnknownName
from engine.tree.external_tree import ExternalData, build_external_tree
from engine.tree.parquet_file import METADATA_KEY, load, make_header, save
from engine.tree.trace import Trace
from tests.support.games import Countdown
from tests.support.marks import examples
from tests.support.reference import quiet_value
from tests.visualizer.narration.test_rules import step_answer
from tests.visualizer.viewer.test_viewer_logic import ask_browser, needs_node
from visualizer import export, to_csv, to_json, to_networkx, to_svg, to_text
from visualizer.cli.command_line import plyscope
from visualizer.drawing.view import STUB, View, select_items
from visualizer.exporters.json import read_json
from visualizer.narration.numbers import format_number
from visualizer.narration.pseudocode import find_code_line, format_code_line, tree_pseudocode
from visualizer.narration.sentences import sentence
from visualizer.report.content import QUIESCENCE_NOTE, explain_differences, list_problems

WINDOWED = [name for name, facts in ALGORITHMS.items() if QUIESCENCE in facts.options]
BOARDS = {
    "connect 3": connect(rows=4, cols=4, connect=3, evaluation="segments:linear"),
    "wide": connect(rows=3, cols=5, connect=3, order="centre"),
    "count": connect(rows=3, cols=4, connect=3, rule="count", evaluation="segments:power"),
    "four": connect(rows=5, cols=5, connect=4, evaluation="segments:linear"),
    "tictactoe": tictactoe(),
}
CUT = (connect(rows=4, cols=5, connect=3, evaluation="segments:linear"), "21", 2)  # has all there is


@st.composite
def board_positions(draw):
    """A game and a position of it, a few moves from the start."""
    game = BOARDS[draw(st.sampled_from(sorted(BOARDS)))]
    state = game.start()
    for _ in range(draw(st.integers(0, 6))):
        if game.is_over(state):
            break
        state = game.play(state, draw(st.sampled_from(game.moves(state))))
    return game, state


@st.composite
def quiescence_searches(draw):
    """A game, how far quiescence may go, and the tree of a search with it, by either rule for cutoffs."""
    game, state = draw(board_positions())
    algorithm, plies = draw(st.sampled_from(WINDOWED)), draw(st.integers(1, 4))
    strict = draw(st.booleans()) and CUT_ON_EQUAL in ALGORITHMS[algorithm].options
    known = {"cut_on_equal": False} if strict else {}
    return game, plies, search(game, state, draw(st.integers(0, 3)), algorithm, quiescence=plies, **known)


def true_value(tree, row):
    """What a row is worth by definition."""
    node = tree[row]
    K = tree.passes[tree.pass_number(row)].K
    left = K - node.depth
    return quiet_value(tree.game, node.state, max(0, left), tree.quiescence + min(0, left))


# ---- which moves are noisy


@given(board_positions())
@examples(60)
def test_a_noisy_move_makes_a_line_or_takes_the_place_of_one(position):
    game, state = position
    if game.is_over(state):
        return

    def lines(state):
        counted = [game.score(discs) for discs in state[:2]] if hasattr(game, "score") else []
        return sorted(game.winning_line(state)), counted

    other_turn = state._replace(max_to_move=not state.max_to_move)
    noisy = [
        move
        for move in game.moves(state)
        if any(lines(game.play(either, move)) != lines(either) for either in (state, other_turn))
    ]
    assert game.noisy_moves(state) == noisy


def test_noisy_moves_that_are_none_are_refused():
    class Loud(Countdown):
        def noisy_moves(self, state):
            return [("take", 4)]

    with pytest.raises(BadGame, match=r"noisy_moves\(\) returned \[\('take', 4\)\]"):
        search(Loud(), depth=2, quiescence=1)


# ---- values


@given(board_positions(), st.sampled_from(WINDOWED), st.integers(0, 3), st.integers(0, 6), st.sampled_from(ORDERS[:-1]))
@examples(120)
def test_every_windowed_algorithm_finds_the_value_of_minimax_with_quiescence(position, algorithm, depth, plies, order):
    game, state = position
    tree = search(game, state, depth, algorithm, quiescence=plies, order=order)
    assert tree.root.value == quiet_value(game, state, depth, plies)


@given(board_positions(), st.integers(0, 3), st.integers(1, 20))
@examples(40)
def test_without_noisy_moves_it_is_the_horizon_value_and_never_worse_than_standing_pat(position, depth, plies):
    game, state = position
    tree = search(game, state, depth, quiescence=plies)
    for node in tree:
        if node.depth < depth or node.status == "terminal":
            continue
        if not game.noisy_moves(node.state):
            assert (node.status, node.value, node.static) == ("horizon", game.evaluate(node.state), None)
        value = quiet_value(game, node.state, 0, depth + plies - node.depth)
        static = game.evaluate(node.state)
        assert value >= static if node.maximizing else value <= static


@pytest.mark.parametrize("algorithm", WINDOWED)
def test_no_further_plies_are_no_quiescence_row_for_row(algorithm):
    game = connect(rows=4, cols=5, connect=3)
    plain, none = (search(game, "22", 4, algorithm, compiled=False, **options) for options in ({}, {"quiescence": 0}))
    for left, right in zip(plain.columns, none.columns, strict=True):
        assert np.array_equal(left, right)
    assert len(plain.columns.static) == 0
    with pytest.raises(PlyscopeError, match="only searches with quiescence have them"):
        _ = plain.static


# ---- what is recorded


@given(quiescence_searches())
@examples(60)
def test_rows_bounds_and_best_moves_are_true(searched):
    game, plies, tree = searched
    for node in tree:
        K = tree.passes[tree.pass_number(node)].K
        value, status = node.value, node.status
        worth = true_value(tree, node)
        assert {"exact": worth == value, "lower": worth >= value, "upper": worth <= value}[node.bound]
        beyond = node.depth >= K
        assert node.depth <= K + plies
        assert (node.static is not None) == (beyond and status in ("exhausted", "cutoff"))
        if node.static is not None:
            _check_row_that_stood_pat(game, node, K + plies)
        best = node.best_child
        if best is not None:
            assert true_value(tree, best) >= value if node.maximizing else true_value(tree, best) <= value
            assert best.move == tree.find_earlier_proof(node).move if node.proving_child is None else node.is_proved_by(best)
            assert node.proving_child is not None or node.depth == 0  # only at a root an earlier pass may have proved it
            assert best.value == value
            assert not node.stands_pat


PAT_LAST = search(tictactoe(), "506", depth=2, algorithm="mtdf", quiescence=2)  # the last row stood pat and has no children


@given(quiescence_searches())
@example((tictactoe(), 2, PAT_LAST))
@examples(60)
def test_every_skipped_move_of_the_last_pass_is_drawn(searched):
    _, _, tree = searched
    part = select_items(tree)
    stubs = np.flatnonzero(part.kind == STUB)
    drawn = Counter(int(part.row[item]) for item in part.parent[stubs])
    assert drawn == {int(row): node.skipped for row in part.nodes if (node := tree[int(row)]).skipped}
    for depth in range(tree.height + 1):
        narrowed = select_items(tree, View(max_depth=depth))
        assert narrowed.depth.max() <= depth
        expected = sum(tree[int(row)].skipped for row in narrowed.nodes if tree.depth[row] < depth)
        assert (narrowed.kind == STUB).sum() == expected


@pytest.mark.parametrize("view", [View(principal=True), View(around=1), View(collapse=(1,)), View(first=3)])
def test_narrow_views_draw_no_skipped_moves_of_rows_that_they_close(view):
    tree = search(tictactoe(), "506", depth=2, quiescence=2)
    part = select_items(tree, view)
    open_rows = {int(row) for row in part.row[part.parent[part.kind == STUB]]}
    for row in map(int, part.nodes):
        hidden = [child for child in tree.child_rows(row) if child not in part.row]
        assert not (hidden and row in open_rows and view.first is None)


def _check_row_that_stood_pat(game, node, deepest):
    noisy = game.noisy_moves(node.state)
    assert noisy
    assert node.depth < deepest
    tried = [child.move for child in node.children]
    assert tried + node.skipped_moves == noisy
    assert len(node.skipped_moves) == node.skipped
    assert (node.skipped > 0) == node.pruned
    assert node.static == game.evaluate(node.state)
    better = max if node.maximizing else min
    assert node.value == better([node.static, *(child.value for child in node.children)])
    so_far, alpha, beta = node.static, node.alpha, node.beta
    for child in node.children:
        alpha, beta = (better(alpha, so_far), beta) if node.maximizing else (alpha, better(beta, so_far))
        assert (child.alpha, child.beta) == (alpha, beta)
        so_far = better(so_far, child.value)


def test_standing_pat_alone_may_refute():
    tree = search(*CUT, quiescence=4)
    alone = [node for node in tree if node.pruned and node.size == 1]
    assert alone
    assert all(node.static == node.value and node.skipped == len(node.skipped_moves) for node in alone)
    assert all(node.best_child is None and node.bound == ("lower" if node.maximizing else "upper") for node in alone)


def test_every_static_value_is_counted_once():
    class Counting:
        def __init__(self, game):
            self.game, self.asked = game, 0

        def __getattr__(self, name):
            return getattr(self.game, name)

        def evaluate(self, state):
            self.asked += 1
            return self.game.evaluate(state)

        kernel_board = None

    game = Counting(CUT[0])
    tree = search(game, game.state(CUT[1]), CUT[2], quiescence=4)
    counted = tree.statistics()
    assert counted.evaluations == game.asked == tree.leaves + tree.stand_pat_calls
    assert tree.stand_pat_calls == np.isfinite(tree.static).sum() > 0
    assert counted.extra_counts["evaluations"] == counted.evaluations


def test_where_standing_pat_is_best_there_is_no_best_move():
    game = connect(rows=4, cols=5, connect=3, evaluation="segments:linear")
    pat = next(node for node in search(*CUT, quiescence=4) if node.stands_pat and not node.pruned)
    tree = search(game, pat.state, 0, quiescence=4)
    assert (tree.root.stands_pat, tree.root.best_move, tree.root.best_move_name) == (True, -1, "")
    assert (tree.principal_variation, tree.root.bound) == ([], "exact")
    assert len(tree) > 1


@pytest.mark.parametrize("limit", range(1, 50, 9))
def test_a_search_that_was_stopped_is_a_tree_and_comes_back(limit, tmp_path):
    tree = search(*CUT, quiescence=4, max_nodes=limit)
    assert tree.stopped
    assert tree.root.status == "open"
    for node in tree:
        if node.status == "open" and node.static is not None:
            values = [node.static, *(child.value for child in node.children if child.status != "open")]
            assert node.value == (max(values) if node.maximizing else min(values))
    save(tree, tmp_path / "tree.parquet")
    again = load(tmp_path / "tree.parquet")
    for left, right in zip(tree.columns, again.columns, strict=True):
        assert np.array_equal(left, right)
    assert len(list(Trace(again))) == len(Trace(tree))


# ---- what is refused


def test_a_game_without_noisy_moves_refuses_it_with_a_sentence():
    with pytest.raises(BadOption, match=r"nim.* does not declare any"):
        search(nim([3, 4]), depth=2, quiescence=2)
    assert search(nim([3, 4]), depth=2, quiescence=0).complete


@pytest.mark.parametrize("plies", [-1, 21, 1.5, "4", True, None])
def test_other_numbers_of_plies_are_refused(plies):
    with pytest.raises(BadOption, match="a whole number from 0 up to 20 is needed"):
        Question(tictactoe(), quiescence=plies)


def test_minimax_the_kernel_an_oracle_and_original_programs_do_not_know_it():
    with pytest.raises(UnknownName, match="quiescence"):
        search(tictactoe(), algorithm="minimax", quiescence=1)
    with pytest.raises(NotCompilable, match="no compiled version with quiescence=2"):
        search(connect(), depth=3, quiescence=2, compiled=True)
    with pytest.raises(BadOption, match="the order comes from a search that ends at the depth limit"):
        search(connect(), depth=2, quiescence=2, order="best")
    with pytest.raises(PlyscopeError, match="has no option quiescence"):
        search(preset("k-tables"), depth=2, quiescence=2, as_published=True)


# ---- beside others


def test_a_comparison_with_and_without_does_not_call_different_values_a_fault():
    game, position, depth = CUT
    comparison = compare(game, position, str(depth), "alphabeta,alphabeta:quiescence=4,table:quiescence=4", repeat=1)
    assert not comparison.disagreements
    assert (list(list_problems(comparison)), explain_differences(comparison)) == ([], QUIESCENCE_NOTE)
    both = compare(game, position, str(depth), "minimax,alphabeta", repeat=1, quiescence=4)
    assert both.levels[0].saved is None
    assert explain_differences(both)
    assert not both.disagreements
    with pytest.raises(NotAligned, match="compare them without quiescence"):
        Alignment(search(*CUT, algorithm="minimax"), search(*CUT, quiescence=4))


# ---- tree files


@pytest.mark.parametrize("algorithm", WINDOWED)
def test_a_saved_tree_comes_back_the_same(algorithm, tmp_path):
    tree = search(*CUT, algorithm, quiescence=4)
    save(tree, tmp_path / "tree.parquet")
    again = load(tmp_path / "tree.parquet")
    assert again.question == tree.question
    for left, right in zip(tree.columns, again.columns, strict=True):
        assert np.array_equal(left, right)


class Loud(Countdown):
    """A game of the user's own: to take one is quiet."""

    def noisy_moves(self, state):
        return self.moves(state)[1:]


@given(
    st.tuples(st.just(Loud()), st.tuples(st.integers(3, 14), st.booleans())) | board_positions(),
    st.sampled_from(["table", "iterative", "mtdf", "engine"]),
    st.integers(1, 4),
    st.integers(1, 3),
)
@example((Loud(), (9, True)), "table", 3, 1)
@examples(80)
def test_a_move_that_is_said_to_be_tried_first_is_the_best_of_the_entry(position, algorithm, depth, plies):
    tree = search(*position, depth, algorithm, quiescence=plies)
    trace = Trace(tree)
    for node in tree:
        if "is tried first" in sentence(trace[trace.enter(node)]):
            entry, first = tree[int(tree.columns.link[node])], node.children[0]
            assert any(child.move == first.move and child.value == entry.value for child in entry.children)


def test_a_game_of_ones_own_comes_back_with_its_static_values(tmp_path):
    tree = search(Loud(), depth=3, quiescence=3)
    assert tree.stand_pat_calls
    assert tree.root.value == quiet_value(Loud(), Loud().start(), 3, 3)
    save(tree, tmp_path / "tree.parquet")
    again = load(tmp_path / "tree.parquet", game=Loud())
    assert np.array_equal(tree.static, again.static, equal_nan=True)
    assert [node.value for node in tree] == [node.value for node in again]


STOOD = next(int(node) for node in search(*CUT, quiescence=4) if node.static is not None)
LIES = {
    "another static value": (lambda table: table["static"].__setitem__(STOOD, 7.0), "its static value is 7.0"),
    "no number": (lambda table: table["static"].__setitem__(STOOD, np.nan), "its static value is nan"),
    "infinite": (lambda table: table["static"].__setitem__(STOOD, np.inf), "its static value is inf"),
    "a value for a row that did not stand pat": (lambda table: table["static"].__setitem__(0, 1.0), "its static value is 1.0"),
    "did not stand pat": (
        lambda table: table["flags"].__setitem__(STOOD, table["flags"][STOOD] & 127),
        "but the search gives exhausted",
    ),
    "stood pat at the root": (
        lambda table: table["flags"].__setitem__(0, table["flags"][0] | 128),
        "its status is exhausted, stands pat",
    ),
    "a leaf stood pat": (lambda table: table["flags"].__setitem__(2, table["flags"][2] | 128), "its status is unknown"),
    "no column": (lambda table: table.pop("static"), "has no column 'static'"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_file_that_lies_about_standing_pat_is_refused(lie, tmp_path):
    change, message = LIES[lie]
    tree = search(*CUT, quiescence=4)
    header = make_header(tree)
    table = {name: column.copy() for name, column in tree.columns._asdict().items() if len(column)}
    change(table)
    header.dtypes = {name: str(column.dtype) for name, column in table.items()}
    path = tmp_path / "tree.parquet"
    schema = pa.schema([(name, pa.from_numpy_dtype(column.dtype)) for name, column in table.items()])
    pq.write_table(pa.table(table, schema=schema.with_metadata({METADATA_KEY: msgspec.json.encode(header)})), path)
    with pytest.raises(BadTreeFile, match=message):
        load(path)


def test_static_values_where_there_is_no_quiescence_are_refused(tmp_path):
    tree = search(*CUT, compiled=False)
    header = make_header(tree)
    table = {name: column for name, column in tree.columns._asdict().items() if len(column)} | {"static": np.zeros(len(tree))}
    header.dtypes = {name: str(column.dtype) for name, column in table.items()}
    schema = pa.schema([(name, pa.from_numpy_dtype(column.dtype)) for name, column in table.items()])
    pq.write_table(
        pa.table(table, schema=schema.with_metadata({METADATA_KEY: msgspec.json.encode(header)})), tmp_path / "tree.parquet"
    )
    with pytest.raises(BadTreeFile, match="has the column 'static', which belongs to quiescence"):
        load(tmp_path / "tree.parquet")


def test_a_search_that_is_only_watched_does_not_stand_pat():
    tree = search(*CUT, quiescence=4)
    seen = ExternalData("theirs", [""], [0] * len(tree), {}, {})
    with pytest.raises(BadRecord, match="'static' has"):
        build_external_tree(tree.columns, seen, "alphabeta", 2, 0.0)
    with pytest.raises(BadRecord, match="a row stands pat"):
        build_external_tree(tree.columns._replace(static=np.empty(0)), seen, "alphabeta", 2, 0.0)


# ---- files for people


def test_files_carry_the_static_values(tmp_path):
    tree = search(*CUT, quiescence=4)
    stood = {int(node): node.static for node in tree if node.static is not None}
    assert {n["row"]: n["static"] for n in json.loads(to_json(tree))["nodes"] if "static" in n} == stood
    again = read_json(to_json(tree))
    assert np.array_equal(again.columns.static, tree.columns.static)
    assert {int(row["row"]): float(row["static"]) for row in csv.DictReader(io.StringIO(to_csv(tree))) if row["static"]} == stood
    assert dict(to_networkx(tree).nodes(data="static")) == {key: stood.get(key) for key in to_networkx(tree).nodes}
    assert to_text(tree).count("may stand pat with") == to_svg(tree).count("may stand pat with") == len(stood)
    export(tree, tmp_path / "tree.dot")
    assert len(re.findall(r"pat [$\d-]", (tmp_path / "tree.dot").read_text())) == len(stood)
    for child in map(int, tree.root.children):  # each fits on a page; of a larger tree the top of a part stands on two pages
        export(tree, tmp_path / "tree.tex", View(root=child))
        below = stood.keys() & set(range(child, int(tree.columns.end[child])))
        assert len(re.findall(r"pat [$\d-]", (tmp_path / "tree.tex").read_text())) == len(below)
    lying = to_json(tree).replace('"static":-30', '"static":-31')
    with pytest.raises(BadTreeFile, match="its static value is -31"):
        read_json(lying)


def test_the_command_knows_it():
    arguments = ["search", "connect:rows=4,cols=5,connect=3,evaluation=segments:linear", "--moves", "21", "--depth", "2"]
    result = CliRunner().invoke(plyscope, [*arguments, "--quiescence", "4", "--json"])
    output = json.loads(result.stdout)
    tree = search(*CUT, quiescence=4)
    assert (output["expanded"], output["evaluations"], output["value"]) == (
        tree.expanded,
        tree.statistics().evaluations,
        tree.root.value,
    )
    refused = CliRunner().invoke(plyscope, ["search", "nim:3,4", "--quiescence", "4"])
    assert "does not declare any" in str(refused.exception)
    compared = CliRunner().invoke(
        plyscope,
        [
            "compare",
            *arguments[1:4],
            "--depths",
            "2",
            "--repeat",
            "1",
            "--algorithms",
            "alphabeta,alphabeta:quiescence=4",
            "--json",
        ],
    )
    assert [row["expanded"] for row in json.loads(compared.stdout)["rows"]] == [search(*CUT).expanded, tree.expanded]


# ---- what is said


@given(quiescence_searches())
@examples(30)
def test_every_step_has_a_true_sentence_and_a_line_of_code(searched):
    game, plies, tree = searched
    for step in list(Trace(tree))[:400]:
        words, node = sentence(step), step.node
        K = tree.passes[tree.pass_number(node)].K
        line = tree_pseudocode(tree)[find_code_line(step)].words
        format_code_line(step)
        assert "{" not in words
        if node.static is not None:
            assert not any(untrue in words for untrue in ("All moves", "the first value"))
            if step.kind == "enter":
                assert f"stands pat with {format_number(node.static)}" in words
                assert (step.best, "quiesce(" in line) == (node.static, node.depth > K)
        if step.kind == "cutoff" and node.size == 1:
            assert f"stands pat with {format_number(node.value)} here" in words
        if step.cause is not None and step.cause.child is None:
            assert f"is sure of {format_number(step.cause.bound)} by standing pat. " in words
            assert step.cause.ancestor.static == step.cause.bound == (node.beta if node.maximizing else node.alpha)
        if step.kind == "evaluate" and node.status == "horizon":
            quiet = not game.noisy_moves(node.state)
            assert quiet if "There are none here" in words else node.depth == K + plies


@pytest.mark.slow
@needs_node
def test_the_browser_says_the_same_of_every_rung(tmp_path):
    trees = [search(*CUT, algorithm, quiescence=3) for algorithm in WINDOWED]
    trees += [search(CUT[0], "112", 0, algorithm, quiescence=3) for algorithm in ("alphabeta", "aspiration", "mtdf")]
    trees += [search(*CUT, "pvs", quiescence=3, max_nodes=limit) for limit in (9, 30)]
    for tree, (numbers, _, answer) in zip(trees, ask_browser(trees, tmp_path, 80), strict=True):
        trace = Trace(tree)
        for number_, browser_step in zip(numbers, answer["steps"], strict=True):
            expected = step_answer(trace, trace[number_])
            assert {name: browser_step[name] for name in expected} == expected


@pytest.mark.parametrize("evaluated", [1, 2, 3, 7, 20])
def test_a_search_interrupted_while_it_stands_pat_comes_back(evaluated, tmp_path):
    class Interrupted(Loud):
        asked = 0

        def evaluate(self, state):
            self.asked += 1
            if self.asked == evaluated:
                raise KeyboardInterrupt
            return super().evaluate(state)

    tree = search(Interrupted(), depth=2, quiescence=4)
    assert tree.stopped == "interrupted"
    save(tree, tmp_path / "tree.parquet")
    again = load(tmp_path / "tree.parquet", game=Loud())
    for left, right in zip(tree.columns, again.columns, strict=True):
        assert np.array_equal(left, right)
