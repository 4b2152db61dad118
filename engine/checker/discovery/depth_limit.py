"""Give a search a smaller depth: in the arguments of its outermost calls, in attributes of its object, in globals."""

import ast
import re
from collections.abc import Sequence
from typing import Any

from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case

LIMIT_PATTERN = ROLE_PATTERNS["depth"] + r"|max_?depth|depth_?limit|cutoff|difficulty|globina"


def has_depth(arguments: Sequence[Sequence[str]], settings: dict[str, Any]) -> bool:
    """Return True if an argument or a global is named like a depth, or an object may hold one."""
    names = [name for own in arguments for name in own]
    return any(_is_limit(name) for name in names) or any(_is_lowered(name, value, 0) for name, value in settings.items())


def limit_depth(
    function: ProgramFunction, names: Sequence[str], args: tuple[Any, ...], kwargs: dict[str, Any], depth: int
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call with a depth that is not larger than `depth`. A depth that counts up stays."""
    if names[:1] == ["self"] and args and isinstance(getattr(args[0], "__dict__", None), dict):
        lower_settings(vars(args[0]), depth)
    lowered = [
        depth if _is_lowered(name, value, depth) and not counts_up(function, name) else value
        for name, value in zip(names, args, strict=False)
    ]
    changed = {
        name: depth if _is_lowered(name, value, depth) and not counts_up(function, name) else value
        for name, value in kwargs.items()
    }
    return (*lowered, *args[len(lowered) :]), changed


def raise_depth(
    function: ProgramFunction, names: Sequence[str], args: tuple[Any, ...], kwargs: dict[str, Any], depth: int
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a call with a depth that is not smaller than `depth`.

    A depth that counts up stays. Then a limit in an attribute of the object is raised.
    """
    raised = dict(zip(names, args, strict=False)) | kwargs
    for name in names:
        value = raised.get(name)
        if _is_limit(name) and counts_down(function, name) and (value is None or (type(value) in (int, float) and value < depth)):
            raised[name] = depth
    if names[:1] == ["self"] and args and isinstance(getattr(args[0], "__dict__", None), dict):
        held = vars(args[0])
        held.update({name: depth for name, value in held.items() if _is_limit(name) and type(value) is int and 0 < value < depth})
    first = tuple(raised.pop(name) for name in names[: len(args)])
    return (*first, *args[len(first) :]), raised


def lower_settings(settings: dict[str, Any], depth: int) -> dict[str, Any]:
    """Lower the depths among attributes or globals. Return the old values."""
    old = {name: value for name, value in settings.items() if _is_lowered(name, value, depth)}
    settings.update(dict.fromkeys(old, depth))
    return old


def counts_up(function: ProgramFunction, name: str) -> bool:
    """Return True if a function counts an argument upwards in its calls."""
    return _find_step(function, name) == 1


def counts_down(function: ProgramFunction, name: str) -> bool:
    """Return True if a function counts an argument downwards in its calls."""
    return _find_step(function, name) == -1


def _find_step(function: ProgramFunction, name: str) -> int:
    """Return 1 if a function adds something to an argument, -1 if it subtracts, 0 if it does neither."""
    for node in ast.walk(function.node):
        is_step = isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id == name
        if is_step or (isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name):
            if isinstance(node.op, ast.Add):  # type: ignore[attr-defined]
                return 1
            if isinstance(node.op, ast.Sub):  # type: ignore[attr-defined]
                return -1
    return 0


def _is_limit(name: str) -> bool:
    return re.search(LIMIT_PATTERN, to_snake_case(name)) is not None


def _is_lowered(name: str, value: Any, depth: int) -> bool:
    return type(value) in (int, float) and value > depth and not name.startswith("__") and _is_limit(name)
