"""Copies of some calls, whole: arguments, globals, what closures hold. With them a call can be made once more, alone."""

import copy
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import is_
from typing import Any

NOTHING = -1
DEEPEST_KEPT = 8
KEPT_OF_A_LEVEL = 2  # calls of a function at a level
MOST_KEPT = 40


@dataclass
class KeptCall:
    """One call as it was made. `world` are the globals of its module that may change, `cells` what its closure holds."""

    row: int  # NOTHING: a run of a root
    number: int  # of the function; of the run where it is a root
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    world: dict[str, Any]
    cells: list[Any]
    result: Any = None
    is_leaf: bool = False

    @property
    def is_root(self) -> bool:
        return self.row == NOTHING

    @contextmanager
    def made_again(self) -> Iterator[tuple[Any, ...]]:
        """Arguments for making the call again, in the world of then; everything is put back afterwards."""
        arguments, world, cells = copied((self.arguments, self.world, self.cells), {})
        inner = innermost(self.function)
        names = inner.__globals__
        before = {name: names[name] for name in world if name in names}
        held = [_content(cell) for cell in inner.__closure__ or ()]
        clear = getattr(self.function, "cache_clear", None)
        try:
            names.update(world)
            _refill(inner, cells)
            if callable(clear):
                clear()
            yield arguments
        finally:
            names.update(before)
            _refill(inner, held)
            if callable(clear):
                clear()


@dataclass
class Kept:
    """The calls that were copied: the first ones of every function at every level, leaves too."""

    calls: list[KeptCall] = field(default_factory=list)
    levels: list[list[int]] = field(default_factory=list)  # of each function, how many more of each level are to be copied

    def wanted(self, number: int) -> list[int]:
        """How many more calls of a function are to be copied, by their level."""
        while len(self.levels) <= number:
            self.levels.append([KEPT_OF_A_LEVEL] * (DEEPEST_KEPT + 1))
        return self.levels[number]

    def keep(self, row: int, number: int, level: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
        """Whether it could be copied."""
        inner = innermost(function)
        if not hasattr(inner, "__globals__"):
            return False
        world = {name: value for name, value in inner.__globals__.items() if may_change(name, value)}
        cells = [_content(cell) for cell in inner.__closure__ or ()]
        try:
            arguments, world, cells = copied((arguments, world, cells), {})
        except Exception:  # whatever a student's objects raise
            self._want_no_more()
            return False
        if row != NOTHING:
            self.wanted(number)[level] -= 1
        self.calls.append(KeptCall(row, number, function, arguments, world, cells))
        if len(self.calls) >= MOST_KEPT:
            self._want_no_more()
        return True

    def _want_no_more(self) -> None:
        for levels in self.levels:
            levels[:] = [0] * len(levels)

    def finish(self, row: int, result: Any, is_leaf: bool) -> None:
        kept = next(kept for kept in reversed(self.calls) if kept.row == row)
        try:
            kept.result, kept.is_leaf = copied(result, {}), is_leaf
        except Exception:
            kept.result = result


UNCHANGING = frozenset({int, float, bool, str, bytes, complex, type(None)})


def copied(thing: Any, known: dict[int, Any]) -> Any:
    """A deep copy, as copy.deepcopy makes it, but sooner for boards: lists, dicts and tuples of numbers and texts."""
    kind = type(thing)
    if kind in UNCHANGING:
        return thing
    if id(thing) in known:
        return known[id(thing)]
    if kind is list:
        parts = known[id(thing)] = []
        parts.extend([part if type(part) in UNCHANGING else copied(part, known) for part in thing])
        return parts
    if kind is dict:
        table = known[id(thing)] = {}
        table.update({copied(name, known): copied(value, known) for name, value in thing.items()})
        return table
    if kind is tuple:
        same = tuple([part if type(part) in UNCHANGING else copied(part, known) for part in thing])
        return known.setdefault(id(thing), thing if all(map(is_, same, thing)) else same)
    return copy.deepcopy(thing, known)


def innermost(function: Any) -> Any:
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function


def may_change(name: str, value: Any) -> bool:
    """Whether a global is data of the program."""
    return not (name.startswith("__") or callable(value) or isinstance(value, types.ModuleType))


def _content(cell: Any) -> Any:
    try:
        return None if callable(cell.cell_contents) else cell.cell_contents
    except ValueError:  # empty
        return None


def _refill(function: Any, contents: list[Any]) -> None:
    for cell, content in zip(function.__closure__ or (), contents, strict=True):
        if _content(cell) is not None:
            cell.cell_contents = content
