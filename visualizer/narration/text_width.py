"""How much room a text takes, and how it is made to take less."""

from unicodedata import east_asian_width

LONGEST_NAME = 24  # characters of a move's name that are drawn


def short(name: str, most: int = LONGEST_NAME) -> str:
    """A name as pictures show it.

    >>> short("a rather long name for a move in a game")
    'a rather long name for …'
    """
    return name if len(name) <= most else name[: most - 1] + "…"


def digits(text: str) -> int:
    """How many digits a text is wide; Chinese characters and the like take two."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
