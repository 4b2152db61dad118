"""Interning of large games: a process holds one copy of each, even if other processes send it many times."""

from typing import Any, NamedTuple
from weakref import WeakValueDictionary


class GameSize(NamedTuple):
    """The size of a game that is written out as a whole, and a digest that identifies it."""

    characters: int  # of its text
    digest: str  # of the text, 128 bits: unique and impossible to guess
    nodes: int
    memory: int  # about this many bytes


_interned: WeakValueDictionary[str, Any] = WeakValueDictionary()


def intern_game(game: Any, size: GameSize) -> Any:
    """Return the equal game that is already in memory, else this one. It is found by its digest while it is in use."""
    return _interned.setdefault(size.digest, game)


def find_interned_game(digest: str) -> Any:
    """Return the game with this digest; None if it is no longer in use."""
    return _interned.get(digest)


def list_interned_games() -> list[Any]:
    """Return all games that can be found by their digests now."""
    return list(_interned.values())
