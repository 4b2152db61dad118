"""OpenSpiel games are searched like our own. Skipped if OpenSpiel is not installed."""

import pytest

from engine import PlyscopeError, Trace, connect, search, tictactoe
from engine.games.registry import GAME_TYPES, MISSING_EXTRAS, game_text, read_game
from engine.matches.match import Match
from engine.matches.players import SearchPlayer
from engine.tree.parquet_file import load, save
from visualizer import export

INSTALLED = "openspiel" in GAME_TYPES
needs_it = pytest.mark.skipif(not INSTALLED, reason="OpenSpiel is not installed: pip install plyscope[openspiel]")


@pytest.mark.skipif(INSTALLED, reason="OpenSpiel is installed")
def test_without_the_extra_the_error_names_the_package():
    assert MISSING_EXTRAS
    with pytest.raises(PlyscopeError, match=r"pip install plyscope\[openspiel\]"):
        read_game("openspiel:chess")


@needs_it
def test_tic_tac_toe_equals_our_own():
    theirs, ours = search(read_game("openspiel:tic_tac_toe"), depth=9), search(tictactoe(), depth=9)
    assert (theirs.expanded, theirs.root.value, theirs.cutoffs) == (ours.expanded, ours.root.value, ours.cutoffs)


@needs_it
def test_connect_four_has_as_many_positions_as_ours():
    theirs = search(read_game("openspiel:connect_four"), depth=4, algorithm="minimax")
    assert theirs.expanded == search(connect(), depth=4, algorithm="minimax").expanded


@needs_it
@pytest.mark.parametrize("name", ["breakthrough", "othello", "tic_tac_toe", "mancala"])
def test_a_game_is_searched_shown_saved_and_played(name, tmp_path):
    game = read_game(f"openspiel:{name}")
    assert read_game(game_text(game)) == game
    values = {search(game, depth=2, algorithm=algorithm).root.value for algorithm in ("minimax", "alphabeta")}
    assert len(values) == 1
    tree = search(game, "0", depth=2)
    assert tree[0].state.history() == [game.moves(game.start())[0].action]
    assert game.show(game.start()) == str(game.start()).rstrip("\n")
    assert tree[1].move_name == game.moves(tree[0].state)[0].name
    assert Trace(tree)[1].node.move_name == tree[1].move_name
    save(tree, tmp_path / "x.parquet")
    assert load(tmp_path / "x.parquet").root.value == tree.root.value
    export(tree, tmp_path / "x.txt")
    match = Match(game, SearchPlayer(1), SearchPlayer(1))
    for _ in range(4):
        match = match.play(match.choose().move)
    assert len(match.moves) == 4


@needs_it
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("kuhn_poker", "OpenSpiel's kuhn_poker has hidden information: minimax needs a zero-sum game for two players in turn"),
        ("matrix_pd", "is not zero-sum and has simultaneous moves"),
        ("solitaire", "is for 1 to 1 players"),
        ("phantom_ttt", "has hidden information"),
        ("misere", "OpenSpiel's misere"),
        ("breakthru", "did you mean 'breakthrough'?"),
        ("go(board_size=5000)", "there is no OpenSpiel game"),
        ("", "needs parameters"),
    ],
)
def test_games_that_minimax_cannot_search_are_refused_in_a_sentence(name, message):
    with pytest.raises(PlyscopeError) as refused:
        read_game(f"openspiel:{name}")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@needs_it
@pytest.mark.parametrize(("name", "depth"), [("pig", 4), ("backgammon", 1)])
def test_games_with_explicit_chance_are_searched(name, depth):
    tree = search(read_game(f"openspiel:{name}"), depth=depth, algorithm="expectiminimax")
    drawn = [tree[row] for row in range(len(tree)) if tree[row].turn == "chance" and tree[row].children]
    assert drawn
    for node in drawn:
        children = list(node.children)
        assert sum(child.probability for child in children) == pytest.approx(1)
        assert node.value == pytest.approx(sum(child.probability * child.value for child in children), abs=1e-9)
