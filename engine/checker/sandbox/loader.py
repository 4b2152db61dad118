"""Load a student's program without running it.

Definitions, imports and assignments are kept. Statements that would start a game, ask for input or open a window are moved
into a function that can still be run (`SCRIPT_NAME`). An assignment or import that fails binds its names to a stub, and
`LoadedProgram.notes` says so. Nothing else is changed: functions run as they were written.
"""

import __future__

import ast
import builtins
import importlib.util
import os
import re
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.checker.recording.program_clock import CLOCK
from engine.checker.sandbox import python2
from engine.checker.sandbox.import_stubs import PROGRAM_MARK, AbsorbingStub, StubFinder
from engine.checker.sandbox.missing_imports import add_missing_imports
from engine.checker.stand_ins.pacman_stub import PACMAN_MODULES
from engine.checker.stand_ins.pygame_stub import PYGAME_MODULES
from engine.checker.stand_ins.small_packages import SMALL_PACKAGES
from engine.checker.stand_ins.tkinter_stub import TKINTER_MODULES
from engine.core.errors import PlyscopeError

SCRIPT_NAME, CALL_NAME = "__plyscope_script__", "__plyscope_call__"  # functions added to the module
FAILURE_NAME, ABSORBING_NAME = PROGRAM_MARK, "__plyscope_absorbing__"
BUILDER_PATTERN = (  # methods that fill or link existing objects
    r"^(append|extend|insert|update|setdefault|sort|fill|reverse|remove|pop|seed|put|push|set|link|connect|attach)(_|$|[A-Z])"
    r"|^(add|agreg|anad|ajout|adicion|hinzu|aggiung|toevoeg|dodaj)"
)
CONFIGURED_MODULES = {"sys", "random", "np", "numpy", "math", "warnings", "os", "logging"}
SCREEN_COMMANDS = frozenset({"clear", "cls", "color", "mode", "reset", "title"})
MAX_SOURCE_BYTES = 2_000_000
MAX_ERROR_CHARS = 200  # characters of an error of the program


class CannotLoad(PlyscopeError):
    """A program that is not valid Python 3, or cannot be read."""


class NeedsInput(Exception):
    """The program asked its user for input."""


@dataclass
class ProjectLayout:
    """Where the modules of a project are, and which of their functions are decorated."""

    root: Path
    folders: list[Path]  # searched for modules, in this order
    decorated: dict[Path, dict[int, str]] = field(default_factory=dict)  # file -> line of a `def` -> name
    is_python2: bool = False

    def module_name(self, path: Path) -> str:
        """Return the name of a file as a module: its path below the root."""
        parts = path.relative_to(self.root).with_suffix("").parts if path.is_relative_to(self.root) else (path.stem,)
        return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


@dataclass
class LoadedProgram:
    """A student's file as a module."""

    path: Path
    tree: ast.Module
    module: ModuleType
    notes: list[str] = field(default_factory=list)  # failures while loading
    finders: tuple[MetaPathFinder, ...] = ()  # of its imports: files beside it, stand-ins for packages

    @property
    def stubs(self) -> list[str]:
        """Return the modules that were replaced by stubs."""
        return [name for finder in self.finders if isinstance(finder, StubFinder) for name in finder.used]

    @property
    def has_script(self) -> bool:
        """Return True if the program has statements that run something."""
        return hasattr(self.module, SCRIPT_NAME)


