"""Find the state that a program changes outside of arguments: globals of its modules, attributes of its classes."""

import ast
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.recording.shared_state import SharedPlace
from engine.checker.recording.state_encoding import is_simple_value
from engine.checker.sandbox.import_stubs import PROGRAM_MARK
from engine.checker.sandbox.loader import LoadedProgram

MUTATING_METHODS = {"append", "pop", "insert", "remove", "extend", "clear", "add", "push", "make_move", "undo", "play", "move"}
TABLE_PATTERN = r"memo|cache|table|transpos|^tt$|visited|seen|^dp$|count|stat|log"
MAX_GLOBAL_ITEMS = 200


def find_changing_globals(program: LoadedProgram, functions: dict[str, ProgramFunction]) -> Callable[[], Any] | None:
    """Return a function that gives the globals which the program changes, or None. Tables of results are left out."""
    held = vars(program.module)
    names = {name for function in functions.values() for name in _iterate_changed_names(function.node)}
    changing = sorted(
        name
        for name in names
        if name in held
        and not is_simple_value(held[name])
        and not callable(held[name])
        and not re.search(TABLE_PATTERN, name.lower())
    )
    changing = [name for name in changing if _is_small(held[name])]
    return (lambda: [held.get(name) for name in changing]) if changing else None


def find_shared_places(program: LoadedProgram, trees: Iterable[ast.Module]) -> list[SharedPlace]:
    """Return the places outside of arguments and of the search's own module that the program changes.

    These are attributes of classes that objects share, and globals of the other modules of the project.
    """
    names = {name for tree in trees for name in _iterate_changed_names(tree)}
    found: list[SharedPlace] = []
    for module in _list_program_modules(program):
        for name, value in list(vars(module).items()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                found += [SharedPlace(value, held) for held in vars(value) if held in names and _is_container(vars(value)[held])]
            elif module is not program.module and name in names and not name.startswith("__") and _is_own_data(value):
                found.append(SharedPlace(module, name))
    return found


def _list_program_modules(program: LoadedProgram) -> list[types.ModuleType]:
    loaded = [module for module in list(sys.modules.values()) if PROGRAM_MARK in getattr(module, "__dict__", {})]
    return [program.module, *(module for module in loaded if module is not program.module)]


def _iterate_changed_names(tree: ast.AST) -> Iterator[str]:
    """Yield the names of globals and attributes that a piece of source changes, in any function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            yield from node.names
        elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield from _names_in_chain(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATING_METHODS:
            yield from _names_in_chain(node.func.value)


def _names_in_chain(node: ast.expr) -> Iterator[str]:
    """Yield the names in `a.b[c].d`: a, b and d."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _is_container(value: Any) -> bool:
    """Return True for a list, dict, set or array that a position may be in."""
    is_mutable = isinstance(value, (list, dict, set)) or bool(getattr(value, "ndim", 0))
    return is_mutable and _is_small(value)


def _is_own_data(value: Any) -> bool:
    return not callable(value) and not isinstance(value, types.ModuleType) and _is_small(value)


def _is_small(value: Any) -> bool:
    return not hasattr(value, "__len__") or isinstance(value, str) or len(value) <= MAX_GLOBAL_ITEMS
