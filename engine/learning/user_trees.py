"""Decide whether a user's own tree can be an exercise."""

from typing import Any

from engine.games.capabilities import game_size
from engine.learning.answer_parsing import MAX_DECIMALS, can_be_typed

MAX_NODES = 60  # a learner answers for each of them


def why_no_exercise(game: Any) -> str:
    """Return the reason why this game cannot be an exercise; empty if it is a tree of the right size."""
    size = game_size(game)
    if size is None:
        return "only a tree can be your own exercise: write one such as tree:[[3,12],[2,4]]"
    if size.nodes > MAX_NODES:
        return f"the tree has {size.nodes:,} nodes: an exercise allows at most {MAX_NODES}"
    if game.is_over(game.start()):
        return "the tree is a single leaf, so there is nothing to ask: give it some moves"
    if not all(map(can_be_typed, _leaf_values(game))):
        return f"a value cannot be typed: use values below a billion with at most {MAX_DECIMALS} decimals"
    return ""


def _leaf_values(game: Any) -> list[float]:
    values, states = [], [game.start()]
    while states:
        state = states.pop()
        states += [game.play(state, move) for move in game.moves(state)]
        if game.is_over(state):
            values.append(game.evaluate(state))
    return values
