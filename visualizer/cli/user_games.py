"""The user's own game, loaded from a Python file."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from engine.core.errors import BadGame, PlyscopeError, UnknownName, short_repr
from engine.games.game_types import GameType, TextField
from engine.games.protocol import REQUIRED_METHODS, check_game
from visualizer.cli.user_modules import describe_error, load_user_module

USAGE_HINT = "write my_game.py:Game; `plyscope new-game my_game` writes an example"

REQUIRED_RESULTS = {
    "start": "the first state",
    "play": "the state after the move",
    "is_over": "True or False",
}  # the search itself checks the results of the other methods


class UserGame:
    """Wraps the user's game: it has a text, and its errors name their place. All other attributes are the user's."""

    def __init__(self, wrapped: Any, file: str, text: str):
        self.wrapped, self.text = wrapped, text
        self.name = str(getattr(wrapped, "name", "") or text)
        for method in REQUIRED_METHODS:
            setattr(self, method, _wrap_method(getattr(wrapped, method), file, method))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)


def load_user_game(file: str, name: str) -> UserGame:
    """Load a game from a file. The name is that of a class, a function or an object.

    Without a name the file must have exactly one class that is a game.
    """
    found = _find_game(load_user_module(file, USAGE_HINT), file, name)
    shown_name = name or found.__name__
    try:
        game = found() if isinstance(found, type) or not _is_game(found) else found
    except Exception as error:
        raise BadGame(
            f"{shown_name}() in {file} did not create a game ({describe_error(error, file)}): it is called without arguments"
        ) from error
    check_game(game)
    return UserGame(game, file, f"{file.replace(':', '_')}:{shown_name}")


def user_game_type(loaded: UserGame) -> GameType:
    """Return the game type that reads the game's text in this process."""
    name, _, rest = loaded.text.partition(":")
    return GameType(name, name, "your own game", lambda _: loaded, example=loaded.text, rest=TextField("Class", rest), own=True)


def _find_game(module: ModuleType, file: str, name: str) -> Any:
    """Find the game of this name in a module, or its only game."""
    games = {key: value for key, value in vars(module).items() if _is_game(value) and not key.startswith("_")}
    if name:
        found = getattr(module, name, None)
        if found is None:
            raise BadGame(f"{file}: {UnknownName('game', name, games)}")
        if not callable(found) and not _is_game(found):
            check_game(found)
        if isinstance(found, type) and not _is_game(found):
            missing = [f"`{method}()`" for method in REQUIRED_METHODS if not callable(getattr(found, method, None))]
            raise BadGame(f"`{name}` in {file} is not a game: it has no {' or '.join(missing)} method")
        return found
    classes = {key: value for key, value in games.items() if isinstance(value, type) and value.__module__ == module.__name__}
    if not classes:
        raise BadGame(f"{file} has no game: a game is a class with {_list_methods()}")
    if len(classes) > 1:
        raise BadGame(f"{file} has several games, {', '.join(classes)}: choose one, for example {file}:{next(iter(classes))}")
    return next(iter(classes.values()))


def _is_game(value: Any) -> bool:
    return all(callable(getattr(value, method, None)) for method in REQUIRED_METHODS)


def _list_methods() -> str:
    return ", ".join(f"{method}()" for method in REQUIRED_METHODS)


def _wrap_method(method: Callable[..., Any], file: str, name: str) -> Callable[..., Any]:
    """Return the same method with errors that name their place."""

    def call_method(*arguments: Any) -> Any:
        try:
            answer = method(*arguments)
        except PlyscopeError:
            raise
        except (Exception, SystemExit) as error:
            state = f" in state {short_repr(arguments[0])}" if arguments else ""
            raise BadGame(f"{name}() failed{state}: {describe_error(error, file)}") from error
        if answer is None and name in REQUIRED_RESULTS:
            state = f" in state {short_repr(arguments[0])}" if arguments else ""
            raise BadGame(f"{name}() returned None{state}: it must return {REQUIRED_RESULTS[name]}")
        return answer

    return call_method
