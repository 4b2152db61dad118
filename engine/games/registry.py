"""Games as text: what the command line, links and tree files call them. A new game is a module and its line in MODULES.

k-tables                                   a preset, with options after a colon: connect-m:size=5,scoring=power
connect4                                   6 rows x 7 columns, four in a line
connect:rows=4,cols=5,connect=4,rule=first any board; also evaluation= and order= (left, centre, or columns as 3-2-4-1-0)
tictactoe
nim:3,4,5                                  heaps
tree:[[3,12,8],[2,4,6],[14,5,2]]           a literal tree; tree-min:... if MIN moves first
random-tree:branching=3,depth=3,seed=7     also low=, high= (of the leaves), ties=, uneven= (percent) and first=min
openspiel:breakthrough                     a game of OpenSpiel, if that is installed
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from engine.core.errors import PlyscopeError, UnknownName
from engine.games.game_types import Kind

MODULES = (  # each lists its kinds of games as KINDS
    "connect.board_types",
    "tictactoe",
    "nim",
    "literal",
    "random_trees",
    "openspiel",
)
KINDS: dict[str, Kind] = {kind.name: kind for module in MODULES for kind in import_module(f"engine.games.{module}").KINDS}
MISSING: dict[str, str] = import_module("engine.games.openspiel").MISSING  # kinds that need an extra, and what is said of them
MAX_TEXT = 5_000_000
MAX_SAVED_TEXT = 15_000_000  # in our own files: names take more room there than in the text that a tree was read from
MAX_REMEMBERED = 10_000  # characters


def read_game(text: str, evaluation: str | None = None, most: int = MAX_TEXT) -> Any:
    """The game that a text names; `evaluation` replaces the one it would have. Games never change, so one may serve many times.

    >>> read_game("nim:3,4,5").heaps
    (3, 4, 5)
    """
    if len(text) > most:
        raise PlyscopeError(f"the game is {len(text):,} characters long: {most:,} are the most")
    name = text.strip().partition(":")[0]
    if name in MISSING and name not in KINDS:
        raise PlyscopeError(MISSING[name])
    if name not in KINDS:
        raise UnknownName("game", name, sorted(KINDS, key=lambda known: not KINDS[known].published))
    if evaluation is not None and not KINDS[name].has("evaluation"):
        raise PlyscopeError(f"{name} has its own values: an evaluation can be chosen for {games_with(['evaluation'])} only")
    return (_remembered if len(text) <= MAX_REMEMBERED else Kind.read)(KINDS[name], text.strip(), evaluation)


_remembered = lru_cache(maxsize=256)(Kind.read)  # a page asks for the same game dozens of times, a match at every move


def game_text(game: Any) -> str:
    """The text that `read_game` turns into this very game; empty for games of the user's own."""
    text = getattr(game, "text", "")
    return text if isinstance(text, str) and text.partition(":")[0] in KINDS else ""


def kind_for(game: Any) -> Kind | None:
    """The kind that a game is of; None for games of the user's own."""
    return KINDS.get(game_text(game).partition(":")[0])


# ---- options


def has_options(game: Any, names: Iterable[str]) -> bool:
    """Whether a game has all of these options."""
    kind = kind_for(game)
    return kind is not None and all(kind.has(name) for name in names)


def games_with(names: Iterable[str]) -> str:
    """What the games are called that have one of these options."""
    wanted = list(names)
    having = (kind.plural or kind.name for kind in KINDS.values() if any(kind.has(name) for name in wanted))
    return " and ".join(dict.fromkeys(having))


def with_options(game: Any, changes: Mapping[str, str]) -> Any:
    """The same game with other options."""
    if not changes:
        return game
    name, _, listed = game_text(game).partition(":")
    options = dict(piece.partition("=")[::2] for piece in listed.split(",")) if listed else {}
    return read_game(f"{name}:" + ",".join(f"{option}={value}" for option, value in {**options, **changes}.items()))
