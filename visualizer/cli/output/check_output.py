"""What `plyscope check` prints for people, and the files it writes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from engine.checker.check import CheckedProgram
from engine.checker.recording.wire_format import SeenColumns, unpacked
from engine.checker.sandbox.worker_protocol import Answer
from engine.checker.verdict import NOT_RUN, RIGHT, UNSURE, WRONG, AgainstOurs, Finding, OneSide, Verdict
from visualizer.cli.output.console import PlainConsole, panel
from visualizer.narration.check_messages import (
    HEADLINES,
    beside_ours,
    board_at,
    explained,
    first_shown,
    how_sure,
    parting,
    what_was_run,
)
from visualizer.narration.escapes import plain

COLOURS = {RIGHT: "bold green", WRONG: "bold red", UNSURE: "bold yellow", NOT_RUN: "bold magenta"}
MOST_PRINTED = 4_000  # characters
NOTHING_WRONG, SOMETHING_CERTAIN, COULD_NOT_RUN = 0, 1, 2


def exit_code(verdicts: list[Verdict]) -> int:
    """1 as soon as something certain is wrong anywhere, else 2 if something could not be run."""
    words = {verdict.verdict for verdict in verdicts}
    return SOMETHING_CERTAIN if WRONG in words else COULD_NOT_RUN if NOT_RUN in words else NOTHING_WRONG


def show_in_a_line(console: PlainConsole, checked: CheckedProgram) -> None:
    """One of many programs: its verdict, and the names of its mistakes."""
    verdict = checked.verdict
    names = ", ".join(finding.name if finding.certain else f"{finding.name} (likely)" for finding in verdict.findings)
    said = names or (verdict.reason if verdict.verdict in (NOT_RUN, UNSURE) else "")
    console.print(_line(f"{verdict.file}: ", HEADLINES[verdict.verdict], COLOURS[verdict.verdict], f": {said}" if said else ""))


def show_verdict(console: PlainConsole, checked: CheckedProgram, with_prints: bool) -> None:
    """A short verdict, then the findings."""
    verdict, answer = checked
    console.print(_line(f"{verdict.file}: ", HEADLINES[verdict.verdict], COLOURS[verdict.verdict]))
    if verdict.reason:
        console.print(_indented(verdict.reason))
    if answer.rows is not None:
        for line in what_was_run(verdict, answer):
            console.print(_indented(line, "dim"))
        columns = unpacked(answer.rows)
        for finding in verdict.findings:
            console.print()
            console.print(_finding(finding, answer, columns))
    if verdict.reference is not None:
        console.print()
        console.print(_reference(verdict.reference))
    for title, lines in (("Looked at", verdict.looked_at), ("Not looked at", verdict.not_looked_at)):
        if lines and verdict.verdict != WRONG:
            console.print(_indented(f"{title}: {'; '.join(lines)}.", "dim"))
    if with_prints and answer.prints:
        console.print(panel(Text(_safe_lines(answer.prints[:MOST_PRINTED])), "what it printed"))


def _finding(finding: Finding, answer: Answer, columns: SeenColumns) -> Group:
    name, how = finding.name, how_sure(finding)
    parts: list[Any] = [
        _line("  ", name, "bold red" if finding.certain else "bold yellow", f" ({how})"),
        _indented(explained(finding)),
        _indented(first_shown(finding, answer, columns)),
    ]
    if board := board_at(finding.row, columns):
        parts.append(Padding(Text(_safe_lines(board)), (0, 0, 0, 6)))
    return Group(*parts)


def _reference(ours: AgainstOurs) -> Group:
    """Beside our own search: the counts, and the first position where the two part."""
    parts: list[Any] = [_line("  ", "beside our own search", "bold")]
    parts += [_indented(f"{name}: {words}") for name, words in beside_ours(ours)]
    if (found := ours.difference) is not None:
        pair = Columns([_side("theirs", found.theirs), _side("ours", found.ours)], padding=(0, 4))
        parts += [_indented(parting(found)), Padding(pair, (0, 0, 0, 6))]
    return Group(*parts)


def _side(name: str, side: OneSide) -> Text:
    return Text(f"{name}: {plain(side.words)}\n{_safe_lines(side.board)}")


def _line(before: str, middle: str, style: str, after: str = "") -> Text:
    return Text.assemble(plain(before), (plain(middle), style), plain(after))


def _indented(words: str, style: str = "") -> Padding:
    return Padding(Text(plain(words), style=style), (0, 0, 0, 4))


def _safe_lines(text: str) -> str:
    return "\n".join(plain(line) for line in text.splitlines())


# ---- files


def writer(outputs: tuple[str, ...], many: bool) -> list[tuple[Path, Callable[[list[CheckedProgram]], bytes]]]:
    """What goes into each of the files; they are checked before anything is run."""
    from engine.core.errors import PlyscopeError
    from visualizer.exporters import check_target

    found: list[tuple[Path, Callable[[list[CheckedProgram]], bytes]]] = []
    for output in outputs:
        target = check_target(output, (".html", ".json"), "write what was checked")
        if target.suffix.lower() == ".json" and many:
            raise PlyscopeError(f"{target.name!r} would hold one program, and there are several: write .html, or check one file")
        found.append((target, page if target.suffix.lower() == ".html" else _run_file))
    return found


def page(all_checked: list[CheckedProgram]) -> bytes:
    from visualizer.report.check_page import class_page, program_page

    return (program_page(all_checked[0]) if len(all_checked) == 1 else class_page(all_checked)).encode()


def _run_file(all_checked: list[CheckedProgram]) -> bytes:
    from engine.checker.run_file import to_run_file

    verdict, answer = all_checked[0]
    return to_run_file(verdict.file, answer, verdict.reference)
