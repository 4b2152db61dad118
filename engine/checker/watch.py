"""`with watch(minimax) as seen:` records every call of a search.

The function is replaced wherever its name is looked up: in its module, in its class, in the function around it.
"""

import inspect
import sys
from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

from engine.checker.answer_builder import build_answer, find_roles
from engine.checker.recorded_tree import build_tree
from engine.checker.recording.argument_roles import ArgumentRoles, find_score
from engine.checker.recording.call_recorder import MAX_ROWS, NO_ROW, RecordedCalls, TooManyCalls, record_function
from engine.checker.recording.call_snapshots import unwrap_function
from engine.checker.sandbox.loader import format_error
from engine.checker.sandbox.worker_protocol import FunctionSource
from engine.checker.stopped_run import StopCause, StoppedRun
from engine.core.errors import PlyscopeError
from engine.core.notebook import NotebookDisplay
from engine.tree.tree import SearchTree


class CannotWatch(PlyscopeError):
    """The object is not a function, or the function cannot be replaced by its name."""


class CallWatcher(NotebookDisplay):
    """Watched functions and their recorded calls.

    `with watch(minimax) as seen:` records while the block runs. With the decorator `@watch` every call from outside starts
    a new record, and the decorated function has the tree: `minimax.tree`.
    """

    display_name = "watched"

    def __init__(self, functions: tuple[Callable[..., Any], ...], most_rows: int):
        if not functions:
            raise CannotWatch("there is nothing to watch: name the functions of the search, as in watch(max_value, min_value)")
        self.functions = tuple(function.__func__ if isinstance(function, MethodType) else function for function in functions)
        self.calls = RecordedCalls(max_rows=most_rows)
        self._stopped: StoppedRun | None = None
        self._rebound: list[tuple[Binding, Any]] = []
        first = self.functions[0]
        self._wrapper = record_function(self.calls, _function_name(first), first) if _is_python_function(first) else None
        update_wrapper(self, first)

    def __repr__(self) -> str:
        return f"<watch {', '.join(map(_function_name, self.functions))}: {len(self):,} calls recorded>"

    def __len__(self) -> int:
        return len(self.calls)

    # ---- while a block runs

    def __enter__(self) -> "CallWatcher":
        places = [(place, place.get()) for function in self.functions for place in find_bindings(function)]
        wrappers = {id(function): record_function(self.calls, _function_name(function), function) for function in self.functions}
        self.calls.clear()
        self._stopped = None
        for place, function in places:
            place.put(wrappers[id(function)])
        self._rebound = places
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: Any) -> bool:
        for place, function in self._rebound:
            place.put(function)
        self.calls.drop_partial_rows()
        if isinstance(error, TooManyCalls):
            self._stopped = StoppedRun(StopCause.TOO_MANY_CALLS, f"{error.limit:,}")
        elif error is not None:
            self._stopped = StoppedRun(StopCause.EXCEPTION, format_error(error))
        return kind is TooManyCalls

    # ---- as a decorator

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._wrapper is None or len(self.functions) != 1:
            raise CannotWatch("@watch decorates exactly one function")
        if self.calls.here != NO_ROW:
            return self._wrapper(*args, **kwargs)
        self.calls.clear()
        self.calls.sleeps_when_full = True
        self._stopped = StoppedRun(StopCause.UNFINISHED)
        try:
            result = self._wrapper(*args, **kwargs)
        finally:
            full = self.calls.asleep
            self.calls.drop_partial_rows()
        self._stopped = StoppedRun(StopCause.TOO_MANY_CALLS, f"{self.calls.max_rows:,}") if full else None
        return result

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else MethodType(self, owner)

    # ---- results

    @property
    def stopped(self) -> str:
        """Return why the record ends early, as a sentence. It is empty if the search came to its end."""
        return "" if self._stopped is None else self._stopped.sentence

    @property
    def roles(self) -> dict[str, ArgumentRoles]:
        """Return the roles of the arguments of each function."""
        return {
            function.name: roles for function, roles in zip(self.calls.functions, find_roles(self._recorded_calls()), strict=True)
        }

    @property
    def score(self) -> str:
        """Return the place of the score in the results. It is empty if there is none."""
        score = find_score(self._recorded_calls())
        return "" if score is None else score.text

    @property
    def tree(self) -> SearchTree:
        """Return the calls as a SearchTree that steps, exports and compares like any other."""
        calls = self._recorded_calls()
        answer = build_answer(calls, find_roles(calls), find_score(calls))
        answer.stopped = self.stopped
        answer.sources = [_read_source(function) for function in self.functions]
        return build_tree(", ".join(answer.functions), answer)

    def _recorded_calls(self) -> RecordedCalls:
        if len(self.calls) == 0:
            raise CannotWatch(f"no call was recorded: {', '.join(map(_function_name, self.functions))} was not called")
        return self.calls


