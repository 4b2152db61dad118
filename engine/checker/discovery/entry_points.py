"""The entry points of a student's search.

They are the call that the user gave, the program's own starts (its script part, `main`, the function that chooses a move),
and calls with synthesized arguments.
"""

import ast
import itertools
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from engine.checker.discovery.argument_facts import required_arguments
from engine.checker.discovery.argument_synthesis import ArgumentSynthesizer, EntryPoint
from engine.checker.discovery.call_site_replay import CallSite, run_call_site
from engine.checker.discovery.input_driver import MOVE_INPUT_FORMATS, reads_input, run_with_input
from engine.checker.discovery.project import MAIN_NAMES, TEST_NAMES, Project, ProjectModule, ProjectSearch
from engine.checker.discovery.script_options import (
    OptionChooser,
    chosen_options,
    has_parser,
    list_argument_words,
    list_search_names,
)
from engine.checker.discovery.search_finder import FoundSearch, ProgramFunction
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case
from engine.checker.sandbox.loader import CALL_NAME, SCRIPT_NAME, LoadedProgram, split_statements

MAX_SCRIPTS = 4  # other files of the project that are run
MAX_REPLAYS = 6  # calls of the search in the project
MAX_CALLER_LEVEL = 3  # calls between a function that is called and the search
MAX_CALLER_TRIES = 4  # calls of such a function with different arguments
MAIN_PATTERN = r"^(main|play|run|start|game|juego|jogar|spiel|jouer|test)(_?(game|loop|main|play|spiel|juego))?$"


def find_entry_points(
    program: LoadedProgram, project: Project, search: ProjectSearch, call: str | None = None
) -> Iterator[EntryPoint]:
    """Yield the entry points that are worth trying, the best first. Later ones use what earlier ones have left in the program."""
    for stage in list_stages(program, project, search, call):
        yield from stage


def list_stages(
    program: LoadedProgram,
    project: Project,
    search: ProjectSearch,
    call: str | None = None,
    guess: ArgumentSynthesizer | None = None,
) -> list[Iterator[EntryPoint]]:
    """Return the kinds of entry points, each as an iterator. To ask for the next one may run code of the program.

    They are the call of the user, or: the scripts, then calls of the search as they are in the project, then functions that
    lead to the search, then the search itself.
    """
    guess = guess or ArgumentSynthesizer(program, project, search)
    if call is not None:
        return [_start_with_call(program, guess, call)]
    home, functions, found = search.module, search.module.functions, search.found
    stages = [_iterate_own_starts(program, guess)]
    stages += [_iterate_script_starts(guess, module) for module in _list_scripts(project, search)]
    stages.append(_iterate_replays(guess, search))
    without = [
        caller.function.name
        for caller in search.callers
        if caller.function is not None and caller.module is not home and _is_plain(caller.function)
    ]
    around = [caller for caller in search.callers if caller.function is not None and caller.level <= MAX_CALLER_LEVEL]
    stages += [
        guess.iterate_calls(caller.function.name, caller.module, own=True)
        for caller in around
        if caller.function is not None and caller.function.name in without and caller.module is not home
    ]
    stages += [
        guess.iterate_calls(name, own=True)
        for name in found.roots
        if not re.search(MAIN_PATTERN, to_snake_case(functions[name].plain_name))
    ]
    stages += [
        itertools.islice(guess.iterate_calls(caller.function.name, caller.module, own=True), MAX_CALLER_TRIES)
        for caller in around
        if caller.function is not None and (caller.module is not home or caller.function.name not in found.roots)
    ]
    return [*stages, *(guess.iterate_calls(name) for name in found.functions)]


def _iterate_replays(guess: ArgumentSynthesizer, search: ProjectSearch) -> Iterator[EntryPoint]:
    """Yield the calls of the search in the project, and of the functions in its module that call it, with what is before them."""
    functions = search.module.functions
    roots = [functions[name] for name in search.found.roots]
    wanted = {functions[name].plain_name for name in search.found.functions}
    outer = {root.plain_name for root in roots if not re.search(MAIN_PATTERN, to_snake_case(root.plain_name))}
    inside = {functions[name].plain_name for name in (*search.found.functions, *search.found.roots)}
    for names in (wanted, outer):
        sites = [
            CallSite(module, function, call)
            for module, function, call in guess.calls_of(names)
            if function is None or function.plain_name not in (inside if module is search.module else wanted)
        ]
        for site in sorted(sites, key=lambda site: site.function is not None)[:MAX_REPLAYS]:
            yield EntryPoint(site.text, partial(_replay, guess, site), True, True)


def _replay(guess: ArgumentSynthesizer, site: CallSite) -> Any:
    """Replay a call. The arguments of the function around it are made."""
    loaded = guess.names.load(site.module)
    made = guess.make_arguments(site.module, site.function) if site.function is not None else {}
    with _running_in(site.module.path):
        return None if loaded is None else run_call_site(site, loaded, made)


def _start_with_call(program: LoadedProgram, guess: ArgumentSynthesizer, call: str) -> Iterator[EntryPoint]:
    """Yield the call of the user. Names of other modules of the project are added to those of its module."""
    held = vars(program.module)
    for name, value in guess.names.names_for(call).items():
        held.setdefault(name, value)
    yield EntryPoint(call, getattr(program.module, CALL_NAME), False)


def _is_plain(function: ProgramFunction) -> bool:
    """Return True if a function can be called by its name, without arguments."""
    return not function.owner and "." not in function.name and not required_arguments(function)


