"""Split the arguments of a call: simple values are kept as they are, things are encoded."""

from collections.abc import Sequence
from typing import Any

from engine.checker.recording.state_encoding import ATTRIBUTE_CLASSES, is_simple_value, unwrap_numpy

MAX_REMEMBERED_VALUES = 4_096  # different small values together

Arguments = tuple[Any, ...]


class ArgumentLayout:
    """Which arguments of a function are things.

    They are the same from call to call, and simple values come again and again. Values that were seen are remembered, so
    that they need not be examined one by one.
    """

    __slots__ = ("kind", "name", "place", "seen")

    def __init__(self) -> None:
        self.place = 0  # of the only thing,
        self.kind: type | None = None  # and its class; None where there are more things or none
        self.name = ""  # of that class, where its objects are encoded by their attributes
        self.seen: dict[Arguments, Arguments] = {}  # from the other arguments to all of them, with None for the thing

    def split_arguments(self, given: Arguments) -> tuple[Arguments, Sequence[Any]]:
        """Return all arguments, with None for each thing, and the things as they are encoded."""
        places = [place for place, value in enumerate(given) if not is_simple_value(value)]
        small = tuple([None if place in places else unwrap_numpy(value) for place, value in enumerate(given)])
        if len(places) == 1 and not isinstance(given[places[0]], str):  # a text may be short the next time
            self._remember_values(places[0], given, small)
        else:
            self.kind = None
        return small, [_to_encodable(given[place]) for place in places]

    def _remember_values(self, place: int, given: Arguments, small: Arguments) -> None:
        kind = type(given[place])
        if (place, kind) != (self.place, self.kind) or len(self.seen) >= MAX_REMEMBERED_VALUES:
            self.seen.clear()
        self.place, self.kind, self.name = place, kind, kind.__name__ if kind in ATTRIBUTE_CLASSES else ""
        self.seen[given[:place] + given[place + 1 :]] = small


def _to_encodable(thing: Any) -> Any:
    return (type(thing).__name__, thing.__dict__) if type(thing) in ATTRIBUTE_CLASSES else thing
