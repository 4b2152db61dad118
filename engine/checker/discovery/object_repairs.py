"""Calls with a prepared object, after one that failed because its object lacks an attribute."""

import ast
import itertools
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from engine.checker.discovery.argument_facts import required_arguments, set_attributes, vary_one_at_a_time
from engine.checker.discovery.project import ProjectModule

if TYPE_CHECKING:
    from engine.checker.discovery.argument_synthesis import ArgumentSynthesizer, EntryPoint

MAX_REPAIRS = 3  # calls with a prepared object
USUAL_DEPTH = 4


class ObjectRepairs:
    """Prepares the object of a call, with the synthesizer that made it."""

    def __init__(self, guess: "ArgumentSynthesizer"):
        self.guess = guess

    def iterate_repairs(self, start: "EntryPoint", error: AttributeError) -> Iterator["EntryPoint"]:
        """Yield a call again with its object prepared: the missing attribute is set by a method of its class, or directly."""
        kind, attribute = type(error.obj), error.name or ""
        module = next((one for one in self.guess.modules if self.guess.loaded_name(one) == kind.__module__), None)
        text = self._find_part(start.call, kind)
        if module is None or not text or not attribute.isidentifier():
            return
        for prepared in itertools.islice(self._iterate_set(text, module, kind.__name__, attribute), MAX_REPAIRS):
            call = ast.unparse(_PartReplacer(text, prepared).visit(ast.parse(start.call, mode="eval")))
            yield start._replace(text=call, call=call, run=partial(self.guess.names.evaluate, call), at_depth=None)

    def _find_part(self, call: str, kind: type) -> str:
        """Return the text of the first part of a call that is an object of a class, or ""."""
        for node in ast.walk(ast.parse(call, mode="eval").body):
            if isinstance(node, (ast.Call, ast.Name, ast.Attribute)):
                try:
                    if type(self.guess.names.evaluate(ast.unparse(node))) is kind:
                        return ast.unparse(node)
                except (Exception, SystemExit):  # noqa: S112 - the program's own functions may raise anything
                    continue
        return ""

    def _iterate_set(self, text: str, module: ProjectModule, owner: str, attribute: str) -> Iterator[str]:
        """Yield texts for an object whose attribute is set."""
        for function in module.functions.values():
            is_setter = function.owner == owner and attribute in set_attributes(function)
            if is_setter and function.plain_name != "__init__" and function.plain_name not in self.guess.searching:
                choices = [
                    self.guess.choose_argument(module, function, one, USUAL_DEPTH)[:2] for one in required_arguments(function)
                ]
                for picked in itertools.islice(vary_one_at_a_time(choices), 2):
                    yield f"(lambda made: (made.{function.plain_name}({', '.join(picked)}), made)[1])({text})"
        called = {node.func.attr for one in self.guess.functions.values() for node in ast.walk(one.node)
                  if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}  # fmt: skip
        for value in ("1", "None", "[]") if attribute not in called else ():
            yield f"(lambda made: (setattr(made, {attribute!r}, {value}), made)[1])({text})"


class _PartReplacer(ast.NodeTransformer):
    """Replaces a part of an expression, given by its text."""

    def __init__(self, old: str, new: str):
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and ast.unparse(node) == self.old:
            return ast.parse(self.new, mode="eval").body
        return self.generic_visit(node)
