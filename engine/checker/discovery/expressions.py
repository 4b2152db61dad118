"""Expressions in the namespace of the module that has the search. They can be evaluated, and typed after `--call`.

Modules of the project are importable by their names. An expression of another place, such as an argument of a call in the
game loop, is closed: local names are replaced by what is assigned to them, `self` by a new object.
"""

import ast
import builtins
import importlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from engine.checker.discovery.project import Project, ProjectModule
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.sandbox.import_stubs import AbsorbingStub
from engine.checker.sandbox.loader import LoadedProgram

MAX_CLOSED_CHARS = 600
MAX_CLOSING_LEVELS = 6
FORBIDDEN_CALLS = {"input", "raw_input", "exit", "quit", "open"}


class CannotClose(ValueError):
    """An expression depends on something that only exists while its program runs."""


class ProjectNames:
    """The names that an expression may use, and their values."""

    def __init__(self, program: LoadedProgram, project: Project, home: ProjectModule):
        self.project = project
        self.home = home
        self.module = program.module
        self.files: dict[Path, ModuleType | None] = {home.path: program.module}

    def load(self, module: ProjectModule) -> ModuleType | None:
        """Import a module of the project. Return None if that fails."""
        if module.path not in self.files:
            try:
                self.files[module.path] = importlib.import_module(module.name)
            except (Exception, SystemExit):
                self.files[module.path] = None
        return self.files[module.path]

    def forget(self, module: ProjectModule) -> None:
        """Do without a module, because loading it takes too long."""
        self.files[module.path] = None

    def value(self, module: ProjectModule, name: str) -> Any:
        """Return a global of a module. Raise KeyError if there is none, or only a stub."""
        found = vars(self.load(module) or ModuleType(""))[name]
        if isinstance(found, AbsorbingStub):
            raise KeyError(name)
        return found

    def qualify(self, module: ProjectModule, name: str) -> str:
        """Return the text for a global of a module."""
        if module is self.home:
            return name
        held = vars(self.module)
        if name in held and held[name] is vars(self.load(module) or ModuleType("")).get(name):
            return name
        return f"{self.module_text(module)}.{name}"

    def module_text(self, module: ProjectModule) -> str:
        first = module.name.partition(".")[0]
        held = vars(self.module).get(first)
        if not all(part.isidentifier() for part in module.name.split(".")) or not (held is None or isinstance(held, ModuleType)):
            plain = "." not in module.name
            return f"__import__({module.name!r})" if plain else f"__import__('importlib').import_module({module.name!r})"
        return module.name

    def names_for(self, text: str) -> dict[str, Any]:
        """Return the globals to evaluate a text with: those of the module, modules, names that only one module has."""
        found = dict(vars(self.module))
        words = set(re.findall(r"[^\W\d]\w*", text))
        for module in self.project.modules.values():
            if set(module.name.split(".")) <= words and self.load(module) is not None:
                first = module.name.partition(".")[0]
                if not isinstance(found.get(first), ModuleType):
                    found.setdefault(first, importlib.import_module(first))
        for word in words - set(found) - set(dir(builtins)):
            holders = [module for module in self.project.modules.values() if binds_name(module, word)]
            for module in holders[:1]:
                if (loaded := self.load(module)) is not None and word in vars(loaded):
                    found[word] = vars(loaded)[word]
        return found

    def evaluate(self, text: str) -> Any:
        """Evaluate an expression. It may raise anything."""
        expression = ast.parse(text, "a start of a search", "eval")
        return FunctionType(compile(expression, "a start of a search", "eval"), self.names_for(text))()


def binds_name(module: ProjectModule, name: str) -> bool:
    """Return True if a module defines a class, a function or a global of this name."""
    for statement in module.tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == name:
            return True
        if isinstance(statement, ast.Assign) and any(
            isinstance(part, ast.Name) and part.id == name for target in statement.targets for part in ast.walk(target)
        ):
            return True
    return False


