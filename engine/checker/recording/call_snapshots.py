"""Complete copies of some calls: arguments, globals, shared state, contents of closures, the time.

Such a call can be made again, alone.
"""

import copy
import dis
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from operator import is_
from typing import Any

import numpy as np

from engine.checker.recording.plain_values import PLAIN_TYPES, HiddenValue, plain_record
from engine.checker.recording.program_clock import CLOCK
from engine.checker.recording.shared_state import SHARED_PLACES, SharedPlace

NO_ROW = -1
MAX_USUAL_LEVEL, MAX_SNAPSHOT_LEVEL = 8, 48  # levels with several copies, and the last one with a copy
MAX_SNAPSHOTS_PER_LEVEL = 2  # leaves of a function at a level, and as many other calls
MAX_OFFERED_CALLS = 4_096  # of a function at a level
MAX_SNAPSHOTS = 100
MAX_COPY_LEVELS = 12
GLOBAL_INSTRUCTIONS = ("LOAD_GLOBAL", "STORE_GLOBAL", "LOAD_NAME")


@plain_record
@dataclass
class CallSnapshot:
    """One call as it was made.

    `world` has the globals of its module that may change, `shared` the state in classes and other modules, `cells` the
    contents of its closure.
    """

    row: int  # NO_ROW: a run of a root function
    number: int  # of the function, or of the run for a root
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    world: dict[str, Any]
    cells: list[Any]
    level: int = 0  # the number of calls of the search around it
    result: Any = None
    is_leaf: bool = False
    shared: list[tuple[SharedPlace, Any]] = field(default_factory=list)
    seconds: float = 0.0  # on the program's clock

    @property
    def is_root(self) -> bool:
        """Return True if it is a run of a function around the search."""
        return self.row == NO_ROW

    def list_plain_parts(self) -> list[Any]:
        """Return the fields for the judge's own process: with numbers and texts, without the objects of the program."""
        arguments = tuple(value if _is_plain(value) else HiddenValue(type(value).__name__) for value in self.arguments)
        world = {name: value for name, value in self.world.items() if type(value) in (int, float)}
        return [self.row, self.number, None, arguments, world, [], self.level, None, self.is_leaf, [], self.seconds]

    @contextmanager
    def restored_context(self) -> Iterator[tuple[Any, ...]]:
        """Yield arguments for making the call again, with the globals and cells of that time. Restore everything afterwards."""
        values = [value for _, value in self.shared]
        arguments, world, cells, values = copy_leniently((self.arguments, self.world, self.cells, values))
        inner = unwrap_function(self.function)
        names = inner.__globals__
        before = {name: names[name] for name in world if name in names}
        held = [_cell_content(cell) for cell in inner.__closure__ or ()]
        shared = [(place, place.read()) for place, _ in self.shared]
        clear = getattr(self.function, "cache_clear", None)
        try:
            names.update(world)
            _restore_cells(inner, cells)
            for (place, _), value in zip(self.shared, values, strict=True):
                place.write(value)
            if callable(clear):
                clear()
            with CLOCK.put_back(self.seconds):
                yield arguments
        finally:
            names.update(before)
            _restore_cells(inner, held)
            for place, value in shared:
                place.write(value)
            if callable(clear):
                clear()


