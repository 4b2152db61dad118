"""`plyscope check`: each program is watched in turn, then told, then written."""

import json
import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from engine.atomic_files import write_chunks
from engine.errors import PlyscopeError
from engine.watching.checking import CheckedProgram, check
from engine.watching.messages import WatchWish
from engine.watching.roles import Roles
from visualizer.cli.check_output import exit_code, page, show_verdict, writer
from visualizer.cli.output_files import write_all


def check_files(
    files: tuple[str, ...],
    call: str | None,
    function: str | None,
    mapped: tuple[str, ...],
    game: str | None,
    moves: str | None,
    first: str | None,
    prints: bool,
    seconds: float,
    opens: bool,
    as_json: bool,
    outputs: tuple[str, ...],
) -> int:
    """Check the programs; the exit code."""
    roles = read_roles(mapped)
    if (moves is not None or first is not None) and game is None:
        raise PlyscopeError("--moves and --first are of the game to compare with: give --game too")
    targets = dict(writer(outputs, len(files) > 1))
    against = None if game is None else _reference(game, moves, first)
    console, found = Console(highlight=False), []
    for file in files:
        checked = check(WatchWish(file, function, call, roles, seconds))
        if against is not None:
            against(checked)
        found.append(checked)
        if not as_json:
            show_verdict(console, checked, prints)
    if as_json:
        told = [checked.verdict.as_json() for checked in found]
        click.echo(json.dumps(told[0] if len(told) == 1 else told, ensure_ascii=False, allow_nan=False))
    write_all(targets, lambda target: write_chunks(target, [targets[target](found)]), as_json)
    if opens:
        _open(found)
    return exit_code([checked.verdict for checked in found])


def read_roles(mapped: tuple[str, ...]) -> dict[str, str]:
    """--map alpha=a as {"alpha": "a"}."""
    roles = {}
    for text in mapped:
        role, sign, name = text.partition("=")
        if not sign or role not in Roles._fields or not name.isidentifier():
            raise PlyscopeError(f"--map {text!r}: write role=argument, as alpha=a; the roles are {', '.join(Roles._fields)}")
        roles[role] = name
    return roles


def _reference(game: str, moves: str | None, first: str | None) -> Any:
    from engine.games.registry import read_game
    from engine.watching.against_ours import reference

    asked = read_game(game)
    return lambda checked: reference(checked, asked, moves, first)


def _open(found: list[CheckedProgram]) -> None:
    """Show the result in the browser: of one program in the app, at the step of its first finding; of many their page."""
    folder = Path(tempfile.mkdtemp(prefix="plyscope-"))
    checked = found[0]
    if len(found) > 1 or checked.answer.rows is None:
        target = folder / "class.html"
        target.write_bytes(page(found))
        webbrowser.open(target.as_uri())
        return
    from engine.watching.run_file import to_run_file
    from visualizer.serve import serve

    target = folder / "run.json"
    target.write_bytes(to_run_file(checked.verdict.file, checked.answer))
    os.environ["PLYSCOPE_RUN"] = str(target)
    serve("127.0.0.1", None, True, "your_search")
