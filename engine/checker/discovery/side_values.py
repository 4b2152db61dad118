"""Values for the argument that says whose move it is."""

import ast
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

from engine.checker.discovery.argument_facts import is_maximizing_body, is_truth_tested
from engine.checker.discovery.board_templates import ArgumentUse
from engine.checker.discovery.expressions import ProjectNames
from engine.checker.discovery.project import ProjectModule
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.recording.state_encoding import is_simple_value


class ArgumentValue(NamedTuple):
    """A value for an argument, and the text to type for it."""

    text: str
    value: Any


class SideChooser:
    """Chooses the side to move, the one that maximizes first."""

    def __init__(self, names: ProjectNames, use_of: Callable[[ProjectModule, ProgramFunction, str], ArgumentUse]):
        self.names = names
        self.use_of = use_of

    def choose_sides(self, module: ProjectModule, function: ProgramFunction, name: str) -> list[ArgumentValue]:
        """Return values for the side to move, the one that maximizes first."""
        first = self._choose_side(module, function, name)
        return [first, *(value for value, _ in self._iterate_comparisons(module, function, name) if value.text != first.text)]

    def _choose_side(self, module: ProjectModule, function: ProgramFunction, name: str) -> ArgumentValue:
        compared = [*self._iterate_comparisons(module, function, name)]
        for value, maximizes in compared:
            if maximizes:
                return value
        if compared:
            first = compared[0][0]
            return next((value for value, _ in compared[1:] if value.value != first.value), self._opposite_side(first.value))
        marks = [value for value, _ in self.use_of(module, function, name).compared.most_common(1) if is_simple_value(value)]
        if marks and not isinstance(marks[0], bool) and not is_truth_tested(function, name):
            return ArgumentValue(repr(marks[0]), marks[0])  # compared in a function that it is passed to
        here = vars(self.names.load(module) or ModuleType(""))
        words = ("AI", "COMPUTER", "MAX", "X", "PLAYER", "WHITE", "BLACK")
        if held := [
            ArgumentValue(self.names.qualify(module, word), here[word])
            for word in words
            if word in here and is_simple_value(here[word])
        ]:
            return held[0]
        signs = any(isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Name) and node.operand.id == name
                    and isinstance(node.op, ast.USub) for node in ast.walk(function.node))  # fmt: skip
        return ArgumentValue("1", 1) if signs else ArgumentValue("True", True)

    def _iterate_comparisons(
        self, module: ProjectModule, function: ProgramFunction, name: str
    ) -> Iterator[tuple[ArgumentValue, bool]]:
        """Yield the values that an argument is compared with, each with True if the branch maximizes."""
        for node in ast.walk(function.node):
            if isinstance(node, ast.If):
                test, negated = node.test, False
                if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                    test, negated = test.operand, True
                if isinstance(test, ast.Name) and test.id == name:
                    yield ArgumentValue(str(not negated), not negated), is_maximizing_body(node.body)
                elif isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == name:
                    value = self._read_constant(module, test.comparators[0])
                    if value is not None and isinstance(test.ops[0], (ast.Eq, ast.Is)):
                        yield value, is_maximizing_body(node.body)

    def _read_constant(self, module: ProjectModule, node: ast.expr) -> ArgumentValue | None:
        here = vars(self.names.load(module) or ModuleType(""))
        if isinstance(node, ast.Constant):
            return ArgumentValue(repr(node.value), node.value)
        if isinstance(node, ast.Name) and node.id in here and is_simple_value(here[node.id]):
            return ArgumentValue(self.names.qualify(module, node.id), here[node.id])
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
            number: Any = node.operand.value
            return ArgumentValue(f"-{number}", -number)
        return None

    @staticmethod
    def _opposite_side(value: Any) -> ArgumentValue:
        others: dict[Any, Any] = {1: -1, -1: 1, 2: 1, 0: 1, "X": "O", "O": "X", "x": "o", "o": "x"}
        other = not value if isinstance(value, bool) else others.get(value, value)
        return ArgumentValue(repr(other), other)
