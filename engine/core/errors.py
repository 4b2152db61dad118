"""Errors of the engine. They are ValueErrors that quote the input and say what works instead."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class PlyscopeError(ValueError):
    """Base class of all errors: a request that cannot be fulfilled."""


class BadBoard(PlyscopeError):
    """A board of an impossible size, or with impossible rules."""


class BadDepth(PlyscopeError):
    """A depth limit that makes no sense here."""


class BadEvaluation(PlyscopeError):
    """A static value that is not a finite number, or an evaluation that does not exist for this board."""


class BadGame(PlyscopeError):
    """An object that is not a game, or a game that breaks its own rules."""


class BadUserFile(PlyscopeError):
    """A Python file of the user that cannot be loaded, or does not have what was asked for."""


class BadLimit(PlyscopeError):
    """A node or memory limit that is not a positive number."""


class TooDeep(BadLimit):
    """A search for a move that exceeds its node or memory limit."""


class BadList(PlyscopeError):
    """A list, written as text, that cannot be read or names something twice."""


class BadOption(PlyscopeError):
    """An option of an algorithm with a value that it cannot have."""


class BadRecord(PlyscopeError):
    """A row that cannot be part of a recorded search, written by an algorithm or read from a file."""


class BadTree(PlyscopeError):
    """A literal tree with an empty list, or a leaf that is not a number."""


class BadTreeFile(PlyscopeError):
    """A file that is not a tree file, or one that this version cannot read."""


class IllegalMove(PlyscopeError):
    """A move that the rules do not allow."""


class NotCompilable(PlyscopeError):
    """A search that cannot run compiled, although that was requested."""


class UnknownName(PlyscopeError):
    """An unknown name. The message suggests the closest known one."""

    def __init__(self, kind: str, name: object, known: Iterable[str]):
        names = list(known)
        near = get_close_matches(str(name).lower(), names, n=1, cutoff=0.5)
        hint = f": did you mean {near[0]!r}?" if near else "."
        super().__init__(f"there is no {kind} {name!r}{hint} Known: {', '.join(names) or 'none'}.")
        self._arguments = kind, name, names

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the arguments, so that a worker process can send the error."""
        return type(self), self._arguments


def short_repr(thing: Any) -> str:
    """Return the repr of an untrusted object, cut to fit in a sentence."""
    try:
        text = repr(thing)
    except (ValueError, RecursionError):  # an int of thousands of digits, deeply nested lists
        text = f"<{type(thing).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."
