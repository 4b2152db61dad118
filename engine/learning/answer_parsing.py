"""What a learner types or clicks, checked. Nothing of it is ever run: a number is a few characters, a node is one there is."""

import re
from typing import Any

from engine.core.errors import shortened
from engine.core.parsing import is_whole
from engine.learning.model import BadAnswer, Exercise

MOST_TYPED = 16  # characters of a number
DECIMALS = 4
NUMBER = re.compile(rf"-?[0-9]{{1,9}}(\.[0-9]{{1,{DECIMALS}}})?")
INFINITE = re.compile(r"(-|\+)?(inf|infinity|∞|oo)", re.IGNORECASE)
LARGEST = 1e9


def can_be_typed(value: float) -> bool:
    """Whether a learner can give this value."""
    return NUMBER.fullmatch(f"{value:.{DECIMALS}f}") is not None and round(value, DECIMALS) == value


def number(given: Any) -> float | None:
    """A finite number, typed or sent as one; None for an empty text."""
    read = bound(given)
    if read is not None and abs(read) > LARGEST:
        raise BadAnswer(f"{shortened(given)} is no value of a node: write a number such as 7 or -3")
    return read


def bound(given: Any) -> float | None:
    """An end of a window: a number, or inf and -inf.

    >>> bound("-∞"), bound(" 7 "), bound("−3")
    (-inf, 7.0, -3.0)
    """
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        if abs(given) <= LARGEST or given in (float("inf"), float("-inf")):
            return float(given)
    elif isinstance(given, str) and len(given) <= MOST_TYPED:
        text = given.strip().replace("−", "-").replace("–", "-").replace(",", ".")
        if not text:
            return None
        if INFINITE.fullmatch(text):
            return float("-inf") if text.startswith("-") else float("inf")
        if NUMBER.fullmatch(text):
            return float(text)
    raise BadAnswer(f"{shortened(given)} is no number: write one such as 7, -3, inf or -inf")


def window(given: Any) -> tuple[float, float] | None:
    """Both ends of a window; None while one is missing."""
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise BadAnswer(f"{shortened(given)} is no window: give alpha and beta")
    alpha, beta = (None if end is None else bound(end) for end in given)
    return None if alpha is None or beta is None else (alpha, beta)


def whole(given: Any, least: int, most: int, what: str) -> int | None:
    """A whole number in these limits, typed or sent as one; None for an empty text."""
    read = given if is_whole(given) else number(given)
    if read is None:
        return None
    if read != int(read) or not least <= read <= most:
        raise BadAnswer(f"{shortened(given)} is no {what}: a whole number from {least} to {most} would do")
    return int(read)


def mark(given: Any) -> bool | None:
    """A mark that is set; None if it is not."""
    if not isinstance(given, bool):
        raise BadAnswer(f"{shortened(given)} is no mark: true or false would do")
    return given or None


def child(exercise: Exercise, part: str, given: Any) -> int | None:
    """A move at a node, by its place from 0."""
    return whole(given, 0, len(exercise.whole.child_rows(int(part))) - 1, "move here")


def order(exercise: Exercise, part: str, given: Any) -> list[int]:
    """All children of a node in some order, by their places from 0."""
    children = len(exercise.whole.child_rows(int(part)))
    if not isinstance(given, (list, tuple)) or len(given) != children or not all(is_whole(place) for place in given):
        raise BadAnswer(f"{shortened(given)} is no order of {children} children: name each place from 0 to {children - 1} once")
    if sorted(given) != list(range(children)):
        raise BadAnswer(f"{shortened(given)} is no order: each place from 0 to {children - 1} comes once")
    return [int(place) for place in given]
