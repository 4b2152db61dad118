"""Trees that `plyscope app --open` shows: found by their search, and refused where no link can name it."""

from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

from engine import connect, literal, nim, search
from engine.tree.search_trace import parse_trace
from engine.tree.trace_builder import build_trace_tree
from tests.support.games import TEXTBOOK, Countdown
from tests.support.paths import ROOT
from tests.support.processes import MAX_WAIT_SECONDS
from visualizer.app.state import opened_trees
from visualizer.app.state.background_search import find_outcome
from visualizer.app.state.opened_trees import NotLinkable, find_opened_run, open_tree
from visualizer.app.state.url_params import read_search_params


@pytest.fixture(autouse=True)
def nothing_opened(monkeypatch):
    monkeypatch.setattr(opened_trees, "_OPENED", {})


@pytest.mark.parametrize(
    "make",
    [
        lambda: search(connect(), "334", depth=4, algorithm="pvs"),
        lambda: search(connect(), depth=4, first="min", cut_on_equal=False),
        lambda: search(connect(), depth=8, max_nodes=500),
        lambda: search(literal(TEXTBOOK)),
        lambda: search(nim([2, 3])),
    ],
)
def test_an_opened_tree_is_found_by_its_address(make):
    tree = make()
    address = open_tree(tree)
    question, problem = read_search_params(dict(parse_qsl(address.removeprefix("?"))))
    assert not problem
    assert find_outcome(question).tree is tree


def test_trees_that_no_link_can_name_are_refused():
    with pytest.raises(NotLinkable, match="plyscope export"):
        open_tree(search(Countdown(), depth=2))


TRACE = (
    b'{"plyscope_trace": 1, "game": "two moves"}\n{"id": 0, "side": "max"}\n{"id": 1, "parent": 0, "side": "min", "value": 3}\n'
)


def test_a_trace_is_shown_by_its_digest(monkeypatch):
    monkeypatch.setattr(opened_trees, "_OPENED_RUNS", {})
    tree = build_trace_tree(parse_trace(TRACE))
    parameters = dict(parse_qsl(open_tree(tree).removeprefix("?")))
    assert find_opened_run(parameters["run"]) is tree
    app = AppTest.from_file(str(ROOT / "visualizer" / "app" / "main.py"), default_timeout=MAX_WAIT_SECONDS)
    app.query_params["run"] = parameters["run"]
    app.run()
    assert not app.exception
    assert any("two moves" in text.value for text in app.markdown)
    app.query_params["run"] = "0" * 16
    app.run()
    assert any("plyscope app --open" in text.value for text in app.info)
