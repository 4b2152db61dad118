"""The width of texts, and how to shorten them."""

from unicodedata import east_asian_width

MAX_NAME_CHARS = 24  # characters of a move's name in pictures


def shorten_name(name: str, max_chars: int = MAX_NAME_CHARS) -> str:
    """Shorten a name for pictures.

    >>> shorten_name("a rather long name for a move in a game")
    'a rather long name for …'
    """
    return name if len(name) <= max_chars else name[: max_chars - 1] + "…"


def display_width(text: str) -> int:
    """Return the width of a text in digits. East Asian wide characters take two."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
