"""Facts from the source of a search, for cases in which its behaviour has two explanations."""

import ast
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from engine.checker.discovery.search_finder import ProgramFunction

MAX_LISTED_TREES = 1_000


def is_assigned(function: ProgramFunction, name: str) -> bool:
    """Return True if the function assigns a name."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in ast.walk(function.node)
    )


def has_copy(function: ProgramFunction, name: str) -> bool:
    """Return True if another variable of the function starts as a name, or is the largest or smallest of it and something."""
    for node in ast.walk(function.node):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.NamedExpr)):
            is_fold = (
                isinstance(node.value, ast.Call)
                and isinstance(node.value.func, ast.Name)
                and node.value.func.id in ("max", "min")
            )
            values = node.value.args if is_fold and isinstance(node.value, ast.Call) else [node.value]
            parts = [part for value in values for part in (value.elts if isinstance(value, ast.Tuple) else [value])]
            if any(isinstance(part, ast.Name) and part.id == name for part in parts):
                return True
    return False


def can_minimize(function: ProgramFunction) -> bool:
    """Return True if a function has code that may take a smallest score: min, a comparison with <, a sort, a second branch."""
    for node in ast.walk(function.node):
        if isinstance(node, ast.Name) and node.id in ("min", "sorted", "reduce"):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("min", "argmin", "sort", "amin"):
            return True
        if isinstance(node, ast.Compare) and _is_less_than(node) and _may_compare_scores(node, function):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.IfExp, ast.Subscript, ast.Call)):
            return True  # (max if … else min)(…)
    return False


def _is_less_than(compared: ast.Compare) -> bool:
    return len(compared.ops) == 1 and isinstance(compared.ops[0], (ast.Lt, ast.LtE))


def _may_compare_scores(compared: ast.Compare, function: ProgramFunction) -> bool:
    """Return False if a comparison has only arguments and loop variables, such as `take <= sticks`: these are moves."""
    names = {node.id for node in ast.walk(compared) if isinstance(node, ast.Name)}
    if any(isinstance(node, (ast.Call, ast.Attribute)) for node in ast.walk(compared)):
        return True
    loops = [node.target for node in ast.walk(function.node) if isinstance(node, (ast.For, ast.comprehension))]
    inside = {id(node) for target in loops for node in ast.walk(target)}
    stored = {
        node.id
        for node in ast.walk(function.node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inside
    }
    return not names.isdisjoint(stored)


def find_calls(function: ProgramFunction, names: Sequence[str]) -> Iterator[ast.Call]:
    """Yield the calls in a function to functions with these plain names."""
    for node in ast.walk(function.node):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if called in names:
                yield node


@lru_cache(maxsize=MAX_LISTED_TREES)
def list_nodes(tree: ast.AST) -> list[ast.AST]:
    """Return all nodes of a tree that no longer changes. The judge asks for them again for each position."""
    return list(ast.walk(tree))


def find_returned_constants(function: ProgramFunction, world: dict[str, Any], in_loops: bool = False) -> set[float]:
    """Return the numbers that a function returns directly: literals, or values of globals. With `in_loops` only from a loop."""
    found: set[float] = set()
    loops = [node for node in list_nodes(function.node) if isinstance(node, (ast.For, ast.While))]
    for node in (part for whole in (loops if in_loops else [function.node]) for part in list_nodes(whole)):
        if isinstance(node, ast.Return) and node.value is not None:
            inside = {ast.Tuple: "elts", ast.List: "elts", ast.Dict: "values"}.get(type(node.value))
            parts = [node.value] if inside is None else getattr(node.value, inside)
            parts = [branch for part in parts for branch in _split_conditional(part)]
            found |= {value for value in (_constant_value(part, world) for part in parts) if value is not None}
    return found


def _split_conditional(node: ast.expr) -> list[ast.expr]:
    """Return both sides of `a if … else b`."""
    return [*_split_conditional(node.body), *_split_conditional(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def find_numbers_in_returns(function: ProgramFunction, world: dict[str, Any]) -> set[float]:
    """Return the absolute values of all numbers in return statements. Infinity is recognized in any spelling."""
    found: set[float] = set()
    for statement in list_nodes(function.node):
        if isinstance(statement, ast.Return) and statement.value is not None:
            for node in list_nodes(statement.value):
                if isinstance(node, ast.expr):
                    value = _constant_value(node, world)
                    found |= {abs(value)} if value is not None else set()
                if "inf" in (getattr(node, "attr", None) or getattr(node, "id", None) or str(getattr(node, "value", ""))).lower():
                    found.add(math.inf)
    return found


def _constant_value(node: ast.expr, world: dict[str, Any]) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant_value(node.operand, world)
        return None if value is None else -value
    found: Any = node.value if isinstance(node, ast.Constant) else world.get(node.id) if isinstance(node, ast.Name) else None
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) and abs(found) < math.inf else None


def leaves_loop_after_call(function: ProgramFunction, names: Sequence[str]) -> bool:
    """Return True if a loop that calls one of the functions is left right after the call, whatever it returned."""
    calls = set(find_calls(function, names))
    for loop in ast.walk(function.node):
        if isinstance(loop, (ast.For, ast.While)):
            for block in _iterate_blocks(loop):
                called = [place for place, statement in enumerate(block) if calls & set(ast.walk(statement))]
                if called and any(isinstance(statement, (ast.Return, ast.Break)) for statement in block[called[0] :]):
                    return True
    for node in ast.walk(function.node):
        if isinstance(node, (ast.For, ast.While)) and any(call in set(ast.walk(node)) for call in find_calls(function, names)):
            if any(isinstance(statement, (ast.Return, ast.Break)) for statement in node.body):
                return True
            last = node.body[-1]
            if (
                isinstance(last, ast.If)
                and last.orelse
                and all(
                    any(isinstance(statement, (ast.Return, ast.Break)) for statement in branch)
                    for branch in (last.body, last.orelse)
                )
            ):
                return True
    return False


def _iterate_blocks(loop: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(loop):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block


def has_sorting(functions: dict[str, ProgramFunction], name: str) -> bool:
    """Return True if a function, or one that it calls, sorts something."""
    near = {name, *functions[name].calls} if name in functions else set()
    return any(
        isinstance(node, ast.Call) and (getattr(node.func, "id", "") == "sorted" or getattr(node.func, "attr", "") == "sort")
        for other in near
        for node in ast.walk(functions[other].node)
    )


def has_table(tree: ast.Module | None) -> bool:
    """Return True if scores can be stored somewhere: in a dict that starts empty, in a cache around a function."""
    makers = ("dict", "defaultdict", "OrderedDict", "lru_cache", "cache", "Counter")
    return has_any_name(tree, makers) or any(
        isinstance(node, ast.Dict) and not node.keys for node in (list_nodes(tree) if tree is not None else [])
    )


def has_call_in_loop(function: ProgramFunction, names: Sequence[str]) -> bool:
    """Return True if a loop or a comprehension calls one of the functions."""
    calls = set(find_calls(function, names))
    loops = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)
    return any(isinstance(node, loops) and calls & set(ast.walk(node)) for node in ast.walk(function.node))


def passes_argument_on(function: ProgramFunction, names: Sequence[str], argument: str) -> bool:
    """Return True if the calls pass on the argument itself, or are methods of it (`self`)."""
    for call in find_calls(function, names):
        passed = [*call.args, *(keyword.value for keyword in call.keywords)]
        if any(isinstance(value, ast.Name) and value.id == argument for value in passed):
            return True
        if argument in ("self", "cls") and isinstance(call.func, ast.Attribute):
            owner = call.func.value
            if isinstance(owner, ast.Name) and owner.id == argument:
                return True
    return False


def has_any_name(tree: ast.Module | None, names: Sequence[str]) -> bool:
    """Return True if one of the names occurs anywhere in the program."""
    return tree is not None and any(
        (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.Attribute) and node.attr in names)
        for node in list_nodes(tree)
    )


def defined_names(tree: ast.Module) -> set[str]:
    """Return all names that a file defines, imports or assigns anywhere, attributes and arguments too."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return found
