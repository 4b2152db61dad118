"""Loading a student's program without running it.

Definitions, imports and assignments are kept; what would start a game, ask for input or open a window is set aside, as a
function that can still be run (`SCRIPT`). Assignments and imports may fail: the name then stands for something that absorbs
everything, and `LoadedProgram.notes` says so. Nothing else is changed: functions run as they were written.
"""

import ast
import builtins
import importlib.util
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.checker.sandbox.import_stubs import PROGRAM, Absorbing, Stubs
from engine.core.errors import PlyscopeError

SCRIPT, CALL = "__plyscope_script__", "__plyscope_call__"  # functions added to the module
FAILED, ABSORBING = PROGRAM, "__plyscope_absorbing__"
BUILDING = (  # methods that fill or link what was built before
    r"^(append|extend|insert|update|setdefault|sort|fill|reverse|remove|pop|seed|put|push|set|link|connect|attach)(_|$|[A-Z])"
    r"|^(add|agreg|anad|ajout|adicion|hinzu|aggiung|toevoeg|dodaj)"
)
SETTINGS = {"sys", "random", "np", "numpy", "math", "warnings", "os", "logging"}
MAX_SOURCE = 2_000_000  # characters


class CannotLoad(PlyscopeError):
    """A program that is no Python, or not of this time."""


class NeedsInput(Exception):
    """The program asked its user for something."""


@dataclass
class LoadedProgram:
    """A student's file as a module."""

    path: Path
    tree: ast.Module
    module: ModuleType
    notes: list[str] = field(default_factory=list)  # what could not be done while loading
    finders: tuple[MetaPathFinder, ...] = ()  # of what it imports: files beside it, pretended packages

    @property
    def stubs(self) -> list[str]:
        """The packages that are only pretended."""
        return [name for finder in self.finders if isinstance(finder, Stubs) for name in finder.used]

    @property
    def has_script(self) -> bool:
        return hasattr(self.module, SCRIPT)


