"""Values and searches computed with the original programs."""

import json

import pytest

from engine import preset, search
from engine.analysis.published_figures import cell_winner
from engine.analysis.statistics import count_doubled_links
from engine.compiled.alphabeta_driver import evaluate
from engine.matches.tournament import Tournament
from engine.matches.tournament_grid import Grid
from tests.support.marks import mostly_slow
from tests.support.paths import TESTS

GOLDEN = {path.stem: json.loads(path.read_text()) for path in (TESTS / "golden").glob("*.json")}
FIRST = {"A": "max", "C": "max", "H": "min", "U": "min"}
READABLE_MOST = 400  # the readable algorithms search this many nodes quickly

both = pytest.mark.parametrize("compiled", [True, False])
compiled_and_slowly = pytest.mark.parametrize("compiled", mostly_slow([True, False], quick=1))


def golden_cases(name, kind="search"):
    found = GOLDEN[name][kind]
    assert len(found) >= 40
    return found


def tree_result(tree):
    return tree.expanded, tree.root.value, tree.root.best_move


@compiled_and_slowly
def test_chains_of_k_tables(compiled):
    game = preset("k-tables")
    for case in golden_cases("chains", "heuristic"):
        state = game.state(case["moves"])
        assert (evaluate(game, state) if compiled else game.evaluate(state)) == case["value"], case
        assert [game.score(state.max_discs), game.score(state.min_discs)] == case["score"]


@compiled_and_slowly
def test_searches_of_k_tables_as_published(compiled):
    game = preset("k-tables")
    for case in golden_cases("chains"):
        for algorithm, short in (("minimax", "mm"), ("alphabeta", "ab")):
            if compiled or case[f"{short}_nodes"] < READABLE_MOST:
                tree = search(game, case["moves"], case["k"], algorithm, as_published=True, compiled=compiled)
                assert tree_result(tree) == (case[f"{short}_nodes"], case[f"{short}_value"], case[f"{short}_move"]), case


@both
def test_spread_of_long_state(compiled):
    game = preset("long-state")
    for case in golden_cases("spread", "heuristic"):
        state = game.state(case["moves"], first=FIRST[case["first"]])
        assert (evaluate(game, state) if compiled else game.evaluate(state)) == case["value"], case
        assert game.state(int(case["state"]))[:2] == state[:2]


@compiled_and_slowly
def test_searches_of_long_state(compiled):
    game = preset("long-state")
    for case in golden_cases("spread"):
        for algorithm, short in (("minimax", "mm"), ("alphabeta", "ab")):
            if compiled or case[f"{short}_nodes"] < READABLE_MOST:
                tree = search(game, case["moves"], case["k"], algorithm, first=FIRST[case["first"]], compiled=compiled)
                assert tree_result(tree) == (case[f"{short}_nodes"], case[f"{short}_value"], case[f"{short}_move"]), case
                assert count_doubled_links(tree) == case[f"{short}_nodes_dup"]


def test_the_published_long_is_a_position():
    known = GOLDEN["spread"]["published_benchmark"]
    game = preset("long-state")
    assert game.state(int(known["state"])) == game.state(known["moves"], first="max")
    for algorithm in ("minimax", "alphabeta"):
        for depth, expected in known[algorithm].items():
            tree = search(game, int(known["state"]), int(depth), algorithm)
            assert (tree.expanded, count_doubled_links(tree), tree.root.value) == tuple(expected.values())


@both
def test_threats(compiled):
    game = preset("threats")
    value = (lambda state: evaluate(game, state)) if compiled else game.evaluate
    for case in golden_cases("threats", "heuristic"):
        assert value(game.state(case["moves"], first="max")) == case["value_X"], case
        assert value(game.state(case["moves"], first="min")) == case["value_O"], case


