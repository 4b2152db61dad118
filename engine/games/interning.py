"""Games that are large in themselves: how large, and which of them are in memory now. A process has each of them once, however
often it comes back from those who searched it."""

from typing import Any, NamedTuple
from weakref import WeakValueDictionary


class GameSize(NamedTuple):
    """What a game takes that is written out as a whole, and what tells it from all others."""

    characters: int  # of its text
    digest: str  # of the text, 128 bits: no two texts have the same, and nobody guesses one
    nodes: int
    memory: int  # bytes, about


_living: WeakValueDictionary[str, Any] = WeakValueDictionary()


def the_same(game: Any, size: GameSize) -> Any:
    """The game that is in memory already, if an equal one is. It is found by its digest for as long as anybody has it."""
    return _living.setdefault(size.digest, game)


def living(digest: str) -> Any:
    """The game with this digest; None if nobody has it any more."""
    return _living.get(digest)


def all_living() -> list[Any]:
    """All games that can be found by their digests now."""
    return list(_living.values())
