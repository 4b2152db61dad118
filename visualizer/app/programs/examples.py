"""Six programs to try: a right one, and the same program with one line changed."""

from importlib.resources import files
from typing import NamedTuple

EXAMPLE_FILE = "tic_tac_toe.py"


class ChangedLine(NamedTuple):
    """A line of the right program, and the text that replaces a part of it."""

    old: str
    new: str


CHANGES: dict[str, ChangedLine | None] = {
    "A correct program": None,
    "Sides never change": ChangedLine("alpha, beta, not maximizing)", "alpha, beta, maximizing)"),
    "Starts at zero": ChangedLine("best = -inf if maximizing else inf", "best = 0"),
    "Move stays on the board": ChangedLine('        board[square] = " "\n', ""),
    "Window is lost": ChangedLine("depth - 1, alpha, beta, not", "depth - 1, -inf, inf, not"),
    "Returns too soon": ChangedLine("    return best\n", "        return best\n"),
}


def read_example(name: str) -> str:
    """Return the text of an example."""
    text = (files(__package__) / "example_program.txt").read_text(encoding="utf-8")
    change = CHANGES[name]
    return text if change is None else text.replace(change.old, change.new)
