"""The search of a program as far as its text tells, before it runs: the function, its arguments, and the calls that start it."""

import ast
from typing import NamedTuple

from engine.checker.discovery.search_finder import NoSearchFound, find_functions, find_search

MAX_LISTED = 50
MAX_CALL_CHARS = 200


class SearchPreview(NamedTuple):
    """The search that was found in a text, and what else could be chosen. `problem` says why nothing was found."""

    functions: tuple[str, ...] = ()  # of the search
    line: int = 0
    arguments: tuple[str, ...] = ()
    all_functions: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()  # of the search, from outside
    problem: str = ""

    @property
    def sentence(self) -> str:
        """Return what was found, in words."""
        if self.problem:
            return self.problem
        return f"{' and '.join(self.functions)} in line {self.line}: {', '.join(self.arguments) or 'no arguments'}"


def preview_search(text: str, wanted: str | None = None) -> SearchPreview:
    """Return the search of a text. The text is only parsed, never run."""
    try:
        tree = ast.parse(text)
        functions = find_functions(tree)
        found = find_search(tree, wanted if wanted in functions else None)
    except SyntaxError as error:
        return SearchPreview(problem=f"line {error.lineno or 0} is not valid Python: {error.msg}")
    except NoSearchFound as error:
        return SearchPreview(all_functions=tuple(functions)[:MAX_LISTED], problem=str(error))
    except (ValueError, RecursionError, MemoryError):
        return SearchPreview(problem="the text cannot be parsed")
    names = [name for name in found.functions if name in functions]
    if not names:
        return SearchPreview(all_functions=tuple(functions)[:MAX_LISTED], problem="no search was found")
    first = functions[names[0]]
    plain = {functions[name].plain_name for name in names}
    inside = {id(node) for name in names for node in ast.walk(functions[name].node)}
    calls = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and id(node) not in inside and _called_name(node) in plain
    ]
    listed = tuple(dict.fromkeys(call for call in calls if len(call) <= MAX_CALL_CHARS))[:MAX_LISTED]
    return SearchPreview(tuple(names), first.node.lineno, tuple(first.arguments), tuple(functions)[:MAX_LISTED], listed)


def _called_name(call: ast.Call) -> str:
    function = call.func
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""
