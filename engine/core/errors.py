"""What can be wrong with a question put to the engine: ValueErrors that quote the input and say what would do."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class PlyscopeError(ValueError):
    """Anything that was asked for and cannot be done."""


class BadBoard(PlyscopeError):
    """A board of an impossible size, or with impossible rules."""


class BadDepth(PlyscopeError):
    """A depth limit that makes no sense here."""


class BadEvaluation(PlyscopeError):
    """A static value that is no finite number, or an evaluation that does not exist for this board."""


class BadGame(PlyscopeError):
    """An object that is no game, or a game that breaks its own rules."""


class BadLimit(PlyscopeError):
    """A node budget that is no positive number."""


class TooDeep(BadLimit):
    """A search for a move that takes more nodes or memory than it may."""


class BadList(PlyscopeError):
    """A list, written as text, that cannot be read or names something twice."""


class BadOption(PlyscopeError):
    """An option of an algorithm with a value that it cannot have."""


class BadRecord(PlyscopeError):
    """Something that an algorithm wrote down, or a file holds, that is no part of a recorded search."""


class BadTree(PlyscopeError):
    """A literal tree with an empty list, or a leaf that is no number."""


class BadTreeFile(PlyscopeError):
    """A file that is no tree file, or one that this version cannot read."""


class IllegalMove(PlyscopeError):
    """A move that the rules do not allow."""


class NotCompilable(PlyscopeError):
    """A search that was to run compiled, but only the readable text can do it."""


class UnknownName(PlyscopeError):
    """A name that means nothing, with the nearest that does."""

    def __init__(self, kind: str, name: object, known: Iterable[str]):
        names = list(known)
        near = get_close_matches(str(name).lower(), names, n=1, cutoff=0.5)
        hint = f": did you mean {near[0]!r}?" if near else "."
        super().__init__(f"there is no {kind} {name!r}{hint} Known: {', '.join(names) or 'none'}.")


def shortened(thing: Any) -> str:
    """The repr of something foreign, not too long for a sentence."""
    try:
        text = repr(thing)
    except (ValueError, RecursionError):  # an int of thousands of digits, lists in lists in lists
        text = f"<{type(thing).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."
