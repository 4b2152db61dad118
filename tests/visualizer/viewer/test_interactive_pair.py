"""Two searches over each other in one file: which pair it shows, with which component, and what it refuses."""

import json

import pytest

from engine import PlyscopeError, compare, connect, literal, preset, search
from engine.analysis.overlay import Overlay
from tests.visualizer.viewer.test_interactive_page import Page
from visualizer.viewer.interactive.pair_page import write_pair
from visualizer.viewer.overlay_data import encode_overlay

TREE = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


def test_minimax_and_alpha_beta_are_aligned():
    page = Page(write_pair(compare(preset("k-tables"), "3", "1-3", repeat=1)).decode())
    assert page.text["title"].startswith("k-tables, position 3, minimax and alpha-beta, K=3")
    assert "Alpha-beta saves 166 nodes of 400." in page.text["p"]
    assert "joined.minimax_overlay" in page.scripts[0]
    assert "joined.search_overlay" not in page.scripts[0]
    assert page.loaded == []


def test_other_searches_are_laid_over_each_other():
    comparison = compare(literal(TREE), None, None, "alphabeta,pvs", repeat=1)
    page = Page(write_pair(comparison, "A pair").decode())
    assert page.text["title"].startswith("A pair")
    settings = json.loads(page.unpack("settings"))
    assert (settings["left"], settings["right"]) == ("alpha-beta", "principal variation search")
    left, right = map(search, comparison.questions.values())
    assert page.unpack("payload") == encode_overlay(Overlay(left, right))


@pytest.mark.parametrize(
    ("game", "depths", "algorithms", "message"),
    [
        (literal([[3, 12], [2, 4]]), None, "alphabeta", "at least two algorithms"),
        (connect(), "9", "alphabeta,pvs", "at most 300,000 nodes"),
    ],
)
def test_what_cannot_be_drawn_is_refused(game, depths, algorithms, message):
    with pytest.raises(PlyscopeError, match=message):
        write_pair(compare(game, None, depths, algorithms, repeat=1))
