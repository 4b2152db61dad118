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

from engine.checker.discovery.argument_facts import (
    annotated_tuple,
    can_be_indexed,
    has_hooks,
    is_indexed,
    is_kind_of,
    is_program_object,
    is_truth_tested,
    required_arguments,
    set_attributes,
    used_attributes,
    vary_one_at_a_time,
)
from engine.checker.discovery.board_templates import ArgumentUse, collect_use
from engine.checker.discovery.depth_limit import counts_up
from engine.checker.discovery.expressions import CannotClose, ExpressionCloser, ProjectNames
from engine.checker.discovery.position_finder import PositionFinder
from engine.checker.discovery.project import Project, ProjectModule, ProjectSearch
from engine.checker.discovery.search_finder import ProgramFunction
from engine.checker.discovery.side_values import SideChooser
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case
from engine.checker.sandbox.import_stubs import PROGRAM_MARK, AbsorbingStub
from engine.checker.sandbox.loader import LoadedProgram
from engine.checker.stand_ins.pacman_stub import find_state_texts

MAX_TEXT_PIECES = 4  # different characters on a board in a text
TRIED_DEPTHS = (4, 3, 2)  # tried in this order while the search is too large
MAX_CALLS_PER_FUNCTION = 10
MAX_STATES = 5  # candidates for an argument that holds a position
MAX_CALL_SITES = 6
MAX_NESTED_TEXTS = 7  # objects and arguments that are made for others
MAX_TEXTS = 12  # for one object or argument
MAX_LOADED_MODULES = 40
MIN_CALLED_METHODS = 2  # of an argument that may be an object of a package
SETTER_PATTERN = r"^(set|init|reset|start|new|setup|begin|prepare|create|make|load|fill)"
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
        self.sides = SideChooser(self.names, self.use_of)
        self.positions = PositionFinder(self)
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
        for picked in vary_one_at_a_time([owners, *choices]):
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
            given = itertools.chain(
                self._constructor_calls(kinds.__name__, is_own=False),
                self._choose_constructor_arguments(kinds),
                self._constructor_calls(kinds.__name__, is_own=True),  # a position after a move is made from another one
            )
            for arguments in given:
                if self._works(text := f"{called}({arguments})"):
                    yield text

    def _choose_constructor_arguments(self, kind: type) -> Iterator[str]:
        """Yield arguments for the constructor of a class."""
        found = self._find_method(kind, "__init__")
        if found is None:
            yield ""
            return
        choices = [self.choose_argument(*found, argument, TRIED_DEPTHS[0])[:3] for argument in required_arguments(found[1])]
        for picked in itertools.islice(vary_one_at_a_time(choices), 6):
            yield ", ".join(picked)

    def _iterate_prepared(self, texts: list[str], module: ProjectModule, name: str) -> Iterator[str]:
        """Yield objects after a call of a method that sets attributes which the constructor leaves out."""
        own = [function for function in module.functions.values() if function.owner == name]
        made = {attribute for function in own if function.plain_name == "__init__" for attribute in set_attributes(function)}
        for function in own:
            if re.search(SETTER_PATTERN, function.plain_name.lower()) and set_attributes(function) - made:
                choices = [
                    self.choose_argument(module, function, one, TRIED_DEPTHS[0])[:2] for one in required_arguments(function)
                ]
                for picked in itertools.islice(vary_one_at_a_time(choices), 2):
                    yield f"(lambda made: (made.{function.plain_name}({', '.join(picked)}), made)[1])({texts[0]})"

    def _concrete_classes(self, module: ProjectModule, kind: type) -> list[tuple[ProjectModule, type]]:
        """Return a class and the classes of its kind. If it has hooks to fill in, these come first."""
        below = [
            (home, value)
            for home in self.modules
            for name, value in [*vars(self.names.load(home) or ModuleType("")).items()]
            if inspect.isclass(value)
            and value is not kind
            and is_kind_of(value, kind)
            and value.__module__ == self.loaded_name(home)
        ]
        own = [(module, kind)] if is_program_object(kind) else []
        if inspect.isabstract(kind):
            return below[:3]
        return [*below[:3], *own] if has_hooks(module, kind.__name__) else [*own, *below[:2]]

    def loaded_name(self, module: ProjectModule) -> str:
        return getattr(self.names.load(module), "__name__", "")

    def _find_method(self, kind: type, name: str) -> tuple[ProjectModule, ProgramFunction] | None:
        """Return the method that a class has or inherits, if it is written in the project."""
        for base in kind.__mro__:
            for module in self.modules:
                function = module.functions.get(f"{base.__name__}.{name}")
                if function is not None and base.__module__ == self.loaded_name(module):
                    return module, function
        return None

    def _constructor_calls(self, name: str, is_own: bool) -> Iterator[str]:
        """Yield the arguments of calls of a class in the project, closed: those in its own methods, or all others."""
        fitting = (
            (module, function, call)
            for module, function, call in self.calls_of({name})
            if (function is not None and function.owner == name) == is_own
        )
        for module, function, call in itertools.islice(fitting, MAX_CALL_SITES):
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
        called_with = [text for text in self._called_with(function, name) if self.fits(module, function, name, text)]
        if is_depth and not self._is_used_as_object(function, name):
            starts_at_zero = self._is_depth(name) and counts_up(function, name)
            small = [text for text in called_with if _is_small_number(text, depth) and not self._is_depth(name)]
            yield from [*small, "0" if starts_at_zero else str(depth)]
            return
        yield from called_with
        annotated = self._annotated_class(module, function, name)
        if annotated is not None:
            yield from self.object_texts(*annotated)
        if (pair := annotated_tuple(function, name)) is not None:
            yield pair
        if re.search(TIME_PATTERN, word):
            is_called = self.use_of(module, function, name).is_called or word.endswith("left")
            yield "lambda: 1000000.0" if is_called else "__import__('time').time() + 1000000"
            return
        if re.search(ROLE_PATTERNS["alpha"], word) and not self._is_used_as_object(function, name):
            yield "-inf"
            return
        if re.search(ROLE_PATTERNS["beta"], word) and not self._is_used_as_object(function, name):
            yield "inf"
            return
        if not re.search(ROLE_PATTERNS["state"], word) and (
            re.search(ROLE_PATTERNS["side"], word) or is_truth_tested(function, name)
        ):
            yield from (side.text for side in self.sides.choose_sides(module, function, name))
            yield from (repr(value) for value, _ in self.use_of(module, function, name).compared.most_common(4))
            if not self._is_used_as_object(function, name):
                return
        use = self.use_of(module, function, name)
        if use.is_plain and (len(use.compared) > 1 or not re.search(ROLE_PATTERNS["state"], word)):
            yield from (repr(value) for value, _ in use.compared.most_common(3))
            yield from ("1", "0") if use.is_number else ()
            return
        held = vars(self.names.load(module) or ModuleType("")).get(name)
        if held is not None and not callable(held) and not isinstance(held, (AbsorbingStub, ModuleType)):
            yield self.names.qualify(module, name)
        yield from self._iterate_package_objects(module, use)
        yield from self.positions.choose_states(module, function, name)
        yield from find_state_texts(use.called)

    def _iterate_package_objects(self, module: ProjectModule, use: ArgumentUse) -> Iterator[str]:
        """Yield objects of imported packages that have every method which the program calls on an argument: `chess.Board()`."""
        for name, held in list(vars(self.names.load(module) or ModuleType("")).items()):
            is_package = isinstance(held, ModuleType) and PROGRAM_MARK not in vars(held) and "." not in name
            if not is_package or getattr(held, "__name__", "") in sys.stdlib_module_names or len(use.called) < MIN_CALLED_METHODS:
                continue
            for kind, value in list(vars(held).items()):
                is_state = isinstance(value, type) and re.search(ROLE_PATTERNS["state"], to_snake_case(kind)) is not None
                if is_state and use.called <= set(dir(value)):
                    yield f"{name}.{kind}()"

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

    def fits(self, module: ProjectModule, function: ProgramFunction, name: str, text: str) -> bool:
        """Return True if an expression can be evaluated and has what the function uses of it."""
        try:
            value = self.names.evaluate(text)
        except (Exception, SystemExit):
            return False
        if value is None or isinstance(value, (AbsorbingStub, ModuleType)):
            return False
        if not all(hasattr(value, attribute) for attribute in used_attributes(function, name)):
            return False
        use = self.use_of(module, function, name)
        if use.is_text:
            return isinstance(value, (str, list, tuple)) and len(set(map(repr, value))) <= MAX_TEXT_PIECES
        return can_be_indexed(value, use.index_levels)

    def count_fitting(self, module: ProjectModule, function: ProgramFunction, name: str, text: str) -> int:
        """Return how many of the used attributes an object of the program has. It is 0 if it has less than half of them."""
        used = self.use_of(module, function, name).attributes
        try:
            value = self.names.evaluate(text)
        except (Exception, SystemExit):
            return 0
        held = sum(hasattr(value, attribute) for attribute in used) if is_program_object(type(value)) else 0
        return held if 2 * held >= len(used) else 0

    def use_of(self, module: ProjectModule, function: ProgramFunction, name: str) -> ArgumentUse:
        key = (module.name, function.name, name)
        if key not in self.uses:
            self.uses[key] = collect_use(function, name, self.functions)
        return self.uses[key]

    def _is_used_as_object(self, function: ProgramFunction, name: str) -> bool:
        """Return True if an argument called a or b is used as an object, not as a number."""
        return bool(used_attributes(function, name)) or is_indexed(function, name)


def _is_small_number(text: str, limit: int) -> bool:
    return text.isdigit() and int(text) <= limit
