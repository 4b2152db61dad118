"""A game of the user's own, from a file of Python. It runs in this process, as `python my_game.py` would: the command line loads
what was typed, and nothing else in the project loads anything."""

import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.core.errors import BadGame, PlyscopeError, UnknownName, shortened
from engine.games.game_types import Kind, TextField
from engine.games.protocol import METHODS, check_game

HOW = "write my_game.py:Game; plyscope new-game my_game writes one to begin with"

NEEDED = {
    "start": "the first state",
    "play": "the state after the move",
    "is_over": "True or False",
}  # a search says it of others


class OwnGame:
    """The game as the rest of the project sees it: with a text, and with mistakes told in a sentence. All else is the user's."""

    def __init__(self, own: Any, file: str, text: str):
        self.own, self.text = own, text
        self.name = str(getattr(own, "name", "") or text)
        for method in METHODS:
            setattr(self, method, _told(getattr(own, method), file, method))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)


def load_own(file: str, name: str) -> OwnGame:
    """The game that a class (or a function, or an object) in a file is; without a name the only one that there is."""
    module = _loaded(file)
    made = _found(module, file, name)
    try:
        game = made() if isinstance(made, type) or not _is_game(made) else made
    except Exception as error:
        raise BadGame(
            f"{name or made.__name__}() in {file} made no game ({_place(error, file)}): it is called without arguments"
        ) from error
    check_game(game)
    return OwnGame(game, file, f"{file.replace(':', '_')}:{name or made.__name__}")


def kind_of_own(own: OwnGame) -> Kind:
    """What its text is read by, in this process."""
    name, _, rest = own.text.partition(":")
    return Kind(name, name, "a game of your own", lambda _: own, example=own.text, rest=TextField("Class", rest), own=True)


def _loaded(file: str) -> ModuleType:
    """The file, run as a module. Modules beside it can be imported."""
    path = Path(file)
    if not path.is_file():
        raise BadGame(f"there is no file {file[:100]!r}: {HOW}")
    spec = importlib.util.spec_from_file_location(f"own_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadGame(f"{file[:100]!r} is no file of Python: {HOW}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise BadGame(f"{Path(error.filename or file).name}, line {error.lineno}: Python cannot read it ({error.msg})") from None
    except PlyscopeError:
        raise
    except (Exception, SystemExit) as error:
        raise BadGame(f"{file} could not be loaded: {_place(error, file)}") from error
    return module


def _found(module: ModuleType, file: str, name: str) -> Any:
    games = {key: thing for key, thing in vars(module).items() if _is_game(thing) and not key.startswith("_")}
    if name:
        found = getattr(module, name, None)
        if found is None:
            raise UnknownName(f"game in {file}", name, games)
        if not callable(found) and not _is_game(found):
            check_game(found)
        if isinstance(found, type) and not _is_game(found):
            lacking = [method for method in METHODS if not callable(getattr(found, method, None))]
            raise BadGame(
                f"{name} in {file} lacks {', '.join(method + '()' for method in lacking)}: a game has all of {_methods()}"
            )
        return found
    own = {key: thing for key, thing in games.items() if isinstance(thing, type) and thing.__module__ == module.__name__}
    if len(own) != 1:
        there = f"it has {', '.join(own)}: name one, as {file}:{next(iter(own))}" if own else f"no class in it has {_methods()}"
        raise BadGame(f"{file} does not say which game is meant: {there}")
    return next(iter(own.values()))


def _is_game(thing: Any) -> bool:
    return all(callable(getattr(thing, method, None)) for method in METHODS)


def _methods() -> str:
    return ", ".join(f"{method}()" for method in METHODS)


def _told(method: Callable[..., Any], file: str, name: str) -> Callable[..., Any]:
    """The same method, whose mistakes are told with their place."""

    def call(*arguments: Any) -> Any:
        try:
            answer = method(*arguments)
        except PlyscopeError:
            raise
        except (Exception, SystemExit) as error:
            given = f", given {shortened(arguments[0])}" if arguments else ""
            raise BadGame(f"{name}() broke off{given}: {_place(error, file)}") from error
        if answer is None and name in NEEDED:
            state = f" in state {shortened(arguments[0])}" if arguments else ""
            raise BadGame(f"{name}() gave nothing{state}: it must return {NEEDED[name]}")
        return answer

    return call


def _place(error: BaseException, file: str) -> str:
    """What went wrong, and the last line of the user's file that had to do with it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).name == Path(file).name]
    said = " ".join(str(error).split())[:200]
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return f"{Path(file).name}, line {own[-1].lineno}: {what}" if own else what
