"""The command `plyscope grade`: grades the answers in summaries of progress again."""

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.learning.exercise import EXERCISE_TYPES
from engine.learning.near_copies import NearCopy, find_near_copies
from engine.learning.summary import MAX_BYTES, CheckedSummary, RegradedExercise, read_summary
from visualizer.cli import options
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_files
from visualizer.exporters import check_target
from visualizer.narration.escapes import format_csv_table, sanitize_line
from visualizer.narration.numbers import format_count

MIN_LEARNER_CHARS = 8  # of a name in the table
MAX_TABLE_COLUMNS = 9  # of points
ALL_TYPES = "all"
MAX_PAIRS = 30  # of files that share wrong answers, in the terminal and in a cell
EXIT_CONSISTENT = 0
EXIT_INCONSISTENT = 1  # a hash or some points are wrong
EXIT_UNREADABLE = 2  # a file is not a summary


@click.command("grade", epilog=options.examples("plyscope grade summary.json", "plyscope grade *.json -o grades.csv"))
@click.argument("files", nargs=-1, required=True, type=click.Path())
@options.json_option
@options.output_option("File to write: grades.csv.")
def grade_command(files: tuple[str, ...], **settings: Any) -> None:
    """Grade the summaries that students downloaded.

    The Learn page offers a summary as a download. Every answer in it is graded again, and the file is checked for changes.

    Exit code 0: all files are unchanged. 1: a file was changed, or claims other points than its answers are worth. 2: a
    file is not a summary; the others were graded.
    """
    if code := grade_files(files, **settings):
        raise SystemExit(code)


def grade_files(files: tuple[str, ...], as_json: bool, outputs: tuple[str, ...]) -> int:
    """Grade the files and return the exit code."""
    targets = [check_target(output, (".csv",), "write grades") for output in outputs]
    checked, errors = _read_summaries(files)
    if checked and as_json:
        alike = _find_similar_files(checked)
        results = [_summary_json(file, summary, alike[file]) for file, summary in checked.items()]
        click.echo(json.dumps(results[0] if len(files) == 1 else results, ensure_ascii=False))
    elif checked:
        _show_grades(checked)
    if checked:
        table = format_csv_table(_csv_rows(checked)).encode()
        write_files(targets, lambda target: write_chunks(target, [table]), as_json)
    for error in errors:
        click.echo(sanitize_line(f"plyscope: {error}"), err=True)
    if errors:
        return EXIT_UNREADABLE
    return EXIT_CONSISTENT if all(summary.is_consistent for summary in checked.values()) else EXIT_INCONSISTENT


def _read_summaries(files: tuple[str, ...]) -> tuple[dict[str, CheckedSummary], list[str]]:
    """Read the files. Return the summaries, and the errors of the files that cannot be read."""
    checked, errors = {}, []
    for file in files:
        try:
            checked[file] = read_summary(_read_start(file))
        except PlyscopeError as error:
            errors.append(f"{Path(file).name}: {error}")
    return checked, errors


def _read_start(file: str) -> bytes:
    """Read a file, up to one byte more than a summary may have."""
    try:
        with Path(file).open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise PlyscopeError(f"cannot read this file: {error.strerror or error}") from None


def describe_consistency(summary: CheckedSummary) -> str:
    """Describe whether the file was changed after the download."""
    wrong_points = sum(not regraded.has_same_points for regraded in summary.exercises)
    problems = [] if summary.unchanged else ["changed after the download (wrong hash)"]
    if wrong_points:
        problems.append(f"wrong points in {format_count(wrong_points, 'exercise')}")
    return "; ".join(problems) or "unchanged"


def points_by_type(summary: CheckedSummary) -> dict[str, str]:
    """Return the points for each type of exercise, such as "2/3"."""
    points: dict[str, str] = {}
    for name in EXERCISE_TYPES:
        graded = (one for one in summary.first_answers if one.answered.kind == name)
        grades = [one.grade for one in graded if one.grade is not None]
        if grades:
            points[name] = f"{sum(grade.right for grade in grades)}/{sum(grade.total for grade in grades)}"
    return points


def _show_grades(checked: dict[str, CheckedSummary]) -> None:
    """Show the points of each file, then the files with problems, then files that share wrong answers."""
    console = PlainConsole()
    for table in _points_tables(checked):
        console.print(table)
    for file, summary in checked.items():
        if not summary.is_consistent:
            console.print(sanitize_line(f"{Path(file).name}: {describe_consistency(summary)}"))
        for regraded in summary.exercises:
            if not regraded.has_same_points:
                console.print(sanitize_line(f"{Path(file).name}: {_describe_mismatch(regraded)}"))
    consistent = sum(summary.is_consistent for summary in checked.values())
    console.print(f"Unchanged files with right points: {consistent} of {len(checked)}.")
    names = [Path(file).name for file in checked]
    pairs = find_near_copies(list(checked.values()))
    for pair in pairs[:MAX_PAIRS]:
        console.print(sanitize_line(f"{names[pair.second]}: {_describe_near_copy(pair, names[pair.first])}"))
    if len(pairs) > MAX_PAIRS:
        console.print(
            f"{format_count(len(pairs) - MAX_PAIRS, 'more pair')} of files share wrong answers: see --json or -o grades.csv"
        )


