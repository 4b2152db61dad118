"""Games as text."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import PlyscopeError
from engine.games.boards import find_board
from engine.games.capabilities import (
    can_encode_states,
    declared_title,
    decode_state,
    encode_state,
    game_outcome,
    game_phrases,
    game_preset,
    has_leaf_values_only,
    max_branching,
    move_name,
    plies_to_end,
    wins_only_game,
)
from engine.games.chance_outcomes import chance_outcomes, outcome_name
from engine.games.presets import PRESETS
from engine.games.protocol import MovesByCode
from engine.games.registry import GAME_TYPES, find_game_type, game_text, has_options, list_games_with_options, read_game
from tests.support.games import connect_games, literal_trees
from tests.support.marks import examples
from visualizer.app.forms.form_migration import migrate_game
from visualizer.narration.glossary import game_lines

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
    with pytest.raises(PlyscopeError, match="only for Connect boards"):
        read_game("nim:1,2", "lines")


@st.composite
def nearly_games(draw):
    """A text that names a game, with a piece of it replaced."""
    text = draw(st.sampled_from(TEXTS))
    start, length = draw(st.integers(0, len(text))), draw(st.integers(0, 5))
    piece = draw(st.text(max_size=5) | st.sampled_from(["-1", "0", "1e9", "[", "]]", ",,", "=", "rows=", "9" * 30, "nan", "inf"]))
    return text[:start] + piece + text[start + length :]


@examples(400)
@given(st.text(max_size=40) | nearly_games())
def test_any_text_is_a_game_or_refused_politely(text):
    with suppress(PlyscopeError):
        game = read_game(text)
        assert read_game(game_text(game)) == game
        return
    with pytest.raises(PlyscopeError) as refused:
        read_game(text)
    assert 10 < len(str(refused.value)) < 400


def test_games_are_cached():
    assert read_game("connect4") is read_game("connect4")
    assert read_game("k-tables") is not read_game("k-tables", "lines")
    large = f"tree:{[1] * 5000}".replace(" ", "")
    assert read_game(large) == read_game(large)
    assert read_game(large) is not read_game(large)  # too large to be cached


# ---- rules for every game type


@pytest.mark.parametrize("name", GAME_TYPES)
def test_the_form_of_a_game_type_writes_the_game_that_it_shows(name):
    kind = GAME_TYPES[name]
    game = read_game(migrate_game(name, "k-tables"))
    assert find_game_type(game) is kind
    if kind.rest is None:
        assert read_game(kind.write(kind.values(game))) == game
    assert not kind.has_required_parameters or read_game(kind.example)
    assert kind.label
    assert kind.line
    for field in kind.fields:
        assert has_options(game, [field.name])
        assert list_games_with_options([field.name])


@pytest.mark.parametrize("text", TEXTS)
def test_declarations_of_games_are_true(text):
    game = read_game(text)
    check_declarations(game)
    assert wins_only_game(game) is None or game_text(wins_only_game(game))


@given(connect_games())
def test_declarations_of_connect_boards_are_true(game):
    check_declarations(game)


def check_declarations(game):
    assert declared_title(game) or game_preset(game)
    words = game_phrases(game)
    assert all("{name}" in template for template in (words.move, words.by))
    assert all("{names}" in template for template in (words.one, words.many))
    state = game.start()
    while not game.is_over(state):
        drawn = [outcome.move for outcome in chance_outcomes(game, state)]
        moves = drawn or list(game.moves(state))
        assert max_branching(game) is None or len(moves) <= max_branching(game)
        if can_encode_states(game):
            assert decode_state(game, encode_state(game, state)) == state
        assert [(outcome_name if drawn else move_name)(game, move) for move in moves] == [
            MovesByCode(game, state).name(code) for code in MovesByCode(game, state).moves
        ]
        state = game.play(state, moves[len(moves) // 2])
    end = game_outcome(game, state)
    assert end.winner in ("max", "min", "")
    assert end.scores is None or (end.scores[0] > end.scores[1]) == (end.winner == "max")
    assert bool(end.line) <= (find_board(game, state) is not None)
    assert not has_leaf_values_only(game) or plies_to_end(game, state) == 0
