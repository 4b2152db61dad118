"""Copies of some calls, whole: arguments, globals, what closures hold. With them a call can be made once more, alone."""

import copy
import types
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
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
        arguments, world, cells = copy.deepcopy((self.arguments, self.world, self.cells))
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
    by_level: Counter = field(default_factory=Counter)
    failed: bool = False

    def wants(self, number: int, level: int) -> bool:
        return (
            level <= DEEPEST_KEPT
            and not self.failed
            and self.by_level[number, level] < KEPT_OF_A_LEVEL
            and len(self.calls) < MOST_KEPT
        )

    def keep(self, row: int, number: int, level: int, function: Callable[..., Any], arguments: tuple[Any, ...]) -> bool:
        """Whether it could be copied."""
        inner = innermost(function)
        if not hasattr(inner, "__globals__"):
            return False
        world = {name: value for name, value in inner.__globals__.items() if may_change(name, value)}
        cells = [_content(cell) for cell in inner.__closure__ or ()]
        try:
            arguments, world, cells = copy.deepcopy((arguments, world, cells))
        except Exception:  # whatever a student's objects raise
            self.failed = True
            return False
        if row != NOTHING:
            self.by_level[number, level] += 1
        self.calls.append(KeptCall(row, number, function, arguments, world, cells))
        return True

    def finish(self, row: int, result: Any, is_leaf: bool) -> None:
        kept = next(kept for kept in reversed(self.calls) if kept.row == row)
        try:
            kept.result, kept.is_leaf = copy.deepcopy(result), is_leaf
        except Exception:
            kept.result = result


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
