"""What a game may declare beyond the six methods that a search needs, and what holds where it declares nothing.

Everything else asks the functions here: no other module looks for an attribute of a game, or tests which game it is. A game of
the user's own may declare the same things and is then treated as those that come with Plyscope.
"""

from collections.abc import Callable
from typing import Any, NamedTuple


class Words(NamedTuple):
    """How sentences speak of moves and of the end; {name} stands for what one move is called, {names} for a list of such."""

    move: str = "move {name}"  # in the middle of a sentence; at its start the first letter becomes a capital
    by: str = "by playing {name}"  # as a means
    one: str = "move {names} is"  # a skipped move
    many: str = "moves {names} are"  # several of them
    over: str = "The game is over here: the value is"  # before the value of a state where the rules end


def words_of(game: Any) -> Words:
    """`words`: how sentences speak of the game's moves."""
    declared = getattr(game, "words", None)
    return declared if isinstance(declared, Words) else Words()


def spoken_move(game: Any, name: str) -> str:
    """A move in the middle of a sentence, by its name.

    >>> from engine import connect
    >>> spoken_move(connect(), "3")
    'column 3'
    """
    return words_of(game).move.replace("{name}", name)


def name_of_code(game: Any) -> Callable[[int], str] | None:
    """`steady_names`: every move is a small whole number that is called the same in every state, so that no state is needed to
    name one. Gives what names it; None where a game does not declare that."""
    return game.move_name if getattr(game, "steady_names", False) else None


def evaluation_name(game: Any) -> str | None:
    """`evaluation`: the name of the evaluation that was chosen for the game; None where there is nothing to choose."""
    declared = getattr(game, "evaluation", None)
    return declared if isinstance(declared, str) else None
