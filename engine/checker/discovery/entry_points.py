"""The entry points of a student's search.

They are the call that the user gave, the program's own starts (its script part, `main`, the function that chooses a move),
and calls with synthesized arguments.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from engine.checker.discovery.argument_synthesis import ArgumentSynthesizer, EntryPoint, required_arguments
from engine.checker.discovery.search_finder import FoundSearch, ProgramFunction
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case
from engine.checker.recording.state_encoding import is_simple_value
from engine.checker.sandbox.loader import CALL_NAME, SCRIPT_NAME, LoadedProgram

MAIN_PATTERN = r"^(main|play|run|start|game|juego|jogar|spiel|jouer|test)(_?(game|loop|main|play|spiel|juego))?$"


def find_entry_points(
    program: LoadedProgram, found: FoundSearch, functions: dict[str, ProgramFunction], call: str | None
) -> Iterator[EntryPoint]:
    """Yield the entry points that are worth trying, the best first. Later ones use what earlier ones have left in the program."""
    if call is not None:
        yield EntryPoint(call, getattr(program.module, CALL_NAME), False)
        return
    if program.has_script:
        yield EntryPoint("the script itself", getattr(program.module, SCRIPT_NAME), True)
    guess = ArgumentSynthesizer(program, found, functions)
    reaching = list(dict.fromkeys(_find_callers(found, functions)))
    mains = [
        name
        for name in reaching
        if "." not in name and re.search(MAIN_PATTERN, to_snake_case(name)) and not functions[name].arguments
    ]
    others = [name for name in reaching if name not in mains and "." not in name and not required_arguments(functions[name])]
    own = [EntryPoint(f"{name}()", getattr(program.module, name, lambda: None), True) for name in (*mains, *others)]
    yield from own
    script = [EntryPoint("the script itself", getattr(program.module, SCRIPT_NAME), True)] if program.has_script else own[:1]
    for start in script if _reads_input(program.tree) else []:
        for style in MOVE_INPUT_FORMATS:
            yield EntryPoint(f"{start.words}, its questions answered", partial(run_with_input, start.run, style), True)
    for name in (*found.roots, *found.functions):
        if not re.search(MAIN_PATTERN, to_snake_case(functions[name].plain_name)):
            yield from guess.iterate_calls(name)


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


# ---- questions

MOVE_INPUT_FORMATS = ("{0}", "{0} {1}", "{0},{1}", "{2}{0}")  # how programs want a move to be typed
MAX_INPUT_ANSWERS = 80
YES_NO_PATTERN = r"\(?[yosj]/n\)?|yes|first|start|begin|commenc|premier|empez|beginn|again|(want|voulez|quieres|willst|wil) "
CHOICE_PATTERN = r"\b([A-Za-z])\b\W{0,3}(?:/|\b(?:or|ou|oder|o|of)\b)\W{0,3}\b([A-Za-z])\b"  # play as X or O? (w/b)


def _reads_input(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "input" for node in ast.walk(tree))


def run_with_input(run: Callable[[], Any], style: str) -> Any:
    """Run a program that asks its user for moves, and type numbers until it reaches its search.

    Yes-or-no questions are answered with "no", so that the program begins.
    """
    refused, given = builtins.input, 0

    def answer(prompt: object = "", /) -> str:
        nonlocal given
        given += 1
        if given > MAX_INPUT_ANSWERS:
            return refused(prompt)
        if re.search(YES_NO_PATTERN, str(prompt).lower()) and given % 3:
            return "n"
        if choice := re.search(CHOICE_PATTERN, str(prompt).strip()):
            return choice[1 + given % 2]
        number = (given - 1) % 9 + 1
        return style.format(number, (given * 2) % 3 + 1, "abcdefgh"[given % 8])

    builtins.input = answer
    try:
        return run()
    finally:
        builtins.input = refused


# ---- where no argument holds the state

MUTATING_METHODS = {"append", "pop", "insert", "remove", "extend", "clear", "add", "push", "make_move", "undo", "play", "move"}
TABLE_PATTERN = r"memo|cache|table|transpos|^tt$|visited|seen|^dp$|count|stat|log"
MAX_GLOBAL_ITEMS = 200


def find_changing_globals(program: LoadedProgram, functions: dict[str, ProgramFunction]) -> Callable[[], Any] | None:
    """Return a function that gives the globals which the program changes, or None. Tables of results are left out."""
    names: set[str] = set()
    for function in functions.values():
        for node in ast.walk(function.node):
            if isinstance(node, ast.Global):
                names |= set(node.names)
            elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                names |= _base_names(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in MUTATING_METHODS:
                names |= _base_names(node.func)
    held = vars(program.module)
    kept = sorted(
        name
        for name in names
        if name in held
        and not is_simple_value(held[name])
        and not callable(held[name])
        and not re.search(TABLE_PATTERN, name.lower())
    )
    kept = [name for name in kept if not hasattr(held[name], "__len__") or len(held[name]) <= MAX_GLOBAL_ITEMS]
    return (lambda: [held.get(name) for name in kept]) if kept else None


def _base_names(node: ast.expr) -> set[str]:
    """Return the name at the root of `a.b[c].d`, as a set."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def has_state_argument(function: ProgramFunction) -> bool:
    """Return True if an argument may hold the position: `self`, one with such a name, or one without a known role."""
    names = [to_snake_case(name) for name in function.arguments]
    has_state_name = any(re.search(ROLE_PATTERNS["state"], name) for name in names)
    return bool(function.owner) or has_state_name or any(not re.search("|".join(ROLE_PATTERNS.values()), name) for name in names)
