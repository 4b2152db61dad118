"""Example games to start from. `plyscope new-game NAME` copies one of these files."""

from pathlib import Path

from engine.core.atomic_files import write_new
from engine.core.errors import PlyscopeError, UnknownName

EXAMPLES_FOLDER = Path(__file__).parent
EXAMPLES = {"sticks": "take 1, 2 or 3 sticks; the last stick wins", "othello": "Othello on 6 x 6, with a board"}


def write_new_game(name: str, like: str) -> Path:
    """Write an example game to NAME.py, which must not exist. Return the file."""
    if like not in EXAMPLES:
        raise UnknownName("example", like, EXAMPLES)
    target = Path(name if name.endswith(".py") else f"{name}.py")
    if not target.stem.isidentifier():
        raise PlyscopeError(f"{name[:60]!r} cannot be the name of a Python file: use letters, digits and _, for example my_game")
    text = (EXAMPLES_FOLDER / f"{like}.py").read_text(encoding="utf-8").replace("FILE", target.stem)
    write_new(target, [text.encode()])
    return target
