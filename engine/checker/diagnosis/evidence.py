"""A mistake with its evidence at one row, and how numbers, windows and moves are said in a sentence."""

import math
from typing import Any, NamedTuple

from engine.checker.diagnosis.program_view import Window

TRIED = "run with chosen scores and windows, "  # before numbers that are in no call of the program itself


class Suspicion(NamedTuple):
    """A mistake seen at one row."""

    name: str
    row: int
    sentence: str
    certain: bool = True


def number(value: Any) -> str:
    """A number as it is read: no more digits than needed.

    >>> number(3.0), number(-1e400), number(0.25)
    ('3', '-inf', '0.25')
    """
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.4g}" if value != int(value) or abs(value) > 1e15 else str(int(value))
    return str(value)


def said(window: Window | None) -> str:
    return "none" if window is None else f"({number(window[0])}, {number(window[1])})"


def shown(move: Any) -> str:
    """A move in a sentence; the photograph of a state has no short text."""
    return "the same state" if isinstance(move, bytes) else repr(move)


def near(one: float, other: float) -> bool:
    return one == other or (math.isfinite(one) and math.isfinite(other) and abs(one - other) <= 1e-9 * max(abs(one), abs(other)))
