"""Trees that `plyscope app --open` shows: found by their search, and refused where no link can name it."""

from urllib.parse import parse_qsl

import pytest

from engine import connect, literal, nim, search
from tests.support.games import TEXTBOOK, Countdown
from visualizer.app.state import opened_trees
from visualizer.app.state.background_search import find_outcome
from visualizer.app.state.opened_trees import NotLinkable, open_tree
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