def parse(path: Path) -> ast.Module:
    """The file as a syntax tree."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise CannotLoad(f"{path.name} cannot be read: {error.strerror}") from None
    if len(source) > MAX_SOURCE:
        raise CannotLoad(f"{path.name} has {len(source):,} bytes: {MAX_SOURCE:,} are the most")
    try:
        return ast.parse(source, path.name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CannotLoad(_what_is_wrong(path.name, source, error)) from None


def _what_is_wrong(name: str, source: bytes, error: Exception) -> str:
    line = getattr(error, "lineno", None)
    said = getattr(error, "msg", None) or str(error)
    if "Missing parentheses in call to 'print'" in said or "Missing parentheses in call to 'exec'" in said:
        return f"{name} is written in Python 2 (line {line}): convert it first, for example with 2to3"
    if b"except " in source and ", e:" in source.decode(errors="replace"):
        return f"{name} seems to be written in Python 2 (line {line}: {said}): convert it first, for example with 2to3"
    return f"{name} is no Python that can be read{f' (line {line})' if line else ''}: {said}"


def load(path: Path, call: str | None = None, decorated: dict[int, str] | None = None, decorator: Any = None) -> LoadedProgram:
    """The program as a module. `call` is an expression that becomes the function CALL; functions whose `def` stands at a line of
    `decorated` get `decorator(name, function)` around them, under the names given there."""
    tree = parse(path)
    notes: list[str] = []
    names = {FAILED: lambda line, error: notes.append(f"line {line}: {_said(error)}"), ABSORBING: Absorbing()}
    finders = (Siblings(path.parent, names), Stubs())
    loader = KeptLoader(path, names, _called(call), decorated or {}, decorator)
    with importing_from(finders), harmless():
        spec = ModuleSpec(path.stem, loader, origin=str(path))
        spec.has_location = True
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        try:
            loader.exec_module(module)
        except RecursionError as error:
            raise CannotLoad(f"{path.name} cannot be loaded: {_said(error)}") from None
    return LoadedProgram(path, tree, module, notes, finders)


def _called(call: str | None) -> ast.expr | None:
    if call is None:
        return None
    try:
        return ast.parse(call, "--call", "eval").body
    except (SyntaxError, ValueError, RecursionError) as error:
        raise CannotLoad(f"--call {call!r} is no Python expression: {getattr(error, 'msg', error)}") from None


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


# ---- what is kept


class KeptLoader(SourceLoader):
    """Runs the part of a file that only defines things."""

    def __init__(self, path: Path, names: dict[str, Any], call: ast.expr | None, decorated: dict[int, str], decorator: Any):
        self.path = path
        self.names = names
        self.call = call
        self.decorated = decorated
        self.decorator = decorator

    def get_filename(self, fullname: str) -> str:
        return str(self.path)

    def get_data(self, path: Any) -> bytes:
        return Path(path).read_bytes()

    def get_code(self, fullname: str) -> Any:  # never from a cache of bytecode, and never into one
        tree = parse(self.path)
        if self.decorated:
            Decorate(self.decorated).visit(tree)
        kept, script = divided(tree.body)
        if self.call is not None:
            kept += needed_by(self.call, kept, script)
        added: list[ast.stmt] = [_function(SCRIPT, script)] if script else []
        if self.call is not None:
            added.append(_function(CALL, [ast.Return(self.call)]))
        tree.body = [*_guarded(kept), *added]
        return compile(ast.fix_missing_locations(tree), str(self.path), "exec")

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(self.names, inf=float("inf"), **({DECORATOR: self.decorator} if self.decorated else {}))
        super().exec_module(module)


def divided(body: Sequence[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The statements that define something, and those that do something, as far as one can tell without running them."""
    kept: list[ast.stmt] = []
    script: list[ast.stmt] = []
    built: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.If) and _asks_whether_main(statement.test):
            script += statement.body
            kept += divided(statement.orelse)[0]
        elif isinstance(statement, ast.If):
            yes, no = divided(statement.body), divided(statement.orelse)
            script += yes[1] + no[1]
            if yes[0] or no[0]:
                kept.append(ast.copy_location(ast.If(statement.test, yes[0] or [ast.Pass()], no[0]), statement))
        elif _defines(statement, built):
            kept.append(statement)
            built |= {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        else:
            script.append(statement)
    return kept, script


def needed_by(call: ast.expr, kept: Sequence[ast.stmt], script: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a script that make what a call names and nothing else has made: a tree that is built in the main part."""
    known = {name for statement in kept for name in _bound(statement)} | set(dir(builtins))
    wanted = _names(call) - known
    chosen: list[ast.stmt] = []
    while more := [
        statement
        for statement in script
        if statement not in chosen and _defines(statement, wanted) and _touched(statement) & wanted
    ]:
        chosen += more
        wanted |= {name for statement in more for name in _names(statement)} - known
    return [statement for statement in script if statement in chosen]


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _touched(statement: ast.stmt) -> set[str]:
    """The names that a statement binds, or whose things it changes."""
    targets = [
        part
        for part in ast.walk(statement)
        if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store)
    ]
    called = statement.value.func if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else None
    return _bound(statement).union(*(_names(part) for part in [*targets, *([called] if called is not None else [])]))


def _defines(statement: ast.stmt, built: set[str]) -> bool:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global)):
        return True
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Try, ast.For)):
        return not _waits(statement)
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant) or _builds(statement.value, built)
    return isinstance(statement, (ast.Assert, ast.Pass))


def _waits(statement: ast.stmt) -> bool:
    """Whether it asks the user something or goes round for ever: then it belongs to the game that is played."""
    return any(
        isinstance(node, ast.While) or (isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("input", "raw_input"))
        for node in ast.walk(statement)
    )


def _builds(value: ast.expr, built: set[str]) -> bool:
    """Whether a call fills a table or sets something up."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return False
    first: ast.expr = value.func
    while isinstance(first, (ast.Attribute, ast.Subscript)):
        first = first.value
    name = first.id if isinstance(first, ast.Name) else ""
    return name in SETTINGS or (name in built and re.search(BUILDING, value.func.attr) is not None)


def _asks_whether_main(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(test))


def _guarded(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Each statement such that its failure is noted; the names it would have bound absorb whatever is done with them."""
    for statement in statements:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            yield statement
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            yield statement
            continue
        noted = ast.Expr(_call(FAILED, ast.Constant(statement.lineno), ast.Name("__plyscope_error__", ast.Load())))
        absorbed = [
            ast.If(
                ast.Compare(ast.Constant(name), [ast.NotIn()], [_call("globals")]),
                [ast.Assign([ast.Name(name, ast.Store())], ast.Name(ABSORBING, ast.Load()))],
                [],
            )
            for name in sorted(_bound(statement))
        ]
        handler = ast.ExceptHandler(
            ast.Tuple([ast.Name("Exception", ast.Load()), ast.Name("SystemExit", ast.Load())], ast.Load()),
            "__plyscope_error__",
            [noted, *absorbed],
        )
        yield ast.copy_location(ast.Try([statement], [handler], [], []), statement)


def _bound(statement: ast.AST) -> set[str]:
    """The names that a statement binds where it stands: not those inside of functions and classes that it defines."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names} - {"*"}
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, ast.Name):
        return {statement.id} if isinstance(statement.ctx, ast.Store) else set()
    if isinstance(statement, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return set()
    return {name for part in ast.iter_child_nodes(statement) for name in _bound(part)}


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _function(name: str, body: list[ast.stmt]) -> ast.stmt:
    """A function of the module that does what the statements do there: what they bind is the module's."""
    names = sorted({name for statement in body for name in _bound(statement)})
    body = [statement for statement in body if not (isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*")]
    head: list[ast.stmt] = [ast.Global(names)] if names else []
    none = ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])
    function = ast.FunctionDef(name=name, args=none, body=[*head, *(body or [ast.Pass()])], decorator_list=[], returns=None)
    if sys.version_info >= (3, 12):
        function.type_params = []
    return function


# ---- functions that are watched from their definition on

DECORATOR = "__plyscope_watch__"
BELOW = {"staticmethod", "classmethod", "property"}  # these stay outside


class Decorate(ast.NodeTransformer):
    """Puts the decorator around the functions that are defined at certain lines, closures too."""

    def __init__(self, names: dict[int, str]):
        self.names = names

    def visit_FunctionDef(self, function: ast.FunctionDef) -> ast.AST:
        self.generic_visit(function)
        if function.lineno in self.names:
            place = sum(1 for decorator in function.decorator_list if getattr(decorator, "id", "") in BELOW)
            watched = _call(DECORATOR, ast.Constant(self.names[function.lineno]))
            function.decorator_list.insert(place, watched)
        return function


# ---- while it runs


class Siblings(MetaPathFinder):
    """Modules in the folder of the program, loaded in the same way."""

    def __init__(self, folder: Path, names: dict[str, Any]):
        self.folder = folder
        self.names = names

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        file = self.folder.joinpath(*name.split(".")).with_suffix(".py")
        if not file.is_file():
            return None
        spec = ModuleSpec(name, KeptLoader(file, self.names, None, {}, None), origin=str(file))
        spec.has_location = True
        return spec


@contextmanager
def importing_from(finders: Sequence[MetaPathFinder]) -> Iterator[None]:
    """What is imported is looked for there first; functions may import what they need only when they run."""
    sys.meta_path[:0] = finders
    try:
        yield
    finally:
        for finder in finders:
            sys.meta_path.remove(finder)


@contextmanager
def harmless() -> Iterator[None]:
    """Nobody is asked anything, and nobody waits."""
    asked, slept = builtins.input, time.sleep

    def no_input(prompt: object = "", /) -> str:
        raise NeedsInput(f"the program asks for input{f' ({str(prompt).strip()[:60]})' if str(prompt).strip() else ''}")

    builtins.input, time.sleep = no_input, lambda seconds: None
    try:
        yield
    finally:
        builtins.input, time.sleep = asked, slept
