"""Complete copies of some calls: arguments, globals, contents of closures. Such a call can be made again, alone."""

import copy
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import is_
from typing import Any

NO_ROW = -1
MAX_SNAPSHOT_LEVEL = 8
MAX_SNAPSHOTS_PER_LEVEL = 2  # calls of a function at a level
MAX_SNAPSHOTS = 40


@dataclass
class CallSnapshot:
    """One call as it was made. `world` has the globals of its module that may change, `cells` the contents of its closure."""

    row: int  # NO_ROW: a run of a root function
    number: int  # of the function, or of the run for a root
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    world: dict[str, Any]
    cells: list[Any]
    result: Any = None
    is_leaf: bool = False

    @property
    def is_root(self) -> bool:
        """Return True if it is a run of a function around the search."""
        return self.row == NO_ROW

    @contextmanager
    def restored_context(self) -> Iterator[tuple[Any, ...]]:
        """Yield arguments for making the call again, with the globals and cells of that time. Restore everything afterwards."""
        arguments, world, cells = deep_copy((self.arguments, self.world, self.cells), {})
        inner = unwrap_function(self.function)
        names = inner.__globals__
        before = {name: names[name] for name in world if name in names}
        held = [_cell_content(cell) for cell in inner.__closure__ or ()]
        clear = getattr(self.function, "cache_clear", None)
        try:
            names.update(world)
            _restore_cells(inner, cells)
            if callable(clear):
                clear()
            yield arguments
        finally:
            names.update(before)
            _restore_cells(inner, held)
            if callable(clear):
                clear()


@dataclass
class CallSnapshots:
    """The copied calls: the first ones of every function at every level, leaves too."""

    calls: list[CallSnapshot] = field(default_factory=list)
    levels: list[list[int]] = field(default_factory=list)  # for each function, the number of calls to copy at each level

    def remaining_copies(self, number: int) -> list[int]:
        """Return how many more calls of a function are to be copied at each level."""
        while len(self.levels) <= number:
            self.levels.append([MAX_SNAPSHOTS_PER_LEVEL] * (MAX_SNAPSHOT_LEVEL + 1))
        return self.levels[number]

    def copy_call(self, row: int, number: int, level: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
        """Copy a call. Return False if it cannot be copied."""
        inner = unwrap_function(function)
        if not hasattr(inner, "__globals__"):
            return False
        world = {name: value for name, value in inner.__globals__.items() if is_program_data(name, value)}
        cells = [_cell_content(cell) for cell in inner.__closure__ or ()]
        try:
            arguments, world, cells = deep_copy((arguments, world, cells), {})
        except Exception:  # a student's objects may raise anything
            self._stop_copying()
            return False
        if row != NO_ROW:
            self.remaining_copies(number)[level] -= 1
        self.calls.append(CallSnapshot(row, number, function, arguments, world, cells))
        if len(self.calls) >= MAX_SNAPSHOTS:
            self._stop_copying()
        return True

    def _stop_copying(self) -> None:
        for levels in self.levels:
            levels[:] = [0] * len(levels)

    def add_result(self, row: int, result: Any, is_leaf: bool) -> None:
        """Add the result to the copy of a call."""
        snapshot = next(snapshot for snapshot in reversed(self.calls) if snapshot.row == row)
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


def unwrap_function(function: Any) -> Any:
    """Return the function below all wrappers."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


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
