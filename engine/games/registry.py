"""The registry of games and their texts on the command line, in links and in tree files.

A new game is a module and its line in MODULES.

k-tables                                   a preset, with options after a colon: connect-m:size=5,scoring=power
connect4                                   6 rows x 7 columns, four in a row
connect:rows=4,cols=5,connect=4,rule=first any board; also evaluation= and order= (left, centre, or columns as 3-2-4-1-0)
tictactoe
nim:3,4,5                                  heaps
othello:size=6                             4, 6 or 8 rows and columns; 8 unless given
tree:[[3,12,8],[2,4,6],[14,5,2]]           a literal tree; tree-min:... if MIN moves first
random-tree:branching=3,depth=3,seed=7     also low=, high= (of the leaves), ties=, uneven= (percent) and first=min
pig:target=12,die=3                        a race with a die
against-random:tictactoe                   any game with MIN's moves drawn at random
cs188:...                                  the text of a .test file of CS188 project 2
openspiel:breakthrough                     an OpenSpiel game, if OpenSpiel is installed
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any

from engine.core.errors import PlyscopeError, UnknownName
from engine.games import against_random
from engine.games.game_types import GameType
from engine.games.positions import is_max_first
from engine.games.tree_formats import decode_tree_text

MODULES = (  # each lists its game types as GAME_TYPES
    "connect.board_types",
    "tictactoe",
    "nim",
    "othello",
    "literal",
    "random_trees",
    "pig",
    "agent_graph",
    "openspiel",
)
GAME_TYPES: dict[str, GameType] = {
    kind.name: kind for module in MODULES for kind in import_module(f"engine.games.{module}").GAME_TYPES
}
MISSING_EXTRAS: dict[str, str] = import_module(
    "engine.games.openspiel"
).MISSING_EXTRAS  # game types that need an extra, and the message for each
MAX_TEXT_CHARS = 5_000_000
MAX_SAVED_TEXT_CHARS = 15_000_000  # in our own files, where names take more characters than in the text of a tree
MAX_CACHED_CHARS = 10_000


def read_game(text: str, evaluation: str | None = None, max_chars: int = MAX_TEXT_CHARS) -> Any:
    """Return the game that a text names; `evaluation` replaces its own. Games never change, so one can be shared.

    >>> read_game("nim:3,4,5").heaps
    (3, 4, 5)
    """
    if len(text) > max_chars:
        raise PlyscopeError(f"the game text has {len(text):,} characters: the limit is {max_chars:,}")
    name = text.strip().partition(":")[0]
    if name in MISSING_EXTRAS and name not in GAME_TYPES:
        raise PlyscopeError(MISSING_EXTRAS[name])
    if name not in GAME_TYPES:
        raise UnknownName("game", name, sorted(GAME_TYPES, key=lambda known: not GAME_TYPES[known].published))
    if evaluation is not None and not GAME_TYPES[name].has_option("evaluation"):
        raise PlyscopeError(
            f"{name} has its own values: an evaluation can be chosen only for {list_games_with_options(['evaluation'])}"
        )
    return (_read_cached if len(text) <= MAX_CACHED_CHARS else GameType.read)(GAME_TYPES[name], text.strip(), evaluation)


def read_tree_file(content: bytes, first: str = "max") -> Any:
    """Return the game of a tree that is the content of a file. `first` moves at the root unless the file says who does."""
    return GAME_TYPES["tree" if is_max_first(first) else "tree-min"].make(decode_tree_text(content))


GAME_TYPES[against_random.PREFIX] = against_random.make_game_type(read_game)

_read_cached = lru_cache(maxsize=256)(GameType.read)  # a page reads the same game dozens of times, a match at every move


def game_text(game: Any) -> str:
    """Return the text that `read_game` turns into this game; empty for a user's game."""
    text = getattr(game, "text", "")
    return text if isinstance(text, str) and text.partition(":")[0] in GAME_TYPES else ""


def find_game_type(game: Any) -> GameType | None:
    """Return the type of a game; None for a user's game."""
    return GAME_TYPES.get(game_text(game).partition(":")[0])


# ---- options


def has_options(game: Any, names: Iterable[str]) -> bool:
    """Return True if a game has all of these options."""
    kind = find_game_type(game)
    return kind is not None and all(kind.has_option(name) for name in names)


def list_games_with_options(names: Iterable[str]) -> str:
    """Return the names of the games that have one of these options, as text."""
    wanted = list(names)
    having = (kind.plural or kind.name for kind in GAME_TYPES.values() if any(kind.has_option(name) for name in wanted))
    return " and ".join(dict.fromkeys(having))


def replace_options(game: Any, changes: Mapping[str, str]) -> Any:
    """Return the same game with other options."""
    if not changes:
        return game
    name, _, listed = game_text(game).partition(":")
    options = dict(piece.partition("=")[::2] for piece in listed.split(",")) if listed else {}
    return read_game(f"{name}:" + ",".join(f"{option}={value}" for option, value in {**options, **changes}.items()))
