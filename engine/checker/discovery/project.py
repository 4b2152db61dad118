"""The project of a student: its modules with their syntax trees, and which of them import and call which.

The search is looked for in the checked file, else in the modules that it imports, else in the whole project. Notebooks
become modules, and files in Python 2 are converted, both in the sandbox's own copy.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from engine.checker.discovery.monte_carlo import find_phases
from engine.checker.discovery.search_finder import (
    FoundSearch,
    NoSearchFound,
    ProgramFunction,
    find_functions,
    find_reachable,
    find_recursive_groups,
    find_search,
    has_loop,
    score_group,
)
from engine.checker.sandbox.loader import CannotLoad, FunctionMaker, ProjectLayout, parse_file
from engine.checker.sandbox.python2 import convert_source, is_old_source, rewrite_names

MAX_MODULES = 400
MIN_SEARCH_SCORE = 6  # of names that look like a game-tree search
MIN_LOOP_SCORE = 9  # of names of a search that does not call itself
MAX_CALLER_LEVELS = 4
DATA_SUFFIXES = {".txt", ".csv", ".json", ".in", ".dat", ".tree", ".lay", ".map", ".inp"}
MAIN_NAMES = r"^(__main__|main|app|run|runner|play|game|gui|start|index)|main|game|play|gui"
TEST_NAMES = r"(^|_)tests?(_|$)|test|bench|autograder|submission|setup"


@dataclass
class ProjectModule:
    """A Python file of the project."""

    name: str  # its path below the root, with dots
    path: Path
    tree: ast.Module

    @cached_property
    def functions(self) -> dict[str, ProgramFunction]:
        return find_functions(self.tree)

    @cached_property
    def imports(self) -> list[tuple[int, str, str, str]]:
        """Return the imports as (dots, module, name, bound name). The name is empty for `import module`."""
        found = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found += [(0, alias.name, "", alias.asname or alias.name.partition(".")[0]) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                found += [(node.level, node.module or "", alias.name, alias.asname or alias.name) for alias in node.names]
        return found

    def iterate_calls(self) -> Iterator[tuple[ProgramFunction | None, ast.Call]]:
        """Yield all calls, each with the innermost function that it is in, or None in the script."""
        inside: dict[int, ProgramFunction] = {}
        for function in self.functions.values():  # inner functions come after outer ones
            inside.update({id(node): function for node in ast.walk(function.node) if isinstance(node, ast.Call)})
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield inside.get(id(node)), node


class Caller(NamedTuple):
    """A function of the project that leads to the search, or a script if the function is None."""

    module: ProjectModule
    function: ProgramFunction | None
    level: int  # 1: it calls the search itself


class ProjectSearch(NamedTuple):
    """The search of a project: its module, its functions, and the functions of all modules that lead to it."""

    module: ProjectModule
    found: FoundSearch
    callers: list[Caller]
    is_monte_carlo: bool = False  # its functions are the phases of an iteration


@dataclass
class Project:
    """The modules of a project that could be parsed."""

    root: Path
    target: Path | None  # the checked file
    modules: dict[Path, ProjectModule] = field(default_factory=dict)
    problems: dict[Path, CannotLoad] = field(default_factory=dict)  # files that cannot be parsed
    notes: list[str] = field(default_factory=list)
    data_files: list[Path] = field(default_factory=list)
    is_python2: bool = False

    @property
    def folders(self) -> list[Path]:
        """Return the folders that modules are looked for in: that of the target, the root, all others."""
        first = [self.target.parent] if self.target is not None else []
        return list(dict.fromkeys([*first, self.root, *sorted({path.parent for path in self.modules})]))

    def layout(self) -> ProjectLayout:
        return ProjectLayout(self.root, self.folders, is_python2=self.is_python2)

    def resolve_import(self, module: ProjectModule, level: int, name: str) -> list[ProjectModule]:
        """Return the module that an import means, as a list. It is empty if it is not a file of the project."""
        parts = tuple(name.split(".")) if name else ()
        if level:
            place = module.path.parent
            for _ in range(level - 1):
                place = place.parent
            places = [place]
        else:
            places = [module.path.parent, *self.folders]
        for place in places:
            for file in (place.joinpath(*parts).with_suffix(".py") if parts else place / "__init__.py",
                         place.joinpath(*parts, "__init__.py")):  # fmt: skip
                if file in self.modules:
                    return [self.modules[file]]
        alike = [module for file, module in self.modules.items() if file.name.lower() == f"{name}.py".lower()]
        return alike if len(alike) == 1 and not level else []  # Windows and macOS import it

    def imported_by(self, module: ProjectModule) -> list[ProjectModule]:
        """Return the modules of the project that a module imports."""
        found: dict[Path, ProjectModule] = {}
        for level, name, inner, _ in module.imports:
            targets = self.resolve_import(module, level, f"{name}.{inner}".strip(".")) if inner else []
            for target in targets or self.resolve_import(module, level, name):
                found[target.path] = target
        return list(found.values())

    def reached_from(self, module: ProjectModule) -> list[ProjectModule]:
        """Return the modules that a module imports, directly or through others, the nearest first."""
        reached = [module]
        for one in reached:
            reached += [other for other in self.imported_by(one) if other not in reached]
        return reached

    def importers_of(self, module: ProjectModule) -> list[ProjectModule]:
        """Return the modules that import a module, directly or through others, and the module itself."""
        return [other for other in self.modules.values() if module in self.reached_from(other)]


# ---- reading


def read_project(root: Path, target: Path | None, files: Iterable[Path]) -> Project:
    """Parse the Python files of a project. Raise CannotLoad if the checked file cannot be parsed."""
    project = Project(root, target)
    converted: list[str] = []
    done: set[Path] = set()
    old: list[Path] = []  # files that can be parsed, but use names of Python 2
    for path in list(files)[:MAX_MODULES]:
        if path.suffix == ".ipynb" and target in (None, path):
            path, notebook = _convert_notebook(path), path
            project.target = path if target == notebook else project.target
        if path.suffix != ".py":
            project.data_files += [path] if path.suffix in DATA_SUFFIXES else []
            continue
        try:
            tree = parse_file(path)
        except CannotLoad as error:
            found = convert_source(path.read_text(errors="replace"))
            if found is None or not found.lines:
                project.problems[path] = error
                continue
            path.write_text(found.text)
            tree = parse_file(path)
            lines = ", ".join(map(str, found.lines[:6])) + (", …" if len(found.lines) > 6 else "")
            done.add(path)
            converted.append(f"{path.name} (line{'s' if len(found.lines) > 1 else ''} {lines})")
        else:
            old += [path] if is_old_source(path.read_text(errors="replace"), tree) else []
        FunctionMaker().visit(tree)
        project.modules[path] = ProjectModule(_module_name(root, path), path, tree)
    if old and not converted:
        converted += [path.name for path in old]
    for path in [path for path in project.modules if converted and path not in done]:
        _rewrite_old_names(project, path)
    if converted:
        project.is_python2 = True
        project.notes.append(f"written in Python 2 and run as Python 3 with changes in {', '.join(converted[:4])}")
    if project.target is not None and project.target in project.problems:
        raise project.problems[project.target]
    return project


def _rewrite_old_names(project: Project, path: Path) -> None:
    """Rewrite the names of Python 2 in a file. It stays as it is if it can no longer be parsed."""
    source = path.read_text(errors="replace")
    text = rewrite_names(source)
    if text != source:
        path.write_text(text)
        tree = parse_file(path)
        FunctionMaker().visit(tree)
        project.modules[path] = ProjectModule(project.modules[path].name, path, tree)


def _module_name(root: Path, path: Path) -> str:
    return ProjectLayout(root, []).module_name(path)


def _convert_notebook(path: Path) -> Path:
    """Write the code cells of a notebook as a Python file beside it. Return the file, or the notebook if it has none."""
    try:
        cells = json.loads(path.read_bytes())["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError, RecursionError, OSError):
        return path
    lines = [line for source in sources for line in source.split("\n")]
    text = "\n".join(re.sub(r"^(\s*)[%!?].*", r"\1pass", line) for line in lines)
    name = re.sub(r"\W", "_", path.stem)
    file = path.with_name(f"{name}.py")
    file = path.with_name(f"{name}_notebook.py") if file.exists() else file
    file.write_text(text)
    return file


# ---- the search


def find_project_search(project: Project, wanted: str | None = None, call: str | None = None) -> ProjectSearch:
    """Return the search of a project. Raise NoSearchFound if there is none."""
    modules = list(project.modules.values())
    target = project.modules.get(project.target) if project.target is not None else None
    if target is not None:
        own = _search_of(target, wanted, call)
        is_search = isinstance(own, FoundSearch) and _score(target, own) >= MIN_SEARCH_SCORE
        is_alone = len(modules) == 1 and find_phases(target.functions) is None
        if isinstance(own, FoundSearch) and (is_search or wanted or is_alone):
            return _with_callers(project, target, own)
        if wanted is None and (phases := find_phases(target.functions)) is not None:
            return _with_callers(project, target, phases)._replace(is_monte_carlo=True)
        near = project.reached_from(target)
        modules = [*near, *(module for module in modules if module not in near)]
    elif not modules:
        raise NoSearchFound(_describe_problems(project) or "there is no Python file to check")
    else:
        own = NoSearchFound("no function calls itself, directly or through others, so there is no search to check")
    searches = [(module, found) for module in modules if isinstance(found := _search_of(module, wanted, call), FoundSearch)]
    named = _modules_named_in(project, call)
    if wanted is None and max((_score(*one) for one in searches), default=0) < MIN_SEARCH_SCORE:
        for module in modules:
            if (phases := find_phases(module.functions)) is not None:
                return _with_callers(project, module, phases)._replace(is_monte_carlo=True)
    if not searches:
        assert isinstance(own, NoSearchFound)  # noqa: S101 - a target with a search is among the searches
        note = "; ".join(filter(None, [_describe_problems(project), *project.notes]))
        raise NoSearchFound(f"{own}{f' ({note})' if note else ''}")
    best = max(
        searches,
        key=lambda one: (one[0] in named, _score(*one) - (3 if re.search(TEST_NAMES, one[0].name.lower()) else 0)),
    )
    if _score(*best) < MIN_SEARCH_SCORE and wanted is None and call is None:
        _refuse_loop_searches(project, target)
    return _with_callers(project, *best)


def _refuse_loop_searches(project: Project, target: ProjectModule | None) -> None:
    """Raise NoSearchFound if a function looks like a search by its names, but is a loop that does not call itself."""
    for module in [target] if target is not None else project.modules.values():
        for function in module.functions.values():
            looks_alike = score_group((function.name,), module.functions) >= MIN_LOOP_SCORE
            if looks_alike and has_loop(function) and function.name not in find_reachable(function.name, module.functions):
                place = f"{module.path.name}, line {function.node.lineno}"
                raise NoSearchFound(
                    f"{function.name} ({place}) is a loop that does not call itself, so there is nothing to record"
                )


def _search_of(module: ProjectModule, wanted: str | None, call: str | None) -> FoundSearch | NoSearchFound:
    try:
        return find_search(module.tree, wanted, call)
    except NoSearchFound as error:
        return error


def _score(module: ProjectModule, found: FoundSearch) -> float:
    """Return how much a search looks like one of a game tree: by its functions, or by all functions of their cycle."""
    circles = [circle for circle in find_recursive_groups(module.functions) if set(found.functions) <= set(circle)]
    return max(score_group(group, module.functions) for group in (found.functions, *circles))


def _modules_named_in(project: Project, call: str | None) -> list[ProjectModule]:
    """Return the modules that define a function which a call names."""
    if call is None:
        return []
    words = set(re.findall(r"\w+", call))
    return [
        module for module in project.modules.values() if words & {function.plain_name for function in module.functions.values()}
    ]


def _describe_problems(project: Project) -> str:
    problems = [str(error) for error in project.problems.values()]
    return "; ".join(problems[:2]) + (f"; {len(problems) - 2} more files cannot be read" if len(problems) > 2 else "")


def _with_callers(project: Project, module: ProjectModule, found: FoundSearch) -> ProjectSearch:
    return ProjectSearch(module, found, find_callers(project, module, found))


def find_callers(project: Project, module: ProjectModule, found: FoundSearch) -> list[Caller]:
    """Return the functions and scripts of the project that lead to the search, the nearest first."""
    reached: dict[tuple[str, str], Caller] = {}
    wanted = [(module, module.functions[name]) for name in found.functions]
    known = {(module.name, name) for name in found.functions}
    for level in range(1, MAX_CALLER_LEVELS + 1):
        new: list[tuple[ProjectModule, ProgramFunction]] = []
        for other in project.modules.values():
            means = _CallMeaning(project, other, wanted)
            for function, call in other.iterate_calls():
                if function is not None and function.plain_name == _called_name(call) and other is module and level == 1:
                    continue
                if means.is_wanted(call, function):
                    key = (other.name, "" if function is None else function.name)
                    if key not in reached and key not in known:
                        reached[key] = Caller(other, function, level)
                        if function is not None:
                            new.append((other, function))
        wanted = new
    return list(reached.values())


def _called_name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


class _CallMeaning:
    """Decides whether a call in a module means one of some functions."""

    def __init__(self, project: Project, module: ProjectModule, wanted: list[tuple[ProjectModule, ProgramFunction]]):
        self.module = module
        self.names: set[str] = set()  # plain names that mean one of them
        self.methods = {function.plain_name for _, function in wanted if function.owner}
        self.owners = {function.owner for _, function in wanted if function.owner and function.plain_name == "__init__"}
        self.modules: dict[str, set[str]] = {}  # alias of a module -> its wanted functions
        for home, function in wanted:
            if home is module and not function.owner:
                self.names.add(function.plain_name)
        bound = {(level, name, inner, alias) for level, name, inner, alias in module.imports}
        for level, name, inner, alias in bound:
            for home, function in wanted:
                if home is module or function.owner:
                    continue
                if inner and home in project.resolve_import(module, level, f"{name}.{inner}".strip(".")):
                    self.modules.setdefault(alias, set()).add(function.plain_name)
                elif inner in (function.plain_name, "*") and home in self._origins(project, level, name):
                    self.names.add(alias if inner != "*" else function.plain_name)
                elif not inner and home in project.resolve_import(module, level, name):
                    self.modules.setdefault(alias, set()).add(function.plain_name)

    def _origins(self, project: Project, level: int, name: str) -> list[ProjectModule]:
        """Return the modules that `from name import …` may take a function from: a package may hand it on."""
        found = project.resolve_import(self.module, level, name)
        return [origin for module in found for origin in project.reached_from(module)]

    def is_wanted(self, call: ast.Call, inside: ProgramFunction | None) -> bool:
        if isinstance(call.func, ast.Name):
            return call.func.id in self.names or call.func.id in self.owners
        if not isinstance(call.func, ast.Attribute):
            return False
        if call.func.attr in self.methods or call.func.attr in self.owners:
            return True
        first = call.func.value
        while isinstance(first, ast.Attribute):
            first = first.value
        return isinstance(first, ast.Name) and call.func.attr in self.modules.get(first.id, set())
