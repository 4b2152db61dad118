"""Games as pages name them: by their texts, as everywhere, but for trees that are too long for a link.

Such a tree stays on the server, in memory, for as long as it is used and there is room; its text on pages is tree:kept=DIGEST.
The digest is that of the tree, 128 bits long: a link works again once the same tree has been opened again, here or on any other
server, and nobody reads a tree whose link or content they do not have.
"""

from functools import cache
from typing import Any

from engine import PlyscopeError
from engine.games.capabilities import game_size, title_of
from engine.games.interning import GameSize, all_living, living, the_same
from engine.games.registry import game_text, read_game
from visualizer.pool.pool import the_pool
from visualizer.viewer.weighted_lru import Recent

LONGEST = 20_000  # characters of a game in a link
KEPT = "kept="
PINNED = 3  # times the memory for trees that are kept, in those that pages still show besides


class TreeNotHere(PlyscopeError):
    """A link to a tree that this server does not have, or not any more."""

    def __init__(self) -> None:
        super().__init__(
            "the tree of this link is too long to stand in it, and this server does not have it (any more): "
            "open its file here, and the link works again"
        )


@cache  # of functools: a server imports this while another of its threads imports Streamlit
def _kept() -> Recent[Any]:
    return Recent(the_pool().limits.uploaded)


def game_on_page(text: str) -> Any:
    """The game that a text names. A tree that is too long for a link is kept."""
    digest = digest_in(text)
    if digest:
        game = _kept().get(digest) or living(digest)
        if game is None:
            raise TreeNotHere
        return game
    return put_on_page(read_game(text))


def put_on_page(game: Any) -> Any:
    """The same game, kept if it is a tree that is too long for a link."""
    size = _too_long(game)
    return game if size is None else _keep(game, size)


def text_on_page(game: Any) -> str:
    """The text that `game_on_page` turns into this very game."""
    size = _too_long(game)
    return game_text(game) if size is None else f"{game_text(game).partition(':')[0]}:{KEPT}{size.digest}"


def name_on_page(game: Any) -> str:
    """A game for people."""
    return title_of(game) or text_on_page(game)


def is_missing(text: str) -> bool:
    """Whether this names a tree that the server does not have."""
    try:
        return bool(digest_in(text)) and game_on_page(text) is None
    except TreeNotHere:
        return True


def digest_in(text: str) -> str:
    """Of a tree that is kept; empty for all other games."""
    kind, _, rest = text.partition(":")
    return rest.removeprefix(KEPT) if kind in ("tree", "tree-min") and rest.startswith(KEPT) else ""


def _too_long(game: Any) -> GameSize | None:
    """The size of a game whose text does not fit into a link; None if it does."""
    size = game_size(game)
    return size if size is not None and size.characters > LONGEST else None


def _keep(game: Any, size: GameSize) -> Any:
    most = the_pool().limits.uploaded
    sizes = [other for living in all_living() if (other := game_size(living)) is not None]
    others = sum(other.memory for other in sizes if other.digest != size.digest)
    if others and others + size.memory > PINNED * most:
        raise PlyscopeError(
            f"trees that others look at take the {PINNED * most // 1_000_000:,} MB that this server has for large ones: "
            "try again later, or open a smaller tree"
        )
    return _kept().put(size.digest, the_same(game, size), size.memory)
