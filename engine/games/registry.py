"""Games as text: what the command line, links and tree files call them.

k-tables                                   a preset, with options after a colon: connect-m:size=5,scoring=power
connect4                                   6 rows x 7 columns, four in a line
connect:rows=4,cols=5,connect=4,rule=first any board; also evaluation= and order= (left, centre, or columns as 3-2-4-1-0)
tictactoe
nim:3,4,5                                  heaps
tree:[[3,12,8],[2,4,6],[14,5,2]]           a literal tree; tree-min:... if MIN moves first
"""

import inspect
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from engine.errors import BadBoard, BadTree, PlyscopeError, UnknownName
from engine.games.connect import Connect, connect
from engine.games.connect import with_options as text_with_options
from engine.games.literal import literal
from engine.games.nim import nim
from engine.games.presets import PRESETS, preset
from engine.games.tictactoe import tictactoe
from engine.whole_numbers import whole_number

OTHER_GAMES = {
    "connect4": "6 rows x 7 columns, the first four in a line win",
    "connect:rows=4,cols=5,connect=4,rule=first": "any board and rule; also evaluation=, order= (left, centre, or 3-2-4-1-0)",
    "tictactoe": "noughts and crosses",
    "nim:3,4,5": "take any number from one heap; who takes the last wins",
    "tree:[[3,12,8],[2,4,6],[14,5,2]]": "a tree of leaf values; tree-min: if MIN moves first",
}
KINDS = (*PRESETS, "connect4", "connect", "tictactoe", "nim", "tree", "tree-min")
MAX_TEXT = 5_000_000
MAX_REMEMBERED = 10_000  # characters
NUMBERS = ("rows", "cols", "connect", "size")


def read_game(text: str, evaluation: str | None = None) -> Any:
    """The game that a text names; `evaluation` replaces the one it would have. Games never change, so one may serve many times.

    >>> read_game("nim:3,4,5").heaps
    (3, 4, 5)
    """
    return (_remembered if len(text) <= MAX_REMEMBERED else _read_game)(text, evaluation)


def _read_game(text: str, evaluation: str | None) -> Any:
    if len(text) > MAX_TEXT:
        raise PlyscopeError(f"the game is {len(text):,} characters long: {MAX_TEXT:,} are the most")
    kind, _, rest = text.strip().partition(":")
    if kind in ("connect", "nim", "tree", "tree-min") and not rest:
        example = next(name for name in OTHER_GAMES if name.startswith(kind.removesuffix("-min") + ":"))
        raise PlyscopeError(f"{text!r} lacks its parameters: write it like {example}")
    if kind in ("connect", "connect4", *PRESETS):
        options = _options(text, rest)
        if evaluation is not None:
            options["evaluation"] = evaluation
        return preset(kind, **options) if kind in PRESETS else _connect(options)
    if evaluation is not None:
        raise PlyscopeError(f"{kind} has its own values: an evaluation can be chosen for Connect boards only")
    if kind in ("tree", "tree-min"):
        return literal(_read_tree(rest), first="min" if kind == "tree-min" else "max")
    if kind == "nim":
        return nim([_whole_number("heap", heap) for heap in rest.split(",")])
    if kind == "tictactoe":
        if rest:
            raise PlyscopeError(f"{text!r}: tictactoe has no parameters")
        return tictactoe()
    raise UnknownName("game", kind, KINDS)


_remembered = lru_cache(maxsize=256)(_read_game)  # a page asks for the same game dozens of times, a match at every move


def _connect(options: dict[str, Any]) -> Connect:
    known = tuple(inspect.signature(connect).parameters)
    for option in options:
        if option not in known:
            raise UnknownName("option of connect", option, known)
    return connect(**options)


def _options(text: str, listed: str) -> dict[str, Any]:
    """The name=value pairs after the colon."""
    options: dict[str, Any] = {}
    for piece in listed.split(",") if listed else []:
        name, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not value or name in options:
            raise PlyscopeError(f"{piece!r} in {text!r} is no option: write each once, as name=value")
        options[name] = _whole_number(name, value) if name in NUMBERS else value
    return options


def _whole_number(what: str, text: str) -> int:
    number = whole_number(text)
    if number is None:
        raise BadBoard(f"{what} {text.strip()!r} is no whole number")
    return number


def _read_tree(text: str) -> Any:
    """Nested lists of numbers, read without recursion."""
    try:
        return msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        raise BadTree(f"{text[:60]!r} is no tree: write nested lists of numbers, such as [[3,12],[2,4]]") from None


def game_text(game: Any) -> str:
    """The text that `read_game` turns into this very game; empty for games of the user's own."""
    text = getattr(game, "text", "")
    return text if isinstance(text, str) and text.partition(":")[0] in KINDS else ""


def has_options(game: Any, names: Iterable[str]) -> bool:
    """Whether a game has all of these options."""
    return game_text(game).partition(":")[0] in ("connect", "connect4", *PRESETS)


def games_with(names: Iterable[str]) -> str:
    """What the games are called that have all of these options."""
    return "Connect boards"


def with_options(game: Any, changes: Mapping[str, str]) -> Any:
    """The same game with other options."""
    return read_game(text_with_options(game_text(game), changes))
