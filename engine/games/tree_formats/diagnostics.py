"""Shared parts of all tree readers: size limits, errors with line and column, numbers and names."""

import re
from typing import Any, NamedTuple, NoReturn

from engine.core.errors import BadTree, short_repr

MAX_BYTES = 5_000_000
MAX_NODES = 200_000
MAX_HEIGHT = 500
MAX_NAME_CHARS = 60

NUMBER_PATTERN = re.compile(r"[-+\u2212]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
NON_FINITE_PATTERN = re.compile(r"[-+\u2212]?(?:nan|inf|infinity|none|null)", re.IGNORECASE)


class ReadTree(NamedTuple):
    """A tree that was read."""

    tree: Any  # a number, a list of children, or a dict with names
    first: str | None  # the side that moves at the root; None: the text does not name it
    value_range: tuple[float, float] | None = None  # of the leaves; None: the text does not name it


def raise_at_offset(text: str, offset: int, problem: str) -> NoReturn:
    """Raise BadTree with the line and column of a place in the text."""
    line = text.count("\n", 0, offset) + 1
    column = offset - text.rfind("\n", 0, offset)
    raise BadTree(f"line {line}, column {column}: {problem}")


def check_tree_size(text: str, offset: int, nodes: int, height: int) -> None:
    if nodes > MAX_NODES or height > MAX_HEIGHT:
        raise_at_offset(text, offset, f"the tree is too large: the limits are {MAX_NODES:,} nodes and {MAX_HEIGHT} plies")


def is_number(piece: str) -> bool:
    return NUMBER_PATTERN.fullmatch(piece) is not None


def read_range(text: str, offset: int, piece: str) -> tuple[float, float]:
    """Return the least and the greatest value of a tree, written as two numbers."""
    numbers = [float(read_number(text, offset, number)) for number in piece.split()]
    if len(numbers) != 2 or numbers[0] > numbers[1]:
        raise_at_offset(text, offset, f"{short_repr(piece)} is not a range of values: write two numbers, the lower one first")
    return numbers[0], numbers[1]


def write_range(tree: Any) -> str:
    """Return the range of values that belongs to a tree as `read_range` reads it; empty if none does."""
    return " ".join(map(repr, tree["range"])) if isinstance(tree, dict) and "range" in tree else ""


def read_number(text: str, offset: int, piece: str) -> int | float:
    """Return the finite number in a piece of the text."""
    if NON_FINITE_PATTERN.fullmatch(piece):
        raise_at_offset(text, offset, f"{piece} is not a leaf value: write a finite number such as 3 or -0.5")
    if not is_number(piece):
        raise_at_offset(text, offset, f"{short_repr(piece)} is not a number: write one such as 3 or -0.5")
    plain = piece.replace("\u2212", "-")
    value = int(plain) if len(plain) < 300 and plain.lstrip("+-").isdigit() else float(plain)
    if not -1e300 < value < 1e300:
        raise_at_offset(text, offset, f"{short_repr(piece)} is too large: use a finite number such as 1e6")
    return value


def is_valid_name(name: str) -> bool:
    """Return True if a name is one line of printable characters, as pictures, tables and terminals need."""
    return 0 < len(name) <= MAX_NAME_CHARS and name.isprintable() and name == name.strip()


def check_name(text: str, offset: int, name: str) -> str:
    if not is_valid_name(name):
        raise_at_offset(
            text, offset, f"{short_repr(name)} is not a name: use 1 to {MAX_NAME_CHARS} printable characters in one line"
        )
    return name
