"""An algorithm is one module: here is one that the project does not have, and everything must work with it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from engine import compare, literal, nim, preset, search, tictactoe
from engine.algorithms import ALGORITHMS, alphabeta
from engine.algorithms.refutation import is_refuted
from engine.algorithms.spec import CUT_ON_EQUAL, WINDOWS, Algorithm, check_recursion_depth
from engine.algorithms.templates import CodeLine, Rule
from engine.core.errors import BadRecord, NotCompilable, PlyscopeError, UnknownName
from engine.games.protocol import is_max_to_move, legal_moves, move_codes, play_move, static_value
from engine.matches.match import Match
from engine.matches.players import SearchPlayer
from engine.record.columns import CUTOFF, EXHAUSTED, HORIZON, INFINITY, NONE, TERMINAL
from engine.tree.parquet_file import load
from engine.tree.trace import Trace
from tests.support.formats import quick_style
from tests.support.games import TEXTBOOK, Countdown
from tests.support.marks import mostly_slow
from tests.support.reference import minimax_value
from tests.support.toy_algorithms import without_windows
from tests.visualizer.narration.test_sentences import check_sentence, true_values
from tests.visualizer.viewer.test_viewer_logic import ask_browser, check_answer, needs_node
from visualizer import export, formats, to_text
from visualizer.narration.captions import search_title
from visualizer.narration.move_reasons import explain_choice
from visualizer.narration.pseudocode import find_code_line, format_code_line
from visualizer.narration.rules import MissingRule
from visualizer.narration.sentences import sentence
from visualizer.report import write_comparison


def search_backwards(game, record, state, remaining, depth=0, move=NONE, alpha=-INFINITY, beta=INFINITY, cut_on_equal=True):
    """Alpha-beta that tries the last move first."""
    maximizing = is_max_to_move(game, state)
    node = record.enter(move, depth, alpha, beta, maximizing)
    if game.is_over(state) or remaining == 0:
        return record.leave(node, TERMINAL if game.is_over(state) else HORIZON, static_value(game, state, record))
    check_recursion_depth(depth)
    better, value = (max, -INFINITY) if maximizing else (min, INFINITY)
    replies = legal_moves(game, state)
    pairs = list(zip(move_codes(replies), replies, strict=True))
    for tried, (code, reply) in enumerate(reversed(pairs), start=1):
        child = play_move(game, state, reply)
        value = better(value, search_backwards(game, record, child, remaining - 1, depth + 1, code, alpha, beta, cut_on_equal))
        if tried < len(pairs) and is_refuted(maximizing, value, alpha, beta, cut_on_equal):
            return record.leave(node, CUTOFF, value, skipped=len(pairs) - tried)
        alpha, beta = (max(alpha, value), beta) if maximizing else (alpha, min(beta, value))
    return record.leave(node, EXHAUSTED, value)


CODE = [
    CodeLine("backwards(state, plies, α, β)", {"step": "enter"}, "from α = {alpha} to β = {beta}"),
    CodeLine("  if game over or plies = 0: return evaluate(state)", {"step": "evaluate"}, "returns {value}"),
    *alphabeta.PSEUDOCODE[3:],
]
WORDS = {
    "sentence": [
        Rule(
            "enter.backwards",
            {"step": "enter", "root": False, "alpha": "open", "beta": "open"},
            "{mover} tries {move}, later moves first. {nothing}",
        )
    ],
    "nothing": [Rule("nothing.max", {"mover": "max"}, "MAX has nothing yet."), Rule("nothing.min", {}, "Nor has MIN.")],
}

BACKWARDS = Algorithm(
    name="backwards",
    title="backwards alpha-beta",
    line="alpha-beta that tries the last move first",
    run=lambda game, record, state, plies, options: search_backwards(game, record, state, plies, **options),
    code=CODE,
    words=WORDS,
    columns=WINDOWS,
    options=(CUT_ON_EQUAL,),
)


@pytest.fixture(autouse=True)
def registered_algorithm(monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "backwards", BACKWARDS)


GAMES = [(literal(TEXTBOOK), None), (preset("k-tables"), 3), (tictactoe(), 4), (nim([2, 3, 1]), 4), (Countdown(), 5)]
every_game = pytest.mark.parametrize(("game", "depth"), mostly_slow(GAMES, quick=1), ids=lambda value: type(value).__name__)


@every_game
def test_it_finds_the_value_and_says_nothing_false(game, depth):
    tree = search(game, depth=depth, algorithm="backwards")
    assert not tree.search.compiled
    assert tree.root.value == minimax_value(game, game.start(), 500 if depth is None else depth)
    truth = true_values(tree)
    for step in Trace(tree):
        check_sentence(step, truth)
    for row in range(len(tree)):
        node = tree[row]
        legal = set(move_codes(legal_moves(game, node.state))) if node.pruned else set()
        assert len(node.skipped_moves) == node.skipped
        assert set(node.skipped_moves) == legal - {child.move for child in node.children} if node.pruned else True


@every_game
def test_it_is_written_in_every_format(game, depth, tmp_path):
    tree = search(game, depth=depth, algorithm="backwards")
    for extension in formats():
        assert export(tree, tmp_path / f"tree{extension}", **quick_style(extension)) > 0
    if not isinstance(game, Countdown):
        assert load(tmp_path / "tree.parquet").columns.value.tolist() == tree.columns.value.tolist()
        assert "backwards alpha-beta" in search_title(tree)
    pruned = next((tree[row] for row in range(len(tree)) if tree[row].pruned), None)
    assert pruned is None or "skipped" in to_text(tree)


@needs_node
def test_the_browser_steps_through_it(tmp_path):
    trees = [search(game, depth=depth, algorithm="backwards") for game, depth in GAMES]
    for tree, answer in zip(trees, ask_browser(trees, tmp_path), strict=True):
        check_answer(tree, *answer)
        _, _, details = answer
        assert "MAX tries" in details["steps"][1]["sentence"]
        assert details["steps"][1]["sentence"].endswith(", later moves first. MAX has nothing yet.")
        assert details["steps"][0]["lineNumbers"] == "from α = −∞ to β = ∞"


def test_it_has_words_and_lines_of_its_own():
    trace = Trace(search(literal([[3, 12], [2, 4]]), algorithm="backwards"))
    assert sentence(trace[1]) == "MAX tries move 1, later moves first. MAX has nothing yet."
    assert sentence(trace[2]) == "MIN tries move 1, later moves first. Nor has MIN."
    assert sentence(trace[3]) == "This is a leaf of the tree: its value is 4."
    assert [find_code_line(trace[step]) for step in range(5)] == [0, 0, 0, 1, 14]


@needs_node
def test_pseudo_code_that_says_nothing_about_steps_is_only_shown(monkeypatch, tmp_path):
    monkeypatch.setitem(ALGORITHMS, "backwards", replace(BACKWARDS, code=[CodeLine("backwards(state)"), CodeLine("  ...")]))
    tree = search(literal([[3, 12], [2, 4]]), algorithm="backwards")
    [answer] = ask_browser([tree], tmp_path)
    check_answer(tree, *answer)
    assert {(find_code_line(step), format_code_line(step)) for step in Trace(tree)} == {(-1, "")}


def test_a_step_that_no_line_is_for_is_an_error(monkeypatch):
    trace = Trace(search(literal([[3, 12], [2, 4]]), algorithm="backwards"))
    monkeypatch.setitem(ALGORITHMS, "backwards", replace(BACKWARDS, code=CODE[:1]))
    with pytest.raises(MissingRule, match=r"the pseudo-code of backwards has no line for .*'step': 'evaluate'"):
        find_code_line(trace[3])


def test_it_is_compared_and_plays(tmp_path):
    comparison = compare(preset("k-tables"), "3", depths=[1, 2, 3], algorithms=["minimax", "alphabeta", "backwards"], repeat=1)
    assert len(comparison.rows) == 9
    assert not comparison.disagreements
    assert not comparison.compiled  # one of them is not, and times are compared
    assert {row.value for row in comparison.rows if row.depth == 3} == {-3.0}
    for extension in (".html", ".md", ".tex", ".json", ".csv", ".svg"):
        write_comparison(comparison, tmp_path / f"report{extension}")
    assert "backwards alpha-beta" in (tmp_path / "report.md").read_text()
    assert any(row["algorithm"] == "backwards" for row in json.loads((tmp_path / "report.json").read_text())["rows"])
    choice = Match(tictactoe(), max_player=SearchPlayer(3, algorithm="backwards")).choose()
    assert "with backwards alpha-beta" in " ".join(explain_choice(choice))


def test_what_it_cannot_do_is_said():
    with pytest.raises(NotCompilable, match="backwards has no compiled version"):
        search(preset("k-tables"), "3", 2, "backwards", compiled=True)
    with pytest.raises(PlyscopeError, match=r"there is no option of backwards 'as_published'\. Known: cut_on_equal"):
        search(preset("k-tables"), "3", 2, "backwards", as_published=True)


def test_an_algorithm_that_is_not_registered_is_an_error(monkeypatch):
    monkeypatch.delitem(ALGORITHMS, "backwards")
    with pytest.raises(UnknownName, match="there is no algorithm 'backwards'"):
        search(literal(TEXTBOOK), algorithm="backwards")


# ---- windows that nobody declared


UNDECLARED = replace(BACKWARDS, name="undeclared", columns=())


@pytest.mark.parametrize(("game", "depth"), [(literal([[6, 4, 2], [3, 12, 8]]), None), (Countdown(), 5), (preset("k-tables"), 3)])
def test_windows_are_recorded_without_being_declared(game, depth, monkeypatch, tmp_path):
    for algorithm in (BACKWARDS, UNDECLARED):
        monkeypatch.setitem(ALGORITHMS, algorithm.name, algorithm)
    declared, undeclared = (search(game, depth=depth, algorithm=name) for name in ("backwards", "undeclared"))
    assert undeclared.windows
    for column in ("alpha", "beta", "value", "status"):
        np.testing.assert_array_equal(getattr(declared, column), getattr(undeclared, column))
    assert undeclared.skipped == sum(len(node.skipped_moves) for node in undeclared[:]) > 0
    assert [sentence(step) for step in Trace(undeclared)] == [sentence(step) for step in Trace(declared)]
    for stopped in range(1, len(undeclared), 7):
        part = search(game, depth=depth, algorithm="undeclared", max_nodes=stopped)
        np.testing.assert_array_equal(part.alpha, declared.alpha[:stopped])
    if not isinstance(game, Countdown):
        export(undeclared, tmp_path / "tree.parquet")
        np.testing.assert_array_equal(load(tmp_path / "tree.parquet").beta, declared.beta)


def test_a_cutoff_without_a_window_names_none(monkeypatch):
    monkeypatch.setitem(ALGORITHMS, "bare", Algorithm("bare", "bare", "", without_windows, alphabeta.PSEUDOCODE))
    tree = search(literal(TEXTBOOK), algorithm="bare")
    words = [sentence(step) for step in Trace(tree) if step.kind == "cutoff"]
    assert words == ["MIN can already get 2 here, and moves 1 and 2 are skipped. The record has no window that explains why."]


def test_a_cutoff_says_how_many_moves_it_skips(monkeypatch):
    def counts_nothing(*asked):
        return without_windows(*asked, skipped=0)

    def skips_at_a_leaf(game, record, state, plies, options):
        return record.leave(record.enter(NONE, 0, -INFINITY, INFINITY, True), EXHAUSTED, 0.0, skipped=2)

    for run, words in (
        (counts_nothing, "row 5 is left by a cutoff: pass the number of skipped moves"),
        (skips_at_a_leaf, "only a cutoff"),
    ):
        monkeypatch.setitem(ALGORITHMS, "wrong", Algorithm("wrong", "wrong", "", run, alphabeta.PSEUDOCODE))
        with pytest.raises(BadRecord, match=words):
            search(literal(TEXTBOOK), algorithm="wrong")


def test_an_algorithm_of_passes_asks_either_runner(monkeypatch):
    """Alpha-beta twice, each time as deep as the last: written once, it runs readable and compiled."""

    def search_twice(runner, game, state, plies, options):
        runner.run_pass(state, plies, why="to find the value")
        return runner.run_pass(state, plies, why="to be sure")

    monkeypatch.setitem(ALGORITHMS, "twice", replace(ALGORITHMS["table"], name="twice", run_passes=search_twice))
    readable, compiled = (search(preset("k-tables"), depth=4, algorithm="twice", compiled=compiled) for compiled in (False, True))
    assert [note.why for note in readable.notes] == [note.why for note in compiled.notes] == ["to find the value", "to be sure"]
    for name in ("move", "depth", "alpha", "beta", "value", "link"):
        np.testing.assert_array_equal(getattr(readable, name), getattr(compiled, name))


def test_an_algorithm_must_have_a_search():
    with pytest.raises(PlyscopeError, match="'idle' cannot search: give it `run`, `run_passes` or `iterate`"):
        Algorithm("idle", "idle", "does nothing")
