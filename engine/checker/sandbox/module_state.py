"""What a program remembers from run to run: tables in its module, in its classes, in default arguments, in lru_cache. Where it
is run twice, it is put back."""

import copy
import types
from collections.abc import Callable, Iterator
from typing import Any


class KeptMemory:
    """The contents of everything in a module that can change, as they are now."""

    def __init__(self, module: types.ModuleType):
        self._module = module
        self._globals = {name: (value, _copied(value)) for name, value in vars(module).items() if _may_change(name, value)}
        self._others = [(value, _copied(value)) for value in _held(module)]

    def put_back(self) -> None:
        """Everything is again as it was: tables are emptied in place, names bound again."""
        for name, (value, content) in self._globals.items():
            vars(self._module)[name] = value
            _refill(value, content)
        for value, content in self._others:
            _refill(value, content)
        for function in functions_in(self._module):
            clear = getattr(function, "cache_clear", None)
            if callable(clear):
                clear()


def functions_in(module: types.ModuleType) -> Iterator[Any]:
    """The functions of a module and those in its classes."""
    for value in [*vars(module).values()]:
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield from (method for method in vars(value).values() if callable(method))
        elif callable(value):
            yield value


def _may_change(name: str, value: Any) -> bool:
    return not name.startswith("__") and not callable(value) and not isinstance(value, types.ModuleType)


def _held(module: types.ModuleType) -> Iterator[Any]:
    """Tables that are no names of the module: attributes of classes, default arguments."""
    for value in [*vars(module).values()]:
        if isinstance(value, type) and value.__module__ == module.__name__:
            yield from (held for held in vars(value).values() if isinstance(held, (list, dict, set)))
    for function in functions_in(module):
        inner = getattr(function, "__wrapped__", function)
        yield from (held for held in (getattr(inner, "__defaults__", None) or ()) if isinstance(held, (list, dict, set)))


def _copied(value: Any) -> Any:
    try:
        return copy.deepcopy(value)
    except Exception:  # whatever cannot be copied stays as it is
        return None


def _refill(value: Any, content: Any) -> None:
    """Give a thing its contents back, so that whoever holds it sees them."""
    if content is None or type(value) is not type(content):
        return
    content = _copied(content)
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
