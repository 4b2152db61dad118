"""Make calls of a search from the project's own data.

The sources are the calls of the search in the project, globals, results of functions, objects of classes, boards that other
functions start with, and at last empty boards of the usual kinds. Every argument is an expression in the namespace of the
module that has the search, so that a call that was tried can also be typed after `--call`.
"""

import ast
import inspect
import itertools
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from engine.checker.discovery.board_templates import ArgumentUse, collect_use, iterate_boards
from engine.checker.discovery.depth_limit import counts_up
from engine.checker.discovery.expressions import CannotClose, ExpressionCloser, ProjectNames
from engine.checker.discovery.project import Project, ProjectModule, ProjectSearch
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case
from engine.checker.recording.state_encoding import is_simple_value
from engine.checker.sandbox.import_stubs import AbsorbingStub
from engine.checker.sandbox.loader import DefinitionsLoader, LoadedProgram

TRIED_DEPTHS = (4, 3, 2)  # tried in this order while the search is too large
MAX_CALLS_PER_FUNCTION = 10
MAX_STATES = 5  # candidates for an argument that holds a position
MAX_CALL_SITES = 6
MAX_NEAR_STATES = 2  # objects that lack an attribute
MAX_REPAIRS = 3  # calls with a prepared object
MAX_NESTED_TEXTS = 7  # objects and arguments that are made for others
MAX_TEXTS = 12  # for one object or argument
MAX_LOADED_MODULES = 40
FACTORY_PATTERN = (
    r"^(create|make|new|init|initial|initiali[sz]e|empty|start|build|setup|reset|default|generate|get_?(initial|start|empty|new))"
)
SETTER_PATTERN = r"^(set|init|reset|start|new|setup|begin|prepare|create|make|load|fill)"
STATE_PATTERN = ROLE_PATTERNS["state"] + r"|juego|jogo|spiel|partie|tic|ttt|connect|othello|plansza|campo"
TIME_PATTERN = r"time|deadline|clock|millis|timeout"
LIMIT_PATTERN = r"limit|max_?depth|difficulty|^k$|globina|diff"
INFINITY = float("inf")


class EntryPoint(NamedTuple):
    """One way to start the search."""

    text: str  # the call as text
    run: Callable[[], Any]
    own: bool  # the run ends after its first search
    guessed: bool = False
    call: str = ""  # an expression that can be typed after --call
    at_depth: Callable[[int], "EntryPoint"] | None = None  # the same call with another depth
    script: str = ""  # the script that it runs; if it does not reach the search in time, other ways to run it are skipped


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

    text: str
    value: Any


