"""Files and links that were made before modules and names changed are still read."""

import json
from pathlib import Path

import pytest

from engine import load, preset, search
from engine.checker.run_file import read_run_file
from engine.checker.verdict import NOTHING_FOUND
from engine.learning.summary import read_summary
from engine.matches.game_store import read_games
from tests.support.paths import TESTS
from visualizer import read_json
from visualizer.app.state.url_params import read_search_params

OLD: Path = TESTS / "golden" / "before_renaming"


@pytest.mark.parametrize(("name", "expanded"), [("alphabeta", 44), ("iterative", 77), ("readable", 50)])
def test_a_tree_file_is_loaded(name, expanded):
    tree = load(OLD / f"{name}.parquet")
    assert tree.complete
    assert tree.expanded == expanded


def test_a_tree_with_quiescence_is_read_from_json():
    assert read_json((OLD / "quiescence.json").read_text("utf-8")).quiescence == 2


def test_a_store_of_games_is_read():
    games = read_games(OLD / "games.db")
    assert len(games) == 4


def test_a_summary_is_graded():
    checked = read_summary((OLD / "summary.json").read_bytes())
    assert checked.unchanged
    assert checked.learner == "Ada"


def test_a_run_of_check_is_opened():
    opened = read_run_file((OLD / "run.json").read_bytes())
    assert opened.tree.expanded > 1


def test_a_run_of_check_gets_a_verdict_of_today():
    document = json.loads((OLD / "run.json").read_bytes())
    document["answer"] |= {"findings": [], "stopped": "", "one_score": False}
    document["answer"]["not_looked_at"] = ["how a call chooses among its moves: no call could be run alone"]
    verdict = read_run_file(json.dumps(document).encode()).verdict
    assert (verdict.verdict, verdict.calls, verdict.positions) == (NOTHING_FOUND, verdict.rows, 1)
    assert verdict.reason == "no call could be run alone, so the choice of moves was not checked"
    document["answer"]["not_looked_at"] = []
    assert not read_run_file(json.dumps(document).encode()).verdict.reason


def test_a_link_means_the_same_search():
    question, problem = read_search_params({"game": "k-tables", "moves": "3", "K": "3", "algorithm": "minimax"})
    assert not problem
    assert search(question).expanded == search(preset("k-tables"), "3", depth=3, algorithm="minimax").expanded == 400
