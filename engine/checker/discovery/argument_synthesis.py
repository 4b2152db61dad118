"""Make arguments for a call of a search from the program's own data.

The sources are globals, results of its functions, objects of its classes, and boards that other functions start with.
"""

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from engine.checker.discovery.search_finder import FoundSearch, ProgramFunction
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case
from engine.checker.recording.state_encoding import is_simple_value
from engine.checker.sandbox.import_stubs import AbsorbingStub
from engine.checker.sandbox.loader import DefinitionsLoader, LoadedProgram

TRIED_DEPTHS = (4, 3, 2)  # that are tried, as long as the search is too large
FACTORY_PATTERN = (
    r"^(create|make|new|init|initial|initiali[sz]e|empty|start|build|setup|reset|default|generate|get_?(initial|start|empty|new))"
)
STATE_PATTERN = ROLE_PATTERNS["state"] + r"|juego|jogo|spiel|partie|tic|ttt|connect|othello|plansza|campo"
INFINITY = float("inf")


class EntryPoint(NamedTuple):
    """One way to start the search."""

    words: str  # as it would be typed
    run: Callable[[], Any]
    own: bool  # the program's own: then its first search is taken and the rest of the program left alone
    guessed: bool = False


class NoArgumentFound(ValueError):
    """Nothing in the program fits an argument."""


def required_arguments(function: ProgramFunction) -> list[str]:
    """Return the arguments without defaults."""
    listed = function.node.args
    names = [argument.arg for argument in (*listed.posonlyargs, *listed.args)]
    names = names[: len(names) - len(listed.defaults)]
    names += [argument.arg for argument, default in zip(listed.kwonlyargs, listed.kw_defaults, strict=True) if default is None]
    return names[1:] if function.owner and names[:1] in (["self"], ["cls"], ["this"]) else names


class ArgumentValue(NamedTuple):
    """A value for an argument, and the text to type for it."""

    words: str
    value: Any


