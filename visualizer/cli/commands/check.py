"""The command `plyscope check`: checks programs one after the other, shows each verdict, then writes files."""

import json
import os
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from engine.checker.check import CheckedProgram, check
from engine.checker.recording.argument_roles import ArgumentRoles
from engine.checker.sandbox.launcher import attach_files
from engine.checker.sandbox.program_files import to_utf8_name
from engine.checker.sandbox.worker_protocol import CheckRequest
from engine.checker.traces.trace_check import check_trace, is_trace
from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from visualizer.cli import options
from visualizer.cli.exit_codes import EXIT_INTERRUPTED
from visualizer.cli.output.check_output import choose_exit_code, choose_writers, render_page, show_verdict, show_verdict_line
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_files
from visualizer.cli.process_start import CommandStart
from visualizer.narration.escapes import sanitize_line


@click.command(
    "check",
    epilog=options.examples(
        "plyscope check my_connect4.py",
        "plyscope check my_project/",
        'plyscope check my_connect4.py --call "minimax(board, 4, -inf, inf, True)"',
        "plyscope check *.py -o class.html",
        "plyscope check my_connect4.py --format gradescope -o results.json",
    ),
)
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--call", help="Call that starts the search: 'minimax(board, 4, -inf, inf, True)'. [default: as your program does]")
@click.option("--function", help="Function that searches, for example minimax, if the wrong one was found.")
@click.option(
    "--map",
    "mapped",
    multiple=True,
    help="Role of an argument, for example alpha=a. Roles: state, depth, alpha, beta, side. Can be repeated.",
)
@click.option("--game", help="Compare with our own search of this GAME, for example tictactoe.")
@click.option("--moves", default=None, help="With --game: the position after these moves, for example 334.")
@click.option("--first", type=click.Choice(["max", "min"]), help="With --game: the side that makes the first move.")
@click.option("--prints", is_flag=True, help="Show the output of your program.")
@click.option(
    "--seconds", type=click.FloatRange(1, 3600), default=60.0, show_default=True, help="Time limit of each program, in all."
)
@click.option(
    "--format",
    "grade_format",
    type=click.Choice(["gradescope", "prairielearn", "junit", "github"]),
    help="Write a grade for this system, to the file of -o or to stdout.",
)
@click.option("--rubric", help="With --format: points, a TOML file. `plyscope autograder rubric` prints a template.")
@click.option("--open", "opens", is_flag=True, help="Open the result in the browser.")
@options.json_option
@options.output_option(
    "File to write: report.html; run.json for the Your search page; class.html or class.csv for several programs."
)
def check_command(files: tuple[str, ...], **settings: Any) -> None:
    """Find mistakes in your own minimax or alpha-beta program.

    FILES are programs, folders of projects, or traces of programs in other languages (.jsonl). Plyscope runs your program
    unchanged and records every call of its search. The program runs in a separate process with limits: no network, a temporary
    folder, 1 GB of memory. The limits stop accidents, not attacks. The verdict is not a proof.

    Exit code 0: nothing is certainly wrong. 1: a certain finding can change the answer. 2: a program could not be run.
    """
    grade_format, rubric = settings.pop("grade_format"), settings.pop("rubric")
    if grade_format is None and rubric is not None:
        raise PlyscopeError("--rubric needs --format, the system to write a grade for")
    if grade_format is not None:
        from visualizer.cli.grading import write_grades

        code = write_grades(files, grade_format, rubric, read_roles(settings.pop("mapped")), **settings)
    else:
        code = check_files(files, **settings)
    if code:
        raise SystemExit(code)


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
        raise PlyscopeError("--moves and --first need --game, the game to compare with")
    targets = dict(choose_writers(outputs, len(files) > 1))
    against = None if game is None else _make_reference_adder(game, moves, first)
    console = PlainConsole()
    show = (
        partial(show_verdict_line, console) if len(files) > 1 and outputs else partial(show_verdict, console, with_prints=prints)
    )
    found: list[CheckedProgram] = []
    requests = [
        CheckRequest(file) if is_trace(file) else attach_files(CheckRequest(file, function, call, roles, seconds))
        for file in files
    ]  # read all files before any program runs
    labels = label_programs(files)
    if (start := click.get_current_context().find_object(CommandStart)) is not None:
        requests[0].given_at = start.given_at  # each of the others has its time from the end of the one before
    for checked in _iterate_checks(requests):
        if label := labels.get(files[len(found)]):
            checked = checked._replace(verdict=replace(checked.verdict, file=label))
        if against is not None:
            against(checked)
        found.append(checked)
        if not as_json:
            show(checked)
    if not found:
        raise KeyboardInterrupt
    if as_json:
        verdicts = [checked.verdict.as_json() for checked in found]
        click.echo(json.dumps(verdicts[0] if len(files) == 1 else verdicts, ensure_ascii=False, allow_nan=False))
    write_files(targets, lambda target: write_chunks(target, [targets[target](found)]), as_json)
    if opens:
        _open_result(found)
    return EXIT_INTERRUPTED if len(found) < len(files) else choose_exit_code([checked.verdict for checked in found])


def label_programs(files: tuple[str, ...]) -> dict[str, str]:
    """Return a label for each program whose name is not unique: the end of its path that tells it from the others.

    >>> label_programs(("anna/main.py", "ben/main.py", "x/cleo.py"))
    {'anna/main.py': 'anna/main.py', 'ben/main.py': 'ben/main.py'}
    """
    parts = {file: Path(file).absolute().parts for file in files}
    labels = {}
    for file, path in parts.items():
        others = [other for name, other in parts.items() if name != file and other[-1] == path[-1]]
        if others:
            length = next((n for n in range(2, len(path)) if all(other[-n:] != path[-n:] for other in others)), len(path))
            labels[file] = to_utf8_name("/".join(path[-length:]))
    return labels


def _iterate_checks(requests: list[CheckRequest]) -> Iterator[CheckedProgram]:
    """Yield the checked programs one after the other. Many get a progress message. Ctrl-C ends after those that are done."""
    news = PlainConsole(stderr=True)
    for number, request in enumerate(requests, start=1):
        try:
            with (
                news.status(f"{number} of {len(requests)}: {sanitize_line(Path(request.file).name)}")
                if len(requests) > 1
                else nullcontext()
            ):
                checked = check_trace(request.file) if is_trace(request.file) else check(request)
        except KeyboardInterrupt:
            done = number - 1
            click.echo(
                f"interrupted: {done:,} of {len(requests):,} {'program was' if done == 1 else 'programs were'} checked", err=True
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
                f"--map {text!r} is not role=argument, such as alpha=a: the roles are {', '.join(ArgumentRoles._fields)}"
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
