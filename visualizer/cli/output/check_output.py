"""Output of `plyscope check`: verdicts for people, and files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.columns import Columns
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from engine.checker.check import CheckedProgram
from engine.checker.recording.wire_format import CallColumns, decompress_columns
from engine.checker.sandbox.worker_protocol import Answer
from engine.checker.verdict import NOT_RUN, RIGHT, UNSURE, WRONG, DifferenceSide, Finding, ReferenceComparison, Verdict
from visualizer.cli.output.console import PlainConsole, make_panel
from visualizer.narration.check_messages import (
    HEADLINES,
    describe_certainty,
    describe_first_call,
    describe_first_difference,
    describe_run,
    explain_mistake,
    find_board,
    reference_rows,
)
from visualizer.narration.escapes import sanitize_line

VERDICT_STYLES = {RIGHT: "bold green", WRONG: "bold red", UNSURE: "bold yellow", NOT_RUN: "bold magenta"}
MAX_PRINTED_CHARS = 4_000  # characters
EXIT_NOTHING_WRONG, EXIT_CERTAINLY_WRONG, EXIT_NOT_RUN = 0, 1, 2


def choose_exit_code(verdicts: list[Verdict]) -> int:
    """Return 1 if something is certainly wrong anywhere, else 2 if something could not be run, else 0."""
    words = {verdict.verdict for verdict in verdicts}
    return EXIT_CERTAINLY_WRONG if WRONG in words else EXIT_NOT_RUN if NOT_RUN in words else EXIT_NOTHING_WRONG


def show_verdict_line(console: PlainConsole, checked: CheckedProgram) -> None:
    """Show one of many programs: its verdict, and the names of its mistakes."""
    verdict = checked.verdict
    names = ", ".join(finding.name if finding.certain else f"{finding.name} (likely)" for finding in verdict.findings)
    said = names or (verdict.reason if verdict.verdict in (NOT_RUN, UNSURE) else "")
    console.print(
        _styled_line(
            f"{verdict.file}: ", HEADLINES[verdict.verdict], VERDICT_STYLES[verdict.verdict], f": {said}" if said else ""
        )
    )


def show_verdict(console: PlainConsole, checked: CheckedProgram, with_prints: bool) -> None:
    """Show a short verdict, then the findings."""
    verdict, answer = checked
    console.print(_styled_line(f"{verdict.file}: ", HEADLINES[verdict.verdict], VERDICT_STYLES[verdict.verdict]))
    if verdict.reason:
        console.print(_indent_text(verdict.reason))
    if answer.rows is not None:
        for line in describe_run(verdict, answer):
            console.print(_indent_text(line, "dim"))
        columns = decompress_columns(answer.rows)
        for finding in verdict.findings:
            console.print()
            console.print(_format_finding(finding, answer, columns))
    if verdict.reference is not None:
        console.print()
        console.print(_format_reference(verdict.reference))
    for title, lines in (("Looked at", verdict.looked_at), ("Not looked at", verdict.not_looked_at)):
        if lines and verdict.verdict != WRONG:
            console.print(_indent_text(f"{title}: {'; '.join(lines)}.", "dim"))
    if with_prints and answer.prints:
        console.print(make_panel(Text(_escape_lines(answer.prints[:MAX_PRINTED_CHARS])), "what it printed"))


def _format_finding(finding: Finding, answer: Answer, columns: CallColumns) -> Group:
    name, how = finding.name, describe_certainty(finding)
    parts: list[Any] = [
        _styled_line("  ", name, "bold red" if finding.certain else "bold yellow", f" ({how})"),
        _indent_text(explain_mistake(finding)),
        _indent_text(describe_first_call(finding, answer, columns)),
    ]
    if board := find_board(finding.row, columns):
        parts.append(Padding(Text(_escape_lines(board)), (0, 0, 0, 6)))
    return Group(*parts)


def _format_reference(ours: ReferenceComparison) -> Group:
    """Return the comparison with our own search: the counts, and the first position where the two differ."""
    parts: list[Any] = [_styled_line("  ", "beside our own search", "bold")]
    parts += [_indent_text(f"{name}: {words}") for name, words in reference_rows(ours)]
    if (found := ours.difference) is not None:
        pair = Columns([_format_side("theirs", found.theirs), _format_side("ours", found.ours)], padding=(0, 4))
        parts += [_indent_text(describe_first_difference(found)), Padding(pair, (0, 0, 0, 6))]
    return Group(*parts)


def _format_side(name: str, side: DifferenceSide) -> Text:
    return Text(f"{name}: {sanitize_line(side.words)}\n{_escape_lines(side.board)}")


def _styled_line(before: str, middle: str, style: str, after: str = "") -> Text:
    return Text.assemble(sanitize_line(before), (sanitize_line(middle), style), sanitize_line(after))


def _indent_text(words: str, style: str = "") -> Padding:
    return Padding(Text(sanitize_line(words), style=style), (0, 0, 0, 4))


def _escape_lines(text: str) -> str:
    return "\n".join(sanitize_line(line) for line in text.splitlines())


# ---- files


def choose_writers(outputs: tuple[str, ...], many: bool) -> list[tuple[Path, Callable[[list[CheckedProgram]], bytes]]]:
    """Return each file with the function that makes its content. Files are checked before anything is run."""
    from engine.core.errors import PlyscopeError
    from visualizer.exporters import check_target

    found: list[tuple[Path, Callable[[list[CheckedProgram]], bytes]]] = []
    for output in outputs:
        target = check_target(output, (".html", ".json"), "write what was checked")
        if target.suffix.lower() == ".json" and many:
            raise PlyscopeError(f"{target.name!r} would hold one program, and there are several: write .html, or check one file")
        found.append((target, render_page if target.suffix.lower() == ".html" else _render_run_file))
    return found


def render_page(all_checked: list[CheckedProgram]) -> bytes:
    """Return the HTML page of one program, or of a class."""
    from visualizer.report.check_page import render_class_page, render_program_page

    return (render_program_page(all_checked[0]) if len(all_checked) == 1 else render_class_page(all_checked)).encode()


def _render_run_file(all_checked: list[CheckedProgram]) -> bytes:
    from engine.checker.run_file import write_run_file

    verdict, answer = all_checked[0]
    return write_run_file(verdict.file, answer, verdict.reference)
