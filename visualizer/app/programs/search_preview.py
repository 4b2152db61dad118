"""The search of a program as far as its text tells, before it runs: the function, its arguments, and the calls that start it."""

import ast
from functools import lru_cache
from typing import NamedTuple

from engine.checker.discovery.search_finder import NoSearchFound, find_functions, find_search
from visualizer.app.programs.program_files import Program, rate_file

MAX_LISTED = 50
MAX_TRIED_FILES = 3
MAX_CALL_CHARS = 200
MAX_PARSED_CHARS, MAX_FUNCTIONS = 100_000, 500  # the server looks for the search of a larger text only by running it
MAX_CACHED_TEXTS = 32


class SearchPreview(NamedTuple):
    """The search that was found in a text, and what else could be chosen. `problem` says why nothing was found."""

    functions: tuple[str, ...] = ()  # of the search
    line: int = 0  # of the search, or of a syntax error
    arguments: tuple[str, ...] = ()
    all_functions: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()  # of the search, from outside
    problem: str = ""
    file: str = ""  # "" is the file in the editor

    @property
    def sentence(self) -> str:
        """Return what was found, in words."""
        if self.problem:
            return self.problem
        place = f"{self.file}, line {self.line}" if self.file else f"line {self.line}"
        return f"{' and '.join(self.functions)} in {place}: {', '.join(self.arguments) or 'no arguments'}"


def preview_program(program: Program, wanted: str | None = None) -> SearchPreview:
    """Return the search of the file in the editor, or else of the file that looks most like having it."""
    seen = preview_search(program.text, wanted)
    if seen.functions:
        return seen
    others = (name for name in program.files if name.endswith(".py") and name != program.shown)
    for name in sorted(others, key=lambda name: -rate_file(program.files[name]))[:MAX_TRIED_FILES]:
        other = preview_search(program.files[name].decode(errors="replace"), wanted)
        if other.functions:
            return other._replace(file=name)
    return seen


@lru_cache(MAX_CACHED_TEXTS)
def preview_search(text: str, wanted: str | None = None) -> SearchPreview:
    """Return the search of a text. The text is only parsed, never run."""
    if len(text) > MAX_PARSED_CHARS:
        return SearchPreview(problem="the text is long, so its search is looked for when it runs")
    try:
        tree = ast.parse(text)
        functions = find_functions(tree)
        if len(functions) > MAX_FUNCTIONS:
            return SearchPreview(problem="the text has many functions, so its search is looked for when it runs")
        found = find_search(tree, wanted if wanted in functions else None)
    except SyntaxError as error:
        return SearchPreview(problem=f"line {error.lineno or 0} is not valid Python: {error.msg}", line=error.lineno or 0)
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
