"""Any game against a random opponent: MIN's moves are drawn, each with the same probability.

The value is what MAX can expect, where minimax is pessimistic. `against-random:nim:3,4,5` names such a game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.core.errors import PlyscopeError
from engine.games.capabilities import declared_name, declared_title
from engine.games.chance_outcomes import has_chance
from engine.games.game_types import GameType, TextField
from engine.games.protocol import REQUIRED_METHODS, legal_moves

PREFIX = "against-random"
WITHHELD = ("kernel_board", "wins_only", "preset", "quirk", "position_key", "whole_tree", "steady_names", "noisy_moves")


@dataclass(frozen=True)
class AgainstRandom:
    """A game in which chance takes the place of MIN. Everything else is the game's."""

    game: Any

    has_chance = True  # no field: the game itself may say that it has none
    drawn_side = "min"

    def __post_init__(self) -> None:
        """Take over the rules as they are: a search calls them at each node, so nothing stands between."""
        vars(self).update({method: getattr(self.game, method) for method in REQUIRED_METHODS})

    @property
    def name(self) -> str:
        return f"{PREFIX}:{declared_name(self.game)}"

    @property
    def text(self) -> str:
        return f"{PREFIX}:{self.game.text}"

    @property
    def title(self) -> str:
        return f"{declared_title(self.game) or declared_name(self.game)} against a random opponent"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in WITHHELD:
            raise AttributeError(name)
        return getattr(self.game, name)

    def chances(self, state: Any) -> list[tuple[Any, float]]:
        if self.maximizing(state) or self.is_over(state):
            return []
        moves = legal_moves(self.game, state)
        probability = 1 / len(moves)
        return [(move, probability) for move in moves]

    def wins_only(self) -> None:
        """Return None: chances to win are compared, not the speed of a win."""

    @property
    def value_range(self) -> tuple[float, float] | None:
        """Return the range of values that the game declares; None if it declares none."""
        return getattr(self.game, "value_range", None) or getattr(self.game, "result_range", None)


def against_random(game: Any) -> AgainstRandom:
    """Return a game against a random opponent."""
    if has_chance(game):
        raise PlyscopeError(f"{declared_name(game)} has chance already: {PREFIX} needs a game without it")
    return AgainstRandom(game)


def make_game_type(read_game: Callable[[str], Any]) -> GameType:
    """Return the game type; `read_game` reads the text of the game."""
    return GameType(
        PREFIX,
        "Against a random opponent",
        "any game with MIN's moves drawn at random",
        lambda text: against_random(read_game(text)),
        example=f"{PREFIX}:tictactoe",
        rest=TextField("Game", "The text of the game: tictactoe, nim:3,4,5, connect4"),
    )
