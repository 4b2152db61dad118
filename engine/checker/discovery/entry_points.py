"""Where a student's search is started: by the call that was asked for, by the program itself (its script part, `main`, the
function that chooses a move), or by an obvious call that is put together from what the program has."""

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from engine.checker.discovery.argument_synthesis import Guess, Start, required
from engine.checker.discovery.search_finder import Found, Function
from engine.checker.recording.argument_roles import NAMES, spelled
from engine.checker.recording.state_encoding import is_small
from engine.checker.sandbox.loader import CALL, SCRIPT, LoadedProgram

MAINS = r"^(main|play|run|start|game|juego|jogar|spiel|jouer|test)(_?(game|loop|main|play|spiel|juego))?$"


def starts(program: LoadedProgram, found: Found, functions: dict[str, Function], call: str | None) -> Iterator[Start]:
    """The ways that are worth trying, the best first. Later ones use what earlier ones have left in the program."""
    if call is not None:
        yield Start(call, getattr(program.module, CALL), False)
        return
    if program.has_script:
        yield Start("the script itself", getattr(program.module, SCRIPT), True)
    guess = Guess(program, found, functions)
    reaching = list(dict.fromkeys(_reaching(found, functions)))
    mains = [name for name in reaching if "." not in name and re.search(MAINS, spelled(name)) and not functions[name].arguments]
    others = [name for name in reaching if name not in mains and "." not in name and not required(functions[name])]
    own = [Start(f"{name}()", getattr(program.module, name, lambda: None), True) for name in (*mains, *others)]
    yield from own
    script = [Start("the script itself", getattr(program.module, SCRIPT), True)] if program.has_script else own[:1]
    for start in script if _asks(program.tree) else []:
        for style in STYLES:
            yield Start(f"{start.words}, its questions answered", partial(answered, start.run, style), True)
    for name in (*found.roots, *found.functions):
        if not re.search(MAINS, spelled(functions[name].plain_name)):
            yield from guess.calls(name)


def is_boundary(function: Function) -> bool:
    """Whether a function that calls the search chooses one move: the whole of it is then one search. A function that plays a game
    calls many."""
    asks = any(
        isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("input", "raw_input", "get")
        for node in ast.walk(function.node)
    )
    plays = any(isinstance(node, ast.While) for node in ast.walk(function.node)) and not function.node.args.args
    return not asks and not plays and not re.search(MAINS, spelled(function.plain_name))


def _reaching(found: Found, functions: dict[str, Function]) -> list[str]:
    """The functions from which the search is reached by calls, the nearest first."""
    reached = list(found.roots)
    for name in reached:
        reached += [other for other in functions if name in functions[other].calls and other not in reached]
    return [name for name in reached if name not in found.functions]


# ---- questions

STYLES = ("{0}", "{0} {1}", "{0},{1}", "{2}{0}")  # how programs want a move to be typed
MOST_ANSWERS = 80
YES_OR_NO = r"\(?[yosj]/n\)?|yes|first|start|begin|commenc|premier|empez|beginn|again|(want|voulez|quieres|willst|wil) "
EITHER = r"\b([A-Za-z])\b\W{0,3}(?:/|\b(?:or|ou|oder|o|of)\b)\W{0,3}\b([A-Za-z])\b"  # play as X or O? (w/b)


def _asks(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Call) and getattr(node.func, "id", "") == "input" for node in ast.walk(tree))


def answered(run: Callable[[], Any], style: str) -> Any:
    """Run a program that asks its user for moves: it gets one number after the other, until it comes to its search. "No" to
    questions whether the user wants something, so that the program begins."""
    refused, given = builtins.input, 0

    def answer(prompt: object = "", /) -> str:
        nonlocal given
        given += 1
        if given > MOST_ANSWERS:
            return refused(prompt)
        if re.search(YES_OR_NO, str(prompt).lower()) and given % 3:
            return "n"
        if choice := re.search(EITHER, str(prompt).strip()):
            return choice[1 + given % 2]
        number = (given - 1) % 9 + 1
        return style.format(number, (given * 2) % 3 + 1, "abcdefgh"[given % 8])

    builtins.input = answer
    try:
        return run()
    finally:
        builtins.input = refused


# ---- where no argument holds the state

CHANGES = {"append", "pop", "insert", "remove", "extend", "clear", "add", "push", "make_move", "undo", "play", "move"}
REMEMBERED = r"memo|cache|table|transpos|^tt$|visited|seen|^dp$|count|stat|log"
MOST_PARTS = 200


def changing_globals(program: LoadedProgram, functions: dict[str, Function]) -> Callable[[], Any] | None:
    """What gives the globals that the functions change; None where there are none. Tables of results are no positions."""
    names: set[str] = set()
    for function in functions.values():
        for node in ast.walk(function.node):
            if isinstance(node, ast.Global):
                names |= set(node.names)
            elif isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
                names |= _base(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                names |= _base(node.func)
    held = vars(program.module)
    kept = sorted(
        name
        for name in names
        if name in held and not is_small(held[name]) and not callable(held[name]) and not re.search(REMEMBERED, name.lower())
    )
    kept = [name for name in kept if not hasattr(held[name], "__len__") or len(held[name]) <= MOST_PARTS]
    return (lambda: [held.get(name) for name in kept]) if kept else None


def _base(node: ast.expr) -> set[str]:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return {node.id} if isinstance(node, ast.Name) else set()


def holds_state(function: Function) -> bool:
    """Whether an argument may hold the position: one is called so, or the object itself is one."""
    return bool(function.owner) or any(re.search(NAMES["state"], spelled(name)) for name in function.arguments) or any(
        not re.search("|".join(NAMES.values()), spelled(name)) for name in function.arguments
    )  # fmt: skip