def watch(*functions: Callable[..., Any], most_rows: int = MAX_ROWS) -> CallWatcher:
    """Record every call of the functions of a search. Stop a search of more than `most_rows` calls and keep these.

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
    return CallWatcher(functions, most_rows)


def _function_name(function: Any) -> str:
    return str(getattr(unwrap_function(function), "__qualname__", function)).rpartition("<locals>.")[2]


def _is_python_function(function: Any) -> bool:
    return callable(function) and hasattr(unwrap_function(function), "__globals__")


def _read_source(function: Any) -> FunctionSource:
    try:
        lines, first = inspect.getsourcelines(unwrap_function(function))
    except (OSError, TypeError):
        return FunctionSource(_function_name(function), 0, [])
    return FunctionSource(_function_name(function), first, [line.rstrip("\n") for line in lines])


class Binding:
    """A place where a function is looked up by its name."""

    def __init__(self, name: str, get: Callable[[], Any], put: Callable[[Any], None]):
        self.name = name
        self.get = get
        self.put = put


def find_bindings(function: Any) -> list[Binding]:
    """Return all places that hold the function: its module, its class, cells of closures. Raise CannotWatch if none does."""
    if not _is_python_function(function):
        raise CannotWatch(f"{function!r} is not a Python function: watch the function that calls itself")
    written = unwrap_function(function)  # without wrappers: a cache, another watch
    names: dict[str, Any] = written.__globals__
    found = [_dict_binding(names, name) for name, value in [*names.items()] if value is function]
    found += [
        _class_binding(owner, written.__name__)
        for owner in _find_classes(written)
        if vars(owner).get(written.__name__) is function
    ]
    for cell in written.__closure__ or ():
        try:
            if cell.cell_contents is function:
                found.append(_cell_binding(written.__name__, cell))
        except ValueError:  # empty
            continue
    if not found:
        raise CannotWatch(f"{written.__qualname__} cannot be watched: neither its module nor its class has it by its name")
    return found


def _find_classes(function: Any) -> list[type]:
    """Return the class that a method is defined in, as a list. It is empty if the name does not lead there."""
    *outer, _ = function.__qualname__.split(".")
    for home in (function.__globals__, vars(sys.modules.get(function.__module__, object))):
        owner: Any = home.get(outer[0]) if outer else None
        for part in outer[1:]:
            owner = getattr(owner, part, None)
        if isinstance(owner, type):
            return [owner]
    return []


def _dict_binding(names: dict[str, Any], name: str) -> Binding:
    return Binding(name, lambda: names[name], lambda value: names.__setitem__(name, value))


def _class_binding(owner: type, name: str) -> Binding:
    return Binding(name, lambda: vars(owner)[name], lambda value: setattr(owner, name, value))


def _cell_binding(name: str, cell: Any) -> Binding:
    return Binding(name, lambda: cell.cell_contents, lambda value: setattr(cell, "cell_contents", value))