def parse_file(path: Path) -> ast.Module:
    """Return the syntax tree of a file. Raise CannotLoad if it cannot be read or has a syntax error."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise CannotLoad(f"{path.name} cannot be read: {error.strerror}") from None
    if len(source) > MAX_SOURCE_BYTES:
        raise CannotLoad(f"{path.name} has {len(source):,} bytes: at most {MAX_SOURCE_BYTES:,} are possible")
    try:
        return ast.parse(source, path.name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotLoad(_describe_syntax_error(path.name, source, error)) from None


def _describe_syntax_error(name: str, source: bytes, error: Exception) -> str:
    line = getattr(error, "lineno", None)
    message = getattr(error, "msg", None) or str(error)
    if "Missing parentheses in call to 'print'" in message or "Missing parentheses in call to 'exec'" in message:
        return f"{name} is written in Python 2 (line {line}): convert it first, for example with 2to3"
    if b"except " in source and ", e:" in source.decode(errors="replace"):
        return f"{name} seems to be written in Python 2 (line {line}: {message}): convert it first, for example with 2to3"
    return f"{name} has a syntax error{f' on line {line}' if line else ''}: {message}"


def load_program(
    path: Path,
    call: str | None = None,
    decorated: dict[int, str] | None = None,
    decorator: Any = None,
    layout: ProjectLayout | None = None,
) -> LoadedProgram:
    """Load the program as a module.

    `call` is an expression that becomes the function CALL_NAME. `decorated` maps the line of a `def` to a name: that function
    is decorated with `decorator(name)`. `layout` says where the other modules of its project are.
    """
    tree = parse_file(path)
    layout = layout or ProjectLayout(path.parent, [path.parent])
    if decorated:
        layout.decorated[path] = decorated
    finder = ProjectFinder(layout, path, _parse_call(call), decorator)
    finders = (finder, StubFinder({**PYGAME_MODULES, **TKINTER_MODULES, **SMALL_PACKAGES, **PACMAN_MODULES}))
    with installed_finders(finders), noninteractive_mode():
        try:
            module = importlib.util.module_from_spec(spec := finder.make_spec(layout.module_name(path), path))
            sys.modules[spec.name] = module
            assert spec.loader is not None  # noqa: S101 - made with one
            spec.loader.exec_module(module)
        except RecursionError as error:
            raise CannotLoad(f"{path.name} cannot be loaded: {format_error(error)}") from None
    return LoadedProgram(path, tree, module, finder.notes, finders)


def _parse_call(call: str | None) -> ast.expr | None:
    if call is None:
        return None
    try:
        return ast.parse(call, "--call", "eval").body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise CannotLoad(f"--call {call!r} is not a Python expression: {getattr(error, 'msg', error)}") from None


def format_error(error: BaseException) -> str:
    """Return the class of an error, and the beginning of its text if it has one."""
    try:
        text = str(error)[:MAX_ERROR_CHARS]
    except Exception:  # the program's own method
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


# ---- the definitions


class DefinitionsLoader(SourceLoader):
    """Runs the part of a file that only defines things."""

    def __init__(self, path: Path, finder: "ProjectFinder", call: ast.expr | None):
        self.path = path
        self.finder = finder
        self.call = call
        self.decorated = finder.layout.decorated.get(path, {})

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.finder.modules.get(self.path)  # a file is one module, whatever name it is imported by

    def get_filename(self, fullname: str) -> str:
        return str(self.path)

    def get_data(self, path: Any) -> bytes:
        return Path(path).read_bytes()

    def get_code(self, fullname: str) -> Any:  # does not use the bytecode cache
        tree = parse_file(self.path)
        if self.decorated:
            FunctionMaker().visit(tree)
            DecoratorInserter(self.decorated).visit(tree)
        OldNumpyConverter().visit(tree)
        for name in add_missing_imports(tree):
            self.finder.notes.append(f"{self.path.name} uses {name} without importing it: the import was added")
        if self.finder.layout.is_python2:
            python2.DivisionConverter().visit(tree)
        kept, script = split_statements(tree.body)
        if self.call is not None:
            kept += find_needed_statements(self.call, kept, script)
        added: list[ast.stmt] = [_make_function(SCRIPT_NAME, script)] if script else []
        if self.call is not None:
            added.append(_make_function(CALL_NAME, [ast.Return(self.call)]))
        tree.body = [*_guard_statements(kept), *added]
        flags = __future__.annotations.compiler_flag  # nothing needs them, and some cannot be evaluated: np.ndarray[6, 7]
        return compile(ast.fix_missing_locations(tree), str(self.path), "exec", flags)

    def _find_line(self, error: BaseException) -> int:
        """Return the last line of this file in the traceback of an error, or 0."""
        lines = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(self.path)]
        return lines[-1] if lines else 0

    def exec_module(self, module: ModuleType) -> None:
        if self.finder.modules.get(self.path) is module:
            return
        self.finder.modules[self.path] = module
        place = "" if self.path == self.finder.main else f"{self.path.name}, "
        names: dict[str, Any] = python2.make_names() if self.finder.layout.is_python2 else {}
        names[FAILURE_NAME] = lambda line, error: self.finder.notes.append(
            f"{place}line {self._find_line(error) or line}: {format_error(error)}"
        )
        names |= {ABSORBING_NAME: AbsorbingStub(), "inf": float("inf"), DECORATOR_NAME: self.finder.decorator}
        module.__dict__.update(names)
        try:
            super().exec_module(module)
        except BaseException:
            self.finder.modules.pop(self.path, None)
            raise


def split_statements(body: Sequence[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Split statements into definitions and actions, judged by the source."""
    kept: list[ast.stmt] = []
    script: list[ast.stmt] = []
    built: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.If) and _is_main_test(statement.test):
            kept += [part for part in statement.body if _is_star_import(part)]  # not possible in a function
            script += [part for part in statement.body if not _is_star_import(part)]
            kept += split_statements(statement.orelse)[0]
        elif isinstance(statement, ast.If):
            yes, no = split_statements(statement.body), split_statements(statement.orelse)
            script += yes[1] + no[1]
            if yes[0] or no[0]:
                kept.append(ast.copy_location(ast.If(statement.test, yes[0] or [ast.Pass()], no[0]), statement))
        elif _is_definition(statement, built):
            kept.append(statement)
            built |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        else:
            script.append(statement)
    return kept, script


