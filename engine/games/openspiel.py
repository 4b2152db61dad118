"""OpenSpiel games (the extra `openspiel`): zero-sum, two players in turn, no hidden information. Chance must be explicit.

Player 0 is MAX. A state is OpenSpiel's own and is never changed here. A value is the return of player 0 so far: in
most games nothing before the end. A move is recorded as its index among the legal moves.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from engine.core.errors import BadGame, UnknownName
from engine.games.game_types import GameType, TextField

MISSING_EXTRA_MESSAGE = "OpenSpiel games need the extra `openspiel`: pip install plyscope[openspiel]"
EXAMPLE = "openspiel:tic_tac_toe"


class SpielMove(NamedTuple):
    action: int  # as OpenSpiel numbers it
    name: str


@dataclass(frozen=True)
class OpenSpielGame:
    spiel_name: str
    rules: Any = field(repr=False, compare=False)  # OpenSpiel's game object
    default_depth: int = 3

    @property
    def name(self) -> str:
        return f"openspiel:{self.spiel_name}"

    @property
    def text(self) -> str:
        return self.name

    @property
    def title(self) -> str:
        return f"{self.rules.get_type().long_name} (OpenSpiel)"

    def start(self) -> Any:
        return self.rules.new_initial_state()

    @property
    def has_chance(self) -> bool:
        return bool(self.rules.get_type().chance_mode.name != "DETERMINISTIC")

    @property
    def value_range(self) -> tuple[float, float] | None:
        return (float(self.rules.min_utility()), float(self.rules.max_utility())) if self.has_chance else None

    def chances(self, state: Any) -> list[tuple[SpielMove, float]]:
        if not state.is_chance_node():
            return []
        player = state.current_player()
        return [(SpielMove(action, state.action_to_string(player, action)), p) for action, p in state.chance_outcomes() if p > 0]

    def moves(self, state: Any) -> list[SpielMove]:
        player = state.current_player()
        return [SpielMove(action, state.action_to_string(player, action)) for action in state.legal_actions()]

    def play(self, state: Any, move: SpielMove) -> Any:
        return state.child(move.action)

    def is_over(self, state: Any) -> bool:
        return bool(state.is_terminal())

    def maximizing(self, state: Any) -> bool:
        player = state.current_player()
        if player < 0:  # the end: the other side would be next
            return bool(state.full_history()[-1].player == 1)
        return bool(player == 0)

    def evaluate(self, state: Any) -> float:
        return float(state.returns()[0])

    def show(self, state: Any) -> str:
        return str(state).rstrip("\n")

    def move_name(self, move: SpielMove) -> str:
        return move.name

    def wins_only(self) -> "OpenSpielGame | None":
        return self if (self.rules.min_utility(), self.rules.max_utility()) == (-1, 1) else None


def openspiel(name: str) -> OpenSpielGame:
    """Return the OpenSpiel game with this name. Raise BadGame if minimax cannot search it."""
    if find_spec("pyspiel") is None:
        raise BadGame(MISSING_EXTRA_MESSAGE)
    import pyspiel

    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    name = name.strip()
    if name not in kinds:
        raise UnknownName("OpenSpiel game", name, _list_searchable_games())
    if reasons := list(_find_obstacles(kinds[name])):
        raise BadGame(
            f"OpenSpiel's {name} {' and '.join(reasons)}: minimax needs a zero-sum game for two players in turn, "
            "without hidden information, and with explicit chance if it has any"
        )
    try:
        return OpenSpielGame(name, pyspiel.load_game(name))
    except pyspiel.SpielError as error:
        raise BadGame(f"OpenSpiel cannot load {name} ({' '.join(str(error).split())[:100]})") from None


def _find_obstacles(kind: Any) -> Iterator[str]:
    """Yield the reasons why minimax cannot search an OpenSpiel game."""
    import pyspiel

    facts = pyspiel.GameType
    if not kind.min_num_players <= 2 <= kind.max_num_players:
        yield f"is for {kind.min_num_players} to {kind.max_num_players} players"
    if kind.chance_mode == facts.ChanceMode.SAMPLED_STOCHASTIC:
        yield "does not list what chance may bring"
    if kind.information != facts.Information.PERFECT_INFORMATION:
        yield "has hidden information"
    if kind.utility != facts.Utility.ZERO_SUM:
        yield "is not zero-sum"
    if kind.dynamics != facts.Dynamics.SEQUENTIAL:
        yield "has simultaneous moves"
    if not kind.default_loadable:
        yield "needs parameters"


@cache
def _list_searchable_games() -> list[str]:
    import pyspiel

    return sorted(kind.short_name for kind in pyspiel.registered_games() if not any(_find_obstacles(kind)))


GAME_TYPE = GameType(
    "openspiel",
    "An OpenSpiel game",
    "an OpenSpiel game: breakthrough, othello, chess, hex and about twenty others",
    openspiel,
    example=EXAMPLE,
    rest=TextField("Name", "Its name in OpenSpiel: breakthrough, othello, mancala, chess, hex"),
)
GAME_TYPES = (GAME_TYPE,) if find_spec("pyspiel") is not None else ()
MISSING_EXTRAS = {} if GAME_TYPES else {GAME_TYPE.name: MISSING_EXTRA_MESSAGE}  # the message for each missing game type
