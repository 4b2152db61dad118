"""Games as text."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import PlyscopeError
from engine.games.presets import PRESETS
from engine.games.registry import game_text, read_game
from tests.games import connect_games, literal_trees
from visualizer.text.glossary import game_lines

TEXTS = [
    *PRESETS,
    *game_lines(),
    "connect-m:size=5,connect=4,scoring=power",
    "full-depth:rows=5,cols=4",
    "k-tables:evaluation=lines",
    "long-state:evaluation=none,order=centre",
    "connect4:order=6-5-4-3-2-1-0/centre",
    "tree-min:[1,[2,3.5]]",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_game_and_its_text_are_the_same(text):
    game = read_game(text)
    assert read_game(game_text(game)) == game


@given(connect_games())
def test_any_connect_board_has_a_text(game):
    assert read_game(game_text(game)) == game


@given(literal_trees)
def test_any_literal_tree_has_a_text(tree):
    game = read_game("tree:" + str(tree).replace("nan", "0"))
    assert read_game(game_text(game)) == game


def test_evaluations_can_be_replaced():
    assert read_game("k-tables", "lines").evaluation == "lines"
    assert read_game("connect4", "none").name == "connect4:evaluation=none"
    with pytest.raises(PlyscopeError, match="Connect boards only"):
        read_game("nim:1,2", "lines")


@st.composite
def nearly_games(draw):
    """A text that names a game, with a piece of it replaced."""
    text = draw(st.sampled_from(TEXTS))
    start, length = draw(st.integers(0, len(text))), draw(st.integers(0, 5))
    piece = draw(st.text(max_size=5) | st.sampled_from(["-1", "0", "1e9", "[", "]]", ",,", "=", "rows=", "9" * 30, "nan", "inf"]))
    return text[:start] + piece + text[start + length :]


@settings(max_examples=400)
@given(st.text(max_size=40) | nearly_games())
def test_any_text_is_a_game_or_refused_politely(text):
    with suppress(PlyscopeError):
        game = read_game(text)
        assert read_game(game_text(game)) == game
        return
    with pytest.raises(PlyscopeError) as refused:
        read_game(text)
    assert 10 < len(str(refused.value)) < 400


def test_a_game_is_made_once_and_serves_many_times():
    assert read_game("connect4") is read_game("connect4")
    assert read_game("k-tables") is not read_game("k-tables", "lines")
    large = f"tree:{[1] * 5000}".replace(" ", "")
    assert read_game(large) == read_game(large)
    assert read_game(large) is not read_game(large)  # too large to be kept for everybody who asks once
