"""Numbers as text: for sentences, files, pictures and machines. No other module formats numbers."""

import math
import sys
from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import pairwise
from typing import NamedTuple

import numpy as np

MIN_EXPONENT_VALUE = 1e15  # from here on floats are written with an exponent


def format_number(value: float, digits: int = 6) -> str:
    """Format a number for sentences: true minus sign, at most `digits` digits unless it is an integer.

    >>> format_number(-3.0), format_number(0.1234567), format_number(float("inf")), format_number(1e300), format_number(-2.5e-7)
    ('−3', '0.123457', '∞', '1e300', '−2.5e−7')
    """
    size = abs(value)
    sign = "−" if value < 0 else ""
    if size == float("inf"):
        return sign + "∞"
    if size == sys.float_info.max:  # next to infinity: the start of SSS* and DUAL*
        return "−∞+1" if sign else "∞−1"
    if size < 1e15 and size == int(size):
        return f"{sign}{size:.0f}"
    rounded = float(Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(Decimal(size)))  # as JavaScript's toPrecision
    if 1e-4 <= rounded < 1e15:
        return sign + repr(rounded).removesuffix(".0")
    _, figures, exponent = Decimal(repr(rounded)).normalize().as_tuple()
    first, *others = map(str, figures)
    power = len(others) + int(exponent)
    return f"{sign}{first}{'.' if others else ''}{''.join(others)}e{power}".replace("-", "−")


class AdjacentNumber(NamedTuple):
    """A number that is adjacent to a rounder one: no float lies between them. The ends of a null window can be such a pair."""

    above: bool
    other: float


def find_adjacent_numbers(values: Iterable[float | None]) -> dict[float, AdjacentNumber]:
    """Return the numbers that are adjacent to another one with fewer digits.

    >>> find_adjacent_numbers([3.0, math.nextafter(3, 4)])
    {3.0000000000000004: AdjacentNumber(above=True, other=3.0)}
    """
    found: dict[float, AdjacentNumber] = {}
    for low, high in pairwise(sorted({value for value in values if value is not None and math.isfinite(value)})):
        if _is_adjacent(low, high) and low not in found:
            up = _count_digits(low) <= _count_digits(high)
            found[high if up else low] = AdjacentNumber(up, low if up else high)
    return found


def _is_adjacent(low: float, high: float) -> bool:
    """Return True if no float of their size, 64 or 32 bits, lies between them. Two integers are never adjacent: their
    digits differ.
    """
    if low.is_integer() and high.is_integer():
        return False
    if math.nextafter(low, math.inf) == high:
        return True
    with np.errstate(over="ignore"):
        short = np.float32(low)
    return float(short) == low and float(np.nextafter(short, np.float32(math.inf))) == high


def _count_digits(value: float) -> int:
    return len(Decimal(repr(abs(value))).normalize().as_tuple().digits) if value else 0


def distinct_formatter(*values: float | None, window: tuple[float, ...] = ()) -> Callable[[float], str]:
    """Return `format_number` with enough digits to see that these values differ.

    A number that is adjacent to another one of them, or to one of `window`, is written as just above or just below that.

    >>> written = distinct_formatter(1.0, 1.0000001)
    >>> written(1.0), written(1.0000001)
    ('1', '1.0000001')
    >>> written = distinct_formatter(-5e-324, 0.0)
    >>> written(-5e-324), written(0.0)
    ('just below 0', '0')
    """
    beside = find_adjacent_numbers([*values, *window])
    others = {one.other for one in beside.values()}
    different = {value for value in values if value is not None and value not in beside} | others
    enough = (digits for digits in range(6, 18) if len({format_number(value, digits) for value in different}) == len(different))
    digits = next(enough, 17)

    def written(value: float) -> str:
        """Format one of the values."""
        near = beside.get(value)
        return (
            f"just {'above' if near.above else 'below'} {format_number(near.other, digits)}"
            if near
            else format_number(value, digits)
        )

    return written


def file_number(value: float) -> str:
    """Format a number for text files: integers without a point, others to six digits, inf and -inf, inf-1 for the float next
    to inf.

    >>> file_number(3.0), file_number(-0.6666666), file_number(float("-inf")), file_number(-sys.float_info.max)
    ('3', '-0.666667', '-inf', '-inf+1')
    """
    if abs(value) == sys.float_info.max:
        return "inf-1" if value > 0 else "-inf+1"
    return str(int(value)) if _is_short_integer(value) else f"{value:.6g}"


def drawn_number(value: float) -> str:
    """Format a number for pictures, as for files but with ∞.

    >>> drawn_number(float("-inf"))
    '-∞'
    """
    return file_number(value).replace("inf", "∞")


def exact_number(value: float) -> str:
    """Format a number so that the same float is read back."""
    return str(int(value)) if _is_short_integer(value) else repr(float(value))


def json_number(value: float | None) -> int | float | None:
    """Return a value for JSON: integers as int, None for infinity (no value has come back yet)."""
    if value is None or abs(value) == float("inf"):
        return None
    return int(value) if value == int(value) else value


def _is_short_integer(value: float) -> bool:
    return abs(value) < MIN_EXPONENT_VALUE and value == int(value)


def format_count(number: int, one: str, many: str = "") -> str:
    """Format a number of things, with the singular or the plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
