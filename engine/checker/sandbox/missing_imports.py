"""Imports that a file forgot, without which its functions cannot be defined: `def search(state, alpha=-math.inf)`."""

import ast
from collections.abc import Iterator

IMPORTABLE = {name: name for name in ("math", "random", "copy", "time", "sys", "itertools", "functools", "collections", "numpy")}
IMPORTABLE["np"] = "numpy"
PACMAN_BASES = {"Agent", "MultiAgentSearchAgent"}
PACMAN_NAMES = {**dict.fromkeys((*PACMAN_BASES, "Directions"), "game"), "GameState": "pacman", "manhattanDistance": "util"}


def add_missing_imports(tree: ast.Module) -> list[str]:
    """Add imports of well-known modules that definitions need and that the file lacks. Return the modules that were added.

    Names that only the bodies of functions need stay missing: the program raises its own error there.
    """
    bound = set(_iterate_bound_names(tree))
    if "*" in bound:
        return []
    missing = {
        node.value.id
        for statement in tree.body
        for node in _iterate_definition_parts(statement)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    names = sorted(name for name in missing - bound if name in IMPORTABLE)
    imports: list[ast.stmt] = [
        ast.Import([ast.alias(IMPORTABLE[name], None if IMPORTABLE[name] == name else name)]) for name in names
    ]
    agent_names = _find_pacman_names(tree, bound)
    imports += [ast.ImportFrom(PACMAN_NAMES[name], [ast.alias(name)], 0) for name in agent_names]
    names += agent_names
    if imports:
        after = next((place for place, one in enumerate(tree.body) if not _is_before_imports(one)), len(tree.body))
        tree.body[after:after] = [ast.copy_location(one, tree.body[0]) for one in imports]
    return [IMPORTABLE.get(name, name) for name in names]


def _find_pacman_names(tree: ast.Module, bound: set[str]) -> list[str]:
    """Return the names of the Pacman projects that a pasted class of an agent uses, or none if there is no such class."""
    bases = {base.id for node in tree.body if isinstance(node, ast.ClassDef) for base in node.bases if isinstance(base, ast.Name)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - bound
    return sorted(used & PACMAN_NAMES.keys()) if bases & used & PACMAN_BASES else []


def _is_before_imports(statement: ast.stmt) -> bool:
    """Return True for a docstring and for imports from __future__, which come first."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or (isinstance(statement, ast.ImportFrom) and statement.module == "__future__")


def _iterate_bound_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((one.asname or one.name).partition(".")[0] for one in node.names)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def _iterate_definition_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a definition that run when it is made: decorators, defaults, the bodies of classes."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parts: list[ast.AST] = [*node.decorator_list, *node.args.defaults, *[one for one in node.args.kw_defaults if one]]
    elif isinstance(node, ast.ClassDef):
        parts = [*node.decorator_list, *node.bases, *node.body]
    elif isinstance(node, ast.Lambda):
        parts = []
    else:
        yield node
        parts = list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _iterate_definition_parts(part)
