"""The argument GAME: the text of a game, a file with a tree, or a class in a Python file.

Only the command line reads files. A GAME in a link is read by the registry of games, which never opens a file.
"""

from pathlib import Path
from typing import Any

from engine.core.errors import BadTree, PlyscopeError
from engine.games.registry import GAME_TYPES, find_game_type, read_game, read_tree_file
from engine.games.tree_formats import EXTENSIONS
from engine.games.tree_formats.diagnostics import MAX_BYTES
from visualizer.cli.user_modules import split_argument


def read_game_argument(text: str, evaluation: str | None = None, *, remembered: bool = True) -> Any:
    """Return the game of this argument.

    With `remembered`, the registry gets the user's own game, so that matches can find it by its text.
    """
    typed = text.strip()
    game_type = GAME_TYPES.get(typed.partition(":")[0])
    if game_type is None or game_type.own:
        user_class = split_argument(typed)
        if user_class or Path(typed).suffix.lower() in EXTENSIONS:
            if evaluation is not None:
                raise PlyscopeError(f"{typed[:60]!r} has its own values: leave out --evaluation, which is for Connect boards")
            return _load_user_game(*user_class, remembered) if user_class else open_tree_file(typed)
    return read_game(typed, evaluation)


def choose_jobs(game: Any, jobs: int | None, scheduler: str | None) -> int:
    """Return the number of processes that play a game, -1 for one per core. Only this process knows the user's own game."""
    game_type = find_game_type(game)
    if game_type is None or not game_type.own:
        return -1 if jobs is None else jobs
    if scheduler is not None or (jobs or 1) > 1:
        raise PlyscopeError("your own game can be played in this process only: leave out --jobs and --scheduler")
    return 1


def _load_user_game(file: str, name: str, remembered: bool) -> Any:
    from visualizer.cli.user_games import load_user_game, user_game_type

    game = load_user_game(file, name)
    if remembered:
        game_type = user_game_type(game)
        GAME_TYPES[game_type.name] = game_type
    return game


def open_tree_file(path: str) -> Any:
    """Read the game of a tree from a file in any of the formats."""
    try:
        return read_tree_file(_read_start(path))
    except BadTree as error:
        raise BadTree(f"{path}: {error}") from None


def _read_start(path: str) -> bytes:
    """Read a file, up to one byte more than a tree may have."""
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PlyscopeError(f"cannot read {path[:100]!r}: {getattr(error, 'strerror', None) or error}") from None