class ArgumentSynthesizer:
    """Makes arguments from the project: its calls, its globals, what its functions return, objects of its classes."""

    def __init__(self, program: LoadedProgram, project: Project, search: ProjectSearch):
        self.module = program.module
        self.project = project
        self.search = search
        self.home = search.module
        self.names = ProjectNames(program, project, search.module)
        self.searching = {search.module.functions[name].plain_name for name in search.found.functions}
        self.closer = ExpressionCloser(self.names, self._object_text, self._argument_text, self.searching)
        self.making: list[str] = []  # classes and arguments that are being made
        self.made: dict[str, list[str]] = {}
        self.uses: dict[tuple[str, str, str], ArgumentUse] = {}
        self._modules: list[ProjectModule] | None = None
        self._functions: dict[str, ProgramFunction] | None = None

    @property
    def needed_modules(self) -> list[ProjectModule]:
        """Return the modules that a start may need: that of the search, what it imports, what leads to it."""
        leading = [caller.module for caller in self.search.callers]
        reached = [other for module in (self.home, *leading) for other in self.project.reached_from(module)]
        return list({module.path: module for module in (self.home, *reached)}.values())[:MAX_LOADED_MODULES]

    @property
    def modules(self) -> list[ProjectModule]:
        """Return those of the needed modules that can be loaded."""
        if self._modules is None:
            self._modules = [module for module in self.needed_modules if self.names.load(module) is not None]
        return self._modules

    @property
    def functions(self) -> dict[str, ProgramFunction]:
        """Return the functions of all these modules. Those of the module of the search come first."""
        if self._functions is None:
            self._functions = {
                f"{module.name}.{name}": function for module in self.modules for name, function in module.functions.items()
            }
        return self._functions

    # ---- calls

    def iterate_calls(self, name: str, module: ProjectModule | None = None, own: bool = False) -> Iterator[EntryPoint]:
        """Yield calls of a function with different arguments, the most probable first."""
        module = module or self.home
        function = module.functions[name]
        if "." in name and not function.owner:
            return  # a closure cannot be called from outside
        yielded: set[str] = set()
        for call in itertools.islice(self._iterate_texts(module, function, TRIED_DEPTHS[0]), 3 * MAX_CALLS_PER_FUNCTION):
            if call not in yielded and len(yielded) < MAX_CALLS_PER_FUNCTION:
                yield self._entry_point(module, function, call, own)
            yielded.add(call)

    def _entry_point(self, module: ProjectModule, function: ProgramFunction, call: str, own: bool) -> EntryPoint:
        def at_depth(depth: int) -> EntryPoint:
            usual, other = ([*self._iterate_texts(module, function, one)] for one in (TRIED_DEPTHS[0], depth))
            place = usual.index(call) if call in usual else len(other)
            return self._entry_point(module, function, other[place] if place < len(other) else call, own)

        has_depth = any(self._is_depth(name) for name in required_arguments(function))
        run = partial(self.names.evaluate, call)
        return EntryPoint(call, run, own, True, call, at_depth if has_depth else None)

    def _is_depth(self, name: str) -> bool:
        return re.search(ROLE_PATTERNS["depth"], to_snake_case(name)) is not None

    def _iterate_texts(self, module: ProjectModule, function: ProgramFunction, depth: int) -> Iterator[str]:
        """Yield the texts of calls with different arguments."""
        owners = self._owner_texts(module, function)
        choices = [
            self.choose_argument(module, function, argument, depth)[:MAX_STATES] for argument in required_arguments(function)
        ]
        if not owners or not all(choices):
            return
        for picked in _vary_one_at_a_time([owners, *choices]):
            owner, *arguments = picked
            yield f"{owner}({', '.join(arguments)})"

    def _owner_texts(self, module: ProjectModule, function: ProgramFunction) -> list[str]:
        """Return texts for the function itself: a name, or an attribute of objects of its class."""
        if not function.owner:
            return [self.names.qualify(module, function.plain_name)]
        name = function.plain_name
        if name.startswith("__") and not name.endswith("__"):
            name = f"_{function.owner.lstrip('_')}{name}"
        if any(getattr(decorator, "id", "") in ("staticmethod", "classmethod") for decorator in function.node.decorator_list):
            return [f"{self.names.qualify(module, function.owner)}.{name}"]
        texts = [f"{text}.{name}" for text in self.object_texts(module, function.owner)]
        if function.plain_name == "__init__":
            return [self.names.qualify(module, function.owner)]
        return texts

    # ---- prepared objects

    def iterate_repairs(self, start: EntryPoint, error: AttributeError) -> Iterator[EntryPoint]:
        """Yield a call again with its object prepared: the missing attribute is set by a method of its class, or directly."""
        kind, attribute = type(error.obj), error.name or ""
        module = next((one for one in self.modules if self._loaded_name(one) == kind.__module__), None)
        text = self._find_part(start.call, kind)
        if module is None or not text or not attribute.isidentifier():
            return
        for prepared in itertools.islice(self._iterate_set(text, module, kind.__name__, attribute), MAX_REPAIRS):
            call = ast.unparse(_PartReplacer(text, prepared).visit(ast.parse(start.call, mode="eval")))
            yield start._replace(text=call, call=call, run=partial(self.names.evaluate, call), at_depth=None)

    def _find_part(self, call: str, kind: type) -> str:
        """Return the text of the first part of a call that is an object of a class, or ""."""
        for node in ast.walk(ast.parse(call, mode="eval").body):
            if isinstance(node, (ast.Call, ast.Name, ast.Attribute)):
                try:
                    if type(self.names.evaluate(ast.unparse(node))) is kind:
                        return ast.unparse(node)
                except (Exception, SystemExit):  # noqa: S112 - the program's own functions may raise anything
                    continue
        return ""

    def _iterate_set(self, text: str, module: ProjectModule, owner: str, attribute: str) -> Iterator[str]:
        """Yield texts for an object whose attribute is set."""
        for function in module.functions.values():
            is_setter = function.owner == owner and attribute in _set_attributes(function)
            if is_setter and function.plain_name != "__init__" and function.plain_name not in self.searching:
                choices = [
                    self.choose_argument(module, function, one, TRIED_DEPTHS[0])[:2] for one in required_arguments(function)
                ]
                for picked in itertools.islice(_vary_one_at_a_time(choices), 2):
                    yield f"(lambda made: (made.{function.plain_name}({', '.join(picked)}), made)[1])({text})"
        called = {node.func.attr for one in self.functions.values() for node in ast.walk(one.node)
                  if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}  # fmt: skip
        for value in ("1", "None", "[]") if attribute not in called else ():
            yield f"(lambda made: (setattr(made, {attribute!r}, {value}), made)[1])({text})"

    # ---- objects

    def _object_text(self, module: ProjectModule, name: str) -> str:
        """Return the text for an object of a class. Raise CannotClose if none can be made."""
        texts = self.object_texts(module, name)
        if not texts:
            raise CannotClose(name)
        return texts[0]

    def object_texts(self, module: ProjectModule, name: str) -> list[str]:
        """Return texts for objects of a class: globals, calls of the constructor as in the project, or with made arguments."""
        texts = self._make_once(f"{module.name}.{name}", lambda: self._iterate_object_texts(module, name))[:MAX_STATES]
        if not texts or self.making:
            return texts
        prepared = self._make_once(f"{module.name}.{name} prepared", lambda: self._iterate_prepared(texts, module, name))
        return [*texts[:3], *(text for text in prepared if self._works(text)), *texts[3:]]

    def _make_once(self, key: str, make: Callable[[], Iterator[str]]) -> list[str]:
        """Return made texts. What is needed to make itself gets none. The texts of an outermost question are remembered."""
        if key in self.making or len(self.making) >= MAX_NESTED_TEXTS:
            return []
        if key in self.made:
            return self.made[key]
        self.making.append(key)
        try:
            texts = list(dict.fromkeys(itertools.islice(make(), MAX_TEXTS)))
        finally:
            self.making.pop()
        if texts or not self.making:
            self.made[key] = texts
        return texts

    def _iterate_object_texts(self, module: ProjectModule, name: str) -> Iterator[str]:
        try:
            kind = self.names.value(module, name)
        except KeyError:
            return
        if not inspect.isclass(kind):
            return
        for home, kinds in self._concrete_classes(module, kind):
            for held, value in [*vars(self.names.load(home) or ModuleType("")).items()]:
                if type(value) is kinds and self._works(text := self.names.qualify(home, held)):
                    yield text
            called = self.names.qualify(home, kinds.__name__)
            for arguments in self._constructor_calls(kinds.__name__):
                if self._works(text := f"{called}({arguments})"):
                    yield text
            found = self._find_method(kinds, "__init__")
            if found is None:
                if self._works(f"{called}()"):
                    yield f"{called}()"
                continue
            choices = [self.choose_argument(*found, argument, TRIED_DEPTHS[0])[:3] for argument in required_arguments(found[1])]
            for picked in itertools.islice(_vary_one_at_a_time(choices), 6):
                if self._works(text := f"{called}({', '.join(picked)})"):
                    yield text

    def _iterate_prepared(self, texts: list[str], module: ProjectModule, name: str) -> Iterator[str]:
        """Yield objects after a call of a method that sets attributes which the constructor leaves out."""
        own = [function for function in module.functions.values() if function.owner == name]
        made = {attribute for function in own if function.plain_name == "__init__" for attribute in _set_attributes(function)}
        for function in own:
            if re.search(SETTER_PATTERN, function.plain_name.lower()) and _set_attributes(function) - made:
                choices = [
                    self.choose_argument(module, function, one, TRIED_DEPTHS[0])[:2] for one in required_arguments(function)
                ]
                for picked in itertools.islice(_vary_one_at_a_time(choices), 2):
                    yield f"(lambda made: (made.{function.plain_name}({', '.join(picked)}), made)[1])({texts[0]})"

    def _concrete_classes(self, module: ProjectModule, kind: type) -> list[tuple[ProjectModule, type]]:
        """Return a class and the classes that inherit from it. If it has hooks to fill in, these come first."""
        below = [
            (home, value)
            for home in self.modules
            for name, value in [*vars(self.names.load(home) or ModuleType("")).items()]
            if inspect.isclass(value)
            and value is not kind
            and issubclass(value, kind)
            and value.__module__ == self._loaded_name(home)
        ]
        own = [(module, kind)] if is_program_object(kind) else []
        if inspect.isabstract(kind):
            return below[:3]
        return [*below[:3], *own] if _has_hooks(module, kind.__name__) else [*own, *below[:2]]

    def _loaded_name(self, module: ProjectModule) -> str:
        return getattr(self.names.load(module), "__name__", "")

    def _find_method(self, kind: type, name: str) -> tuple[ProjectModule, ProgramFunction] | None:
        """Return the method that a class has or inherits, if it is written in the project."""
        for base in kind.__mro__:
            for module in self.modules:
                function = module.functions.get(f"{base.__name__}.{name}")
                if function is not None and base.__module__ == self._loaded_name(module):
                    return module, function
        return None

    def _constructor_calls(self, name: str) -> Iterator[str]:
        """Yield the arguments of calls of a class in the project, closed."""
        for module, function, call in itertools.islice(self.calls_of({name}), MAX_CALL_SITES):
            try:
                yield self._close_arguments(module, function, call)
            except CannotClose:
                continue

    def _works(self, text: str) -> bool:
        """Return True if an expression can be evaluated."""
        try:
            return not isinstance(self.names.evaluate(text), (AbsorbingStub, type(None)))
        except (Exception, SystemExit):
            return False

    # ---- calls in the project

    def calls_of(self, names: set[str]) -> Iterator[tuple[ProjectModule, ProgramFunction | None, ast.Call]]:
        for module in self.modules:
            for function, call in module.iterate_calls():
                called = getattr(call.func, "id", getattr(call.func, "attr", ""))
                if called in names and not any(isinstance(value, ast.Starred) for value in call.args):
                    yield module, function, call

    def _close_arguments(self, module: ProjectModule, function: ProgramFunction | None, call: ast.Call) -> str:
        parts = [self.closer.close(value, module, function) for value in call.args]
        parts += [
            f"{keyword.arg}={self.closer.close(keyword.value, module, function)}" for keyword in call.keywords if keyword.arg
        ]
        return ", ".join(parts)

    def _called_with(self, function: ProgramFunction, name: str) -> Iterator[str]:
        """Yield the closed texts that an argument has in calls from outside the search."""
        places = function.arguments
        names = {function.owner} if function.plain_name == "__init__" else {function.plain_name}
        found = 0
        for module, caller, call in self.calls_of(names):
            if caller is not None and caller.plain_name in self.searching:
                continue
            given = dict(zip(places, call.args, strict=False)) | {one.arg: one.value for one in call.keywords if one.arg}
            if name in given and found < MAX_CALL_SITES:
                found += 1
                try:
                    yield self.closer.close(given[name], module, caller)
                except (CannotClose, RecursionError, SyntaxError):
                    continue

    def make_arguments(self, module: ProjectModule, function: ProgramFunction) -> dict[str, Any]:
        """Return values for all arguments of a function, `self` too. What cannot be made is None."""
        made: dict[str, Any] = {}
        listed = function.node.args
        for argument in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs):
            name = argument.arg
            is_self = bool(function.owner) and name in ("self", "this")
            texts = (
                self.object_texts(module, function.owner)
                if is_self
                else self.choose_argument(module, function, name, TRIED_DEPTHS[0])
            )
            made[name] = self.names.evaluate(texts[0]) if texts else None
        return made

    def _argument_text(self, module: ProjectModule, function: ProgramFunction, name: str) -> str:
        """Return the text for an argument of a function around a call. Raise CannotClose if there is none."""
        texts = self.choose_argument(module, function, name, TRIED_DEPTHS[0])
        if not texts:
            raise CannotClose(name)
        return texts[0]

    # ---- arguments

    def choose_argument(self, module: ProjectModule, function: ProgramFunction, name: str, depth: int) -> list[str]:
        """Return texts for an argument, the most probable first."""
        key = f"{module.name}.{function.name}({name}) at {depth}"
        return self._make_once(key, lambda: self._iterate_arguments(module, function, name, depth))

    def _iterate_arguments(self, module: ProjectModule, function: ProgramFunction, name: str, depth: int) -> Iterator[str]:
        word = to_snake_case(name)
        is_depth = self._is_depth(name) or re.search(LIMIT_PATTERN, word) is not None
        called_with = [text for text in self._called_with(function, name) if self._fits(module, function, name, text)]
        if is_depth and not self._is_used_as_object(function, name):
            starts_at_zero = self._is_depth(name) and counts_up(function, name)
            small = [text for text in called_with if _is_small_number(text, depth) and not self._is_depth(name)]
            yield from [*small, "0" if starts_at_zero else str(depth)]
            return
        yield from called_with
        annotated = self._annotated_class(module, function, name)
        if annotated is not None:
            yield from self.object_texts(*annotated)
        if (pair := _annotated_tuple(function, name)) is not None:
            yield pair
        if re.search(TIME_PATTERN, word):
            is_called = self._use(module, function, name).is_called or word.endswith("left")
            yield "lambda: 1000000.0" if is_called else "__import__('time').time() + 1000000"
            return
        if re.search(ROLE_PATTERNS["alpha"], word) and not self._is_used_as_object(function, name):
            yield "-inf"
            return
        if re.search(ROLE_PATTERNS["beta"], word) and not self._is_used_as_object(function, name):
            yield "inf"
            return
        if not re.search(ROLE_PATTERNS["state"], word) and (
            re.search(ROLE_PATTERNS["side"], word) or _is_truth_tested(function, name)
        ):
            yield from (side.text for side in self._choose_sides(module, function, name))
            yield from (repr(value) for value, _ in self._use(module, function, name).compared.most_common(4))
            if not self._is_used_as_object(function, name):
                return
        use = self._use(module, function, name)
        if use.is_plain and (len(use.compared) > 1 or not re.search(ROLE_PATTERNS["state"], word)):
            yield from (repr(value) for value, _ in use.compared.most_common(3))
            yield from ("1", "0") if use.is_number else ()
            return
        held = vars(self.names.load(module) or ModuleType("")).get(name)
        if held is not None and not callable(held) and not isinstance(held, (AbsorbingStub, ModuleType)):
            yield self.names.qualify(module, name)
        yield from self._choose_states(module, function, name)

    def _annotated_class(self, module: ProjectModule, function: ProgramFunction, name: str) -> tuple[ProjectModule, str] | None:
        """Return the class that an annotation names."""
        listed = function.node.args
        for argument in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs):
            if argument.arg == name and argument.annotation is not None:
                words = re.findall(r"\w+", ast.unparse(argument.annotation))
                for word in words:
                    for home in (module, *self.modules):
                        kind = vars(self.names.load(home) or ModuleType("")).get(word)
                        if inspect.isclass(kind) and is_program_object(kind):
                            return home, word
        return None

    def _fits(self, module: ProjectModule, function: ProgramFunction, name: str, text: str) -> bool:
        """Return True if an expression can be evaluated and has what the function uses of it."""
        try:
            value = self.names.evaluate(text)
        except (Exception, SystemExit):
            return False
        if value is None or isinstance(value, (AbsorbingStub, ModuleType)):
            return False
        if not all(hasattr(value, attribute) for attribute in _used_attributes(function, name)):
            return False
        use = self._use(module, function, name)
        return _can_be_indexed(value, use.index_levels)

    def _count_fitting(self, module: ProjectModule, function: ProgramFunction, name: str, text: str) -> int:
        """Return how many of the used attributes an object of the program has. It is 0 if it has less than half of them."""
        used = self._use(module, function, name).attributes
        try:
            value = self.names.evaluate(text)
        except (Exception, SystemExit):
            return 0
        held = sum(hasattr(value, attribute) for attribute in used) if is_program_object(type(value)) else 0
        return held if 2 * held >= len(used) else 0

    def _use(self, module: ProjectModule, function: ProgramFunction, name: str) -> ArgumentUse:
        key = (module.name, function.name, name)
        if key not in self.uses:
            self.uses[key] = collect_use(function, name, self.functions)
        return self.uses[key]

    def _is_used_as_object(self, function: ProgramFunction, name: str) -> bool:
        """Return True if an argument called a or b is used as an object, not as a number."""
        return bool(_used_attributes(function, name)) or _is_indexed(function, name)

    # ---- the side that maximizes

    def _choose_sides(self, module: ProjectModule, function: ProgramFunction, name: str) -> list[ArgumentValue]:
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
        marks = [value for value, _ in self._use(module, function, name).compared.most_common(1) if is_simple_value(value)]
        if marks and not isinstance(marks[0], bool) and not _is_truth_tested(function, name):
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
                    yield ArgumentValue(str(not negated), not negated), _is_maximizing_body(node.body)
                elif isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == name:
                    value = self._read_constant(module, test.comparators[0])
                    if value is not None and isinstance(test.ops[0], (ast.Eq, ast.Is)):
                        yield value, _is_maximizing_body(node.body)

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

    # ---- a position

    def _choose_states(self, module: ProjectModule, function: ProgramFunction, name: str) -> Iterator[str]:
        """Yield positions to start with: globals, results of functions, objects of classes, boards that others start with."""
        near: dict[str, int] = {}  # objects that lack something, with the number of attributes that they have
        for text in itertools.chain(self._iterate_positions(module), self._iterate_assigned(name)):
            if self._fits(module, function, name, text):
                yield text
            elif held := self._count_fitting(module, function, name, text):
                near[text] = held
        yield from sorted(near, key=lambda text: -near[text])[:MAX_NEAR_STATES]  # the program may have forgotten an attribute
        use = self._use(module, function, name)
        for text in itertools.islice(iterate_boards(use, vars(self.module), self.home.tree), 12):
            if self._fits(module, function, name, text):
                yield text

    def _iterate_assigned(self, name: str) -> Iterator[str]:
        """Yield values that are assigned elsewhere to the argument's name, or to the name of a position.

        Examples: `board = [" "] * 9` in main, `self.board = …` in a window.
        """
        assigned = [
            (getattr(node.targets[0], "attr", getattr(node.targets[0], "id", "")), node.value, module, function)
            for module in self.modules
            for function in (*module.functions.values(), None)
            for node in (_statements_of(function.node) if function is not None else _statements_of(module.tree))
            if isinstance(node, ast.Assign) and not isinstance(node.value, (ast.Constant, ast.Name))
        ]
        called_so = [one for one in assigned if one[0] == name]
        others = [one for one in assigned if one[0] != name and re.search(STATE_PATTERN, to_snake_case(one[0]))]
        for _, value, module, function in (*called_so[:8], *others[:8]):
            try:
                text = self.closer.close(value, module, function)
                made = self.names.evaluate(text)
            except (Exception, SystemExit):  # noqa: S112 - the program's own functions may raise anything
                continue
            if not is_simple_value(made) and not callable(made) and (not hasattr(made, "__len__") or len(made)):
                yield text

    def _iterate_positions(self, module: ProjectModule) -> Iterator[str]:
        homes = list({one.path: one for one in (self.home, module, *self.modules)}.values())
        for home in homes:
            yield from self._iterate_held_positions(home)
        for home in homes:
            yield from self._iterate_made_positions(home)
        for home in homes:
            yield from self._iterate_object_positions(home)

    def _iterate_held_positions(self, home: ProjectModule) -> Iterator[str]:
        held = [
            (name, value) for name, value in [*vars(self.names.load(home) or ModuleType("")).items()] if not name.startswith("__")
        ]
        things = [(name, value) for name, value in held if not callable(value) and not inspect.ismodule(value)]
        things = [(name, value) for name, value in things if not isinstance(value, AbsorbingStub)]
        named = [
            (name, value)
            for name, value in things
            if re.search(STATE_PATTERN, name.lower()) and not isinstance(value, (int, float))
        ]
        yield from (self.names.qualify(home, name) for name, _ in named)
        yield from (self.names.qualify(home, name) for name, value in things if _is_board_like(value) and not name.isupper())
        for name, value in named:
            for attribute, inner in getattr(value, "__dict__", {}).items():
                if re.search(STATE_PATTERN, attribute.lower()) and not is_simple_value(inner) and attribute.isidentifier():
                    yield f"{self.names.qualify(home, name)}.{attribute}"

    def _iterate_made_positions(self, home: ProjectModule) -> Iterator[str]:
        """Yield calls of functions that make a board."""
        held = [*vars(self.names.load(home) or ModuleType("")).items()]
        makers = [
            name
            for name, value in held
            if inspect.isfunction(value) and is_program_object(value) and _is_callable_without_arguments(value)
        ]
        made = [name for name in makers if re.search(FACTORY_PATTERN, name.lower())]
        named_after = [name for name in makers if re.search(STATE_PATTERN, name.lower()) and name not in made]
        for name in (*made, *named_after):
            if name not in self.searching and not name.startswith("__"):
                yield f"{self.names.qualify(home, name)}()"

    def _iterate_object_positions(self, home: ProjectModule) -> Iterator[str]:
        """Yield objects of classes, and the boards in them."""
        held = [*vars(self.names.load(home) or ModuleType("")).items()]
        kinds = [
            name
            for name, value in held
            if inspect.isclass(value) and is_program_object(value) and value.__module__ == self._loaded_name(home)
        ]
        for name in sorted(kinds, key=lambda name: not re.search(STATE_PATTERN, name.lower()))[:12]:
            for text in self.object_texts(home, name)[:2]:
                yield text
                try:
                    inner = getattr(self.names.evaluate(text), "__dict__", {})
                except (Exception, SystemExit):  # noqa: S112 - it worked before, but may not do so again
                    continue
                for attribute, value in inner.items():
                    if re.search(STATE_PATTERN, attribute.lower()) and not is_simple_value(value) and attribute.isidentifier():
                        yield f"{text}.{attribute}"