def _is_star_import(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"


def find_needed_statements(call: ast.expr, kept: Sequence[ast.stmt], script: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a script that make the names in a call, such as a tree that is built in the main part.

    Names that the kept statements bind are left out.
    """
    known = {name for statement in kept for name in _bound_names(statement)} | set(dir(builtins))
    wanted = _names_in(call) - known
    chosen: list[ast.stmt] = []
    while more := [
        statement
        for statement in script
        if statement not in chosen and _is_definition(statement, wanted) and _changed_names(statement) & wanted
    ]:
        chosen += more
        wanted |= {name for statement in more for name in _names_in(statement)} - known
    return [statement for statement in script if statement in chosen]


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _changed_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds, or whose objects it changes."""
    targets = [
        part
        for part in ast.walk(statement)
        if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store)
    ]
    called = statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
    return _bound_names(statement).union(*(_names_in(part) for part in [*targets, *([called] if called is not None else [])]))


def _is_definition(statement: ast.stmt, built: set[str]) -> bool:
    """Return True if a statement defines something and can run while the program is loaded."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global)):
        return True
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Try, ast.For)):
        return not _is_interactive(statement)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant) or _is_builder_call(statement.value, built)
    return isinstance(statement, (ast.Assert, ast.Pass))


def _is_interactive(statement: ast.stmt) -> bool:
    """Return True if a statement asks for input or has a `while` loop: then it belongs to the game loop."""
    return any(
        isinstance(node, ast.While) or (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("input", "raw_input"))
        for node in ast.walk(statement)
    )


def _is_builder_call(value: ast.expr, built: set[str]) -> bool:
    """Return True if a call fills a table or configures a module."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    first: ast.expr = value.func
    while isinstance(first, (ast.Attribute, ast.Subscript)):
        first = first.value
    name = first.id if isinstance(first, ast.Name) else ""
    return name in CONFIGURED_MODULES or (name in built and re.search(BUILDER_PATTERN, value.func.attr) is not None)


def _is_main_test(test: ast.expr) -> bool:
    """Return True for the test `__name__ == "__main__"`."""
    return any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test))


