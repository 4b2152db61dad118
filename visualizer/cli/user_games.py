"""A user's own game, loaded from a Python file. It runs in this process, as `python my_game.py` does.

The command line loads the file that was typed. Nothing else in the project loads code.
"""

import importlib.util
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.core.errors import BadGame, PlyscopeError, UnknownName, short_repr
from engine.games.game_types import GameType, TextField
from engine.games.protocol import REQUIRED_METHODS, check_game

USAGE_HINT = "write my_game.py:Game; plyscope new-game my_game writes one to begin with"

REQUIRED_RESULTS = {
    "start": "the first state",
    "play": "the state after the move",
    "is_over": "True or False",
}  # a search says it of others


class UserGame:
    """The user's game as the rest of the project sees it: with a text, and with errors as sentences. All else is the user's."""

    def __init__(self, own: Any, file: str, text: str):
        self.own, self.text = own, text
        self.name = str(getattr(own, "name", "") or text)
        for method in REQUIRED_METHODS:
            setattr(self, method, _wrap_method(getattr(own, method), file, method))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)


def load_user_game(file: str, name: str) -> UserGame:
    """Load the game that a class, a function or an object in a file gives.

    Without a name the file must have exactly one game.
    """
    module = _load_module(file)
    made = _find_game(module, file, name)
    try:
        game = made() if isinstance(made, type) or not _is_game(made) else made
    except Exception as error:
        raise BadGame(
            f"{name or made.__name__}() in {file} made no game ({_describe_error(error, file)}): it is called without arguments"
        ) from error
    check_game(game)
    return UserGame(game, file, f"{file.replace(':', '_')}:{name or made.__name__}")


def user_game_type(own: UserGame) -> GameType:
    """Return the game type that reads the game's text in this process."""
    name, _, rest = own.text.partition(":")
    return GameType(name, name, "a game of your own", lambda _: own, example=own.text, rest=TextField("Class", rest), own=True)


def _load_module(file: str) -> ModuleType:
    """Run the file as a module. It can import modules beside it."""
    path = Path(file)
    if not path.is_file():
        raise BadGame(f"there is no file {file[:100]!r}: {USAGE_HINT}")
    spec = importlib.util.spec_from_file_location(f"own_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadGame(f"{file[:100]!r} is no file of Python: {USAGE_HINT}")
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
        raise BadGame(f"{file} could not be loaded: {_describe_error(error, file)}") from error
    return module


def _find_game(module: ModuleType, file: str, name: str) -> Any:
    """Find the game of this name in a module, or its only game."""
    games = {key: thing for key, thing in vars(module).items() if _is_game(thing) and not key.startswith("_")}
    if name:
        found = getattr(module, name, None)
        if found is None:
            raise UnknownName(f"game in {file}", name, games)
        if not callable(found) and not _is_game(found):
            check_game(found)
        if isinstance(found, type) and not _is_game(found):
            lacking = [method for method in REQUIRED_METHODS if not callable(getattr(found, method, None))]
            raise BadGame(
                f"{name} in {file} lacks {', '.join(method + '()' for method in lacking)}: a game has all of {_list_methods()}"
            )
        return found
    own = {key: thing for key, thing in games.items() if isinstance(thing, type) and thing.__module__ == module.__name__}
    if len(own) != 1:
        there = (
            f"it has {', '.join(own)}: name one, as {file}:{next(iter(own))}" if own else f"no class in it has {_list_methods()}"
        )
        raise BadGame(f"{file} does not say which game is meant: {there}")
    return next(iter(own.values()))


def _is_game(thing: Any) -> bool:
    return all(callable(getattr(thing, method, None)) for method in REQUIRED_METHODS)


def _list_methods() -> str:
    return ", ".join(f"{method}()" for method in REQUIRED_METHODS)


def _wrap_method(method: Callable[..., Any], file: str, name: str) -> Callable[..., Any]:
    """Return the same method, whose errors name their place."""

    def call_method(*arguments: Any) -> Any:
        try:
            answer = method(*arguments)
        except PlyscopeError:
            raise
        except (Exception, SystemExit) as error:
            given = f", given {short_repr(arguments[0])}" if arguments else ""
            raise BadGame(f"{name}() broke off{given}: {_describe_error(error, file)}") from error
        if answer is None and name in REQUIRED_RESULTS:
            state = f" in state {short_repr(arguments[0])}" if arguments else ""
            raise BadGame(f"{name}() gave nothing{state}: it must return {REQUIRED_RESULTS[name]}")
        return answer

    return call_method


def _describe_error(error: BaseException, file: str) -> str:
    """Return the error in words, with the last line of the user's file in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).name == Path(file).name]
    said = " ".join(str(error).split())[:200]
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return f"{Path(file).name}, line {own[-1].lineno}: {what}" if own else what
