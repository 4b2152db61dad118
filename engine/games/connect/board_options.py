"""Texts of Connect boards, such as connect:rows=4,cols=5,order=3-2-4-1-0: options and child orders."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.core.errors import BadBoard, UnknownName, short_repr
from engine.core.parsing import is_whole, whole_number

NAMED_ORDERS = ("left", "centre")
OWN_ORDER = "default"
DEFAULT_OPTIONS = {"rows": 6, "cols": 7, "connect": 4, "rule": "first", "evaluation": "segments:power", "order": "left"}

ChildOrder = str | Sequence[int] | dict[str, Any]
Columns = tuple[int, ...]


def read_child_orders(order: ChildOrder, cols: int) -> tuple[Columns, Columns]:
    """Return the child orders of MAX and of MIN."""
    if isinstance(order, dict):
        if set(order) != {"max", "min"}:
            raise UnknownName("side in the child order", ", ".join(map(str, order)), ("max", "min"))
        return _read_one_order(order["max"], cols), _read_one_order(order["min"], cols)
    if isinstance(order, str) and "/" in order:
        of_max, _, of_min = order.partition("/")
        return _read_one_order(of_max, cols), _read_one_order(of_min, cols)
    return _read_one_order(order, cols), _read_one_order(order, cols)


def _read_one_order(order: Any, cols: int) -> Columns:
    if not isinstance(order, str):
        if not isinstance(order, Iterable) or not all(is_whole(column) for column in order):
            raise BadBoard(f"the child order {short_repr(order)} must be a list of columns, or one of {', '.join(NAMED_ORDERS)}")
        order = [int(column) for column in order]
    if order == "left":
        return tuple(range(cols))
    if order == "centre":
        return tuple(sorted(range(cols), key=lambda column: abs(2 * column - (cols - 1))))
    if isinstance(order, str):
        columns = [whole_number(piece, 2) for piece in order.split("-")]
        if None in columns:
            raise UnknownName("child order", order, (*NAMED_ORDERS, "-".join(map(str, reversed(range(cols))))))
        order = columns
    if sorted(order) != list(range(cols)):
        raise BadBoard(f"the child order {short_repr(order)} must name each of the columns 0 to {cols - 1} once")
    return tuple(order)


def format_connect_text(kind: str, **options: Any) -> str:
    """Return the game as text: its type and options. Those of `connect` are written if they are not the defaults."""
    chosen = {option: value for option, value in options.items() if kind != "connect" or value != DEFAULT_OPTIONS[option]}
    if "order" in chosen:
        chosen["order"] = _format_order(chosen["order"])
    if kind == "connect" and not set(chosen) - {"evaluation", "order"}:
        kind = "connect4"
    listed = ",".join(f"{option}={value}" for option, value in chosen.items())
    return f"{kind}:{listed}" if listed else kind


def _format_order(order: ChildOrder) -> str:
    if isinstance(order, dict):
        return f"{_format_order(order['max'])}/{_format_order(order['min'])}"
    return order if isinstance(order, str) else "-".join(map(str, order))


def parse_options(text: str) -> dict[str, str]:
    """Return the options in a text.

    >>> parse_options("connect:rows=4,order=centre")
    {'rows': '4', 'order': 'centre'}
    """
    listed = text.partition(":")[2]
    return dict(piece.partition("=")[::2] for piece in listed.split(",")) if listed else {}


def replace_option(text: str, option: str, value: str, is_preset: bool) -> str:
    """Return the text with another option. Unless it is of a preset, options are written in their fixed order.

    >>> replace_option("connect:rows=4,order=centre", "evaluation", "none", is_preset=False)
    'connect:rows=4,evaluation=none,order=centre'
    """
    options = {**parse_options(text), option: value}
    ordered = options if is_preset else {name: options[name] for name in DEFAULT_OPTIONS if name in options}
    return f"{text.partition(':')[0]}:" + ",".join(f"{name}={chosen}" for name, chosen in ordered.items())


def format_child_orders(max_order: Columns, min_order: Columns) -> str:
    """Return the child orders of MAX and of MIN as the text that `read_child_orders` reads.

    >>> format_child_orders((0, 1, 2), (0, 1, 2)), format_child_orders((2, 1, 0), (0, 1, 2))
    ('left', '2-1-0/0-1-2')
    """
    named = {read_child_orders(name, len(max_order)): name for name in NAMED_ORDERS}
    one, other = ("-".join(map(str, order)) for order in (max_order, min_order))
    return named.get((max_order, min_order), one if one == other else f"{one}/{other}")
