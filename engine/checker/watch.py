"""`with watch(minimax) as seen:` writes down every call of a search, wherever its name is looked up: in its module, in its
class, in the function around it."""

import inspect
import sys
from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

from engine.checker.answer_builder import roles_in, told
from engine.checker.recorded_tree import tree_of
from engine.checker.recording.argument_roles import Roles, score_in
from engine.checker.recording.call_recorder import MOST_ROWS, NOTHING, Calls, TooManyCalls, watched
from engine.checker.recording.call_snapshots import innermost
from engine.checker.sandbox.worker_protocol import Source
from engine.core.errors import PlyscopeError
from engine.tree.tree import SearchTree


class CannotWatch(PlyscopeError):
    """Something that is no function, or whose name is looked up nowhere."""


class Watching:
    """Functions that are watched, and what was seen. `with watch(minimax) as seen:` watches while the block runs; as a decorator,
    `@watch`, every call from outside begins a new record, and the name of the function is what was seen: `minimax.tree`."""

    def __init__(self, functions: tuple[Callable[..., Any], ...], most_rows: int):
        if not functions:
            raise CannotWatch("nothing to watch: name the functions that call each other, watch(max_value, min_value)")
        self.functions = tuple(function.__func__ if isinstance(function, MethodType) else function for function in functions)
        self.calls = Calls(most_rows=most_rows)
        self.stopped = ""
        self._rebound: list[tuple[Place, Any]] = []
        first = self.functions[0]
        self._wrapper = watched(self.calls, _name(first), first) if _is_function(first) else None
        update_wrapper(self, first)

    def __len__(self) -> int:
        return len(self.calls)

    # ---- while a block runs

    def __enter__(self) -> "Watching":
        places = [(place, place.get()) for function in self.functions for place in places_of(function)]
        wrappers = {id(function): watched(self.calls, _name(function), function) for function in self.functions}
        self.calls.forget()
        self.stopped = ""
        for place, function in places:
            place.put(wrappers[id(function)])
        self._rebound = places
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: Any) -> bool:
        for place, function in self._rebound:
            place.put(function)
        self.calls.settle()
        if kind is not None:
            self.stopped = "it makes more calls than are written down" if kind is TooManyCalls else f"it raised {kind.__name__}"
        return kind is TooManyCalls

    # ---- as a decorator

    def __call__(self, *given: Any, **named: Any) -> Any:
        if self._wrapper is None or len(self.functions) != 1:
            raise CannotWatch("as a decorator @watch stands above one function")
        if self.calls.here != NOTHING:
            return self._wrapper(*given, **named)
        self.calls.forget()
        self.calls.sleeps_when_full = True
        self.stopped = "it did not come to its end"
        try:
            result = self._wrapper(*given, **named)
        finally:
            full = self.calls.asleep
            self.calls.settle()
        self.stopped = "it makes more calls than are written down" if full else ""
        return result

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else MethodType(self, owner)

    # ---- what was seen

    @property
    def roles(self) -> dict[str, Roles]:
        """What the arguments of each function mean."""
        return {function.name: roles for function, roles in zip(self.calls.functions, roles_in(self._seen()), strict=True)}

    @property
    def score(self) -> str:
        """Where the score is in the results; empty if nowhere."""
        score = score_in(self._seen())
        return "" if score is None else score.text

    @property
    def tree(self) -> SearchTree:
        """The calls as a tree that steps, exports and compares like any other."""
        calls = self._seen()
        answer = told(calls, roles_in(calls), score_in(calls))
        answer.stopped = self.stopped
        answer.sources = [_source(function) for function in self.functions]
        return tree_of(", ".join(answer.functions), answer)

    def _seen(self) -> Calls:
        if len(self.calls) == 0:
            raise CannotWatch(f"{', '.join(map(_name, self.functions))} was not called while it was watched")
        return self.calls


def watch(*functions: Callable[..., Any], most_rows: int = MOST_ROWS) -> Watching:
    """Write down every call of the functions of a search; one of more than `most_rows` calls is stopped, with what it has.

    >>> def minimax(tree, maximizing):
    ...     if not isinstance(tree, list):
    ...         return tree
    ...     return (max if maximizing else min)(minimax(child, not maximizing) for child in tree)
    >>> minimax = watch(minimax)
    >>> minimax([[3, 12, 8], [2, 4, 6], [14, 5, 2]], True)
    3
    >>> minimax.tree.expanded, minimax.tree.root.value, minimax.roles["minimax"].side
    (13, 3.0, 'maximizing')
    """
    return Watching(functions, most_rows)


def _name(function: Any) -> str:
    return str(getattr(innermost(function), "__qualname__", function)).rpartition("<locals>.")[2]


def _is_function(function: Any) -> bool:
    return callable(function) and hasattr(innermost(function), "__globals__")


def _source(function: Any) -> Source:
    try:
        lines, first = inspect.getsourcelines(innermost(function))
    except (OSError, TypeError):
        return Source(_name(function), 0, [])
    return Source(_name(function), first, [line.rstrip("\n") for line in lines])


class Place:
    """Where a function is looked up by its name."""

    def __init__(self, name: str, get: Callable[[], Any], put: Callable[[Any], None]):
        self.name = name
        self.get = get
        self.put = put


def places_of(function: Any) -> list[Place]:
    """All places that hold the function: its module, its class, cells of closures."""
    if not _is_function(function):
        raise CannotWatch(f"{function!r} is no function that can be watched: give the function that calls itself")
    written = innermost(function)  # below what else is around it: a cache, another watch
    names: dict[str, Any] = written.__globals__
    found = [_in_dict(names, name) for name, value in [*names.items()] if value is function]
    found += [_in_class(owner, written.__name__) for owner in _classes(written) if vars(owner).get(written.__name__) is function]
    for cell in written.__closure__ or ():
        try:
            if cell.cell_contents is function:
                found.append(_in_cell(written.__name__, cell))
        except ValueError:  # empty
            continue
    if not found:
        raise CannotWatch(f"{written.__qualname__} is not looked up by name in its module or class: it cannot be watched")
    return found


def _classes(function: Any) -> list[type]:
    """The class that a method is written in, where its name can be followed there."""
    *outer, _ = function.__qualname__.split(".")
    for home in (function.__globals__, vars(sys.modules.get(function.__module__, object))):
        owner: Any = home.get(outer[0]) if outer else None
        for part in outer[1:]:
            owner = getattr(owner, part, None)
        if isinstance(owner, type):
            return [owner]
    return []


def _in_dict(names: dict[str, Any], name: str) -> Place:
    return Place(name, lambda: names[name], lambda value: names.__setitem__(name, value))


def _in_class(owner: type, name: str) -> Place:
    return Place(name, lambda: vars(owner)[name], lambda value: setattr(owner, name, value))


def _in_cell(name: str, cell: Any) -> Place:
    return Place(name, lambda: cell.cell_contents, lambda value: setattr(cell, "cell_contents", value))
