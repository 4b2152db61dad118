"""Where a student's search is started: by the call that was asked for, by the program itself (its script part, `main`, the
function that chooses a move), or by an obvious call that is put together from what the program has."""

import ast
import builtins
import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from engine.watching.calls import is_small
from engine.watching.finding import Found, Function
from engine.watching.loading import CALL, SCRIPT, LoadedProgram
from engine.watching.roles import NAMES, spelled
from engine.watching.stubs import Absorbing

DEPTHS = (4, 3, 2)  # that are tried, as long as the search is too large
MAINS = r"^(main|play|run|start|game|juego|jogar|spiel|jouer|test)(_?(game|loop|main|play|spiel|juego))?$"
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


def starts(program: LoadedProgram, found: Found, functions: dict[str, Function], call: str | None) -> Iterator[Start]:
    """The ways that are worth trying, the best first. Later ones use what earlier ones have left in the program."""
    if call is not None:
        yield Start(call, getattr(program.module, CALL), False)
        return
    if program.has_script:
        yield Start("the script itself", getattr(program.module, SCRIPT), True)
    guess = Guess(program, found, functions)
    reaching = list(dict.fromkeys(_reaching(found, functions)))
    mains = [name for name in reaching if "." not in name and re.search(MAINS, spelled(name)) and not functions[name].arguments]
    others = [name for name in reaching if name not in mains and "." not in name and not _required(functions[name])]
    own = [Start(f"{name}()", getattr(program.module, name, lambda: None), True) for name in (*mains, *others)]
    yield from own
    script = [Start("the script itself", getattr(program.module, SCRIPT), True)] if program.has_script else own[:1]
    for start in script if _asks(program.tree) else []:
        for style in STYLES:
            yield Start(f"{start.words}, its questions answered", partial(answered, start.run, style), True)
    for name in (*found.roots, *found.functions):
        if not re.search(MAINS, spelled(functions[name].plain_name)):
            yield from guess.calls(name)


def is_boundary(function: Function) -> bool:
    """Whether a function that calls the search chooses one move: the whole of it is then one search. A function that plays a game
    calls many."""
    asks = any(
        isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("input", "raw_input", "get")
        for node in ast.walk(function.node)
    )
    plays = any(isinstance(node, ast.While) for node in ast.walk(function.node)) and not function.node.args.args
    return not asks and not plays and not re.search(MAINS, spelled(function.plain_name))


def _reaching(found: Found, functions: dict[str, Function]) -> list[str]:
    """The functions from which the search is reached by calls, the nearest first."""
    reached = list(found.roots)
    for name in reached:
        reached += [other for other in functions if name in functions[other].calls and other not in reached]
    return [name for name in reached if name not in found.functions]


def _required(function: Function) -> list[str]:
    """The arguments that must be given."""
    listed = function.node.args
    names = [argument.arg for argument in (*listed.posonlyargs, *listed.args)]
    names = names[: len(names) - len(listed.defaults)]
    names += [argument.arg for argument, default in zip(listed.kwonlyargs, listed.kw_defaults, strict=True) if default is None]
    return names[1:] if function.owner and names[:1] in (["self"], ["cls"], ["this"]) else names


# ---- questions

STYLES = ("{0}", "{0} {1}", "{0},{1}", "{2}{0}")  # how programs want a move to be typed
MOST_ANSWERS = 80
YES_OR_NO = r"\(?[yosj]/n\)?|yes|first|start|begin|commenc|premier|empez|beginn|again|(want|voulez|quieres|willst|wil) "


def _asks(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "input" for node in ast.walk(tree))


def answered(run: Callable[[], Any], style: str) -> Any:
    """Run a program that asks its user for moves: it gets one number after the other, until it comes to its search. "No" to
    questions whether the user wants something, so that the program begins."""
    refused, given = builtins.input, 0

    def answer(prompt: object = "", /) -> str:
        nonlocal given
        given += 1
        if given > MOST_ANSWERS:
            return refused(prompt)
        if re.search(YES_OR_NO, str(prompt).lower()) and given % 3:
            return "n"
        number = (given - 1) % 9 + 1
        return style.format(number, (given * 2) % 3 + 1, "abcdefgh"[given % 8])

    builtins.input = answer
    try:
        return run()
    finally:
        builtins.input = refused


