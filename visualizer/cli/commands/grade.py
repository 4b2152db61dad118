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
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_files
from visualizer.exporters import check_target
from visualizer.narration.escapes import format_csv_table, sanitize_line
from visualizer.narration.numbers import format_count

MAX_PAIRS = 30  # of files that share wrong answers, on the screen and in a cell
EXIT_CONSISTENT, EXIT_INCONSISTENT, EXIT_UNREADABLE = (
    0,
    1,
    2,
)  # exit codes: 1 if a hash or some points are not right, 2 if a file is no summary


def grade_files(files: tuple[str, ...], as_json: bool, outputs: tuple[str, ...]) -> int:
    """Grade the files and return the exit code."""
    targets = [check_target(output, (".csv",), "write grades") for output in outputs]
    checked, refused = _read_summaries(files)
    if checked and as_json:
        alike = _find_similar_files(checked)
        told = [_summary_json(file, summary, alike[file]) for file, summary in checked.items()]
        click.echo(json.dumps(told[0] if len(files) == 1 else told, ensure_ascii=False))
    elif checked:
        _show_grades(checked)
    if checked:
        table = format_csv_table(_csv_rows(checked)).encode()
        write_files(targets, lambda target: write_chunks(target, [table]), as_json)
    for words in refused:
        click.echo(sanitize_line(f"plyscope: {words}"), err=True)
    return (
        EXIT_UNREADABLE
        if refused
        else EXIT_CONSISTENT
        if all(summary.is_consistent for summary in checked.values())
        else EXIT_INCONSISTENT
    )


def _read_summaries(files: tuple[str, ...]) -> tuple[dict[str, CheckedSummary], list[str]]:
    """Read the files. Return the summaries, and the errors of the files that cannot be read."""
    checked, refused = {}, []
    for file in files:
        try:
            checked[file] = read_summary(_read_start(file))
        except PlyscopeError as error:
            refused.append(f"{Path(file).name}: {error}")
    return checked, refused


def _read_start(file: str) -> bytes:
    """Read a file, up to one byte more than a summary may have."""
    try:
        with Path(file).open("rb") as opened:
            return opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise PlyscopeError(f"cannot read it: {error.strerror or error}") from None


def describe_consistency(summary: CheckedSummary) -> str:
    """Return a text that says whether the file is as it was downloaded."""
    changed = sum(not regraded.has_same_points for regraded in summary.exercises)
    said = [] if summary.unchanged else ["the hash is not that of this file: it was changed"]
    if changed:
        said.append(f"{format_count(changed, 'exercise')} with other points than the answer is worth")
    return "; ".join(said) or "as downloaded"


def count_solved_by_type(summary: CheckedSummary) -> dict[str, str]:
    """Return for each type of exercise how many were solved, of how many."""
    found: dict[str, str] = {}
    for name in EXERCISE_TYPES:
        of_kind = [
            regraded.grade for regraded in summary.first_answers if regraded.done.kind == name and regraded.grade is not None
        ]
        if of_kind:
            found[name] = f"{sum(graded.solved for graded in of_kind)} of {len(of_kind)}"
    return found


def _show_grades(checked: dict[str, CheckedSummary]) -> None:
    """Show one line per file, then the problems of each, then files that share wrong answers."""
    console = PlainConsole()
    kinds = [name for name in EXERCISE_TYPES if any(name in count_solved_by_type(summary) for summary in checked.values())]
    table = Table("learner", "points", "exercises", *kinds, "the file is")
    for file, summary in checked.items():
        solved = count_solved_by_type(summary)
        cells = [
            sanitize_line(summary.learner) or sanitize_line(Path(file).name),
            f"{summary.right} of {summary.total}",
            str(len(summary.first_answers)),
        ]
        table.add_row(*cells, *(solved.get(name, "") for name in kinds), describe_consistency(summary))
    console.print(table)
    for file, summary in checked.items():
        for regraded in summary.exercises:
            if not regraded.has_same_points:
                console.print(sanitize_line(f"{Path(file).name}: {_describe_mismatch(regraded)}"))
    names = [Path(file).name for file in checked]
    pairs = find_near_copies(list(checked.values()))
    for pair in pairs[:MAX_PAIRS]:
        console.print(sanitize_line(f"{names[pair.second]}: {_describe_near_copy(pair, names[pair.first])}"))
    if len(pairs) > MAX_PAIRS:
        console.print(
            f"{format_count(len(pairs) - MAX_PAIRS, 'more pair')} of files share wrong answers: see --json or -o grades.csv"
        )


def _find_similar_files(checked: dict[str, CheckedSummary]) -> dict[str, list[tuple[str, NearCopy]]]:
    """Return for each file the others that share its wrong answers, by name."""
    files = list(checked)
    found: dict[str, list[tuple[str, NearCopy]]] = {file: [] for file in files}
    for pair in find_near_copies(list(checked.values())):
        for mine, other in ((pair.first, pair.second), (pair.second, pair.first)):
            found[files[mine]].append((Path(files[other]).name, pair))
    return found


def _describe_near_copy(pair: NearCopy, other: str) -> str:
    common = "" if not pair.common else ", a common mistake" if pair.wrong == 1 else f", {pair.common} as many make them"
    return f"the same {pair.same} of {pair.answers} answers as in {other}, {pair.wrong} of them wrong{common}"


def _describe_mismatch(regraded: RegradedExercise) -> str:
    done, graded, problem = regraded
    which = f"{done.kind}, seed {done.seed}, difficulty {done.difficulty}"
    if graded is None:
        return f"{which}: {problem}"
    return (
        f"{which}: the file says {format_count(done.points, 'point')}, and the answer is worth {graded.right} of {graded.total}"
    )


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
    done, graded, problem = regraded
    return {
        "kind": done.kind,
        "seed": done.seed,
        "difficulty": done.difficulty,
        "points": None if graded is None else graded.right,
        "total": None if graded is None else graded.total,
        "said": done.points,
        "hints": done.hints,
        "thought": graded.thought.name if graded is not None and graded.thought else "",
        "problem": problem,
    }


def _csv_rows(checked: dict[str, CheckedSummary]) -> list[list[object]]:
    names = ("kind", "seed", "difficulty", "points", "total", "said", "hints", "thought", "problem")
    rows: list[list[object]] = [["file", "learner", "unchanged", *names, "alike"]]
    alike = _find_similar_files(checked)
    for file, summary in checked.items():
        shared = "; ".join(_describe_near_copy(pair, other) for other, pair in alike[file][:MAX_PAIRS])
        for regraded in summary.exercises:
            told = _exercise_json(regraded)
            unchanged = "yes" if summary.unchanged else "no"
            rows.append([Path(file).name, summary.learner, unchanged, *(told[name] for name in names), shared])
    return rows
