"""Calls of a search put together from what its program has: globals, what its functions make, objects of its classes, boards that
other functions begin with."""

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any, NamedTuple

from engine.checker.discovery.search_finder import Found, Function
from engine.checker.recording.argument_roles import NAMES, spelled
from engine.checker.recording.state_encoding import is_small
from engine.checker.sandbox.import_stubs import Absorbing
from engine.checker.sandbox.loader import KeptLoader, LoadedProgram

DEPTHS = (4, 3, 2)  # that are tried, as long as the search is too large
MAKES = (
    r"^(create|make|new|init|initial|initiali[sz]e|empty|start|build|setup|reset|default|generate|get_?(initial|start|empty|new))"
)
STATES = NAMES["state"] + r"|juego|jogo|spiel|partie|tic|ttt|connect|othello|plansza|campo"
INFINITY = float("inf")


class Start(NamedTuple):
    """One way to get the search going."""

    words: str  # as it would be typed
    run: Callable[[], Any]
    own: bool  # the program's own: then its first search is taken and the rest of the program left alone
    guessed: bool = False


class NoArgument(ValueError):
    """Nothing in the program would do for an argument."""


def required(function: Function) -> list[str]:
    """The arguments that must be given."""
    listed = function.node.args
    names = [argument.arg for argument in (*listed.posonlyargs, *listed.args)]
    names = names[: len(names) - len(listed.defaults)]
    names += [argument.arg for argument, default in zip(listed.kwonlyargs, listed.kw_defaults, strict=True) if default is None]
    return names[1:] if function.owner and names[:1] in (["self"], ["cls"], ["this"]) else names


class Given(NamedTuple):
    """A value for an argument, and how it would be typed."""

    words: str
    value: Any