def _guard_statements(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield each statement in a `try`. A failure is noted, and the names that it would have bound become stubs."""
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            yield statement
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            yield statement
            continue
        noted = ast.Expr(_make_call(FAILURE_NAME, ast.Constant(statement.lineno), ast.Name("__plyscope_error__", ast.Load())))
        absorbed = [
            ast.If(
                ast.Compare(ast.Constant(name), [ast.NotIn()], [_make_call("globals")]),
                [ast.Assign([ast.Name(name, ast.Store())], ast.Name(ABSORBING_NAME, ast.Load()))],
                [],
            )
            for name in sorted(_bound_names(statement))
        ]
        handler = ast.ExceptHandler(
            ast.Tuple([ast.Name("Exception", ast.Load()), ast.Name("SystemExit", ast.Load())], ast.Load()),
            "__plyscope_error__",
            [noted, *absorbed],
        )
        yield ast.copy_location(ast.Try([statement], [handler], [], []), statement)


def _bound_names(statement: ast.AST) -> set[str]:
    """Return the names that a statement binds in its own scope, without those inside functions and classes."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names} - {"*"}
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, ast.Name):
        return {statement.id} if isinstance(statement.ctx, ast.Store) else set()
    if isinstance(statement, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return set()
    return {name for part in ast.iter_child_nodes(statement) for name in _bound_names(part)}


def _make_call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _make_function(name: str, body: list[ast.stmt]) -> ast.stmt:
    """Return a function definition with these statements. Their names are globals of the module."""
    names = sorted({name for statement in body for name in _bound_names(statement)})
    body = [statement for statement in body if not (isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*")]
    head: list[ast.stmt] = [ast.Global(names)] if names else []
    none = ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])
    function = ast.FunctionDef(name=name, args=none, body=[*head, *(body or [ast.Pass()])], decorator_list=[], returns=None)
    if sys.version_info >= (3, 12):
        function.type_params = []
    return function


# ---- recorded functions

DECORATOR_NAME = "__plyscope_watch__"
OUTER_DECORATORS = {"staticmethod", "classmethod", "property"}  # stay outside of ours


class FunctionMaker(ast.NodeTransformer):
    """Turns `name = lambda …` into a function definition, so that a search written that way is found."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        value, target = node.value, node.targets[0]
        if not isinstance(value, ast.Lambda) or not isinstance(target, ast.Name) or len(node.targets) > 1:
            return node
        body: list[ast.stmt] = [ast.copy_location(ast.Return(value.body), value.body)]
        made = ast.FunctionDef(name=target.id, args=value.args, body=body, decorator_list=[], returns=None)
        made.type_params = []  # type: ignore[attr-defined]
        return ast.fix_missing_locations(ast.copy_location(made, node))


class OldNumpyConverter(ast.NodeTransformer):
    """Turns `array.tostring()`, which numpy has removed, into `array.tobytes()`."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "tostring" and not node.args and not node.keywords:
            node.func.attr = "tobytes"
        return node


class DecoratorInserter(ast.NodeTransformer):
    """Decorates the functions that are defined at certain lines, closures too."""

    def __init__(self, names: dict[int, str]):
        self.names = names

    def visit_FunctionDef(self, function: ast.FunctionDef) -> ast.AST:
        self.generic_visit(function)
        if function.lineno in self.names:
            place = sum(1 for decorator in function.decorator_list if getattr(decorator, "id", "") in OUTER_DECORATORS)
            watched = _make_call(DECORATOR_NAME, ast.Constant(self.names[function.lineno]))
            function.decorator_list.insert(place, watched)
        return function


# ---- while it runs


class ProjectFinder(MetaPathFinder):
    """Finds the modules and packages of a project. They are loaded like the program: only their definitions run."""

    def __init__(self, layout: ProjectLayout, main: Path, call: ast.expr | None = None, decorator: Any = None):
        self.layout = layout
        self.main = main  # the file of the search
        self.call = call
        self.decorator = decorator
        self.modules: dict[Path, ModuleType] = {}
        self.notes: list[str] = []

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        own = name.rpartition(".")[2]
        if path is None:
            near, far = self.layout.folders[:2], self.layout.folders[2:]
            places = [*near, *(far if not is_installed(name) or self._has_own_file(name) else [])]
        else:
            places = [Path(place) for place in path if Path(place).is_relative_to(self.layout.root)]
        for place in places:
            if (place / f"{own}.py").is_file():
                return self.make_spec(name, place / f"{own}.py")
            if (place / own / "__init__.py").is_file():
                return self.make_spec(name, place / own / "__init__.py")
            if _has_modules(place / own) and not (path is None and is_installed(name)):
                spec = ModuleSpec(name, None, is_package=True)  # a package without __init__.py
                spec.submodule_search_locations = [str(place / own)]
                return spec
        return None if path is None and is_installed(name) else self._find_in_other_case(name, places)

    def _find_in_other_case(self, name: str, places: Sequence[Path]) -> ModuleSpec | None:
        """Return the file whose name differs only in upper and lower case: Windows and macOS import it."""
        wanted = f"{name.rpartition('.')[2]}.py".lower()
        files = [file for place in places if place.is_dir() for file in place.iterdir() if file.name.lower() == wanted]
        if len(files) != 1 or not files[0].is_file():
            return None
        note = f"{files[0].name} is imported as {name}, which Linux does not find: the file was taken"
        self.notes += [] if note in self.notes else [note]
        return self.make_spec(name, files[0])

    def _has_own_file(self, name: str) -> bool:
        """Return True if Python would find a file of the project itself: the program has changed sys.path."""
        spec = PathFinder.find_spec(name) if name not in sys.stdlib_module_names else None
        return spec is not None and spec.origin is not None and Path(spec.origin).is_relative_to(self.layout.root)

    def make_spec(self, name: str, file: Path) -> ModuleSpec:
        loader = DefinitionsLoader(file, self, self.call if file == self.main else None)
        spec = ModuleSpec(name, loader, origin=str(file), is_package=file.name == "__init__.py")
        if file.name == "__init__.py":
            spec.submodule_search_locations = [str(file.parent)]
        spec.has_location = True
        return spec


def _has_modules(folder: Path) -> bool:
    return folder.is_dir() and any(True for _ in folder.rglob("*.py"))


@cache
def is_installed(name: str) -> bool:
    """Return True if Python itself, or an installed package, has a module of this name."""
    try:
        return name in sys.stdlib_module_names or PathFinder.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


@contextmanager
def installed_finders(finders: Sequence[MetaPathFinder]) -> Iterator[None]:
    """Search these finders first while the block runs. Functions may import modules when they run."""
    sys.meta_path[:0] = finders
    try:
        yield
    finally:
        for finder in finders:
            sys.meta_path.remove(finder)


@contextmanager
def noninteractive_mode() -> Iterator[None]:
    """Make `input` raise NeedsInput, and `time.sleep` and commands that clear the screen return at once while the block runs.

    The program's clock advances.
    """
    originals = builtins.input, time.sleep, os.system

    def no_input(prompt: object = "", /) -> str:
        raise NeedsInput(f"the program asks for input{f' ({str(prompt).strip()[:60]})' if str(prompt).strip() else ''}")

    def skip_screen_command(command: Any) -> int:
        return 0 if is_screen_command(command) else originals[2](command)

    builtins.input, time.sleep, os.system = no_input, CLOCK.advance, skip_screen_command
    try:
        yield
    finally:
        builtins.input, time.sleep, os.system = originals


def is_screen_command(command: Any) -> bool:
    """Return True for commands that only change the look of a console. There is none here.

    >>> [is_screen_command(command) for command in ("cls||clear", "color 0A", "clear; rm board.txt")]
    [True, True, False]
    """
    words = [part.split()[:1] for part in re.split(r"[|&;\n]+", str(command))]
    return all(word and word[0].lower() in SCREEN_COMMANDS for word in words)
