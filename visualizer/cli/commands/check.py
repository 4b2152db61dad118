"""The command `plyscope check`: checks programs one after the other, shows each verdict, then writes files."""

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
from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.sandbox.launcher import attach_files
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from visualizer.cli.exit_codes import EXIT_INTERRUPTED
from visualizer.cli.output.check_output import choose_exit_code, choose_writers, render_page, show_verdict, show_verdict_line
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_files
from visualizer.narration.escapes import sanitize_line


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
    """Check the programs and return the exit code."""
    roles = read_roles(mapped)
    if (moves is not None or first is not None) and game is None:
        raise PlyscopeError("--moves and --first are of the game to compare with: give --game too")
    targets = dict(choose_writers(outputs, len(files) > 1))
    against = None if game is None else _make_reference_adder(game, moves, first)
    console = PlainConsole()
    show = (
        partial(show_verdict_line, console) if len(files) > 1 and outputs else partial(show_verdict, console, with_prints=prints)
    )
    found: list[CheckedProgram] = []
    wishes = [attach_files(CheckRequest(file, function, call, roles, seconds)) for file in files]  # all of them before any runs
    for checked in _iterate_checks(wishes):
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
    write_files(targets, lambda target: write_chunks(target, [targets[target](found)]), as_json)
    if opens:
        _open_result(found)
    return EXIT_INTERRUPTED if len(found) < len(files) else choose_exit_code([checked.verdict for checked in found])


def _iterate_checks(wishes: list[CheckRequest]) -> Iterator[CheckedProgram]:
    """Yield the checked programs one after the other. Many get a progress message. Ctrl-C ends after those that are done."""
    news = PlainConsole(stderr=True)
    for number, wish in enumerate(wishes, start=1):
        try:
            with (
                news.status(f"{number} of {len(wishes)}: {sanitize_line(Path(wish.file).name)}")
                if len(wishes) > 1
                else nullcontext()
            ):
                checked = check(wish)
        except KeyboardInterrupt:
            done = number - 1
            click.echo(
                f"interrupted: {done:,} of {len(wishes):,} {'program was' if done == 1 else 'programs were'} checked", err=True
            )
            return
        yield checked


def read_roles(mapped: tuple[str, ...]) -> dict[str, str]:
    """Read --map alpha=a as {"alpha": "a"}."""
    roles = {}
    for text in mapped:
        role, sign, name = text.partition("=")
        if not sign or role not in ArgumentRoles._fields or not name.isidentifier():
            raise PlyscopeError(
                f"--map {text!r}: write role=argument, as alpha=a; the roles are {', '.join(ArgumentRoles._fields)}"
            )
        roles[role] = name
    return roles


def _make_reference_adder(game: str, moves: str | None, first: str | None) -> Any:
    """Return a function that compares a checked program with our own search of this game."""
    from engine.checker.diagnosis.reference import add_reference
    from visualizer.cli.game_argument import read_game_argument

    asked = read_game_argument(game, remembered=False)
    return lambda checked: add_reference(checked, asked, moves, first)


def _open_result(found: list[CheckedProgram]) -> None:
    """Show the result in the browser: one program in the app, at the step of its first finding; many as their page."""
    checked = found[0]
    if len(found) > 1 or checked.answer.rows is None:
        target = Path(tempfile.mkdtemp(prefix="plyscope-")) / "class.html"
        target.write_bytes(render_page(found))
        webbrowser.open(target.as_uri())
        return
    from engine.checker.run_file import write_run_file
    from visualizer.app.server import serve

    with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
        target = Path(folder, "run.json")
        target.write_bytes(write_run_file(checked.verdict.file, checked.answer, checked.verdict.reference))
        os.environ["PLYSCOPE_RUN"] = str(target)
        serve("127.0.0.1", None, True, "your_search")