class _PartReplacer(ast.NodeTransformer):
    """Replaces a part of an expression, given by its text."""

    def __init__(self, old: str, new: str):
        self.old = old
        self.new = new

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and ast.unparse(node) == self.old:
            return ast.parse(self.new, mode="eval").body
        return self.generic_visit(node)


def _annotated_tuple(function: ProgramFunction, name: str) -> str | None:
    """Return zeros for an argument that is annotated as a tuple of whole numbers, such as two bitboards."""
    listed = function.node.args
    for argument in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs):
        if argument.arg == name and argument.annotation is not None:
            found = re.fullmatch(r"(?:[Tt]uple\[)?\(?(int(?:, int)+)\)?\]?", ast.unparse(argument.annotation))
            return f"({', '.join('0' for _ in found[1].split(', '))})" if found else None
    return None


def _set_attributes(function: ProgramFunction) -> set[str]:
    """Return the attributes of its object that a method sets."""
    return {
        node.attr
        for node in ast.walk(function.node)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and getattr(node.value, "id", "") == "self"
    }


def _statements_of(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a scope, without those of functions and classes inside."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef, ast.expr)):
            yield child
            yield from _statements_of(child)


def _vary_one_at_a_time(choices: list[list[str]]) -> Iterator[list[str]]:
    """Yield the first of every list, then with another one in one place after the other."""
    if not all(choices):
        return
    first = [texts[0] for texts in choices]
    yield first
    for number in range(1, max((len(texts) for texts in choices), default=0)):
        for place, texts in enumerate(choices):
            if number < len(texts):
                yield [*first[:place], texts[number], *first[place + 1 :]]


def _is_small_number(text: str, limit: int) -> bool:
    return text.isdigit() and int(text) <= limit


def _has_hooks(module: ProjectModule, name: str) -> bool:
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


def _is_callable_without_arguments(function: Any) -> bool:
    """Return True if it can be called without arguments."""
    parameters = inspect.signature(function).parameters.values()
    return all(one.default is not one.empty or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters)


def _is_maximizing_body(body: list[ast.stmt]) -> bool:
    """Return True if the statements look for the largest value: max(...), a start at minus infinity, a name."""
    text = " ".join(ast.unparse(statement) for statement in body[:6])
    low = re.search(r"max\(|maxi|= -?\(?-|float\('-inf'\)|max_", text)
    high = re.search(r"\bmin\(|mini|= float\('inf'\)|= (math\.|np\.)?inf\b|= \d{2,}|min_", text)
    if low and high:
        return low.start() < high.start()
    return bool(low)


def _is_board_like(value: Any) -> bool:
    """Return True if a value looks like a board: rows of cells."""
    if not hasattr(value, "__len__") or isinstance(value, (str, dict)) or not 3 <= len(value) <= 400:
        return False
    return getattr(value, "ndim", 0) == 2 or (isinstance(value, list) and len({str(type(part)) for part in value}) == 1)


def _can_be_indexed(value: Any, levels: int) -> bool:
    """Return True if a value can be indexed: twice for a grid, unless it is empty or an object with its own rules."""
    if not levels:
        return True
    if not hasattr(value, "__getitem__") or isinstance(value, type):
        return False
    if levels > 1 and isinstance(value, (list, tuple)):
        return bool(value) and hasattr(value[0], "__getitem__")
    return True


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
