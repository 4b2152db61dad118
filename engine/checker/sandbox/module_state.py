"""The state that a program keeps between runs, and how to restore it.

It is in tables of its module, of its classes, in default arguments and in lru_cache.
"""

import copy
import types
from collections.abc import Callable, Iterator
from typing import Any


class ModuleSnapshot:
    """A copy of everything in a module that can change."""

    def __init__(self, module: types.ModuleType):
        self._module = module
        self._globals = {name: (value, _copy_or_none(value)) for name, value in vars(module).items() if _is_data(name, value)}
        self._others = [(value, _copy_or_none(value)) for value in _iterate_hidden_tables(module)]

    def restore_state(self) -> None:
        """Restore the state: refill tables in place, bind names again, clear caches."""
        for name, (value, content) in self._globals.items():
            vars(self._module)[name] = value
            _restore_contents(value, content)
        for value, content in self._others:
            _restore_contents(value, content)
        for function in iterate_functions(self._module):
            clear = getattr(function, "cache_clear", None)
            if callable(clear):
                clear()


def iterate_functions(module: types.ModuleType) -> Iterator[Any]:
    """Yield the functions of a module and those in its classes."""
    for value in [*vars(module).values()]:
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield from (method for method in vars(value).values() if callable(method))
        elif callable(value):
            yield value


def _is_data(name: str, value: Any) -> bool:
    """Return True if a global is data of the program."""
    return not name.startswith("__") and not callable(value) and not isinstance(value, types.ModuleType)


def _iterate_hidden_tables(module: types.ModuleType) -> Iterator[Any]:
    """Yield tables that are not globals: attributes of classes, default arguments."""
    for value in [*vars(module).values()]:
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield from (held for held in vars(value).values() if isinstance(held, (list, dict, set)))
    for function in iterate_functions(module):
        inner = getattr(function, "__wrapped__", function)
        yield from (held for held in (getattr(inner, "__defaults__", None) or ()) if isinstance(held, (list, dict, set)))


def _copy_or_none(value: Any) -> Any:
    """Return a deep copy, or None if the value cannot be copied."""
    try:
        return copy.deepcopy(value)
    except Exception:  # an object that cannot be copied is not restored
        return None


def _restore_contents(value: Any, content: Any) -> None:
    """Restore the contents of an object in place, so that every reference sees them."""
    content = _copy_or_none(content)  # None again if memory has run out
    if content is None or type(value) is not type(content):
        return
    refills: dict[type, Callable[[], Any]] = {
        list: lambda: value.__setitem__(slice(None), content),
        dict: lambda: (value.clear(), value.update(content)),
        set: lambda: (value.clear(), value.update(content)),
    }
    for kind, refill in refills.items():
        if isinstance(value, kind):
            refill()
            return
    if hasattr(value, "__array_interface__") and bool(getattr(value, "ndim", 0)):
        value[...] = content
    elif isinstance(getattr(value, "__dict__", None), dict):
        value.__dict__.clear()
        value.__dict__.update(content.__dict__)
