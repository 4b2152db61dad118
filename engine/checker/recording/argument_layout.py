"""The arguments of a call taken apart: small values, which are kept as they are, and things, which are photographed."""

from collections.abc import Sequence
from typing import Any

from engine.checker.recording.state_encoding import OBJECTS, is_small, plain

MOST_REMEMBERED = 4_096  # different small values together

Given = tuple[Any, ...]


class Layout:
    """Which arguments of a function are things. From call to call they are the same, and small values come again and again: those
    that were seen are remembered, so that they need not be looked at one by one."""

    __slots__ = ("kind", "name", "place", "seen")

    def __init__(self) -> None:
        self.place = 0  # of the only thing,
        self.kind: type | None = None  # and its class; None where there are more things or none
        self.name = ""  # of that class, where its objects are photographed by their attributes
        self.seen: dict[Given, Given] = {}  # from the other arguments to all of them, with None for the thing

    def taken_apart(self, given: Given) -> tuple[Given, Sequence[Any]]:
        """All arguments, with None for each thing, and the things as they are photographed."""
        places = [place for place, value in enumerate(given) if not is_small(value)]
        small = tuple([None if place in places else plain(value) for place, value in enumerate(given)])
        if len(places) == 1 and not isinstance(given[places[0]], str):  # a text may be short the next time
            self._learn(places[0], given, small)
        else:
            self.kind = None
        return small, [_as_photographed(given[place]) for place in places]

    def _learn(self, place: int, given: Given, small: Given) -> None:
        kind = type(given[place])
        if (place, kind) != (self.place, self.kind) or len(self.seen) >= MOST_REMEMBERED:
            self.seen.clear()
        self.place, self.kind, self.name = place, kind, kind.__name__ if kind in OBJECTS else ""
        self.seen[given[:place] + given[place + 1 :]] = small


def _as_photographed(thing: Any) -> Any:
    return (type(thing).__name__, thing.__dict__) if type(thing) in OBJECTS else thing
