"""Replay a call of the search: run the statements before it that make its arguments, then the call itself.

The call may be deep in a game loop or in the handler of a button. The blocks around it are entered whatever their conditions
say. Loops that do not contain the call, and statements that leave a block or ask for input, are left out. A statement that
fails is skipped: it may have needed something that is not there.
"""

import ast
import builtins
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from engine.checker.discovery.project import ProjectModule
from engine.checker.discovery.search_finder import ProgramFunction

REPLAY_NAME = "__plyscope_replay__"
MAX_STATEMENTS = 200
MAX_CALL_CHARS = 80  # of a call that is shown
ASKING_CALLS = {"input", "raw_input", "mainloop", "exit", "quit"}


class CallSite(NamedTuple):
    """A call in a function, or in the script of a module."""

    module: ProjectModule
    function: ProgramFunction | None
    call: ast.Call

    @property
    def text(self) -> str:
        """Return the call with its place."""
        text = ast.unparse(self.call)
        shown = text if len(text) <= MAX_CALL_CHARS else f"{text[:MAX_CALL_CHARS]}…"
        return f"{shown} as on line {self.call.lineno} of {self.module.path.name}"

    @property
    def arguments(self) -> list[str]:
        """Return the arguments of the function around the call."""
        if self.function is None:
            return []
        listed = self.function.node.args
        return [argument.arg for argument in (*listed.posonlyargs, *listed.args, *listed.kwonlyargs)]


def run_call_site(site: CallSite, module: ModuleType, arguments: dict[str, Any]) -> Any:
    """Run a call with the statements before it. `arguments` are those of the function around it."""
    scope: ast.AST = site.module.tree if site.function is None else site.function.node
    before = list(iterate_statements(getattr(scope, "body", []), site.call))[:MAX_STATEMENTS]
    statements = select_needed(before, site.call)
    body: list[ast.stmt] = [_guard(_copy(statement)) for statement in statements]
    body.append(ast.Return(_copy_expression(site.call)))
    code = _compile_function(body, list(arguments), site.function is None)
    namespace = vars(module)
    FunctionType(code, namespace)()
    try:
        return namespace[REPLAY_NAME](**arguments)
    finally:
        namespace.pop(REPLAY_NAME, None)


def iterate_statements(block: list[ast.stmt], call: ast.Call) -> Iterator[ast.stmt]:
    """Yield the statements of a block that come before a call, and those in the blocks around it."""
    for statement in block:
        if not any(node is call for node in ast.walk(statement)):
            if _is_replayed(statement):
                yield statement
            continue
        if isinstance(statement, ast.For):
            first = ast.Call(ast.Name("next", ast.Load()), [ast.Call(ast.Name("iter", ast.Load()), [statement.iter], [])], [])
            yield ast.copy_location(ast.Assign([statement.target], first), statement)
        if isinstance(statement, ast.With):
            yield from (
                ast.copy_location(ast.Assign([item.optional_vars], item.context_expr), statement)
                for item in statement.items
                if item.optional_vars is not None
            )
        for inner in _inner_blocks(statement):
            if any(node is call for part in inner for node in ast.walk(part)):
                yield from iterate_statements(inner, call)
        return


def select_needed(statements: list[ast.stmt], call: ast.Call) -> list[ast.stmt]:
    """Return the statements that a call needs. One that only makes a name which is not used later is left out.

    Such a statement may be another search, which would take the time of this one.
    """
    needed = _loaded_names(call)
    chosen: list[ast.stmt] = []
    for statement in reversed(statements):
        made = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        is_plain = isinstance(statement, (ast.Assign, ast.AnnAssign)) and all(
            isinstance(part, (ast.Name, ast.Tuple))
            for part in getattr(statement, "targets", [getattr(statement, "target", None)])
        )
        if not is_plain or made & needed:
            chosen.append(statement)
            needed |= _loaded_names(statement)
    return chosen[::-1]


def _loaded_names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def _inner_blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return
    for name in ("body", "orelse", "finalbody"):
        inner = getattr(statement, name, None)
        if isinstance(inner, list):
            yield inner
    yield from (handler.body for handler in getattr(statement, "handlers", []))


def _is_replayed(statement: ast.stmt) -> bool:
    """Return True if a statement may make an argument of the call."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
        return not (isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*")
    if isinstance(statement, (ast.Return, ast.Break, ast.Continue, ast.While, ast.Global, ast.Nonlocal, ast.Raise, ast.Pass)):
        return isinstance(statement, ast.Global)
    for node in ast.walk(statement):
        if isinstance(node, (ast.Return, ast.Break, ast.Continue, ast.While, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ASKING_CALLS:
            return False
    return not (
        isinstance(statement, ast.If)
        and any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(statement.test))
    )


def _copy(statement: ast.stmt) -> ast.stmt:
    return ast.parse(ast.unparse(ast.fix_missing_locations(statement))).body[0]


def _copy_expression(expression: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(expression), mode="eval").body


def _guard(statement: ast.stmt) -> ast.stmt:
    """Return a statement whose errors are ignored."""
    if isinstance(statement, ast.Global):
        return statement
    caught = ast.Tuple([ast.Name("Exception", ast.Load()), ast.Name("SystemExit", ast.Load())], ast.Load())
    return ast.Try([statement], [ast.ExceptHandler(caught, None, [ast.Pass()])], [], [])


def _compile_function(body: list[ast.stmt], arguments: list[str], is_script: bool) -> Any:
    """Compile the replay as a function. The names that a script assigns are globals of its module."""
    declared = {name for statement in body if isinstance(statement, ast.Global) for name in statement.names}
    if is_script:
        declared |= {
            node.id for part in body for node in ast.walk(part) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        declared |= {(alias.asname or alias.name).partition(".")[0] for part in body for node in ast.walk(part)
                     if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}  # fmt: skip
        declared |= {node.name for part in body for node in ast.walk(part) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    declared -= {*arguments, *dir(builtins)}
    body = [statement for statement in body if not isinstance(statement, ast.Global)]
    head: list[ast.stmt] = [ast.Global(sorted(declared))] if declared else []
    listed = ast.arguments(posonlyargs=[], args=[ast.arg(name) for name in arguments], vararg=None, kwonlyargs=[], kw_defaults=[],
                           kwarg=None, defaults=[])  # fmt: skip
    function = ast.FunctionDef(name=REPLAY_NAME, args=listed, body=[*head, *body], decorator_list=[], returns=None)
    function.type_params = []  # type: ignore[attr-defined]
    tree = ast.fix_missing_locations(ast.Module([function], []))
    return compile(tree, "a replayed call", "exec")
