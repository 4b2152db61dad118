"""Games as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalogue import OTHER_GAMES, game_text, read_game
from engine.errors import PlyscopeError
from engine.presets import PRESETS
from tests.games import connect_games, literal_trees

TEXTS = [
    *PRESETS,
    *OTHER_GAMES,
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


@given(st.text(max_size=40))
def test_any_other_text_is_refused_politely(text):
    with pytest.raises(PlyscopeError) as refused:
        read_game("no game: " + text)
    assert len(str(refused.value)) < 400