def _points_tables(checked: dict[str, CheckedSummary]) -> list[Table]:
    """Return tables of points: one row per file, one column per type of exercise. Each fits a terminal of 80 columns."""
    points = {
        file: {ALL_TYPES: f"{summary.right}/{summary.total}", **points_by_type(summary)} for file, summary in checked.items()
    }
    columns = [name for name in (ALL_TYPES, *EXERCISE_TYPES) if any(name in one for one in points.values())]
    tables = []
    for start in range(0, len(columns), MAX_TABLE_COLUMNS):
        title = "Points, continued" if start else "Points"
        table = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 1, 0, 0))
        table.add_column("learner", overflow="fold", min_width=MIN_LEARNER_CHARS)  # long names are wrapped
        names = columns[start : start + MAX_TABLE_COLUMNS]
        for name in names:
            table.add_column(name, justify="right", no_wrap=True)
        for file, summary in checked.items():
            learner = sanitize_line(summary.learner) or sanitize_line(Path(file).name)
            table.add_row(learner, *(points[file].get(name, "") for name in names))
        tables.append(table)
    return tables


def _find_similar_files(checked: dict[str, CheckedSummary]) -> dict[str, list[tuple[str, NearCopy]]]:
    """Return for each file the others that share its wrong answers, by name."""
    files = list(checked)
    found: dict[str, list[tuple[str, NearCopy]]] = {file: [] for file in files}
    for pair in find_near_copies(list(checked.values())):
        for mine, other in ((pair.first, pair.second), (pair.second, pair.first)):
            found[files[mine]].append((Path(files[other]).name, pair))
    return found


def _describe_near_copy(pair: NearCopy, other: str) -> str:
    common = "" if not pair.common else ", a common mistake" if pair.wrong == 1 else f", {pair.common} by common mistakes"
    return f"{pair.same} of {pair.answers} answers are the same as in {other}, {pair.wrong} of them wrong{common}"


def _describe_mismatch(regraded: RegradedExercise) -> str:
    answered, grade, problem = regraded
    exercise = f"{answered.kind}, seed {answered.seed}, difficulty {answered.difficulty}"
    if grade is None:
        return f"{exercise}: {problem}"
    claimed = format_count(answered.points, "point")
    return f"{exercise}: the file says {claimed}, but the answer is worth {grade.right} of {grade.total}"


def _summary_json(file: str, summary: CheckedSummary, alike: list[tuple[str, NearCopy]]) -> dict[str, Any]:
    return {
        "file": Path(file).name,
        "learner": summary.learner,
        "unchanged": summary.unchanged,
        "honest": summary.is_consistent,
        "points": summary.right,
        "total": summary.total,
        "exercises": [_exercise_json(regraded) for regraded in summary.exercises],
        "alike": [
            {"file": other, "answers": pair.answers, "same": pair.same, "wrong": pair.wrong, "common": pair.common}
            for other, pair in alike
        ],
    }


def _exercise_json(regraded: RegradedExercise) -> dict[str, Any]:
    answered, grade, problem = regraded
    return {
        "kind": answered.kind,
        "seed": answered.seed,
        "difficulty": answered.difficulty,
        "points": None if grade is None else grade.right,
        "total": None if grade is None else grade.total,
        "said": answered.points,
        "hints": answered.hints,
        "thought": grade.misconception.name if grade is not None and grade.misconception else "",
        "problem": problem,
    }


def _csv_rows(checked: dict[str, CheckedSummary]) -> list[list[object]]:
    names = ("kind", "seed", "difficulty", "points", "total", "said", "hints", "thought", "problem")
    rows: list[list[object]] = [["file", "learner", "unchanged", *names, "alike"]]
    alike = _find_similar_files(checked)
    for file, summary in checked.items():
        shared = "; ".join(_describe_near_copy(pair, other) for other, pair in alike[file][:MAX_PAIRS])
        for regraded in summary.exercises:
            cells = _exercise_json(regraded)
            unchanged = "yes" if summary.unchanged else "no"
            rows.append([Path(file).name, summary.learner, unchanged, *(cells[name] for name in names), shared])
    return rows
