"""Parse and check the answers that learners type or click. Answers are never executed: numbers are short, nodes must exist."""

import re
from typing import Any

from engine.core.errors import short_repr
from engine.core.parsing import is_whole
from engine.learning.model import BadAnswer, Exercise

MAX_NUMBER_CHARS = 16
MAX_DECIMALS = 4
NUMBER_PATTERN = re.compile(rf"-?[0-9]{{1,9}}(\.[0-9]{{1,{MAX_DECIMALS}}})?")
INFINITY_PATTERN = re.compile(r"(-|\+)?(inf|infinity|∞|oo)", re.IGNORECASE)
MAX_NUMBER = 1e9


def can_be_typed(value: float) -> bool:
    """Return True if a learner can type this value."""
    return NUMBER_PATTERN.fullmatch(f"{value:.{MAX_DECIMALS}f}") is not None and round(value, MAX_DECIMALS) == value


def read_number(raw: Any) -> float | None:
    """Read a finite number from a text or a number. Return None for an empty text."""
    number = _parse_bound(raw, "7 or -3")
    if number is not None and abs(number) > MAX_NUMBER:
        raise BadAnswer(f"{short_repr(raw)} is not the value of a node: write a number such as 7 or -3")
    return number


def read_bound(raw: Any) -> float | None:
    """Read one end of a window: a number, inf or -inf. Return None for an empty text.

    >>> read_bound("-∞"), read_bound(" 7 "), read_bound("−3")
    (-inf, 7.0, -3.0)
    """
    return _parse_bound(raw, "7, -3 or inf")


def _parse_bound(raw: Any, examples: str) -> float | None:
    """Parse a number, inf or -inf. `examples` are numbers that fit the field, for the error message."""
    if isinstance(raw, (int, float)) and not isinstance(raw, bool):
        if abs(raw) <= MAX_NUMBER or raw in (float("inf"), float("-inf")):
            return float(raw)
    elif isinstance(raw, str) and len(raw) <= MAX_NUMBER_CHARS:
        text = raw.strip().replace("−", "-").replace("–", "-").replace(",", ".")
        if not text:
            return None
        if INFINITY_PATTERN.fullmatch(text):
            return float("-inf") if text.startswith("-") else float("inf")
        if NUMBER_PATTERN.fullmatch(text):
            return float(text)
    raise BadAnswer(f"{short_repr(raw)} is not a number: write a number such as {examples}")


def read_window(raw: Any) -> tuple[float, float] | None:
    """Read both ends of a window. Return None while one is missing."""
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        raise BadAnswer(f"{short_repr(raw)} is not a window: give alpha and beta")
    alpha, beta = (None if end is None else read_bound(end) for end in raw)
    return None if alpha is None or beta is None else (alpha, beta)


def read_visits(raw: Any) -> tuple[float, float] | None:
    """Read the visits and the mean of a node. Return None while one is missing."""
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        raise BadAnswer(f"{short_repr(raw)} is not a count: give visits and mean")
    visits, mean = (None if number is None else read_number(number) for number in raw)
    return None if visits is None or mean is None else (visits, mean)


def read_whole_number(raw: Any, minimum: int, maximum: int, what: str) -> int | None:
    """Read a whole number within these limits from a text or a number. Return None for an empty text."""
    refusal = BadAnswer(f"{short_repr(raw)} is not a {what}: write a whole number from {minimum} to {maximum}")
    try:
        number = raw if is_whole(raw) else read_number(raw)
    except BadAnswer:
        raise refusal from None
    if number is None:
        return None
    if number != int(number) or not minimum <= number <= maximum:
        raise refusal
    return int(number)


def read_mark(raw: Any) -> bool | None:
    """Read a mark. Return True if it is set, else None."""
    if not isinstance(raw, bool):
        raise BadAnswer(f"{short_repr(raw)} is not a mark: give true or false")
    return raw or None


def read_child(exercise: Exercise, part: str, raw: Any) -> int | None:
    """Read a move at a node, as an index from 0."""
    return read_whole_number(raw, 0, len(exercise.full_tree.child_rows(int(part))) - 1, "move here")


def read_child_order(exercise: Exercise, part: str, raw: Any) -> list[int]:
    """Read an order of all children of a node, as a list of their indexes."""
    count = len(exercise.full_tree.child_rows(int(part)))
    if not isinstance(raw, (list, tuple)) or not all(is_whole(index) for index in raw) or sorted(raw) != list(range(count)):
        raise BadAnswer(f"{short_repr(raw)} is not an order of {count} children: name each index from 0 to {count - 1} once")
    return [int(index) for index in raw]
