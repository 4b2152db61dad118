"""Trees of the user: decide which of them can be an exercise."""

from typing import Any

from engine.games.capabilities import game_size
from engine.learning.answer_parsing import MAX_DECIMALS, can_be_typed

MAX_NODES = 60  # that somebody answers one by one


def why_no_exercise(game: Any) -> str:
    """Return the reason why this game cannot be an exercise; empty if it is a tree of the right size."""
    size = game_size(game)
    if size is None:
        return "exercises of one's own are about trees: write one such as tree:[[3,12],[2,4]]"
    if size.nodes > MAX_NODES:
        return f"the tree has {size.nodes:,} nodes, and exercises at most {MAX_NODES}: a smaller one would do"
    if game.is_over(game.start()):
        return "the tree is a single leaf, and there is nothing to ask: one with moves would do"
    if not all(map(can_be_typed, _leaf_values(game))):
        return (
            f"values of more than {MAX_DECIMALS} decimals, or from a billion on, cannot be typed in an exercise: others would do"
        )
    return ""


def _leaf_values(game: Any) -> list[float]:
    found, left = [], [game.start()]
    while left:
        state = left.pop()
        left += [game.play(state, move) for move in game.moves(state)]
        if game.is_over(state):
            found.append(game.evaluate(state))
    return found
