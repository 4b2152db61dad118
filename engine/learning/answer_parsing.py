"""Parse and check what a learner types or clicks. Nothing of it is executed: a number has few characters, a node must exist."""

import re
from typing import Any

from engine.core.errors import short_repr
from engine.core.parsing import is_whole
from engine.learning.model import BadAnswer, Exercise

MAX_NUMBER_CHARS = 16  # characters of a number
MAX_DECIMALS = 4
NUMBER_PATTERN = re.compile(rf"-?[0-9]{{1,9}}(\.[0-9]{{1,{MAX_DECIMALS}}})?")
INFINITY_PATTERN = re.compile(r"(-|\+)?(inf|infinity|∞|oo)", re.IGNORECASE)
MAX_NUMBER = 1e9


def can_be_typed(value: float) -> bool:
    """Return True if a learner can type this value."""
    return NUMBER_PATTERN.fullmatch(f"{value:.{MAX_DECIMALS}f}") is not None and round(value, MAX_DECIMALS) == value


def read_number(given: Any) -> float | None:
    """Read a finite number, given as text or as a number. Return None for an empty text."""
    read = read_bound(given)
    if read is not None and abs(read) > MAX_NUMBER:
        raise BadAnswer(f"{short_repr(given)} is no value of a node: write a number such as 7 or -3")
    return read


def read_bound(given: Any) -> float | None:
    """Read one end of a window: a number, inf or -inf. Return None for an empty text.

    >>> read_bound("-∞"), read_bound(" 7 "), read_bound("−3")
    (-inf, 7.0, -3.0)
    """
    if isinstance(given, (int, float)) and not isinstance(given, bool):
        if abs(given) <= MAX_NUMBER or given in (float("inf"), float("-inf")):
            return float(given)
    elif isinstance(given, str) and len(given) <= MAX_NUMBER_CHARS:
        text = given.strip().replace("−", "-").replace("–", "-").replace(",", ".")
        if not text:
            return None
        if INFINITY_PATTERN.fullmatch(text):
            return float("-inf") if text.startswith("-") else float("inf")
        if NUMBER_PATTERN.fullmatch(text):
            return float(text)
    raise BadAnswer(f"{short_repr(given)} is no number: write one such as 7, -3, inf or -inf")


def read_window(given: Any) -> tuple[float, float] | None:
    """Read both ends of a window. Return None while one is missing."""
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise BadAnswer(f"{short_repr(given)} is no window: give alpha and beta")
    alpha, beta = (None if end is None else read_bound(end) for end in given)
    return None if alpha is None or beta is None else (alpha, beta)


def read_whole_number(given: Any, least: int, most: int, what: str) -> int | None:
    """Read a whole number within these limits, given as text or as a number. Return None for an empty text."""
    read = given if is_whole(given) else read_number(given)
    if read is None:
        return None
    if read != int(read) or not least <= read <= most:
        raise BadAnswer(f"{short_repr(given)} is no {what}: a whole number from {least} to {most} would do")
    return int(read)


def read_mark(given: Any) -> bool | None:
    """Read a mark. Return True if it is set, else None."""
    if not isinstance(given, bool):
        raise BadAnswer(f"{short_repr(given)} is no mark: true or false would do")
    return given or None


def read_child(exercise: Exercise, part: str, given: Any) -> int | None:
    """Read a move at a node: its place from 0."""
    return read_whole_number(given, 0, len(exercise.full_tree.child_rows(int(part))) - 1, "move here")


def read_child_order(exercise: Exercise, part: str, given: Any) -> list[int]:
    """Read an order of all children of a node: their places from 0."""
    children = len(exercise.full_tree.child_rows(int(part)))
    if not isinstance(given, (list, tuple)) or len(given) != children or not all(is_whole(place) for place in given):
        raise BadAnswer(f"{short_repr(given)} is no order of {children} children: name each place from 0 to {children - 1} once")
    if sorted(given) != list(range(children)):
        raise BadAnswer(f"{short_repr(given)} is no order: each place from 0 to {children - 1} comes once")
    return [int(place) for place in given]
