"""`with watch(minimax) as seen:` writes down every call of a search, wherever its name is looked up: in its module, in its
class, in the function around it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.errors import PlyscopeError
from engine.watching.calls import MOST_ROWS, Calls, TooManyCalls, watched


class CannotWatch(PlyscopeError):
    """Something that is no function, or whose name is looked up nowhere."""


@contextmanager
def watch(*functions: Callable[..., Any], most_rows: int = MOST_ROWS) -> Iterator[Calls]:
    """The calls of the functions while the block runs; a search of more than `most_rows` calls is stopped, with what it has."""
    calls = Calls(most_rows=most_rows)
    rebound = [(place, place.get(), place.name) for function in functions for place in places_of(function)]
    if not functions:
        raise CannotWatch("nothing to watch: name the functions that call each other, watch(max_value, min_value)")
    wrappers = {id(function): watched(calls, function.__qualname__, function) for function in functions}
    for place, function, _ in rebound:
        place.put(wrappers[id(function)])
    try:
        yield calls
    except TooManyCalls:
        pass
    finally:
        for place, function, _ in rebound:
            place.put(function)


class Place:
    """Where a function is looked up by its name."""

    def __init__(self, name: str, get: Callable[[], Any], put: Callable[[Any], None]):
        self.name = name
        self.get = get
        self.put = put


def places_of(function: Any) -> list[Place]:
    """All places that hold the function: its module, its class, cells of closures."""
    if not callable(function) or not hasattr(function, "__globals__"):
        raise CannotWatch(f"{function!r} is no function that can be watched: give the function that calls itself")
    found = [_in_dict(function.__globals__, name) for name, value in [*function.__globals__.items()] if value is function]
    name: str = function.__name__
    owner: Any = sys.modules.get(function.__module__)
    for part in function.__qualname__.split(".")[:-1]:
        owner = getattr(owner, part, None)
    if isinstance(owner, type) and vars(owner).get(name) is function:
        found.append(_in_class(owner, name))
    for cell in function.__closure__ or ():
        try:
            if cell.cell_contents is function:
                found.append(_in_cell(name, cell))
        except ValueError:  # empty
            continue
    if not found:
        raise CannotWatch(f"{function.__qualname__} is not looked up by name in its module or class: it cannot be watched")
    return found


def _in_dict(names: dict[str, Any], name: str) -> Place:
    return Place(name, lambda: names[name], lambda value: names.__setitem__(name, value))


def _in_class(owner: type, name: str) -> Place:
    return Place(name, lambda: vars(owner)[name], lambda value: setattr(owner, name, value))


def _in_cell(name: str, cell: Any) -> Place:
    return Place(name, lambda: cell.cell_contents, lambda value: setattr(cell, "cell_contents", value))
