"""Games as pages name them: by their usual texts, except for trees that are too long for a link.

The server stores such a tree in memory while it is used and there is room. Its text on pages is tree:kept=DIGEST. The digest of
the tree has 128 bits. A link works again once the same tree has been opened again, on this server or any other. Nobody can
read a tree without its link or its content.
"""

from functools import cache
from typing import Any

from engine import PlyscopeError
from engine.games.capabilities import declared_title, game_preset, game_size
from engine.games.interning import GameSize, find_interned_game, intern_game, list_interned_games
from engine.games.registry import game_text, read_game
from visualizer.pool.pool import current_pool
from visualizer.pool.weighted_lru import WeightedLRU

MAX_LINK_CHARS = 20_000  # characters of a game in a link
DIGEST_PREFIX = "kept="
PINNED_FACTOR = 3  # times the limit: large trees that pages still show also take memory


class MissingTree(PlyscopeError):
    """A link to a tree that this server does not have, or no longer has."""

    def __init__(self) -> None:
        super().__init__(
            "the tree of this link is too long for a URL, and this server does not have it: "
            "open its file here, and the link works again"
        )


@cache  # of functools: a server imports this while another of its threads imports Streamlit
def _tree_cache() -> WeightedLRU[Any]:
    return WeightedLRU(current_pool().limits.large_tree_bytes, weigh=_memory_bytes)


def read_page_game(text: str) -> Any:
    """Return the game that a text names. A tree that is too long for a link is stored."""
    digest = tree_digest(text)
    if digest:
        game = _tree_cache().get(digest) or find_interned_game(digest)
        if game is None:
            raise MissingTree
        return game
    return store_if_large(read_game(text))


def store_if_large(game: Any) -> Any:
    """Return the same game. Store it if it is a tree that is too long for a link."""
    size = _size_if_too_long(game)
    return game if size is None else _store_tree(game, size)


def page_game_text(game: Any) -> str:
    """Return the text that `read_page_game` turns into this game."""
    size = _size_if_too_long(game)
    return game_text(game) if size is None else f"{game_text(game).partition(':')[0]}:{DIGEST_PREFIX}{size.digest}"


def page_game_name(game: Any, any_size: bool = False) -> str:
    """Return the name of a game for people. `any_size`: it is played on boards of several sizes."""
    if game_preset(game):
        return f"Connect {'N' if any_size else game.connect}, student program {page_game_text(game)}"
    return declared_title(game) or page_game_text(game)


def is_tree_missing(text: str) -> bool:
    """Return True if the text names a tree that the server does not have."""
    try:
        return bool(tree_digest(text)) and read_page_game(text) is None
    except MissingTree:
        return True


def tree_digest(text: str) -> str:
    """Return the digest of a stored tree; empty for all other games."""
    kind, _, rest = text.partition(":")
    return rest.removeprefix(DIGEST_PREFIX) if kind in ("tree", "tree-min") and rest.startswith(DIGEST_PREFIX) else ""


def _size_if_too_long(game: Any) -> GameSize | None:
    """Return the size of a game whose text does not fit into a link; None if it fits."""
    size = game_size(game)
    return size if size is not None and size.characters > MAX_LINK_CHARS else None


def _memory_bytes(game: Any) -> int:
    size = game_size(game)
    return 0 if size is None else size.memory


def _store_tree(game: Any, size: GameSize) -> Any:
    limit = current_pool().limits.large_tree_bytes
    sizes = [other for living in list_interned_games() if (other := game_size(living)) is not None]
    others = sum(other.memory for other in sizes if other.digest != size.digest)
    if others and others + size.memory > PINNED_FACTOR * limit:
        raise PlyscopeError(
            f"other users have filled the {PINNED_FACTOR * limit // 1_000_000:,} MB that this server has for large trees: "
            "try again later, or open a smaller tree"
        )
    return _tree_cache().put(size.digest, intern_game(game, size))
