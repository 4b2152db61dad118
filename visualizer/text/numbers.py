"""Numbers as text: for sentences, for files, for pictures, for machines. There are no others."""

import sys
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal

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


def telling_apart(*values: float | None) -> Callable[[float], str]:
    """`number` with as many digits as it takes to see that these values differ.

    >>> written = telling_apart(1.0, 1.0000001)
    >>> written(1.0), written(1.0000001)
    ('1', '1.0000001')
    """
    different = {value for value in values if value is not None}
    enough = (digits for digits in range(6, 18) if len({number(value, digits) for value in different}) == len(different))
    digits = next(enough, 17)
    return lambda value: number(value, digits)


def file_number(value: float) -> str:
    """For files of text: integers without a point, other numbers to six digits, inf and -inf.

    >>> file_number(3.0), file_number(-0.6666666), file_number(float("-inf"))
    ('3', '-0.666667', '-inf')
    """
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
