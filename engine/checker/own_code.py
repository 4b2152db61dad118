"""A fingerprint of the checker's own code, to see if a program has changed it.

The recorder runs in the process of the program. A program can replace its functions, classes and constants, and functions of
the libraries that it uses. This finds such changes. It does not see a program that undoes them in time.
"""

import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

OWN_PACKAGE = "engine"
LIBRARIES = ("ast", "contextlib", "copy", "functools", "itertools", "math", "msgspec", "msgspec.msgpack", "re", "zlib", "numpy")
MAX_NAMED_CHANGES = 3
PYTHON_NAMES = frozenset(  # that Python itself sets later
    ("__builtins__", "__cached__", "__spec__", "__loader__", "__warningregistry__", "__slotnames__", "__annotations_cache__")
)


class _Contents(NamedTuple):
    """The names of a module or a class, with everything in their values that can be replaced."""

    owner: Any
    name: str
    values: dict[str, Any]
    parts: dict[str, tuple[Any, ...]]
    is_complete: bool  # new names are changes, too


def fingerprint_own_code() -> Callable[[], str]:
    """Note the code of the checker. Return a function that returns the names that have changed since, or ""."""
    modules = {name: module for name, module in sys.modules.items() if isinstance(module, ModuleType)}
    own = {name: module for name, module in modules.items() if name.partition(".")[0] == OWN_PACKAGE}
    noted = [_note_own(module, name) for name, module in own.items()]
    noted += [_note_own(kind, f"{kind.__module__}.{kind.__qualname__}") for kind in _list_classes(own)]
    noted += [_note_library(modules[name], name) for name in LIBRARIES if name in modules]

    def find_changes() -> str:
        changed = [name for contents in noted for name in _list_changes(contents)]
        return ", ".join(changed[:MAX_NAMED_CHANGES]) + (" …" if len(changed) > MAX_NAMED_CHANGES else "")

    return find_changes


def _list_classes(modules: dict[str, ModuleType]) -> list[type]:
    values = [(name, value) for name, module in modules.items() for value in vars(module).values()]
    return list(dict.fromkeys(value for name, value in values if isinstance(value, type) and value.__module__ == name))


def _note_own(owner: Any, name: str) -> _Contents:
    values = {key: value for key, value in vars(owner).items() if key not in PYTHON_NAMES}
    return _Contents(owner, name, values, {key: _list_parts(value) for key, value in values.items()}, is_complete=True)


def _note_library(module: ModuleType, name: str) -> _Contents:
    """Note the functions and classes of a library. Its caches change, and programs may add names to it."""
    values = {key: value for key, value in vars(module).items() if callable(value)}
    parts = {key: _list_parts(value) if isinstance(value, FunctionType) else () for key, value in values.items()}
    return _Contents(module, name, values, parts, is_complete=False)


def _list_parts(value: Any) -> tuple[Any, ...]:
    """Return the parts of a function, a dict, a list or a set that can be replaced."""
    if isinstance(value, dict):
        return (*value, *map(id, value.values()))
    if isinstance(value, (list, set)):
        return tuple(map(id, value))
    function = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
    if not isinstance(function, FunctionType):
        return ()
    cells = tuple(id(cell.cell_contents) for cell in function.__closure__ or ())
    return function.__code__, function.__defaults__, function.__kwdefaults__, cells


def _list_changes(contents: _Contents) -> list[str]:
    now = vars(contents.owner)
    changed = [key for key, value in contents.values.items() if now.get(key) is not value or _is_changed(contents, key, value)]
    if contents.is_complete:
        new = [key for key, value in now.items() if key not in contents.values and not isinstance(value, ModuleType)]
        changed += [key for key in new if key not in PYTHON_NAMES]
    return [f"{contents.name}.{key}" for key in changed]


def _is_changed(contents: _Contents, key: str, value: Any) -> bool:
    return bool(contents.parts[key]) and _list_parts(value) != contents.parts[key]
