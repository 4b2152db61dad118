"""Games with thousands of moves: the work of pages and exports grows linearly with the moves."""

import numpy as np
import pytest

from engine import literal, nim, search
from engine.tree.trace import Trace
from tests.support.games import ALL_GAMES
from visualizer import to_dot, to_text
from visualizer.narration.sentences import sentence
from visualizer.viewer import board_picker, viewport
from visualizer.viewer.payload import build_payload


class Counting:
    """A user's tree of two plies with many moves, which counts the calls of moves()."""

    def __init__(self, moves):
        self.width, self.asked = moves, 0

    def start(self):
        return ()

    def moves(self, state):
        self.asked += 1
        return [("move", number) for number in range(self.width)]

    def play(self, state, move):
        return (*state, move[1])

    def is_over(self, state):
        return len(state) == 2

    def maximizing(self, state):
        return len(state) % 2 == 0

    def evaluate(self, state):
        return -state[0]


@pytest.mark.parametrize(
    "use",
    [
        lambda tree: tree.states(),
        build_payload,
        to_text,
        to_dot,
        lambda tree: [sentence(step) for step in (Trace(tree)[-1], Trace(tree)[len(tree)])],
    ],
    ids=["states", "payload", "text", "dot", "sentence"],
)
def test_moves_is_called_once_or_twice_per_node(use):
    game = Counting(300)
    tree = search(game, depth=2)
    inner = int((tree.end > np.arange(len(tree)) + 1).sum())
    game.asked = 0
    use(tree)
    assert game.asked <= 5 * inner


def test_a_board_calls_moves_once_and_has_a_limit(monkeypatch):
    mounts, captions = [], []
    monkeypatch.setattr(board_picker, "create_component", lambda entry: lambda **options: mounts.append(options))
    monkeypatch.setattr(board_picker.st, "caption", captions.append)
    game = Counting(500)
    board_picker.show_board_picker(game, game.start(), "board", print, ply=0)
    assert game.asked <= 2
    assert mounts.pop()["data"]["position"]["names"]["7"] == "('move', 7)"
    large = nim([999] * 20)
    board_picker.show_board_picker(large, large.start(), "board", print, ply=0)
    assert not mounts
    assert captions == ["19,980 moves are possible here, and a board to click on has 2,000 at most."]


def test_millions_of_skipped_moves_are_counted_not_drawn(monkeypatch):
    tree = search(literal([[3, 12, 8], [2, 4, 6], [14, 5, 2]]))
    assert viewport.why_not_drawable(tree) == ""
    monkeypatch.setattr(viewport, "MAX_SKIPPED_MOVES", 1)
    assert viewport.why_not_drawable(tree).startswith("The cutoffs of this search skipped 2 moves, and at most 1 are drawn")


@pytest.mark.parametrize("name", [name for name, (game, _) in ALL_GAMES.items() if "connect" not in name])
def test_a_section_has_the_skipped_moves_of_the_whole_tree(name):
    """Only the visible section is replayed, with the same result."""
    game, depth = ALL_GAMES[name]
    tree = search(game, depth=depth, compiled=False)
    whole = viewport.VisiblePart(np.arange(len(tree), dtype=np.int32), np.zeros(len(tree), np.uint32), depth or 9)
    from visualizer.viewer.payload import _skipped_moves

    for moves, same in zip(_skipped_moves(tree, None), _skipped_moves(tree, whole), strict=True):
        assert moves.tolist() == same.tolist()


@pytest.mark.parametrize("start", [0, 1, 5, 17])
def test_states_of_a_slice_equal_those_of_the_whole_tree(start):
    for game, depth in ALL_GAMES.values():
        tree = search(game, depth=depth, compiled=False)
        for stop in (start + 1, start + 9, len(tree)):
            assert tree.states(start, stop) == tree.states()[start:stop]
