"""Numbers as text: for sentences, for files, for pictures, for machines. There are no others."""

import math
import sys
from collections.abc import Callable, Iterable
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import pairwise
from typing import NamedTuple

import numpy as np

INTEGERS = 1e15  # from here on floats are written with an exponent


def number(value: float, digits: int = 6) -> str:
    """A number for people: true minus sign, at most so many digits unless it is whole.

    >>> number(-3.0), number(0.1234567), number(float("inf")), number(1e300), number(-2.5e-7)
    ('−3', '0.123457', '∞', '1e300', '−2.5e−7')
    """
    size = abs(value)
    sign = "−" if value < 0 else ""
    if size == float("inf"):
        return sign + "∞"
    if size == sys.float_info.max:  # next to infinity: where SSS* and DUAL* begin
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


class Beside(NamedTuple):
    """A number that has no other between itself and a rounder one, as the ends of a null window."""

    above: bool
    other: float


def neighbours(values: Iterable[float | None]) -> dict[float, Beside]:
    """Of these numbers, those that are next to another one, which takes fewer digits.

    >>> neighbours([3.0, math.nextafter(3, 4)])
    {3.0000000000000004: Beside(above=True, other=3.0)}
    """
    found: dict[float, Beside] = {}
    for low, high in pairwise(sorted({value for value in values if value is not None and math.isfinite(value)})):
        if _follows(low, high) and low not in found:
            up = _digits(low) <= _digits(high)
            found[high if up else low] = Beside(up, low if up else high)
    return found


def _follows(low: float, high: float) -> bool:
    """Whether no number of their kind, of 64 or 32 bits, is between them; two whole numbers are told apart by their digits."""
    if low.is_integer() and high.is_integer():
        return False
    if math.nextafter(low, math.inf) == high:
        return True
    with np.errstate(over="ignore"):
        short = np.float32(low)
    return float(short) == low and float(np.nextafter(short, np.float32(math.inf))) == high


def _digits(value: float) -> int:
    return len(Decimal(repr(abs(value))).normalize().as_tuple().digits) if value else 0


def telling_apart(*values: float | None, window: tuple[float, ...] = ()) -> Callable[[float], str]:
    """`number` with as many digits as it takes to see that these values differ, and in words where no digits would do: a number
    next to another one of them, or to one of `window`, is just above or below that.

    >>> written = telling_apart(1.0, 1.0000001)
    >>> written(1.0), written(1.0000001)
    ('1', '1.0000001')
    >>> written = telling_apart(-5e-324, 0.0)
    >>> written(-5e-324), written(0.0)
    ('just below 0', '0')
    """
    beside = neighbours([*values, *window])
    others = {one.other for one in beside.values()}
    different = {value for value in values if value is not None and value not in beside} | others
    enough = (digits for digits in range(6, 18) if len({number(value, digits) for value in different}) == len(different))
    digits = next(enough, 17)

    def written(value: float) -> str:
        near = beside.get(value)
        return f"just {'above' if near.above else 'below'} {number(near.other, digits)}" if near else number(value, digits)

    return written


def file_number(value: float) -> str:
    """For files of text: integers without a point, others to six digits, inf and -inf, inf-1 for the number next to it.

    >>> file_number(3.0), file_number(-0.6666666), file_number(float("-inf")), file_number(-sys.float_info.max)
    ('3', '-0.666667', '-inf', '-inf+1')
    """
    if abs(value) == sys.float_info.max:
        return "inf-1" if value > 0 else "-inf+1"
    return str(int(value)) if _is_short_integer(value) else f"{value:.6g}"


def drawn_number(value: float) -> str:
    """The same for pictures.

    >>> drawn_number(float("-inf"))
    '-∞'
    """
    return file_number(value).replace("inf", "∞")


def exact_number(value: float) -> str:
    """As a float is read back the same."""
    return str(int(value)) if _is_short_integer(value) else repr(float(value))


def json_number(value: float | None) -> int | float | None:
    """A value for JSON: whole numbers as such, nothing for infinity (no value has come back yet)."""
    if value is None or abs(value) == float("inf"):
        return None
    return int(value) if value == int(value) else value


def _is_short_integer(value: float) -> bool:
    return abs(value) < INTEGERS and value == int(value)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things, one or more."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
