"""`plyscope grade`: summaries of progress, graded again."""

import json
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.learning.exercise import KINDS
from engine.learning.near_copies import NearCopy, find_near_copies
from engine.learning.summary import MOST_BYTES, CheckedSummary, Regraded, read_summary
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import write_all
from visualizer.exporters import check_target
from visualizer.narration.escapes import csv_table, plain
from visualizer.narration.numbers import counted

MAX_PAIRS = 30  # of files that share wrong answers, on the screen and in a cell
HONEST, DOUBTFUL, REFUSED = 0, 1, 2  # exit codes: 1 if a hash or some points are not right, 2 if a file is no summary


def grade_files(files: tuple[str, ...], as_json: bool, outputs: tuple[str, ...]) -> int:
    """Check the files; the exit code."""
    targets = [check_target(output, (".csv",), "write grades") for output in outputs]
    checked, refused = _checked(files)
    if checked and as_json:
        alike = _alike(checked)
        told = [_told(file, summary, alike[file]) for file, summary in checked.items()]
        click.echo(json.dumps(told[0] if len(files) == 1 else told, ensure_ascii=False))
    elif checked:
        _show(checked)
    if checked:
        table = csv_table(_rows(checked)).encode()
        write_all(targets, lambda target: write_chunks(target, [table]), as_json)
    for words in refused:
        click.echo(plain(f"plyscope: {words}"), err=True)
    return REFUSED if refused else HONEST if all(summary.honest for summary in checked.values()) else DOUBTFUL


def _checked(files: tuple[str, ...]) -> tuple[dict[str, CheckedSummary], list[str]]:
    """The files that can be read, and what is wrong with the others: one of them keeps nobody from grading the rest."""
    checked, refused = {}, []
    for file in files:
        try:
            checked[file] = read_summary(_content(file))
        except PlyscopeError as error:
            refused.append(f"{Path(file).name}: {error}")
    return checked, refused


def _content(file: str) -> bytes:
    try:
        with Path(file).open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise PlyscopeError(f"cannot read it: {error.strerror or error}") from None


def said_of(summary: CheckedSummary) -> str:
    """Whether the file can be believed."""
    changed = sum(not regraded.agrees for regraded in summary.exercises)
    said = [] if summary.unchanged else ["the hash is not that of this file: it was changed"]
    if changed:
        said.append(f"{counted(changed, 'exercise')} with other points than the answer is worth")
    return "; ".join(said) or "as downloaded"


def by_kind(summary: CheckedSummary) -> dict[str, str]:
    """How many exercises of each kind were solved, of how many."""
    found: dict[str, str] = {}
    for name in KINDS:
        of_kind = [regraded.grade for regraded in summary.first if regraded.done.kind == name and regraded.grade is not None]
        if of_kind:
            found[name] = f"{sum(graded.solved for graded in of_kind)} of {len(of_kind)}"
    return found


def _show(checked: dict[str, CheckedSummary]) -> None:
    """One line a file, then what is wrong with any."""
    console = PlainConsole()
    kinds = [name for name in KINDS if any(name in by_kind(summary) for summary in checked.values())]
    table = Table("learner", "points", "exercises", *kinds, "the file is")
    for file, summary in checked.items():
        solved = by_kind(summary)
        cells = [
            plain(summary.learner) or plain(Path(file).name),
            f"{summary.right} of {summary.total}",
            str(len(summary.first)),
        ]
        table.add_row(*cells, *(solved.get(name, "") for name in kinds), said_of(summary))
    console.print(table)
    for file, summary in checked.items():
        for regraded in summary.exercises:
            if not regraded.agrees:
                console.print(plain(f"{Path(file).name}: {_words(regraded)}"))
    names = [Path(file).name for file in checked]
    pairs = find_near_copies(list(checked.values()))
    for pair in pairs[:MAX_PAIRS]:
        console.print(plain(f"{names[pair.second]}: {_shared(pair, names[pair.first])}"))
    if len(pairs) > MAX_PAIRS:
        console.print(f"{counted(len(pairs) - MAX_PAIRS, 'more pair')} of files share wrong answers: see --json or -o grades.csv")


def _alike(checked: dict[str, CheckedSummary]) -> dict[str, list[tuple[str, NearCopy]]]:
    """Return for each file the others that share its wrong answers, by name."""
    files = list(checked)
    found: dict[str, list[tuple[str, NearCopy]]] = {file: [] for file in files}
    for pair in find_near_copies(list(checked.values())):
        for mine, other in ((pair.first, pair.second), (pair.second, pair.first)):
            found[files[mine]].append((Path(files[other]).name, pair))
    return found


def _shared(pair: NearCopy, other: str) -> str:
    common = "" if not pair.common else ", a common mistake" if pair.wrong == 1 else f", {pair.common} as many make them"
    return f"the same {pair.same} of {pair.answers} answers as in {other}, {pair.wrong} of them wrong{common}"


def _words(regraded: Regraded) -> str:
    done, graded, problem = regraded
    which = f"{done.kind}, seed {done.seed}, difficulty {done.difficulty}"
    if graded is None:
        return f"{which}: {problem}"
    return f"{which}: the file says {counted(done.points, 'point')}, and the answer is worth {graded.right} of {graded.total}"


def _told(file: str, summary: CheckedSummary, alike: list[tuple[str, NearCopy]]) -> dict[str, Any]:
    return {
        "file": Path(file).name,
        "learner": summary.learner,
        "unchanged": summary.unchanged,
        "honest": summary.honest,
        "points": summary.right,
        "total": summary.total,
        "exercises": [_exercise(regraded) for regraded in summary.exercises],
        "alike": [
            {"file": other, "answers": pair.answers, "same": pair.same, "wrong": pair.wrong, "common": pair.common}
            for other, pair in alike
        ],
    }


def _exercise(regraded: Regraded) -> dict[str, Any]:
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


def _rows(checked: dict[str, CheckedSummary]) -> list[list[object]]:
    names = ("kind", "seed", "difficulty", "points", "total", "said", "hints", "thought", "problem")
    rows: list[list[object]] = [["file", "learner", "unchanged", *names, "alike"]]
    alike = _alike(checked)
    for file, summary in checked.items():
        shared = "; ".join(_shared(pair, other) for other, pair in alike[file][:MAX_PAIRS])
        for regraded in summary.exercises:
            told = _exercise(regraded)
            unchanged = "yes" if summary.unchanged else "no"
            rows.append([Path(file).name, summary.learner, unchanged, *(told[name] for name in names), shared])
    return rows
