"""State that a program shares between calls outside of arguments: attributes of classes, globals of other modules."""

from collections import deque
from typing import Any, NamedTuple


class SharedPlace(NamedTuple):
    """A class or a module, and the name of a value in it that the program changes."""

    owner: Any
    name: str

    def read(self) -> Any:
        return getattr(self.owner, self.name, None)

    def write(self, value: Any) -> None:
        setattr(self.owner, self.name, value)

    @property
    def is_log(self) -> bool:
        """Return True if a class keeps its own objects there, such as all states that were made.

        It is not part of a state: a state would have all the others in it.
        """
        value = self.read()
        return (
            isinstance(self.owner, type)
            and isinstance(value, (set, frozenset, list, tuple, dict, deque))
            and isinstance(next(iter(value), None), self.owner)
        )


SHARED_PLACES: list[SharedPlace] = []  # of the program that is being checked
SHARED_ATTRIBUTES: dict[type, list[str]] = {}  # for each class, the attributes of the class itself that belong to a position


def set_shared_places(places: list[SharedPlace]) -> None:
    """Set the places of the program that is checked next."""
    SHARED_PLACES[:] = places
    SHARED_ATTRIBUTES.clear()
    for owner, name in places:
        if isinstance(owner, type):
            SHARED_ATTRIBUTES.setdefault(owner, []).append(name)


def read_shared_attributes(thing: Any) -> dict[str, Any]:
    """Return the values of a class that belong to the state of one of its objects, unless the object has its own."""
    if not SHARED_ATTRIBUTES:
        return {}
    own = getattr(thing, "__dict__", {})
    return {
        name: getattr(owner, name, None)
        for owner in type(thing).__mro__
        for name in SHARED_ATTRIBUTES.get(owner, ())
        if name not in own and not SharedPlace(owner, name).is_log
    }
