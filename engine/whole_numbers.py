"""What counts as a whole number, in Python and in text."""

from typing import Any

import numpy as np


def is_whole(thing: Any) -> bool:
    """Whether this is an int, numpy's included, and no bool."""
    return isinstance(thing, (int, np.integer)) and not isinstance(thing, bool)


def whole_number(text: str, digits: int = 9) -> int | None:
    """The number that a text of so many digits at most writes; None if it writes none.

    >>> whole_number(" 12"), whole_number("-3"), whole_number("1" * 10)
    (12, None, None)
    """
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