class ArgumentSynthesizer:
    """Makes arguments from the globals of a program, from what its functions return, and from objects of its classes."""

    def __init__(self, program: LoadedProgram, found: FoundSearch, functions: dict[str, ProgramFunction]):
        self.module = program.module
        self.tree = program.tree
        self.found = found
        self.functions = functions

    def iterate_calls(self, name: str) -> Iterator[EntryPoint]:
        """Yield calls of a function with smaller and smaller depths."""
        function = self.functions[name]
        if "." in name and not function.owner:
            return  # a closure has no name outside
        has_depth = any(re.search(ROLE_PATTERNS["depth"], to_snake_case(argument)) for argument in function.arguments)
        told: set[str] = set()
        for depth in TRIED_DEPTHS if has_depth else TRIED_DEPTHS[:1]:
            try:
                owner, given = self._make_arguments(function, depth)
            except Exception:  # the program's own constructors may raise anything
                return
            prefix = f"{owner.words}." if owner.words else ""
            words = f"{prefix}{function.plain_name}({', '.join(part.words for part in given)})"
            if words not in told:  # a depth that counts upwards begins with 0 every time
                yield EntryPoint(words, partial(self._run_call, function, depth), False, True)
            told.add(words)

    def _make_arguments(self, function: ProgramFunction, depth: int) -> tuple[ArgumentValue, list[ArgumentValue]]:
        return self._find_owner(function), [
            self._choose_argument(function, argument, depth) for argument in required_arguments(function)
        ]

    def _run_call(self, function: ProgramFunction, depth: int) -> Any:
        """Make the call with new arguments: an earlier call that was stopped may have changed the old ones."""
        owner, given = self._make_arguments(function, depth)
        return getattr(owner.value, function.plain_name)(*(part.value for part in given))

    def _find_owner(self, function: ProgramFunction) -> ArgumentValue:
        """Return the object that has the function as an attribute: the module, or an object of its class."""
        if not function.owner:
            return ArgumentValue("", self.module)
        return self._find_or_make_object(function.owner)

    def _find_or_make_object(self, name: str) -> ArgumentValue:
        kind = getattr(self.module, name)
        for held, value in vars(self.module).items():
            if type(value) is kind:
                return ArgumentValue(held, value)
        making = self.functions.get(f"{name}.__init__")
        given = (
            [self._choose_argument(making, argument, TRIED_DEPTHS[0]) for argument in required_arguments(making)]
            if making is not None
            else []
        )
        return ArgumentValue(f"{name}({', '.join(part.words for part in given)})", kind(*(part.value for part in given)))

    def _choose_argument(self, function: ProgramFunction, name: str, depth: int) -> ArgumentValue:
        word = to_snake_case(name)
        if re.search(ROLE_PATTERNS["alpha"], word) and not self._is_used_as_object(function, name):
            return ArgumentValue("-inf", -INFINITY)
        if re.search(ROLE_PATTERNS["beta"], word) and not self._is_used_as_object(function, name):
            return ArgumentValue("inf", INFINITY)
        if re.search(ROLE_PATTERNS["depth"], word):
            return (
                ArgumentValue(str(start), start)
                if (start := self._choose_depth(function, name, depth)) is not None
                else ArgumentValue("0", 0)
            )
        if not re.search(ROLE_PATTERNS["state"], word) and (
            re.search(ROLE_PATTERNS["side"], word) or _is_truth_tested(function, name)
        ):
            return self._choose_side(function, name)
        held = vars(self.module).get(name)
        if held is not None and not callable(held) and not isinstance(held, AbsorbingStub):
            return ArgumentValue(name, held)
        return self._choose_state(function, name)

    def _is_used_as_object(self, function: ProgramFunction, name: str) -> bool:
        """Return True if an argument called a or b is used as an object, not as a number."""
        return bool(_used_attributes(function, name)) or _is_indexed(function, name)

    def _choose_depth(self, function: ProgramFunction, name: str, depth: int) -> int | None:
        """Return the depth to start with, or None if the program counts upwards from 0."""
        for node in ast.walk(function.node):
            if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id == name:
                if isinstance(node.op, ast.Add):
                    return None
                if isinstance(node.op, ast.Sub):
                    return depth
        return depth

    # ---- the side that maximises

    def _choose_side(self, function: ProgramFunction, name: str) -> ArgumentValue:
        compared = [*self._iterate_comparisons(function, name)]
        for value, maximizes in compared:
            if maximizes:
                return value
        if compared:
            first = compared[0][0]
            return next((value for value, _ in compared[1:] if value.value != first.value), self._opposite_side(first.value))
        if held := [
            ArgumentValue(word, vars(self.module)[word]) for word in ("AI", "COMPUTER", "MAX", "X") if word in vars(self.module)
        ]:
            return held[0]
        signs = any(isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Name) and node.operand.id == name
                    and isinstance(node.op, ast.USub) for node in ast.walk(function.node))  # fmt: skip
        return ArgumentValue("1", 1) if signs else ArgumentValue("True", True)

    def _iterate_comparisons(self, function: ProgramFunction, name: str) -> Iterator[tuple[ArgumentValue, bool]]:
        """Yield the values that an argument is compared with, each with True if the branch maximizes."""
        for node in ast.walk(function.node):
            if isinstance(node, ast.If):
                test, negated = node.test, False
                if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                    test, negated = test.operand, True
                if isinstance(test, ast.Name) and test.id == name:
                    yield ArgumentValue(str(not negated), not negated), _is_maximizing_body(node.body)
                elif isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == name:
                    value = self._read_constant(test.comparators[0])
                    if value is not None and isinstance(test.ops[0], (ast.Eq, ast.Is)):
                        yield value, _is_maximizing_body(node.body)

    def _read_constant(self, node: ast.expr) -> ArgumentValue | None:
        if isinstance(node, ast.Constant):
            return ArgumentValue(repr(node.value), node.value)
        if isinstance(node, ast.Name) and is_simple_value(vars(self.module).get(node.id)):
            return ArgumentValue(node.id, vars(self.module).get(node.id))
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
            number: Any = node.operand.value
            return ArgumentValue(f"-{number}", -number)
        return None

    @staticmethod
    def _opposite_side(value: Any) -> ArgumentValue:
        others: dict[Any, Any] = {1: -1, -1: 1, 2: 1, 0: 1, "X": "O", "O": "X", "x": "o", "o": "x"}
        other = not value if isinstance(value, bool) else others.get(value, value)
        return ArgumentValue(repr(other), other)

    # ---- a position

    def _choose_state(self, function: ProgramFunction, name: str) -> ArgumentValue:
        """Return a position to start with: a global, the result of a function without arguments, an object of a class."""
        needed = _used_attributes(function, name)
        indexed = _is_indexed(function, name)
        for found in (*self._iterate_positions(), *self._evaluate_assignments(name)):
            fits = all(hasattr(found.value, attribute) for attribute in needed)
            if fits and (not indexed or hasattr(found.value, "__getitem__")):
                return found
        raise NoArgumentFound(name)

    def _evaluate_assignments(self, name: str) -> Iterator[ArgumentValue]:
        """Yield values that are assigned elsewhere to the argument's name, or to the name of a position.

        Examples: `board = [" "] * 9` in main, `self.board = …` in a window.
        """
        assigned = [
            (getattr(node.targets[0], "attr", getattr(node.targets[0], "id", "")), node.value)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign) and self._is_self_contained(node.value)
        ]
        called_so = [value for target, value in assigned if target == name]
        for value in (*called_so, *(value for target, value in assigned if re.search(STATE_PATTERN, to_snake_case(target)))):
            try:
                made = _evaluate_expression(value, vars(self.module))
            except Exception:  # noqa: S112 - whatever the program's own functions raise
                continue
            if not is_simple_value(made) and not callable(made) and (not hasattr(made, "__len__") or len(made)):
                yield ArgumentValue(ast.unparse(value), made)

    def _is_self_contained(self, value: ast.expr) -> bool:
        """Return True if an expression uses no local names of its function and is not just a constant or a name."""
        names = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        known = {*vars(self.module), *dir(builtins)} - {"input", *self.found.functions, *self.found.roots}
        return not isinstance(value, (ast.Constant, ast.Name)) and {node.id for node in names} <= own | known

    def _iterate_positions(self) -> Iterator[ArgumentValue]:
        held = [(name, value) for name, value in [*vars(self.module).items()] if not name.startswith("__")]
        things = [(name, value) for name, value in held if not callable(value) and not inspect.ismodule(value)]
        things = [(name, value) for name, value in things if not isinstance(value, AbsorbingStub)]
        named = [
            (name, value)
            for name, value in things
            if re.search(STATE_PATTERN, name.lower()) and not isinstance(value, (int, float))
        ]
        yield from (ArgumentValue(name, value) for name, value in named)
        yield from (ArgumentValue(name, value) for name, value in things if _is_board_like(value) and not name.isupper())
        for name, value in named:
            for attribute, inner in getattr(value, "__dict__", {}).items():
                if re.search(STATE_PATTERN, attribute.lower()) and not is_simple_value(inner):
                    yield ArgumentValue(f"{name}.{attribute}", inner)
        makers = [
            name
            for name, value in held
            if inspect.isfunction(value) and _is_program_object(value) and _is_callable_without_arguments(value)
        ]
        made = [name for name in makers if re.search(FACTORY_PATTERN, name.lower())]
        named_after = [name for name in makers if re.search(STATE_PATTERN, name.lower()) and name not in made]
        for name in (*made, *named_after):
            if name not in self.found.functions:
                try:
                    value = getattr(self.module, name)()
                except Exception:  # noqa: S112 - it asked for a move, say
                    continue
                if value is not None and not isinstance(value, (bool, AbsorbingStub)):
                    yield ArgumentValue(f"{name}()", value)
        kinds = [name for name, value in held if inspect.isclass(value) and _is_program_object(value)]
        for name in sorted(kinds, key=lambda name: not re.search(STATE_PATTERN, name.lower())):
            try:
                made_object = self._find_or_make_object(name)
            except Exception:  # noqa: S112 - a class that needs more than can be guessed
                continue
            yield made_object
            for attribute, inner in getattr(made_object.value, "__dict__", {}).items():
                if re.search(STATE_PATTERN, attribute.lower()) and not is_simple_value(inner):
                    yield ArgumentValue(f"{made_object.words}.{attribute}", inner)


