"""Connect boards as text, connect:rows=4,cols=5,order=3-2-4-1-0: the options that are not the usual ones, and child orders."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine.core.errors import BadBoard, UnknownName, shortened
from engine.core.parsing import is_whole, whole_number

ORDERS = ("left", "centre")
OWN_ORDER = "the game's own"
USUAL = {"rows": 6, "cols": 7, "connect": 4, "rule": "first", "evaluation": "segments:power", "order": "left"}

Order = str | Sequence[int] | dict[str, Any]
Columns = tuple[int, ...]


def read_order(order: Order, cols: int) -> tuple[Columns, Columns]:
    """Child orders of MAX and of MIN."""
    if isinstance(order, dict):
        if set(order) != {"max", "min"}:
            raise UnknownName("side in the child order", ", ".join(map(str, order)), ("max", "min"))
        return _one_order(order["max"], cols), _one_order(order["min"], cols)
    if isinstance(order, str) and "/" in order:
        of_max, _, of_min = order.partition("/")
        return _one_order(of_max, cols), _one_order(of_min, cols)
    return _one_order(order, cols), _one_order(order, cols)


def _one_order(order: Any, cols: int) -> Columns:
    if not isinstance(order, str):
        if not isinstance(order, Iterable) or not all(is_whole(column) for column in order):
            raise BadBoard(f"the child order {shortened(order)} must be a list of columns, or one of {', '.join(ORDERS)}")
        order = [int(column) for column in order]
    if order == "left":
        return tuple(range(cols))
    if order == "centre":
        return tuple(sorted(range(cols), key=lambda column: abs(2 * column - (cols - 1))))
    if isinstance(order, str):
        columns = [whole_number(piece, 2) for piece in order.split("-")]
        if None in columns:
            raise UnknownName("child order", order, (*ORDERS, "-".join(map(str, reversed(range(cols))))))
        order = columns
    if sorted(order) != list(range(cols)):
        raise BadBoard(f"the child order {shortened(order)} must name each of the columns 0 to {cols - 1} once")
    return tuple(order)


def connect_text(kind: str, **options: Any) -> str:
    """The game as text: its kind, and the options that are not the usual ones."""
    chosen = {option: value for option, value in options.items() if kind != "connect" or value != USUAL[option]}
    if "order" in chosen:
        chosen["order"] = _order_text(chosen["order"])
    if kind == "connect" and not set(chosen) - {"evaluation", "order"}:
        kind = "connect4"
    listed = ",".join(f"{option}={value}" for option, value in chosen.items())
    return f"{kind}:{listed}" if listed else kind


def _order_text(order: Order) -> str:
    if isinstance(order, dict):
        return f"{_order_text(order['max'])}/{_order_text(order['min'])}"
    return order if isinstance(order, str) else "-".join(map(str, order))


def given_options(text: str) -> dict[str, str]:
    """The options in a text.

    >>> given_options("connect:rows=4,order=centre")
    {'rows': '4', 'order': 'centre'}
    """
    listed = text.partition(":")[2]
    return dict(piece.partition("=")[::2] for piece in listed.split(",")) if listed else {}


def with_option(text: str, option: str, value: str, is_preset: bool) -> str:
    """The text with another option: where all are written in one order, in its place.

    >>> with_option("connect:rows=4,order=centre", "evaluation", "none", is_preset=False)
    'connect:rows=4,evaluation=none,order=centre'
    """
    options = {**given_options(text), option: value}
    ordered = options if is_preset else {name: options[name] for name in USUAL if name in options}
    return f"{text.partition(':')[0]}:" + ",".join(f"{name}={chosen}" for name, chosen in ordered.items())


def order_text(max_order: Columns, min_order: Columns) -> str:
    """Child orders of MAX and of MIN as the text that `read_order` reads.

    >>> order_text((0, 1, 2), (0, 1, 2)), order_text((2, 1, 0), (0, 1, 2))
    ('left', '2-1-0/0-1-2')
    """
    named = {read_order(name, len(max_order)): name for name in ORDERS}
    one, other = ("-".join(map(str, order)) for order in (max_order, min_order))
    return named.get((max_order, min_order), one if one == other else f"{one}/{other}")