@dataclass
class CallSnapshots:
    """The copied calls: the first ones of every function at every level, leaves and others.

    A search with growing depths makes many leaves at a level before the first other call. So calls are offered at growing
    distances: the first, the second, the fourth, the eighth …
    """

    calls: list[CallSnapshot] = field(default_factory=list)
    levels: list[list[int]] = field(default_factory=list)  # for each function and level, how many more calls may be offered
    offered: list[list[int]] = field(default_factory=list)  # and how many were
    mentioned: dict[int, set[str]] = field(default_factory=dict)  # names of globals, by the id of their dict

    def add_function(self, number: int) -> None:
        """Make room for the calls of a function."""
        while len(self.levels) <= number:
            deep = [1] * (MAX_SNAPSHOT_LEVEL - MAX_USUAL_LEVEL)  # a search that is too large is started again there
            self.levels.append([MAX_OFFERED_CALLS] * (MAX_USUAL_LEVEL + 1) + deep)
            self.offered.append([0] * (MAX_SNAPSHOT_LEVEL + 1))

    def offer_call(self, row: int, number: int, level: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
        """Copy a call if copies of its kind are still wanted. Return True if it was copied."""
        self.levels[number][level] -= 1
        self.offered[number][level] = offered = self.offered[number][level] + 1
        if offered & (offered - 1) or self._count_copies(number, level, False) >= MAX_SNAPSHOTS_PER_LEVEL:
            return False
        return self.copy_call(row, number, level, function, arguments)

    def _count_copies(self, number: int, level: int, is_leaf: bool) -> int:
        return sum(
            (copy.number, copy.level, copy.is_leaf, copy.is_root) == (number, level, is_leaf, False) for copy in self.calls
        )

    def copy_call(self, row: int, number: int, level: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
        """Copy a call. Return False if it cannot be copied."""
        inner = unwrap_function(function)
        if not hasattr(inner, "__globals__"):
            return False
        mentioned = self._find_mentioned_names(inner.__globals__)
        world = {name: value for name, value in inner.__globals__.items() if name in mentioned and is_program_data(name, value)}
        cells = [_cell_content(cell) for cell in inner.__closure__ or ()]
        places = [place for place in SHARED_PLACES if not place.is_log]
        values = [place.read() for place in places]
        try:
            arguments, world, cells, values = copy_leniently((arguments, world, cells, values))
        except Exception:  # a student's objects may raise anything
            self._stop_copying()
            return False
        shared = list(zip(places, values, strict=True))
        self.calls.append(
            CallSnapshot(row, number, function, arguments, world, cells, level, shared=shared, seconds=CLOCK.seconds)
        )
        if len(self.calls) >= MAX_SNAPSHOTS:
            self._stop_copying()
        return True

    def _find_mentioned_names(self, names: dict[str, Any]) -> set[str]:
        """Return the globals that functions and classes of a module mention. A notebook has many others, such as its outputs."""
        if id(names) not in self.mentioned:
            self.mentioned[id(names)] = {name for code in find_codes(names) for name in list_global_names(code)}
        return self.mentioned[id(names)]

    def _stop_copying(self) -> None:
        for levels in self.levels:
            levels[:] = [0] * len(levels)

    def add_result(self, row: int, result: Any, is_leaf: bool) -> None:
        """Add the result to the copy of a call. Drop the copy if there are enough leaves like it."""
        snapshot = next(snapshot for snapshot in reversed(self.calls) if snapshot.row == row)
        if is_leaf and self._count_copies(snapshot.number, snapshot.level, True) >= MAX_SNAPSHOTS_PER_LEVEL:
            self.calls.remove(snapshot)
            return
        try:
            snapshot.result, snapshot.is_leaf = deep_copy(result, {}), is_leaf
        except Exception:
            snapshot.result = result


IMMUTABLE_TYPES = frozenset({int, float, bool, str, bytes, complex, type(None)})


def deep_copy(thing: Any, known: dict[int, Any]) -> Any:
    """Return a deep copy like copy.deepcopy, but faster for boards: lists, dicts and tuples of numbers and texts."""
    kind = type(thing)
    if kind in IMMUTABLE_TYPES:
        return thing
    if id(thing) in known:
        return known[id(thing)]
    if kind is list:
        parts = known[id(thing)] = []
        parts.extend([part if type(part) in IMMUTABLE_TYPES else deep_copy(part, known) for part in thing])
        return parts
    if kind is dict:
        table = known[id(thing)] = {}
        table.update({deep_copy(name, known): deep_copy(value, known) for name, value in thing.items()})
        return table
    if kind is tuple:
        same = tuple([part if type(part) in IMMUTABLE_TYPES else deep_copy(part, known) for part in thing])
        return known.setdefault(id(thing), thing if all(map(is_, same, thing)) else same)
    return copy.deepcopy(thing, known)


def copy_leniently(thing: Any) -> Any:
    """Return a deep copy. Parts that cannot be copied, such as open files and windows, are shared with the original."""
    try:
        return deep_copy(thing, {})
    except Exception:  # a student's objects may raise anything
        return _copy_parts(thing, {}, MAX_COPY_LEVELS)


def _copy_parts(thing: Any, known: dict[int, Any], levels: int) -> Any:
    """Copy lists, dicts, tuples and objects part by part, each as far as it can be copied."""
    if id(thing) in known or not levels:
        return known.get(id(thing), thing)
    kind = type(thing)
    if kind is list:
        parts = known[id(thing)] = []
        parts.extend(_copy_parts(part, known, levels - 1) for part in thing)
        return parts
    if kind is dict:
        table = known[id(thing)] = {}
        table.update({name: _copy_parts(value, known, levels - 1) for name, value in thing.items()})
        return table
    if kind is tuple:
        return known.setdefault(id(thing), tuple(_copy_parts(part, known, levels - 1) for part in thing))
    tried = dict(known)
    try:
        copied = deep_copy(thing, tried)
        known.update(tried)
        return copied
    except Exception:
        if not hasattr(thing, "__dict__") or callable(thing) or kind.__reduce_ex__ is not object.__reduce_ex__:
            return known.setdefault(id(thing), thing)
    try:
        made = known[id(thing)] = object.__new__(kind)
    except Exception:
        return known.setdefault(id(thing), thing)
    vars(made).update({name: _copy_parts(value, known, levels - 1) for name, value in vars(thing).items()})
    return made


def find_codes(names: dict[str, Any]) -> Iterator[types.CodeType]:
    """Yield the code of the functions of a module, and of the methods of its classes."""
    for value in list(names.values()):
        members = list(vars(value).values()) if isinstance(value, type) else [value]
        for member in members:
            inner = unwrap_function(getattr(member, "__func__", getattr(member, "fget", member)))
            if isinstance(inner, types.FunctionType) and inner.__globals__ is names:
                yield inner.__code__


def list_global_names(code: types.CodeType) -> Iterator[str]:
    """Yield the globals that a piece of code and the functions inside it mention."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in GLOBAL_INSTRUCTIONS:
            yield instruction.argval
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from list_global_names(part)


def unwrap_function(function: Any) -> Any:
    """Return the function below all wrappers."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def _is_plain(value: Any) -> bool:
    return type(value) in PLAIN_TYPES or isinstance(value, (Enum, np.generic))


def is_program_data(name: str, value: Any) -> bool:
    """Return True if a global is data of the program."""
    return not (name.startswith("__") or callable(value) or isinstance(value, types.ModuleType))


def _cell_content(cell: Any) -> Any:
    try:
        return None if callable(cell.cell_contents) else cell.cell_contents
    except ValueError:  # empty
        return None


def _restore_cells(function: Any, contents: list[Any]) -> None:
    for cell, content in zip(function.__closure__ or (), contents, strict=True):
        if _cell_content(cell) is not None:
            cell.cell_contents = content
