"""The user's own trees that are too long for a link: pages show them, and the server stores them within a limit."""

import json
import pickle
import sys

import pytest
from streamlit.testing.v1 import AppTest

from engine import PlyscopeError, literal
from engine.games.literal import read_literal
from engine.games.registry import MAX_SAVED_TEXT_CHARS, game_text, read_game
from engine.games.tree_formats import FORMATS, json_trees, read_tree
from engine.games.tree_formats.diagnostics import MAX_BYTES
from tests.visualizer.app.test_forms import change_widget, find_widget
from tests.visualizer.app.test_pages import open_page, open_step, wait_for_job
from visualizer.app.forms.tree_form import DOT_CHARACTER_BYTES, DOT_NODE_BYTES
from visualizer.app.state import large_trees
from visualizer.app.state.large_trees import MAX_LINK_CHARS, MissingTree, page_game_text, read_page_game, store_if_large
from visualizer.app.state.url_params import read_tournament_params
from visualizer.pool import pool as pools
from visualizer.pool.limits import Limits
from visualizer.pool.pool import ThreadPool


def large_tree(first, rows=150, names=False):
    """A tree of two plies whose text is longer than a link."""
    values = [[first + 100_000 + 20 * row + leaf for leaf in range(20)] for row in range(rows)]
    return [{"name": f"row {number}", "children": row} for number, row in enumerate(values)] if names else values


def deep_tree(names):
    tree = 1.5
    for ply in range(499):
        tree = {"name": f"n{ply}", "children": [tree, ply]} if names else [tree, ply]
    return tree


@pytest.mark.parametrize("names", [False, True])
def test_the_deepest_trees_are_written_read_compared_and_sent(names):
    game = literal(deep_tree(names), "min")
    assert pickle.loads(pickle.dumps(game)) == game == read_game(game_text(game))
    assert game != literal(deep_tree(names)) != literal(deep_tree(not names))
    for form in FORMATS.values():
        if form.names or not names:
            read = read_tree(form.write(game.data, game.first))
            assert literal(read.tree, read.first or "max") == game
    drawn = read_game("random-tree:branching=1,depth=500,seed=7")
    assert pickle.loads(pickle.dumps(drawn)) == drawn
    assert len(game.name) == len(game.show(game.start())) == 200


def test_a_long_tree_has_a_short_text_on_pages_and_the_whole_one_in_files():
    game = store_if_large(literal(large_tree(0), "min"))
    text = page_game_text(game)
    assert len(text) < 60 < MAX_LINK_CHARS < len(game_text(game))
    assert text.startswith("tree-min:kept=")
    assert read_page_game(text) is game is read_page_game(game_text(game))
    assert page_game_text(literal([1, 2])) == "tree:[1,2]"
    for wrong in (text[:-1], f"{text}0", text.replace("=", "=0"), "tree:kept="):
        with pytest.raises(PlyscopeError):
            read_page_game(wrong)


@pytest.mark.parametrize(("page", "expected"), [("step", "3,151 nodes"), ("compare", "minimax"), ("play", "Tree of ")])
def test_every_page_shows_a_tree_that_is_too_long_for_a_link(page, expected):
    text = page_game_text(store_if_large(literal(large_tree(2, names=page == "play"))))
    app = open_page(page, {"game": text, "algorithm": "minimax", "repeat": "1"})
    assert not app.error
    assert not app.warning
    assert any(expected in element.value for element in app.markdown)
    assert app.query_params["game"] == text


def test_a_tournament_refuses_a_tree_that_is_too_long():
    wrong = read_tournament_params({"game": page_game_text(store_if_large(literal(large_tree(2))))})[1]
    assert wrong == "this tree is too long for a tournament: choose one of up to 20,000 characters"


def test_a_long_tree_is_typed_and_searched_and_typed_over():
    app = open_step({"game": "tree:[[3,12],[2,4]]"})
    change_widget(app, "Tree", "MIN\n" + str(large_tree(3)))
    assert not app.error
    assert "This tree of 3,151 nodes has 21,3" in " ".join(caption.value for caption in app.caption)
    app.run()
    assert find_widget(app, "Tree").value == ""  # nobody wants to have it in the page
    next(button for button in app.button if button.label == "Search").click().run()
    wait_for_job(app)
    assert app.query_params["game"] == page_game_text(literal(large_tree(3), "min"))
    change_widget(app, "Tree", "[1,\n[2,x]]")
    assert "line 2, column 4" in app.error[0].value
    change_widget(app, "Tree", "[1,2]")
    assert not app.error
    assert any(caption.value == "3 nodes" for caption in app.caption)


