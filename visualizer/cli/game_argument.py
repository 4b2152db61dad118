"""The argument GAME: the text of a game, a file with a tree, or a class in the user's own file.

Only the command line reads files. A GAME in a link is read by the registry of games, which reads none.
"""

from pathlib import Path
from typing import Any

from engine import literal
from engine.core.errors import BadTree, PlyscopeError
from engine.games.registry import GAME_TYPES, find_game_type, read_game
from engine.games.tree_formats import EXTENSIONS, read_tree
from engine.games.tree_formats.diagnostics import MAX_BYTES

PYTHON_SUFFIX = ".py"


def read_game_argument(text: str, evaluation: str | None = None, *, remembered: bool = True) -> Any:
    """Return the game of this argument. A game of the user's own is `remembered` by its text, so that matches can name it."""
    typed = text.strip()
    kind = GAME_TYPES.get(typed.partition(":")[0])
    if kind is None or kind.own:
        file, colon, name = typed.rpartition(":")
        file, name = (file, name) if colon and file.endswith(PYTHON_SUFFIX) else (typed, "")
        if file.endswith(PYTHON_SUFFIX) or Path(file).suffix.lower() in EXTENSIONS:
            if evaluation is not None:
                raise PlyscopeError(f"{typed[:60]!r} has its own values: an evaluation can be chosen for Connect boards only")
            return _load_user_game(file, name, remembered) if file.endswith(PYTHON_SUFFIX) else read_tree_file(file)
    return read_game(typed, evaluation)


def choose_jobs(game: Any, jobs: int | None, scheduler: str | None) -> int:
    """Return the number of processes that play a game, -1 for one per core.

    Only this process knows a game of the user's own.
    """
    kind = find_game_type(game)
    if kind is None or not kind.own:
        return -1 if jobs is None else jobs
    if scheduler is not None or (jobs or 1) > 1:
        raise PlyscopeError("a game of your own is played in this process only: leave out --jobs and --scheduler")
    return 1


def _load_user_game(file: str, name: str, remembered: bool) -> Any:
    from visualizer.cli.user_games import load_user_game, user_game_type

    own = load_user_game(file, name)
    if remembered:
        kind = user_game_type(own)
        GAME_TYPES[kind.name] = kind
    return own


def read_tree_file(path: str) -> Any:
    """Read the game of a tree from a file in any of the formats."""
    try:
        read = read_tree(_read_start(path))
        return literal(read.tree, read.first or "max")
    except BadTree as error:
        raise BadTree(f"{path}: {error}") from None


def _read_start(path: str) -> bytes:
    """Read a file, up to one byte more than a tree may have."""
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PlyscopeError(f"cannot read {path[:100]!r}: {getattr(error, 'strerror', None) or error}") from None