class ExpressionCloser:
    """Closes expressions of a project, so that they can be evaluated outside of their functions."""

    def __init__(self, names: ProjectNames, make_object: Callable[[ProjectModule, str], str],
                 make_argument: Callable[[ProjectModule, ProgramFunction, str], str], forbidden: set[str]):  # fmt: skip
        self.names = names
        self.make_object = make_object  # the text for a new object of a class
        self.make_argument = make_argument  # the text for an argument of a function
        self.forbidden = forbidden | FORBIDDEN_CALLS

    def close(self, node: ast.expr, module: ProjectModule, function: ProgramFunction | None, levels: int = 0) -> str:
        """Return a text for an expression in a function, or in the script of a module. Raise CannotClose if there is none."""
        if levels > MAX_CLOSING_LEVELS:
            raise CannotClose("too many steps")
        called = {
            getattr(part.func, "id", getattr(part.func, "attr", "")) for part in ast.walk(node) if isinstance(part, ast.Call)
        }
        if called & self.forbidden:
            raise CannotClose(f"it calls {sorted(called & self.forbidden)[0]}")
        copy = ast.parse(ast.unparse(node), mode="eval").body
        text = ast.unparse(_NameCloser(self, module, function, levels, _inner_names(copy)).visit(copy))
        if len(text) > MAX_CLOSED_CHARS:
            raise CannotClose("too long")
        return text

    def close_name(self, name: str, module: ProjectModule, function: ProgramFunction | None, levels: int) -> str:
        """Return the text for a name. Raise CannotClose if nothing gives its value."""
        if function is not None:
            if name in ("self", "cls", "this") and function.owner:
                return self.make_object(module, function.owner)
            for value in find_assigned_values(function.node, name):
                try:
                    return self.close(value, module, function, levels + 1)
                except CannotClose:
                    continue
            if name in [argument.arg for argument in _all_arguments(function)]:
                return self.make_argument(module, function, name)
            outer = module.functions.get(function.name.rpartition(".")[0])
            if outer is not None:
                return self.close_name(name, module, outer, levels + 1)
        try:
            self.names.value(module, name)
            return self.names.qualify(module, name)
        except KeyError:
            pass
        if hasattr(builtins, name):
            return name
        for value in find_assigned_values(module.tree, name):
            try:
                return self.close(value, module, None, levels + 1)
            except CannotClose:
                continue
        raise CannotClose(name)


class _NameCloser(ast.NodeTransformer):
    def __init__(
        self, closer: ExpressionCloser, module: ProjectModule, function: ProgramFunction | None, levels: int, own: set[str]
    ):
        self.closer = closer
        self.module = module
        self.function = function
        self.levels = levels
        self.own = own

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.own or not isinstance(node.ctx, ast.Load):
            return node
        text = self.closer.close_name(node.id, self.module, self.function, self.levels)
        return ast.parse(text, mode="eval").body


def _all_arguments(function: ProgramFunction) -> list[ast.arg]:
    listed = function.node.args
    return [*listed.posonlyargs, *listed.args, *listed.kwonlyargs]


def _inner_names(node: ast.expr) -> set[str]:
    """Return the names that comprehensions and lambdas of an expression bind."""
    bound = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return bound | {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}


def find_assigned_values(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """Yield the values that a function, or the script of a module, assigns to a name, in the order of the text."""
    for node in _walk_scope(scope):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        value = getattr(node, "value", None)
        for target in targets:
            if value is None:
                continue
            if isinstance(target, ast.Name) and target.id == name:
                yield value
            elif isinstance(target, ast.Tuple):
                for place, part in enumerate(target.elts):
                    if isinstance(part, ast.Name) and part.id == name:
                        same = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
                        yield value.elts[place] if same else ast.Subscript(value, ast.Constant(place), ast.Load())
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id == name:
            yield ast.Call(ast.Name("next", ast.Load()), [ast.Call(ast.Name("iter", ast.Load()), [node.iter], [])], [])


def _walk_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a scope in the order of the text, without those of functions and classes inside."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.expr)):
            continue
        yield child
        yield from _walk_scope(child)