class Guess:
    """Arguments put together from what a program has: its globals, what its functions make, objects of its classes."""

    def __init__(self, program: LoadedProgram, found: Found, functions: dict[str, Function]):
        self.module = program.module
        self.tree = program.tree
        self.found = found
        self.functions = functions

    def calls(self, name: str) -> Iterator[Start]:
        """Calls of a function, with smaller and smaller depths."""
        function = self.functions[name]
        if "." in name and not function.owner:
            return  # a closure has no name outside
        has_depth = any(re.search(NAMES["depth"], spelled(argument)) for argument in function.arguments)
        told: set[str] = set()
        for depth in DEPTHS if has_depth else DEPTHS[:1]:
            try:
                owner, given = self._made(function, depth)
            except Exception:  # the program's own constructors may raise anything
                return
            prefix = f"{owner.words}." if owner.words else ""
            words = f"{prefix}{function.plain_name}({', '.join(part.words for part in given)})"
            if words not in told:  # a depth that counts upwards begins with 0 every time
                yield Start(words, partial(self._call, function, depth), False, True)
            told.add(words)

    def _made(self, function: Function, depth: int) -> tuple[Given, list[Given]]:
        return self._owner(function), [self._argument(function, argument, depth) for argument in required(function)]

    def _call(self, function: Function, depth: int) -> Any:
        """The call, with arguments made anew: an earlier one that was stopped may have left them changed."""
        owner, given = self._made(function, depth)
        return getattr(owner.value, function.plain_name)(*(part.value for part in given))

    def _owner(self, function: Function) -> Given:
        """What a function is an attribute of: the module, or an object of its class."""
        if not function.owner:
            return Given("", self.module)
        return self._object(function.owner)

    def _object(self, name: str) -> Given:
        kind = getattr(self.module, name)
        for held, value in vars(self.module).items():
            if type(value) is kind:
                return Given(held, value)
        making = self.functions.get(f"{name}.__init__")
        given = [self._argument(making, argument, DEPTHS[0]) for argument in required(making)] if making is not None else []
        return Given(f"{name}({', '.join(part.words for part in given)})", kind(*(part.value for part in given)))

    def _argument(self, function: Function, name: str, depth: int) -> Given:
        word = spelled(name)
        if re.search(NAMES["alpha"], word) and not self._is_state(function, name):
            return Given("-inf", -INFINITY)
        if re.search(NAMES["beta"], word) and not self._is_state(function, name):
            return Given("inf", INFINITY)
        if re.search(NAMES["depth"], word):
            return Given(str(start), start) if (start := self._depth(function, name, depth)) is not None else Given("0", 0)
        if not re.search(NAMES["state"], word) and (re.search(NAMES["side"], word) or _is_tested(function, name)):
            return self._side(function, name)
        held = vars(self.module).get(name)
        if held is not None and not callable(held) and not isinstance(held, Absorbing):
            return Given(name, held)
        return self._state(function, name)

    def _is_state(self, function: Function, name: str) -> bool:
        """Whether an argument called a or b is used as a thing, not as a number."""
        return bool(_attributes(function, name)) or _is_indexed(function, name)

    def _depth(self, function: Function, name: str, depth: int) -> int | None:
        """K, or 0 where the program counts upwards."""
        for node in ast.walk(function.node):
            if isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name) and node.left.id == name:
                if isinstance(node.op, ast.Add):
                    return None
                if isinstance(node.op, ast.Sub):
                    return depth
        return depth

    # ---- the side that maximises

    def _side(self, function: Function, name: str) -> Given:
        compared = [*self._compared(function, name)]
        for value, maximizes in compared:
            if maximizes:
                return value
        if compared:
            first = compared[0][0]
            return next((value for value, _ in compared[1:] if value.value != first.value), self._opposite(first.value))
        if held := [Given(word, vars(self.module)[word]) for word in ("AI", "COMPUTER", "MAX", "X") if word in vars(self.module)]:
            return held[0]
        signs = any(isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Name) and node.operand.id == name
                    and isinstance(node.op, ast.USub) for node in ast.walk(function.node))  # fmt: skip
        return Given("1", 1) if signs else Given("True", True)

    def _compared(self, function: Function, name: str) -> Iterator[tuple[Given, bool]]:
        """What an argument is compared with, and whether the largest value is sought where it is equal."""
        for node in ast.walk(function.node):
            if isinstance(node, ast.If):
                test, negated = node.test, False
                if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                    test, negated = test.operand, True
                if isinstance(test, ast.Name) and test.id == name:
                    yield Given(str(not negated), not negated), _maximizes(node.body)
                elif isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == name:
                    value = self._constant(test.comparators[0])
                    if value is not None and isinstance(test.ops[0], (ast.Eq, ast.Is)):
                        yield value, _maximizes(node.body)

    def _constant(self, node: ast.expr) -> Given | None:
        if isinstance(node, ast.Constant):
            return Given(repr(node.value), node.value)
        if isinstance(node, ast.Name) and is_small(vars(self.module).get(node.id)):
            return Given(node.id, vars(self.module).get(node.id))
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
            number: Any = node.operand.value
            return Given(f"-{number}", -number)
        return None

    @staticmethod
    def _opposite(value: Any) -> Given:
        others: dict[Any, Any] = {1: -1, -1: 1, 2: 1, 0: 1, "X": "O", "O": "X", "x": "o", "o": "x"}
        other = not value if isinstance(value, bool) else others.get(value, value)
        return Given(repr(other), other)

    # ---- a position

    def _state(self, function: Function, name: str) -> Given:
        """A position at which the search can begin: a global, what a function makes of nothing, an object of a class."""
        needed = _attributes(function, name)
        indexed = _is_indexed(function, name)
        for found in (*self._positions(), *self._begun_with(name)):
            fits = all(hasattr(found.value, attribute) for attribute in needed)
            if fits and (not indexed or hasattr(found.value, "__getitem__")):
                return found
        raise NoArgument(name)

    def _begun_with(self, name: str) -> Iterator[Given]:
        """What the program begins with elsewhere under the name of an argument, or of a position: `board = [" "] * 9` in main,
        `self.board = …` in a window."""
        assigned = [
            (getattr(node.targets[0], "attr", getattr(node.targets[0], "id", "")), node.value)
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Assign) and self._stands_alone(node.value)
        ]
        called_so = [value for target, value in assigned if target == name]
        for value in (*called_so, *(value for target, value in assigned if re.search(STATES, spelled(target)))):
            try:
                made = _value_of(value, vars(self.module))
            except Exception:  # noqa: S112 - whatever the program's own functions raise
                continue
            if not is_small(made) and not callable(made) and (not hasattr(made, "__len__") or len(made)):
                yield Given(ast.unparse(value), made)

    def _stands_alone(self, value: ast.expr) -> bool:
        """Whether an expression needs nothing of the function that it stands in, and makes something."""
        names = [node for node in ast.walk(value) if isinstance(node, ast.Name)]
        own = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        known = {*vars(self.module), *dir(builtins)} - {"input", *self.found.functions, *self.found.roots}
        return not isinstance(value, (ast.Constant, ast.Name)) and {node.id for node in names} <= own | known

    def _positions(self) -> Iterator[Given]:
        held = [(name, value) for name, value in [*vars(self.module).items()] if not name.startswith("__")]
        things = [(name, value) for name, value in held if not callable(value) and not inspect.ismodule(value)]
        things = [(name, value) for name, value in things if not isinstance(value, Absorbing)]
        named = [
            (name, value) for name, value in things if re.search(STATES, name.lower()) and not isinstance(value, (int, float))
        ]
        yield from (Given(name, value) for name, value in named)
        yield from (Given(name, value) for name, value in things if _is_a_board(value) and not name.isupper())
        for name, value in named:
            for attribute, inner in getattr(value, "__dict__", {}).items():
                if re.search(STATES, attribute.lower()) and not is_small(inner):
                    yield Given(f"{name}.{attribute}", inner)
        makers = [
            name for name, value in held if inspect.isfunction(value) and _is_of_the_program(value) and _asks_nothing(value)
        ]
        made = [name for name in makers if re.search(MAKES, name.lower())]
        named_after = [name for name in makers if re.search(STATES, name.lower()) and name not in made]
        for name in (*made, *named_after):
            if name not in self.found.functions:
                try:
                    value = getattr(self.module, name)()
                except Exception:  # noqa: S112 - it asked for a move, say
                    continue
                if value is not None and not isinstance(value, (bool, Absorbing)):
                    yield Given(f"{name}()", value)
        kinds = [name for name, value in held if inspect.isclass(value) and _is_of_the_program(value)]
        for name in sorted(kinds, key=lambda name: not re.search(STATES, name.lower())):
            try:
                made_object = self._object(name)
            except Exception:  # noqa: S112 - a class that needs more than can be guessed
                continue
            yield made_object
            for attribute, inner in getattr(made_object.value, "__dict__", {}).items():
                if re.search(STATES, attribute.lower()) and not is_small(inner):
                    yield Given(f"{made_object.words}.{attribute}", inner)


