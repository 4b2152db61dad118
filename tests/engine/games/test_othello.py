"""Othello: published perft counts, the solved 4 × 4 board, passes, and positions by name."""

import pytest

from engine import PlyscopeError, search
from engine.games.othello import othello
from engine.games.registry import game_text, read_game
from tests.support.reference import perft

PERFT = [4, 12, 56, 244, 1396, 8200]  # published for 8 x 8; a pass is a ply


def test_perft_is_the_published_one():
    game = othello()
    assert [perft(game, game.start(), depth) for depth in range(1, 6)] == PERFT[:5]


@pytest.mark.slow
def test_perft_6_is_the_published_one():
    assert perft(othello(), othello().start(), 6) == PERFT[5]


def test_white_wins_by_eight_on_4_x_4():
    tree = search(othello(4))
    assert tree.root.value == -800
    end = tree.game.state(tree.principal_variation)
    assert tree.game.is_over(end)
    max_discs, min_discs = tree.game.counted_scores(end)
    assert (max_discs - min_discs) * 100 == tree.root.value


@pytest.mark.parametrize("size", [4, 6, 8])
def test_texts_and_states_come_back(size):
    game = read_game(f"othello:size={size}")
    assert game == othello(size)
    assert read_game(game_text(game)) == game
    state = game.play(game.start(), game.moves(game.start())[0])
    assert game.state_of(game.state_parts(state)) == state


def test_moves_are_typed_by_name_or_number():
    game = othello()
    assert game.state("d3,c5") == game.state("d3c5") == game.state("D3 C5") == game.state("19,34") == game.state([19, 34])


def test_a_side_that_can_flip_nothing_passes():
    game = othello(4)
    passes = [node for node in search(game, depth=9, algorithm="minimax") if node.move == game.pass_move]
    assert passes
    for node in passes[:50]:
        assert game.moves(node.parent.state) == [game.pass_move]
        assert node.state.max_to_move != node.parent.state.max_to_move
        assert node.state[:2] == node.parent.state[:2]


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("a1", "a1 flips no disc (move 1 of the position 'a1'): choose d3, c4, f5, e6"),
        ("pass", "a side passes only if it can flip nothing"),
        ("zz", "'zz' is not a position: write moves as d3,c5 or pass"),
        ("70", "there is no cell 70"),
    ],
)
def test_a_bad_position_is_refused_in_a_sentence(position, sentence):
    with pytest.raises(PlyscopeError) as caught:
        othello().state(position)
    assert str(caught.value).startswith(sentence)


def test_only_even_sizes_can_be_played():
    for text in ("othello:size=5", "othello:size=10", "othello:size=x"):
        with pytest.raises(PlyscopeError):
            read_game(text)
