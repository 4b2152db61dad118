"""Split the arguments of a call: simple values are kept as they are, things are encoded."""

from collections.abc import Sequence
from typing import Any

from engine.checker.recording.state_encoding import ATTRIBUTE_CLASSES, is_simple_value, unwrap_numpy

MAX_REMEMBERED_VALUES = 4_096  # different combinations of simple values

Arguments = tuple[Any, ...]


class ArgumentLayout:
    """The positions of the things among the arguments of a function.

    They are the same from call to call, and simple values repeat. Seen values are remembered, so that they need not be
    examined one by one.
    """

    __slots__ = ("kind", "name", "place", "seen")

    def __init__(self) -> None:
        self.place = 0  # index of the only thing
        self.kind: type | None = None  # its class; None if there are several things or none
        self.name = ""  # name of that class if its objects are encoded by their attributes
        self.seen: dict[Arguments, Arguments] = {}  # other arguments -> all arguments, with None for the thing

    def split_arguments(self, arguments: Arguments) -> tuple[Arguments, Sequence[Any]]:
        """Return all arguments, with None for each thing, and the things as they are encoded."""
        places = [place for place, value in enumerate(arguments) if not is_simple_value(value)]
        small = tuple([None if place in places else unwrap_numpy(value) for place, value in enumerate(arguments)])
        if len(places) == 1 and not isinstance(arguments[places[0]], str):  # a text may be short the next time
            self._remember_values(places[0], arguments, small)
        else:
            self.kind = None
        return small, [_to_encodable(arguments[place]) for place in places]

    def _remember_values(self, place: int, arguments: Arguments, small: Arguments) -> None:
        kind = type(arguments[place])
        if (place, kind) != (self.place, self.kind) or len(self.seen) >= MAX_REMEMBERED_VALUES:
            self.seen.clear()
        self.place, self.kind, self.name = place, kind, kind.__name__ if kind in ATTRIBUTE_CLASSES else ""
        self.seen[arguments[:place] + arguments[place + 1 :]] = small


def _to_encodable(thing: Any) -> Any:
    return (type(thing).__name__, thing.__dict__) if type(thing) in ATTRIBUTE_CLASSES else thing