def _is_of_the_program(thing: Any) -> bool:
    """Whether a class or a function is defined in the program, or in a file beside it."""
    spec = getattr(sys.modules.get(thing.__module__), "__spec__", None)
    return isinstance(getattr(spec, "loader", None), KeptLoader)


def _asks_nothing(function: Any) -> bool:
    """Whether it can be called without arguments."""
    parameters = inspect.signature(function).parameters.values()
    return all(one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters)


def _value_of(expression: ast.expr, names: dict[str, Any]) -> Any:
    """What an expression of the program makes of its globals."""
    return FunctionType(compile(ast.Expression(expression), "a start of a search", "eval"), names)()


def _maximizes(body: list[ast.stmt]) -> bool:
    """Whether the largest value is sought: max(...), a start at minus infinity, a name that says so."""
    text = " ".join(ast.unparse(statement) for statement in body[:6])
    low = re.search(r"max\(|maxi|= -?\(?-|float\('-inf'\)|max_", text)
    high = re.search(r"\bmin\(|mini|= float\('inf'\)|= (math\.|np\.)?inf\b|= \d{2,}|min_", text)
    if low and high:
        return low.start() < high.start()
    return bool(low)


def _is_a_board(value: Any) -> bool:
    """Whether it looks like one: rows of cells, whatever it is called."""
    if not hasattr(value, "__len__") or isinstance(value, (str, dict)) or not 3 <= len(value) <= 400:
        return False
    return getattr(value, "ndim", 0) == 2 or (isinstance(value, list) and len({str(type(part)) for part in value}) == 1)


def _is_tested(function: Function, name: str) -> bool:
    """Whether an argument is asked for its truth: `if name:`, `if not name:`, `not name`."""
    tests = [node.test for node in ast.walk(function.node) if isinstance(node, (ast.If, ast.IfExp))]
    tests += [node.operand for node in ast.walk(function.node) if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)]
    return any(isinstance(test, ast.Name) and test.id == name for test in tests)


def _attributes(function: Function, name: str) -> set[str]:
    return {
        node.attr
        for node in ast.walk(function.node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    }


def _is_indexed(function: Function, name: str) -> bool:
    return any(
        isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name
        for node in ast.walk(function.node)
    )