def _iterate_own_starts(program: LoadedProgram, guess: ArgumentSynthesizer) -> Iterator[EntryPoint]:
    """Yield the starts in the file of the search: its script, `main`, functions without arguments that reach the search."""
    search, functions = guess.search, guess.home.functions
    script = ScriptStart(guess, guess.home, "the script itself")
    if program.has_script:
        yield from script.iterate_starts()
    reaching = list(dict.fromkeys(_find_callers(search.found, functions)))
    mains = [
        name
        for name in reaching
        if "." not in name and re.search(MAIN_PATTERN, to_snake_case(name)) and not functions[name].arguments
    ]
    others = [name for name in reaching if name not in mains and "." not in name and not required_arguments(functions[name])]
    own = [EntryPoint(f"{name}()", getattr(program.module, name, lambda: None), True) for name in (*mains, *others)]
    yield from own
    asking = [script.entry_point()] if program.has_script else own[:1]
    for start in asking if reads_input(program.tree) else []:
        yield from _answer_questions(start)


def _answer_questions(start: EntryPoint, styles: Sequence[str] = MOVE_INPUT_FORMATS) -> Iterator[EntryPoint]:
    for style in styles:
        asked: list[int] = []
        yield start._replace(
            text=f"{start.text}, with its questions answered", run=partial(run_with_input, start.run, style, asked)
        )
        if asked == [0]:
            return  # other answers would change nothing


def _list_scripts(project: Project, search: ProjectSearch) -> list[ProjectModule]:
    """Return the other files of the project that run something and reach the search, those that look like the main one first."""
    leading = [caller.module for caller in search.callers]
    modules = [module for module in project.importers_of(search.module) if module is not search.module]
    modules = list({module.path: module for module in (*leading, *modules) if module is not search.module}.values())
    return sorted(
        (module for module in modules if split_statements(module.tree.body)[1]),
        key=lambda module: (
            module.path != project.target,
            re.search(TEST_NAMES, module.name.lower()) is not None,
            module not in leading,
            not re.search(MAIN_NAMES, module.path.stem.lower()),
        ),
    )[:MAX_SCRIPTS]


def _iterate_script_starts(guess: ArgumentSynthesizer, module: ProjectModule) -> Iterator[EntryPoint]:
    """Yield the starts of another file of the project: its script, with options, and with its questions answered."""
    script = ScriptStart(guess, module, f"the script {module.path.name}")
    yield from script.iterate_starts()
    if any(reads_input(one.tree) for one in script.near):
        styles = MOVE_INPUT_FORMATS[:1] if script.has_options else MOVE_INPUT_FORMATS
        yield from _answer_questions(script.entry_point(), styles)


class ScriptStart:
    """The script of a module, which may want options."""

    def __init__(self, guess: ArgumentSynthesizer, module: ProjectModule, text: str):
        self.guess = guess
        self.module = module
        self.text = text
        self.near = guess.project.reached_from(module)
        self.has_options = any(has_parser(one.tree) for one in self.near)

    def entry_point(self, words: Sequence[str] = ()) -> EntryPoint:
        return EntryPoint(" ".join((self.text, *words)), partial(self.run, words), True, script=self.text)

    def run(self, words: Sequence[str] = ()) -> Any:
        """Run the script with words after its name."""
        loaded = self.guess.names.load(self.module)
        with _running_in(self.module.path, words):
            return getattr(loaded, SCRIPT_NAME, lambda: None)()

    def iterate_starts(self) -> Iterator[EntryPoint]:
        """Yield the script: with options that choose a player, with those that it requires, with words."""
        if not self.has_options:
            yield self.entry_point()
        else:
            yield self._with_options(True, "options")
            yield self._with_options(False, "the options that it requires")
        if words := list_argument_words(self.module.tree, self._file_names()):
            yield self.entry_point(words)

    def _with_options(self, is_eager: bool, what: str) -> EntryPoint:
        chooser = OptionChooser(list_search_names(self.guess.search.found.functions), self._file_names(), is_eager)

        def run() -> Any:
            with chosen_options(chooser):
                return self.run()

        return EntryPoint(f"{self.text}, with {what}", run, True)

    def _file_names(self) -> list[str]:
        return [os.path.relpath(path, self.module.path.parent) for path in self.guess.project.data_files]


@contextmanager
def _running_in(path: Path, words: Sequence[str] = ()) -> Iterator[None]:
    """Run a script as from its own folder, with words after its name."""
    folder, arguments = os.getcwd(), sys.argv
    try:
        os.chdir(path.parent)
        sys.argv = [str(path), *words]
        yield
    finally:
        sys.argv = arguments
        os.chdir(folder)


def is_move_chooser(function: ProgramFunction) -> bool:
    """Return True if a function that calls the search chooses one move: all of it is one search.

    A function that plays a game runs many searches.
    """
    asks = any(
        isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("input", "raw_input", "get")
        for node in ast.walk(function.node)
    )
    plays = any(isinstance(node, ast.While) for node in ast.walk(function.node)) and not function.node.args.args
    return not asks and not plays and not re.search(MAIN_PATTERN, to_snake_case(function.plain_name))


def _find_callers(found: FoundSearch, functions: dict[str, ProgramFunction]) -> list[str]:
    """Return the functions that reach the search by calls, the nearest first."""
    reached = list(found.roots)
    for name in reached:
        reached += [other for other in functions if name in functions[other].calls and other not in reached]
    return [name for name in reached if name not in found.functions]


# ---- the state, if no argument holds it


def has_state_argument(function: ProgramFunction) -> bool:
    """Return True if an argument may hold the position: `self`, one with such a name, or one without a known role."""
    names = [to_snake_case(name) for name in function.arguments]
    has_state_name = any(re.search(ROLE_PATTERNS["state"], name) for name in names)
    return bool(function.owner) or has_state_name or any(not re.search("|".join(ROLE_PATTERNS.values()), name) for name in names)
