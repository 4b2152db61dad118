"""A mistake with its evidence at one row, and the formats of numbers, windows and moves in sentences."""

import math
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from engine.checker.diagnosis.program_view import Window
from engine.checker.sandbox.loader import format_error

PROBE_PREFIX = "tested with chosen scores and windows, "  # before numbers that are in no call of the program itself
MAX_CRASH_CHARS = 100
MAX_NAMED_SCORES = 6  # in a sentence
MOVER_SUFFIX = "(as the side to move sees it)"


class Suspicion(NamedTuple):
    """A mistake seen at one row."""

    name: str
    row: int
    sentence: str
    certain: bool = True
    function: str = ""  # the function with the mistake, if it is not the one that the row calls
    proof: str = ""  # what was changed from outside, and how the search changed
    subject: str = ""  # a name for the experiment, such as that of a stored move
    place: str = ""  # what to point at in the source, if not what the mistake is usually about


def format_number(value: Any) -> str:
    """Format a number with no more digits than needed.

    >>> format_number(3.0), format_number(-1e400), format_number(0.25)
    ('3', '-inf', '0.25')
    """
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.4g}" if value != int(value) or abs(value) > 1e15 else str(int(value))
    return str(value)


def format_scores(scores: Sequence[float]) -> str:
    """Format the first scores of a list.

    >>> format_scores([1, 2.5, 3])
    '1, 2.5, 3'
    """
    first = ", ".join(format_number(score) for score in scores[:MAX_NAMED_SCORES])
    return first if len(scores) <= MAX_NAMED_SCORES else f"{first} …"


def format_window(window: Window | None) -> str:
    return "none" if window is None else f"({format_number(window[0])}, {format_number(window[1])})"


def format_move(move: Any) -> str:
    """Format a move. An encoded state has no short text."""
    return "one and the same state" if isinstance(move, bytes) else f"the move {move!r}"


def describe_own_crash(error: Exception) -> str:
    """Describe an error of ours, with its place, so that nobody takes it for an error of the program."""
    where = traceback.extract_tb(error.__traceback__)[-1]
    text = f"{format_error(error)[:MAX_CRASH_CHARS]} ({Path(where.filename).name}, line {where.lineno})"
    return f"Plyscope could not look at this (please report): {text}"


def is_close(one: float, other: float) -> bool:
    return one == other or (math.isfinite(one) and math.isfinite(other) and abs(one - other) <= 1e-9 * max(abs(one), abs(other)))
