"""GAME as it is typed: a text that names a game, a file with a tree, or a class in a file of one's own.

Only the command line reads files: a GAME in a link is read by the registry of games, which knows none.
"""

from pathlib import Path
from typing import Any

from engine import literal
from engine.core.errors import BadTree, PlyscopeError
from engine.games.registry import KINDS, kind_for, read_game
from engine.games.tree_formats import EXTENSIONS, read_tree
from engine.games.tree_formats.diagnostics import MAX_BYTES

PYTHON = ".py"


def typed_game(text: str, evaluation: str | None = None, *, remembered: bool = True) -> Any:
    """The game that was typed. One of the user's own is `remembered` by its text, so that matches can speak of it."""
    typed = text.strip()
    kind = KINDS.get(typed.partition(":")[0])
    if kind is None or kind.own:
        file, colon, name = typed.rpartition(":")
        file, name = (file, name) if colon and file.endswith(PYTHON) else (typed, "")
        if file.endswith(PYTHON) or Path(file).suffix.lower() in EXTENSIONS:
            if evaluation is not None:
                raise PlyscopeError(f"{typed[:60]!r} has its own values: an evaluation can be chosen for Connect boards only")
            return _own(file, name, remembered) if file.endswith(PYTHON) else read_tree_file(file)
    return read_game(typed, evaluation)


def jobs_for(game: Any, jobs: int | None, scheduler: str | None) -> int:
    """How many processes play a game; -1: one for each core. One of the user's own is known to this process only."""
    kind = kind_for(game)
    if kind is None or not kind.own:
        return -1 if jobs is None else jobs
    if scheduler is not None or (jobs or 1) > 1:
        raise PlyscopeError("a game of your own is played in this process only: leave out --jobs and --scheduler")
    return 1


def _own(file: str, name: str, remembered: bool) -> Any:
    from visualizer.cli.user_games import kind_of_own, load_own

    own = load_own(file, name)
    if remembered:
        kind = kind_of_own(own)
        KINDS[kind.name] = kind
    return own


def read_tree_file(path: str) -> Any:
    """The game of a tree that is written in a file, in any of the formats."""
    try:
        read = read_tree(_content(path))
        return literal(read.tree, read.first or "max")
    except BadTree as error:
        raise BadTree(f"{path}: {error}") from None


def _content(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise PlyscopeError(f"cannot read {path[:100]!r}: {getattr(error, 'strerror', None) or error}") from None
