"""What the rest of the project needs to know of an algorithm. Each declares it in its own module; `ALGORITHMS` lists them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.errors import BadDepth

MAX_DEPTH = 500  # plies: the readable texts recurse, and Python's stack is finite

Code = list[tuple[str, str]]  # of each line of pseudo-code its name, if a step can be at it, and its words


@dataclass(frozen=True)
class Algorithm:
    """One way to search. `run(game, record, state, plies, cut_on_equal)` is its readable text and gives the value for MAX."""

    name: str  # in links, in files and on the command line
    title: str  # as people write it
    line: str  # what it does, in a few words
    run: Callable[[Any, Any, Any, int, bool], float]
    windows: bool  # it hands alpha and beta down, so they are recorded
    code: Code  # as it is with cut_on_equal
    ordered: bool = True  # it tries the moves in the order of the game, so that of equal moves the first is best
    kernel: bool = False  # the compiled kernel runs it too, and so do the quirks of published programs

    def pseudocode(self, cut_on_equal: bool) -> Code:
        """The lines of its pseudo-code; with strict cutoffs a value that is only equal does not cut."""
        if cut_on_equal:
            return self.code
        return [(name, words.replace("≥", ">").replace("≤", "<")) for name, words in self.code]


def check_stack(depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise BadDepth(f"the game goes on beyond {MAX_DEPTH} plies: give a smaller depth limit")
