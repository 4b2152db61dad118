"""Positions as readable text. Links and the command line write the same moves without separators: 31."""

from itertools import pairwise
from typing import Any

from engine.core.errors import PlyscopeError
from engine.games.capabilities import has_move_list_positions, has_single_digit_moves, move_phrase
from engine.games.chance_outcomes import format_probability
from engine.games.positions import name_moves, read_moves
from engine.games.protocol import MovesByCode
from engine.matches.match import Match
from engine.tree.node import Node

MAX_TEXT_CHARS = 120  # characters


def describe_moves(game: Any, position: str, between: str = ", ") -> str:
    """Return the moves of a position by their names. A position that is not a list of moves stays unchanged.

    >>> from engine import connect, nim
    >>> describe_moves(connect(), "31"), describe_moves(nim([3, 4]), "1002,1")
    ('3, 1', '2 from heap 1, 1 from heap 0')
    >>> describe_moves(connect(), "31", " ")
    '3 1'
    """
    names = _move_names(game, position)
    words = between.join(names)
    return (
        words
        if len(words) <= MAX_TEXT_CHARS
        else f"{words[: MAX_TEXT_CHARS - 1].rpartition(between.strip() or ' ')[0]}{between}…"
    )


def describe_draw(match: Match) -> str:
    """Describe the last move of a match, which was drawn by chance.

    >>> from engine.games.pig import pig
    >>> describe_draw(Match(pig(12, 6)).play(0).play(5))
    'Chance brings 5 (probability 1/6)'
    """
    before, drawn = match.previous_match or match, match.moves[-1]
    outcomes = MovesByCode(match.game, before.state)
    probability = dict(zip(outcomes.moves, outcomes.probabilities, strict=True))[drawn]
    return f"Chance brings {outcomes.name(drawn)} (probability {format_probability(probability)})"


def describe_path(node: Node) -> str:
    """Return the moves from the root to a node in the order in which they are made, "" for the root.

    >>> from engine import literal, search
    >>> describe_path(search(literal([[3, 12], [2, 4]]))[2])
    'move 0, then move 0'
    """
    return ", then ".join(
        f"outcome {below.move_name}" if above.turn == "chance" else move_phrase(node.tree.game, below.move_name)
        for above, below in pairwise(node.path)
    )


def describe_moves_without_commas(game: Any, position: str) -> str:
    """Return the moves without commas, for texts that use commas as separators: 3 1."""
    spaced = any(" " in name for name in _move_names(game, position))
    return describe_moves(game, position, "; " if spaced else " ")


def _move_names(game: Any, position: str) -> list[str]:
    if not has_move_list_positions(game):
        return [position[:MAX_TEXT_CHARS]]
    try:
        moves = read_moves(position, has_single_digit_moves(game))
    except PlyscopeError:
        return [position[:MAX_TEXT_CHARS]]
    return name_moves(game, moves)
