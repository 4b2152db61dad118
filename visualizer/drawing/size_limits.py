"""The size limits of formats, and the error for a tree that is too large."""

from engine.core.errors import PlyscopeError

MAX_BOARDS = 20_000  # nodes whose states are written or drawn


class TooLarge(PlyscopeError):
    """A view with more nodes than a format can hold."""


def check_size(what: str, items: int, most: int) -> None:
    """Raise TooLarge if there are more items than `most`. The message says how to narrow the view."""
    if items > most:
        raise TooLarge(
            f"{what} can hold {most:,} nodes, and these are {items:,}: narrow the view, "
            "by a depth, a subtree, the principal variation or collapsed nodes"
        )
