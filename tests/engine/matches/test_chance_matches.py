"""Matches in which chance moves, and players that search in iterations."""

from collections import Counter
from dataclasses import replace

import pytest

from engine import PlyscopeError, chance, connect, literal, nim, search, tictactoe
from engine.games.against_random import against_random
from engine.games.capabilities import has_leaf_values_only
from engine.games.pig import pig
from engine.games.registry import read_game
from engine.matches.game_store import GameStore
from engine.matches.match import HUMAN, Match, search_hints
from engine.matches.move_choice import draw_outcome
from engine.matches.players import player_text, read_player
from engine.matches.tournament import Tournament, make_match
from engine.matches.tournament_grid import Fixture, Grid
from visualizer.narration.iteration_reasons import explain_visits

CHANCE_GAMES = [pig(), against_random(tictactoe()), literal([chance((0.5, [1, 3]), ("1/2", [2, 0])), [4, 1]])]


def play_to_the_end(match):
    while not match.is_finished:
        match = match.play(match.choose().move)
    return match


def rolls_of(match):
    return [after.moves[-1] for after in (*match.earlier_matches, match) if after.moves and after.previous_match.is_chance]


def test_a_seed_gives_the_same_dice_whatever_the_players_do():
    bold, careful = (
        rolls_of(play_to_the_end(Match(pig(30, 6), *map(read_player, players), seed=4)))
        for players in (("policy:hold=20", "policy:hold=2"), ("policy:hold=2", "policy:hold=9"))
    )
    shared = min(len(bold), len(careful))
    assert shared > 5
    assert bold[:shared] == careful[:shared]
    other = Match(pig(30, 6), *map(read_player, ("policy:hold=20", "policy:hold=2")), seed=5)
    assert rolls_of(play_to_the_end(other))[:shared] != bold[:shared]


def test_outcomes_are_drawn_with_their_probabilities():
    drawn = Counter(draw_outcome(seed, number, {1: 0.2, 2: 0.8}).move for seed in range(50) for number in range(100))
    assert drawn[1] + drawn[2] == 5000
    assert abs(drawn[1] / 5000 - 0.2) < 4 * (0.2 * 0.8 / 5000) ** 0.5


@pytest.mark.parametrize("game", CHANCE_GAMES, ids=str)
@pytest.mark.parametrize("player", ["star2:depth=END", "mcts:iterations=40,seed=3", "random:seed=2"])
def test_a_game_with_chance_goes_on_from_anywhere_as_before(game, player):
    depth = "end" if has_leaf_values_only(game) else "2"
    players = [read_player(player.replace("END", depth))] * 2
    match = play_to_the_end(Match(game, *players, seed=9))
    assert match.outcome is not None
    for ply, earlier in enumerate(match.earlier_matches):
        again = replace(match, moves=match.moves[:ply])
        assert (again.side, again.draw_count) == (earlier.side, earlier.draw_count)
        assert again.choose().move == match.moves[ply]


def test_undo_goes_back_over_rolls_and_brings_them_again():
    match = Match(pig(), HUMAN, read_player("policy:hold=3"), seed=2).play(0)
    assert match.is_chance
    assert match.side == "chance"
    assert match.player is None
    rolled = match.play(match.choose().move)
    assert rolled.undo().moves == ()
    assert rolled.undo().play(0).choose() == match.choose()


@pytest.mark.parametrize("position", ["0,3", "0,2,0,3", "0,3,1,0,2"])
def test_hints_are_the_expectations_of_the_moves(position):
    match = Match.read(pig(), position)
    tree = search(pig(), position, depth=5, algorithm="expectiminimax", first="max")
    assert [hint.value for hint in search_hints(match, 5)] == [child.value for child in tree.root.children]


@pytest.mark.parametrize("text", ["mcts:iterations=200", "puct:iterations=100,c=2", "mcts-solver:iterations=150"])
@pytest.mark.parametrize("game", [connect(4, 4, 3), tictactoe(), nim([1, 2]), pig()], ids=str)
def test_the_reasons_of_a_search_in_iterations_are_true(text, game):
    if text.startswith("mcts-solver") and isinstance(game, type(pig())):
        return
    choice = Match(game, read_player(text)).choose()
    root = choice.tree.root
    size, *moves, rule = explain_visits(choice.tree)
    assert f"{choice.tree.iterations:,} iteration" in size
    assert len(moves) == len(root.children)
    chosen = next(child for child in root.children if child.move == choice.move)
    ranked = sorted((child.visits for child in root.children), reverse=True)
    if "proved to win" in rule:
        assert chosen.proven == 1
    elif "not a proven loss" in rule:
        assert all(child.proven == -1 for child in root.children if child.visits > chosen.visits)
    else:
        assert chosen.visits == ranked[0]
        assert ("no move has more visits" in rule) == (ranked[1:2] == ranked[:1])
    for line, visits in zip(moves, ranked, strict=True):
        assert f": {visits:,} of {choice.tree.iterations:,} visits" in line


def test_a_game_needs_no_options_if_all_have_defaults():
    assert read_game("pig") == read_game("pig:target=12,die=3") == pig()


PLAYERS = ("policy:hold=3", "random", "expectiminimax:depth=2", "mcts:iterations=20")


def test_a_tournament_with_dice_is_the_same_for_all_pairs_and_comes_back_from_a_store(tmp_path):
    grid = Grid("pig:target=6,die=3", games=4, players=PLAYERS, seed=2)
    store = GameStore(tmp_path / "games.db")
    cells = Tournament(grid, store).run().cells()
    store.close()
    assert [(cell.player1, cell.player2) for cell in cells] == [
        (player_text(read_player(one)), player_text(read_player(two))) for one in PLAYERS for two in PLAYERS
    ]
    dice = {tuple(sorted(game.fixture.dice for game in cell.games)) for cell in cells}
    assert len(dice) == 1
    assert len(set(*dice)) == 4
    for cell in cells:
        assert cell.wins1 + cell.wins2 == 4
        for game in cell.games:
            assert play_to_the_end(make_match(game.fixture, "")).position == game.moves
    again = Tournament(grid, GameStore(tmp_path / "games.db", resume=True))
    assert again.remaining_fixtures == []
    assert again.cells() == cells


def test_games_without_dice_keep_their_keys_in_stores():
    fixture = Fixture("tictactoe", "search:depth=1", "random:seed=2", "max", "")
    assert fixture.key == '["tictactoe","search:depth=1","random:seed=2","max",""]'
    assert fixture._replace(dice=7).key.endswith(',"",7]')


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (Grid("pig", openings=2, algorithms=("expectiminimax",)), "no random opening moves where chance moves"),
        (Grid("pig", players=("human", "random")), "a person cannot play a tournament"),
        (Grid("pig", players=("random", "random:seed=0")), "name each once"),
        (Grid("tictactoe", players=("policy:hold=3",)), "declares no policies"),
        (Grid("pig"), "alphabeta cannot search"),
    ],
)
def test_tournaments_that_cannot_be_played_are_refused(grid, message):
    with pytest.raises(PlyscopeError, match=message):
        Tournament(grid)
