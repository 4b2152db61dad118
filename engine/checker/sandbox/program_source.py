"""A program as text: its project, its search and the functions around it. The program and the judge both read it, each alone."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.checker.discovery.entry_points import is_move_chooser
from engine.checker.discovery.project import Caller, Project, ProjectSearch, find_project_search, read_project
from engine.checker.discovery.search_finder import FoundSearch, ProgramFunction
from engine.checker.sandbox.worker_protocol import CheckRequest, FunctionSource
from engine.core.errors import PlyscopeError

MAX_SOURCE_LINES, MAX_LINE_CHARS = 400, 500


class CopyFailed(PlyscopeError):
    """There is no room for the files of a program."""


class ProgramSource:
    """The text of a program that is checked."""

    def __init__(self, request: CheckRequest, root: Path, path: Path | None):
        files = [root / name for name in request.files] or [path or root]
        self.project: Project = read_project(root, path, files)
        self.search: ProjectSearch = find_project_search(self.project, request.function, request.call)
        self.found: FoundSearch = self.search.found
        self.path: Path = self.search.module.path
        self.tree: ast.Module = self.search.module.tree
        self.functions: dict[str, ProgramFunction] = dict(self.search.module.functions)
        self.files: dict[str, Path] = {}  # of functions in other modules
        for name, caller in self.iterate_outer_callers():
            assert caller.function is not None  # noqa: S101 - a script is none of them
            self.functions[name], self.files[name] = caller.function, caller.module.path

    def iterate_outer_callers(self) -> Iterator[tuple[str, Caller]]:
        """Yield the functions of other modules that call the search to choose a move, by names with their module."""
        for caller in self.search.callers:
            function = caller.function
            is_outer = caller.level == 1 and caller.module is not self.search.module
            if is_outer and function is not None and is_move_chooser(function):
                yield f"{caller.module.name}.{function.name}", caller

    def list_placed_functions(self) -> dict[str, ProgramFunction]:
        """Return the functions with their files as the report names them."""
        return {name: replace(function, file=self.file_name(name)) for name, function in self.functions.items()}

    def file_name(self, name: str) -> str:
        """Return the file of a function, relative to the checked folder."""
        path, root = self.files.get(name, self.path), self.project.root
        return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name

    def place(self, name: str) -> str:
        return f"{self.file_name(name)}, line {self.functions[name].node.lineno}"

    def read_source(self, name: str) -> FunctionSource:
        """Return the lines of a function."""
        node, path = self.functions[name].node, self.files.get(name, self.path)
        lines = path.read_text(errors="replace").splitlines()[node.lineno - 1 : node.end_lineno]
        return FunctionSource(
            name, node.lineno, [line[:MAX_LINE_CHARS] for line in lines[:MAX_SOURCE_LINES]], self.file_name(name)
        )


def copy_program(request: CheckRequest, folder: Path) -> tuple[Path, Path | None]:
    """Write the files of the project into a folder. Return the root and the path of the checked file.

    Raise CopyFailed if the disk is full, for example.
    """
    if not request.files:
        return Path(request.file).parent, Path(request.file)  # cannot be read: the parser reports why
    copy = folder / "program"
    try:
        for name, content in request.files.items():
            copy.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
            copy.joinpath(name).write_bytes(content)
    except OSError as error:
        raise CopyFailed(f"its files cannot be copied into a temporary folder: {error.strerror}") from None
    return copy, copy / request.target if request.target else None
