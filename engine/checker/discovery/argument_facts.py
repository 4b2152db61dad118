"""Facts about the arguments of functions and about values for them, from the source and from the loaded program."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from engine.checker.discovery.project import ProjectModule
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.sandbox.loader import DefinitionsLoader

MAX_SHOWN_METHODS = 4
BUILTIN_METHODS = {name for kind in (list, dict, set, str, tuple) for name in dir(kind)}


def required_arguments(function: ProgramFunction) -> list[str]:
    """Return the arguments without defaults."""
    listed = function.node.args
    names = [argument.arg for argument in (*listed.posonlyargs, *listed.args)]
    names = names[: len(names) - len(listed.defaults)]
    names += [argument.arg for argument, default in zip(listed.kwonlyargs, listed.kw_defaults, strict=True) if default is None]
    return names[1:] if function.owner and names[:1] in (["self"], ["cls"], ["this"]) else names


def annotated_tuple(function: ProgramFunction, name: str) -> str | None:
    """Return zeros for an argument that is annotated as a tuple of whole numbers, such as two bitboards."""
    listed = function.node.args
    for argument in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs):
        if argument.arg == name and argument.annotation is not None:
            found = re.fullmatch(r"(?:[Tt]uple\[)?\(?(int(?:, int)+)\)?\]?", ast.unparse(argument.annotation))
            return f"({', '.join('0' for _ in found[1].split(', '))})" if found else None
    return None


def set_attributes(function: ProgramFunction) -> set[str]:
    """Return the attributes of its object that a method sets."""
    return {
        node.attr
        for node in ast.walk(function.node)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and getattr(node.value, "id", "") == "self"
    }


def statements_of(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a scope, without those of functions and classes inside."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.expr)):
            yield child
            yield from statements_of(child)


def vary_one_at_a_time(choices: list[list[str]]) -> Iterator[list[str]]:
    """Yield the first of every list, then with another one in one place after the other."""
    if not all(choices):
        return
    first = [texts[0] for texts in choices]
    yield first
    for number in range(1, max((len(texts) for texts in choices), default=0)):
        for place, texts in enumerate(choices):
            if number < len(texts):
                yield [*first[:place], texts[number], *first[place + 1 :]]


def has_hooks(module: ProjectModule, name: str) -> bool:
    """Return True if a class has methods that only raise NotImplementedError or do nothing."""
    for function in module.functions.values():
        if function.owner == name and not function.plain_name.startswith("__"):
            body = [
                part for part in function.node.body if not (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
            ]
            if not body or isinstance(body[0], ast.Pass) or (isinstance(body[0], ast.Raise) and len(body) == 1):
                return True
    return False


def is_program_object(thing: Any) -> bool:
    """Return True if a class or function is defined in the program, or in a file beside it."""
    spec = getattr(sys.modules.get(getattr(thing, "__module__", None) or ""), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), DefinitionsLoader)


def is_callable_without_arguments(function: Any) -> bool:
    """Return True if it can be called without arguments."""
    parameters = inspect.signature(function).parameters.values()
    return all(one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters)


def is_maximizing_body(body: list[ast.stmt]) -> bool:
    """Return True if the statements look for the largest value: max(...), a start at minus infinity, a name."""
    text = " ".join(ast.unparse(statement) for statement in body[:6])
    low = re.search(r"max\(|maxi|= -?\(?-|float\('-inf'\)|max_", text)
    high = re.search(r"\bmin\(|mini|= float\('inf'\)|= (math\.|np\.)?inf\b|= \d{2,}|min_", text)
    if low and high:
        return low.start() < high.start()
    return bool(low)


def is_board_like(value: Any) -> bool:
    """Return True if a value looks like a board: rows of cells."""
    if not hasattr(value, "__len__") or isinstance(value, (str, dict)) or not 3 <= len(value) <= 400:
        return False
    return getattr(value, "ndim", 0) == 2 or (isinstance(value, list) and len({str(type(part)) for part in value}) == 1)


def can_be_indexed(value: Any, levels: int) -> bool:
    """Return True if a value can be indexed: twice for a grid, unless it is empty or an object with its own rules."""
    if not levels:
        return True
    if not hasattr(value, "__getitem__") or isinstance(value, type):
        return False
    if levels > 1 and isinstance(value, (list, tuple)):
        return bool(value) and hasattr(value[0], "__getitem__")
    return True


def is_truth_tested(function: ProgramFunction, name: str) -> bool:
    """Return True if an argument is used as a truth value: `if name:`, `if not name:`, `not name`."""
    tests = [node.test for node in ast.walk(function.node) if isinstance(node, (ast.If, ast.IfExp))]
    tests += [node.operand for node in ast.walk(function.node) if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)]
    return any(isinstance(test, ast.Name) and test.id == name for test in tests)


def used_attributes(function: ProgramFunction, name: str) -> set[str]:
    return {
        node.attr
        for node in ast.walk(function.node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }


def describe_missing_objects(functions: Sequence[ProgramFunction], modules: Sequence[ProjectModule]) -> str:
    """Say which object a search needs that no class of the project has the methods for. It is empty if there is none."""
    classes = [node for module in modules for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef)]
    for function in functions:
        for name in required_arguments(function):
            methods = _list_called_methods(function, name)
            own = set(methods) - BUILTIN_METHODS
            if len(own) > 1 and not any(own <= _list_methods(node, classes) for node in classes):
                shown = ", ".join(f"{method}()" for method in methods[:MAX_SHOWN_METHODS])
                return f"no class of the project has {shown}, which {function.plain_name} asks of its argument {name}"
    return ""


def _list_called_methods(function: ProgramFunction, name: str) -> list[str]:
    """Return the methods of an argument that a function calls, in the order of the source."""
    called = [
        node.func for node in ast.walk(function.node) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    own = [node for node in called if isinstance(node.value, ast.Name) and node.value.id == name]
    return list(dict.fromkeys(node.attr for node in sorted(own, key=lambda node: (node.lineno, node.col_offset))))


def _list_methods(node: ast.ClassDef, classes: Sequence[ast.ClassDef], levels: int = 4) -> set[str]:
    """Return the methods of a class and of its bases."""
    found = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    bases = {base.id for base in node.bases if isinstance(base, ast.Name)} if levels else set()
    return found.union(*(_list_methods(base, classes, levels - 1) for base in classes if base.name in bases))


def is_indexed(function: ProgramFunction, name: str) -> bool:
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name
        for node in ast.walk(function.node)
    )


def is_kind_of(value: type, kind: type) -> bool:
    """Return True if a class inherits from another one, or has the methods of a protocol."""
    if not getattr(kind, "_is_protocol", False):
        return issubclass(value, kind)
    methods = [name for name, part in vars(kind).items() if callable(part) and not name.startswith("_")]
    return bool(methods) and all(callable(getattr(value, name, None)) for name in methods)
