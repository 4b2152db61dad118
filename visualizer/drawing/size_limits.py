"""The size limits of formats, and the error for a tree that is too large."""

from engine.core.errors import PlyscopeError

MAX_BOARDS = 20_000  # nodes whose states are written or drawn


class TooLarge(PlyscopeError):
    """A view with more nodes than a format can hold."""


def check_size(what: str, items: int, max_items: int) -> None:
    """Raise TooLarge if there are more than `max_items` items. The message says how to narrow the view."""
    if items > max_items:
        raise TooLarge(
            f"{what} can hold {max_items:,} nodes, and this view has {items:,}: narrow it "
            "to a depth, a subtree or the principal variation, or collapse nodes"
        )
