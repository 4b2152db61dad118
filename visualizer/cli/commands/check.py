"""`plyscope check`: each program is watched in turn, then told, then written."""

import json
import os
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from engine.checker.check import CheckedProgram, check
from engine.checker.recording.argument_roles import Roles
from engine.checker.sandbox.launcher import with_files
from engine.checker.sandbox.worker_protocol import WatchWish
from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from visualizer.cli.exit_codes import EXIT_INTERRUPTED
from visualizer.cli.output.check_output import exit_code, page, show_in_a_line, show_verdict, writer
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_all
from visualizer.narration.escapes import plain


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
    console = PlainConsole()
    show = partial(show_in_a_line, console) if len(files) > 1 and outputs else partial(show_verdict, console, with_prints=prints)
    found: list[CheckedProgram] = []
    wishes = [with_files(WatchWish(file, function, call, roles, seconds)) for file in files]  # all of them before any runs
    for checked in _checked(wishes):
        if against is not None:
            against(checked)
        found.append(checked)
        if not as_json:
            show(checked)
    if not found:
        raise KeyboardInterrupt
    if as_json:
        told = [checked.verdict.as_json() for checked in found]
        click.echo(json.dumps(told[0] if len(files) == 1 else told, ensure_ascii=False, allow_nan=False))
    write_all(targets, lambda target: write_chunks(target, [targets[target](found)]), as_json)
    if opens:
        _open(found)
    return EXIT_INTERRUPTED if len(found) < len(files) else exit_code([checked.verdict for checked in found])


def _checked(wishes: list[WatchWish]) -> Iterator[CheckedProgram]:
    """The programs one after the other; of many it is said how far it is. Ctrl-C ends with those that are done."""
    news = PlainConsole(stderr=True)
    for number, wish in enumerate(wishes, start=1):
        try:
            with news.status(f"{number} of {len(wishes)}: {plain(Path(wish.file).name)}") if len(wishes) > 1 else nullcontext():
                checked = check(wish)
        except KeyboardInterrupt:
            done = number - 1
            click.echo(
                f"interrupted: {done:,} of {len(wishes):,} {'program was' if done == 1 else 'programs were'} checked", err=True
            )
            return
        yield checked


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
    from engine.checker.diagnosis.reference import reference
    from visualizer.cli.game_argument import typed_game

    asked = typed_game(game, remembered=False)
    return lambda checked: reference(checked, asked, moves, first)


def _open(found: list[CheckedProgram]) -> None:
    """Show the result in the browser: of one program in the app, at the step of its first finding; of many their page."""
    checked = found[0]
    if len(found) > 1 or checked.answer.rows is None:
        target = Path(tempfile.mkdtemp(prefix="plyscope-")) / "class.html"
        target.write_bytes(page(found))
        webbrowser.open(target.as_uri())
        return
    from engine.checker.run_file import to_run_file
    from visualizer.app.server import serve

    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        target = Path(folder, "run.json")
        target.write_bytes(to_run_file(checked.verdict.file, checked.answer, checked.verdict.reference))
        os.environ["PLYSCOPE_RUN"] = str(target)
        serve("127.0.0.1", None, True, "your_search")