def test_a_link_to_a_missing_tree_asks_for_its_file_and_then_works():
    tree = literal(large_tree(4))
    text = page_game_text(tree)
    for page in ("step", "compare", "play", "tournament"):
        app = open_page(page, {"game": text, "moves": "3"})
        assert [warning.value for warning in app.warning] == [
            "The tree of this link is too long for a URL, and this server does not have it\\: "
            "open its file here, and the link works again\\."
        ]
        assert len(app.get("file_uploader")) == 1
        assert [button.label for button in app.button] == ["Continue without it"]
    app = open_page("step", {"game": text, "moves": "3"})
    store_if_large(tree)
    wait_for_job(app.run())
    assert not app.warning
    assert any("after 3" in element.value for element in app.markdown)


def test_the_server_stores_the_last_used_trees_within_its_limit(monkeypatch):
    monkeypatch.setattr(pools._CurrentPool, "pool", ThreadPool(Limits(memory=16 * 400_000)))
    tree_cache = large_trees._tree_cache.__wrapped__()
    monkeypatch.setattr(large_trees, "_tree_cache", lambda: tree_cache)
    alive = large_trees.list_interned_games  # of which other tests have some
    monkeypatch.setattr(large_trees, "list_interned_games", lambda: [game for game in alive() if game.tree[0][0] >= 200_000])
    texts = [page_game_text(store_if_large(literal(large_tree(100_000 * first)))) for first in (1, 2, 3)]
    with pytest.raises(MissingTree):
        read_page_game(texts[0])
    assert read_page_game(texts[1]) != read_page_game(texts[2])
    shown = [store_if_large(literal(large_tree(100_000 * first))) for first in range(4, 11)]  # whoever looks at them has them
    with pytest.raises(PlyscopeError, match="other users have filled the 1 MB that this server has for large trees"):
        store_if_large(literal(large_tree(1_100_000)))
    assert store_if_large(literal(large_tree(400_000))) is shown[0]
    del shown
    store_if_large(literal(large_tree(1_100_000)))


def test_json_is_never_too_long_to_be_read_again_and_dot_says_how_long_it_is(monkeypatch):
    monkeypatch.setattr(json_trees, "MAX_BYTES", 60_000)
    rows = [{"name": f"row {row} {'x' * 40}", "children": [row, {"name": "é" * 9, "value": 2}]} for row in range(500)]
    game = literal(rows)
    written = FORMATS["json"].write(game.data, "max")
    assert len(written.encode()) < 60_000 < len(json.dumps(game.data, indent=1))
    assert literal(read_tree(written).tree) == game
    dot = len(FORMATS["dot"].write(game.data, "max").encode())
    size = game.game_size
    assert 0.8 < dot / (DOT_NODE_BYTES * size.nodes + DOT_CHARACTER_BYTES * size.characters) < 1.25
    with pytest.raises(PlyscopeError, match="a node takes about 5 characters as a nested list"):
        read_tree(b" " * (MAX_BYTES + 1))
    page = AppTest.from_function(_says_how_long).run()
    assert [caption.value for caption in page.caption] == [
        "As DOT it takes about 5 MB, and Plyscope opens files of up to 5 MB. To open it here again, save it in another format."
    ]


def _says_how_long():
    from engine.games.interning import GameSize
    from visualizer.app.forms.tree_form import warn_if_too_long_as_dot

    warn_if_too_long_as_dot(GameSize(500_000, "", 100_000, 0))
    warn_if_too_long_as_dot(GameSize(800_000, "", 100_001, 0))
    warn_if_too_long_as_dot(None)


def test_a_saved_tree_is_read_again_even_if_it_is_longer_than_its_text(monkeypatch):
    text = "MIN\n" + "".join(f" x{row}->a:{row}\n" for row in range(9))
    read = read_tree(text)
    game = literal(read.tree, read.first)
    for module in ("literal", "tree_formats"):
        monkeypatch.setattr(sys.modules[f"engine.games.{module}"], "MAX_BYTES", len(text))
    assert len(game.written) > 3 * len(text)
    assert read_literal(game.written, "min") == game
    with pytest.raises(PlyscopeError, match="the limit is 85"):
        read_literal(f"{text}\n", "min")
    assert MAX_SAVED_TEXT_CHARS > 2 * MAX_BYTES