class Given(NamedTuple):
    """A value for an argument, and how it would be typed."""

    words: str
    value: Any


class Guess:
    """Arguments put together from what a program has: its globals, what its functions make, objects of its classes."""

    def __init__(self, program: LoadedProgram, found: Found, functions: dict[str, Function]):
        self.module = program.module
        self.found = found
        self.functions = functions

    def calls(self, name: str) -> Iterator[Start]:
        """Calls of a function, with smaller and smaller depths."""
        function = self.functions[name]
        if "." in name and not function.owner:
            return  # a closure has no name outside
        has_depth = any(re.search(NAMES["depth"], spelled(argument)) for argument in function.arguments)
        for depth in DEPTHS if has_depth else DEPTHS[:1]:
            try:
                owner = self._owner(function)
                given = [self._argument(function, argument, depth) for argument in _required(function)]
            except Exception:  # the program's own constructors may raise anything
                return
            called = getattr(owner.value, function.plain_name, None)
            if not callable(called):
                return
            prefix = f"{owner.words}." if owner.words else ""
            words = f"{prefix}{function.plain_name}({', '.join(part.words for part in given)})"
            yield Start(words, partial(called, *(part.value for part in given)), False, True)

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
        given = [self._argument(making, argument, DEPTHS[0]) for argument in _required(making)] if making is not None else []
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
        for found in self._positions():
            fits = all(hasattr(found.value, attribute) for attribute in needed)
            if fits and (not indexed or hasattr(found.value, "__getitem__")):
                return found
        raise NoArgument(name)

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
        made = [name for name in self.functions if "." not in name and re.search(MAKES, name.lower())]
        named_after = [
            name for name in self.functions if "." not in name and re.search(STATES, name.lower()) and name not in made
        ]
        for name in (*made, *named_after):
            if not _required(self.functions[name]):
                value = getattr(self.module, name)()
                if value is not None and not isinstance(value, bool):
                    yield Given(f"{name}()", value)
        kinds = [name for name, value in held if inspect.isclass(value) and value.__module__ == self.module.__name__]
        for name in sorted(kinds, key=lambda name: not re.search(STATES, name.lower())):
            try:
                made_object = self._object(name)
            except Exception:  # noqa: S112 - a class that needs more than can be guessed
                continue
            yield made_object
            for attribute, inner in getattr(made_object.value, "__dict__", {}).items():
                if re.search(STATES, attribute.lower()) and not is_small(inner):
                    yield Given(f"{made_object.words}.{attribute}", inner)


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


# ---- where no argument holds the state

CHANGES = {"append", "pop", "insert", "remove", "extend", "clear", "add", "push", "make_move", "undo", "play", "move"}
REMEMBERED = r"memo|cache|table|transpos|^tt$|visited|seen|^dp$|count|stat|log"
MOST_PARTS = 200


def changing_globals(program: LoadedProgram, functions: dict[str, Function]) -> Callable[[], Any] | None:
    """What gives the globals that the functions change; None where there are none. Tables of results are no positions."""
    names: set[str] = set()
    for function in functions.values():
        for node in ast.walk(function.node):
            if isinstance(node, ast.Global):
                names |= set(node.names)
            elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                names |= _base(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                names |= _base(node.func)
    held = vars(program.module)
    kept = sorted(
        name
        for name in names
        if name in held and not is_small(held[name]) and not callable(held[name]) and not re.search(REMEMBERED, name.lower())
    )
    kept = [name for name in kept if not hasattr(held[name], "__len__") or len(held[name]) <= MOST_PARTS]
    return (lambda: [held.get(name) for name in kept]) if kept else None


def _base(node: ast.expr) -> set[str]:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def holds_state(function: Function) -> bool:
    """Whether an argument may hold the position: one is called so, or the object itself is one."""
    return bool(function.owner) or any(re.search(NAMES["state"], spelled(name)) for name in function.arguments) or any(
        not re.search("|".join(NAMES.values()), spelled(name)) for name in function.arguments
    )  # fmt: skip
