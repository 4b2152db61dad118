"""What all readers of trees share: the limits, how a mistake is told with its line and column, numbers and names."""

import re
from typing import Any, NamedTuple, NoReturn

from engine.core.errors import BadTree, shortened

MAX_BYTES = 5_000_000
MAX_NODES = 200_000
MAX_HEIGHT = 500
MAX_NAME = 60

NUMBER = re.compile(r"[-+\u2212]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
NO_NUMBER = re.compile(r"[-+\u2212]?(?:nan|inf|infinity|none|null)", re.IGNORECASE)


class ReadTree(NamedTuple):
    """A tree that was read."""

    tree: Any  # a number, a list of children, or a dict with names
    first: str | None  # who moves at the root; None: the text does not say it


def refuse(text: str, offset: int, what: str) -> NoReturn:
    """Say what is wrong at a place of the text."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    raise BadTree(f"line {line}, column {column}: {what}")


def check_size(text: str, offset: int, nodes: int, height: int) -> None:
    if nodes > MAX_NODES or height > MAX_HEIGHT:
        refuse(text, offset, f"the tree is too large: {MAX_NODES:,} nodes and {MAX_HEIGHT} plies are the most")


def is_number(piece: str) -> bool:
    return NUMBER.fullmatch(piece) is not None


def number(text: str, offset: int, piece: str) -> int | float:
    """The finite number that a piece of the text writes."""
    if NO_NUMBER.fullmatch(piece):
        refuse(text, offset, f"{piece} is no value of a leaf: a finite number such as 3 or -0.5 is")
    if not is_number(piece):
        refuse(text, offset, f"{shortened(piece)} is no number: write one such as 3 or -0.5")
    plain = piece.replace("\u2212", "-")
    value = int(plain) if len(plain) < 300 and plain.lstrip("+-").isdigit() else float(plain)
    if not -1e300 < value < 1e300:
        refuse(text, offset, f"{shortened(piece)} is too large: use a finite number such as 1e6")
    return value


def name_is_possible(name: str) -> bool:
    """Names stand in pictures, tables and terminals: a line of printable characters."""
    return 0 < len(name) <= MAX_NAME and name.isprintable() and name == name.strip()


def check_name(text: str, offset: int, name: str) -> str:
    if not name_is_possible(name):
        refuse(text, offset, f"{shortened(name)} is no name: use 1 to {MAX_NAME} printable characters in one line")
    return name