def _is_program_object(thing: Any) -> bool:
    """Return True if a class or function is defined in the program, or in a file beside it."""
    spec = getattr(sys.modules.get(thing.__module__), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), DefinitionsLoader)


def _is_callable_without_arguments(function: Any) -> bool:
    """Return True if it can be called without arguments."""
    parameters = inspect.signature(function).parameters.values()
    return all(one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters)


def _evaluate_expression(expression: ast.expr, names: dict[str, Any]) -> Any:
    """Evaluate an expression of the program with its globals."""
    return FunctionType(compile(ast.Expression(expression), "a start of a search", "eval"), names)()


def _is_maximizing_body(body: list[ast.stmt]) -> bool:
    """Return True if the statements look for the largest value: max(...), a start at minus infinity, a telling name."""
    text = " ".join(ast.unparse(statement) for statement in body[:6])
    low = re.search(r"max\(|maxi|= -?\(?-|float\('-inf'\)|max_", text)
    high = re.search(r"\bmin\(|mini|= float\('inf'\)|= (math\.|np\.)?inf\b|= \d{2,}|min_", text)
    if low and high:
        return low.start() < high.start()
    return bool(low)


def _is_board_like(value: Any) -> bool:
    """Return True if it looks like a board: rows of cells, whatever its name."""
    if not hasattr(value, "__len__") or isinstance(value, (str, dict)) or not 3 <= len(value) <= 400:
        return False
    return getattr(value, "ndim", 0) == 2 or (isinstance(value, list) and len({str(type(part)) for part in value}) == 1)


def _is_truth_tested(function: ProgramFunction, name: str) -> bool:
    """Return True if an argument is used as a truth value: `if name:`, `if not name:`, `not name`."""
    tests = [node.test for node in ast.walk(function.node) if isinstance(node, (ast.If, ast.IfExp))]
    tests += [node.operand for node in ast.walk(function.node) if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)]
    return any(isinstance(test, ast.Name) and test.id == name for test in tests)


def _used_attributes(function: ProgramFunction, name: str) -> set[str]:
    return {
        node.attr
        for node in ast.walk(function.node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }


def _is_indexed(function: ProgramFunction, name: str) -> bool:
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name
        for node in ast.walk(function.node)
    )
