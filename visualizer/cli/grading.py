"""`plyscope check --format`: grades the programs by a rubric and writes the file of a course server or a CI system."""

from typing import Any

import click
import msgspec

from engine.checker.check import CheckedProgram
from engine.checker.sandbox.barrier_trial import try_barrier
from engine.checker.sandbox.kernel_barrier import BarrierMissing
from engine.core.atomic_files import check_folder, write_chunks
from engine.core.errors import PlyscopeError
from visualizer.cli.output.check_output import choose_exit_code
from visualizer.grading.formats import check_program_count, render_grades
from visualizer.grading.grade import ProgramGrade, grade_program
from visualizer.grading.rubric import START, Rubric, RubricPosition, read_rubric

ISOLATED_FORMATS = ("gradescope", "prairielearn")  # of systems that run programs of others
UNUSED_OPTIONS = {"as_json": "--json", "opens": "--open", "prints": "--prints"}


def write_grades(
    files: tuple[str, ...],
    grade_format: str,
    rubric_file: str | None,
    roles: dict[str, str],
    outputs: tuple[str, ...],
    **settings: Any,
) -> int:
    """Grade the programs, write the file and return the exit code."""
    for name, option in UNUSED_OPTIONS.items():
        if settings[name]:
            raise PlyscopeError(f"{option} does not fit --format: leave out one of them")
    if len(outputs) > 1:
        raise PlyscopeError("--format writes one file: give -o once, or leave it out")
    check_program_count(grade_format, len(files))
    rubric = choose_rubric(read_rubric(rubric_file), rubric_file is None, settings)
    for position in rubric.positions:
        _read_game(position)  # a wrong name is reported before any program runs
    target = check_folder(outputs[0]) if outputs else None
    is_isolated = grade_format in ISOLATED_FORMATS and can_isolate()
    grades = [grade_program(file, rubric, roles, _add_reference, is_isolated) for file in files]
    text = render_grades(grade_format, grades, rubric)
    if target is None:
        click.echo(text, nl=False)
    else:
        write_chunks(target, [text.encode()])
    return choose_exit_code([verdict for grade in grades for verdict in _worst_verdicts(grade)])


def can_isolate() -> bool:
    """Return True if programs can run behind the kernel barrier. If not, say why on stderr: graders show it to instructors."""
    try:
        try_barrier()
    except BarrierMissing as error:
        click.echo(f"graded without the kernel barrier: {error}", err=True)
        return False
    return True


def choose_rubric(rubric: Rubric, is_default: bool, settings: dict[str, Any]) -> Rubric:
    """Return the rubric with the call, the function, the game and the seconds that were typed."""
    typed = {name: settings[name] for name in ("call", "function", "game", "moves", "first") if settings[name] is not None}
    if typed and rubric.positions:
        raise PlyscopeError(f"--{next(iter(typed))} does not fit a rubric with positions: write it into the rubric")
    if typed:
        compared = {"same_value": True} if "game" in typed else {}
        if ("moves" in typed or "first" in typed) and "game" not in typed:
            raise PlyscopeError("--moves and --first need --game, the game to compare with")
        position = msgspec.structs.replace(START, name=typed.get("call", START.name), **typed, **compared)
        rubric = msgspec.structs.replace(rubric, positions=(position,))
    return msgspec.structs.replace(rubric, seconds=settings["seconds"]) if is_default else rubric


def _read_game(position: RubricPosition) -> Any:
    from visualizer.cli.game_argument import read_game_argument

    return None if position.game is None else read_game_argument(position.game, remembered=False)


def _add_reference(checked: CheckedProgram, position: RubricPosition) -> None:
    from engine.checker.diagnosis.reference import add_reference

    add_reference(checked, _read_game(position), position.moves, position.first)


def _worst_verdicts(grade: ProgramGrade) -> list[Any]:
    """Return the verdicts of the runs, without those that were not run if another one was."""
    ran = [verdict for verdict in grade.verdicts if verdict.rows]
    return ran or grade.verdicts
