"""Parse numbers and lists: "1-6", "2,4,6", depths up to "end", and words separated by commas."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from engine.core.errors import BadDepth, BadList, short_repr

MAX_LIST_NUMBERS = 1000


def read_numbers(text: str | None, what: str) -> tuple[int, ...]:
    """Return the numbers in a text, in the order they are written. No text gives no numbers.

    >>> read_numbers("3-6", "sizes"), read_numbers("1, 4-5", "depths")
    ((3, 4, 5, 6), (1, 4, 5))
    """
    numbers: list[int] = []
    for piece in text.split(",") if text is not None else ():
        low, dash, high = piece.strip().partition("-")
        first, last = whole_number(low, 18), whole_number(high if dash else low, 18)
        if first is None or last is None:
            raise BadList(f"{short_repr(text)} is not a list of {what}: write it like 1-6, 3 or 2,4,6")
        if first > last:
            raise BadList(f"the {what} {piece.strip()!r} are backwards: write {last}-{first}")
        if len(numbers) + last - first >= MAX_LIST_NUMBERS:
            raise BadList(f"{short_repr(text)} has too many {what}: write at most {MAX_LIST_NUMBERS}")
        numbers += range(first, last + 1)
    return _check_unique(numbers, what)


def read_words(words: Iterable[str] | str | None, what: str) -> tuple[str, ...]:
    """Return the words between the commas of a text. No text gives no words.

    >>> read_words("lines, threats", "evaluations")
    ('lines', 'threats')
    """
    if isinstance(words, str):
        words = filter(None, (word.strip() for word in words.split(",")))
    return _check_unique(list(words or ()), what)


def read_depths(depths: Iterable[int | None] | str) -> tuple[int | None, ...]:
    """Read depth limits: "1-6", "3", "2,4-6", and "end" for a search to the end. They must ascend.

    >>> read_depths("1-3,6"), read_depths("end"), read_depths([2, 3])
    ((1, 2, 3, 6), (None,), (2, 3))
    """
    listed: list[int | None] = []
    if isinstance(depths, str):
        before, _, last = depths.rpartition(",")
        to_the_end = last.strip() == "end"
        listed = [*read_numbers((before or None) if to_the_end else depths, "depths"), *[None] * to_the_end]
    elif is_whole(depths):
        listed = [int(depths)]  # type: ignore[call-overload]
    else:
        listed = list(depths)
    for depth in listed:
        if depth is not None and (not is_whole(depth) or depth < 0):
            raise BadDepth(f"depth {depth!r} is not a number of plies: write a whole number from 0")
    order = [float("inf") if depth is None else depth for depth in listed]
    if not order or any(after <= before for before, after in pairwise(order)):
        text = depths if isinstance(depths, str) else ", ".join(map(depth_text, listed))
        raise BadDepth(f"the depths {text!r} do not ascend: write the smallest first and each once, such as 1-6")
    return tuple(listed)


def depths_text(depths: tuple[int | None, ...]) -> str:
    """Format depth limits the way `read_depths` reads them.

    >>> depths_text((1, 2, 3, 6, None))
    '1-3,6,end'
    """
    runs: list[list[int | None]] = []
    for depth in depths:
        if runs and depth is not None and runs[-1][-1] == depth - 1:
            runs[-1].append(depth)
        else:
            runs.append([depth])
    return ",".join(depth_text(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def format_ranges(numbers: Iterable[int]) -> str:
    """Format whole numbers in ascending order, three or more in sequence as a range.

    >>> format_ranges([3, 2, 4, 1, 0]), format_ranges([1, 2, 1001, 1003]), format_ranges([5])
    ('0-4', '1, 2, 1001, 1003', '5')
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def depth_text(depth: int | None) -> str:
    """Format one depth limit: a number, or "end"."""
    return "end" if depth is None else str(depth)


def _check_unique(listed: list[Any], what: str) -> tuple[Any, ...]:
    if any(thing in listed[:index] for index, thing in enumerate(listed)):
        raise BadList(f"the {what} {','.join(map(str, listed))[:60]!r} repeat one of them: name each once")
    return tuple(listed)


def is_whole(thing: Any) -> bool:
    """Return True for an int, including numpy's, but not for a bool."""
    return isinstance(thing, (int, np.integer)) and not isinstance(thing, bool)


def whole_number(text: str, digits: int = 9) -> int | None:
    """Return the whole number in a text with at most this many digits; None if the text is anything else.

    >>> whole_number(" 12"), whole_number("-3"), whole_number("1" * 10)
    (12, None, None)
    """
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= digits else None