@both
def test_searches_of_threats_as_published(compiled):
    game = preset("threats")
    for case in golden_cases("threats"):
        if compiled or case["ab_calls"] < READABLE_MOST:
            tree = search(game, case["moves"], case["plies"], as_published=True, compiled=compiled)
            assert tree_result(tree) == (case["ab_calls"] + 1, case["value"], case["move"]), case
            assert tree.leaves == case["ab_evals"]
            assert [[child.move, child.value] for child in tree.root.children] == case["root_values"]
        if case["plain_calls"] and (compiled or case["plain_calls"] < READABLE_MOST):
            tree = search(game, case["moves"], case["plies"], "minimax", as_published=True, compiled=compiled)
            assert (tree.expanded, tree.leaves) == (case["plain_calls"] + 1, case["plain_evals"])


def test_threats_does_not_prefer_the_faster_win():
    for case in GOLDEN["threats"]["ignores_win_distance_examples"]:
        first = "max" if case["agent"] == "X" else "min"
        tree = search(preset("threats"), case["moves"], case["depth"] + 1, first=first, as_published=True)
        assert tree.root.best_move == case["program_plays"] not in case["immediate_wins"][:1]


@both
def test_lines_of_full_depth(compiled):
    for case in golden_cases("lines", "heuristic"):
        game = preset("full-depth", rows=case["rows"], cols=case["cols"])
        state = game.state(case["moves"], first=FIRST[case["first"]])
        assert (evaluate(game, state) if compiled else game.evaluate(state)) == case["value"], case


@both
@pytest.mark.parametrize(("kind", "as_published"), [("intended", False), ("literal", True)])
def test_searches_of_full_depth(compiled, kind, as_published):
    for case in golden_cases("lines"):
        game, known = preset("full-depth", rows=case["rows"], cols=case["cols"]), case[kind]
        question = (game, case["moves"], case["depth"])
        options = {"first": FIRST[case["first"]], "as_published": as_published, "compiled": compiled}
        if compiled or known["ab_nodes"] < READABLE_MOST:
            assert tree_result(search(*question, **options)) == (known["ab_nodes"], known["value"], known["move"]), case
        if "plain_nodes" in known and (compiled or known["plain_nodes"] < READABLE_MOST):
            tree = search(*question, "minimax", **options)
            assert tree_result(tree) == (known["plain_nodes"], known["plain_value"], known["plain_move"]), case
            if "root_values" in known:
                assert [[child.move, child.value] for child in tree.root.children] == known["root_values"]


@both
@pytest.mark.parametrize("scoring", ["linear", "power"])
def test_segments_of_connect_m(compiled, scoring):
    for case in golden_cases("segments", "heuristic"):
        game = preset("connect-m", size=case["N"], connect=case["M"], scoring=scoring)
        state = game.state(case["moves"], first=FIRST[case["first"]])
        use_kernel = compiled and game.cols * game.height <= 64
        assert (evaluate(game, state) if use_kernel else game.evaluate(state)) == case[f"value_{scoring}"], case


@both
@pytest.mark.parametrize("scoring", ["linear", "power"])
def test_searches_of_connect_m(compiled, scoring):
    for case in golden_cases("segments"):
        game, known = preset("connect-m", size=case["N"], connect=case["M"], scoring=scoring), case[scoring]
        for algorithm, short in (("minimax", "plain"), ("alphabeta", "ab")):
            calls = known.get(f"{short}_calls")
            if calls and (compiled or calls < READABLE_MOST):
                how = None if compiled else False
                tree = search(game, case["moves"], case["depth"], algorithm, first=FIRST[case["first"]], compiled=how)
                assert (*tree_result(tree), tree.leaves) == (calls + 1, known["value"], known["move"], known[f"{short}_evals"]), (
                    case
                )


@pytest.mark.parametrize("scoring", ["linear", "power"])
def test_tournament_games_of_connect_m(scoring):
    for size, rows in GOLDEN["segments"]["heatmaps"][scoring[:3] if scoring == "power" else scoring].items():
        cells = Tournament(Grid(f"connect-m:size={size},scoring={scoring}")).run().cells()
        known = [(depth1, depth2, game) for depth1, row in enumerate(rows, 1) for depth2, game in enumerate(row, 1)]
        assert [(cell.depth1, cell.depth2, [cell_winner(cell), cell.games[0].moves]) for cell in cells] == known
