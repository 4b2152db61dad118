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
from engine.checker.verdict import (
    NOT_RUN,
    NOTHING_FOUND,
    SUSPICIOUS,
    WASTEFUL,
    WRONG,
    DifferenceSide,
    Finding,
    ReferenceComparison,
    Verdict,
)
from visualizer.cli.output.console import PlainConsole, make_panel
from visualizer.narration.check_messages import (
    DIFFERENCE_SIDE_NAMES,
    describe_certainty,
    describe_failure,
    describe_first_call,
    describe_first_difference,
    describe_fix,
    describe_place,
    describe_problem,
    describe_proof,
    describe_run,
    describe_verdict,
    find_board,
    quote_source,
    reference_rows,
)
from visualizer.narration.escapes import format_csv_table, sanitize_line

VERDICT_STYLES = {
    NOTHING_FOUND: "bold green",
    WRONG: "bold red",
    SUSPICIOUS: "bold yellow",
    WASTEFUL: "bold yellow",
    NOT_RUN: "bold magenta",
}
MAX_PRINTED_CHARS = 4_000  # characters
EXIT_NOTHING_WRONG, EXIT_CERTAINLY_WRONG, EXIT_NOT_RUN = 0, 1, 2


def choose_exit_code(verdicts: list[Verdict]) -> int:
    """Return 1 if a certain finding anywhere can change the answer, else 2 if something could not be run, else 0."""
    words = {verdict.verdict for verdict in verdicts}
    return EXIT_CERTAINLY_WRONG if WRONG in words else EXIT_NOT_RUN if NOT_RUN in words else EXIT_NOTHING_WRONG


def show_verdict_line(console: PlainConsole, checked: CheckedProgram) -> None:
    """Show one of many programs: its verdict, and the names of its mistakes."""
    verdict = checked.verdict
    names = ", ".join(finding.name if finding.certain else f"{finding.name} (likely)" for finding in verdict.findings)
    details = names or (verdict.reason)
    console.print(
        _styled_line(
            f"{verdict.file}: ", describe_verdict(verdict), VERDICT_STYLES[verdict.verdict], f": {details}" if details else ""
        )
    )


def show_verdict(console: PlainConsole, checked: CheckedProgram, with_prints: bool) -> None:
    """Show a short verdict, then the findings."""
    verdict, answer = checked
    console.print(_styled_line(f"{verdict.file}: ", describe_verdict(verdict), VERDICT_STYLES[verdict.verdict]))
    if verdict.reason:
        console.print(_indent_text(verdict.reason))
    if answer.rows is None:
        for line in describe_failure(verdict, answer):
            console.print(_indent_text(line))
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
    for title, lines in (("Checked", verdict.looked_at), ("Not checked", verdict.not_looked_at)):
        if lines and verdict.verdict != WRONG:
            console.print(_indent_text(f"{title}: {'; '.join(lines)}.", "dim"))
    if with_prints and answer.prints:
        console.print(make_panel(Text(_escape_lines(answer.prints[:MAX_PRINTED_CHARS])), "output of the program"))


def _format_finding(finding: Finding, answer: Answer, columns: CallColumns) -> Group:
    """Return the text of a finding: what is wrong, the line, what was seen, the proof, what to change."""
    parts: list[Any] = [
        Padding(Text(sanitize_line(describe_problem(finding)), "bold red" if finding.certain else "bold yellow"), (0, 0, 0, 2)),
        _indent_text(f"{finding.name} ({describe_certainty(finding)})", "dim"),
    ]
    if place := describe_place(finding):
        parts.append(_indent_text(place, "bold"))
    if quoted := quote_source(finding, answer):
        parts.append(_indent_lines(quoted))
    parts.append(_indent_text(describe_first_call(finding, answer, columns)))
    if board := find_board(finding, columns):
        parts.append(_indent_lines(board))
    if proof := describe_proof(finding):
        parts.append(_indent_text(proof))
    return Group(*parts, _indent_text(describe_fix(finding)))


def _format_reference(ours: ReferenceComparison) -> Group:
    """Return the comparison with our own search: the counts, and the first position where the two differ."""
    parts: list[Any] = [_styled_line("  ", "compared with our own search", "bold")]
    parts += [_indent_text(f"{name}: {words}") for name, words in reference_rows(ours)]
    if (found := ours.difference) is not None:
        sides = zip(DIFFERENCE_SIDE_NAMES, (found.theirs, found.ours), strict=True)
        pair = Columns([_format_side(name, side) for name, side in sides], padding=(0, 4))
        parts += [_indent_text(describe_first_difference(found)), Padding(pair, (0, 0, 0, 6))]
    return Group(*parts)


def _format_side(name: str, side: DifferenceSide) -> Text:
    return Text(f"{name}: {sanitize_line(side.words)}\n{_escape_lines(side.board)}")


def _styled_line(before: str, middle: str, style: str, after: str = "") -> Text:
    return Text.assemble(sanitize_line(before), (sanitize_line(middle), style), sanitize_line(after))


def _indent_text(words: str, style: str = "") -> Padding:
    return Padding(Text(sanitize_line(words), style=style), (0, 0, 0, 4))


def _indent_lines(text: str) -> Padding:
    """Return lines that are not wrapped: a board, or source code."""
    return Padding(Text(_escape_lines(text), no_wrap=True, overflow="ellipsis"), (0, 0, 0, 6))


def _escape_lines(text: str) -> str:
    return "\n".join(sanitize_line(line) for line in text.splitlines())


# ---- files


def choose_writers(outputs: tuple[str, ...], has_several: bool) -> list[tuple[Path, Callable[[list[CheckedProgram]], bytes]]]:
    """Return each file with the function that makes its content. Raise PlyscopeError if a file cannot be written."""
    from engine.core.errors import PlyscopeError
    from visualizer.exporters import check_target

    found: list[tuple[Path, Callable[[list[CheckedProgram]], bytes]]] = []
    for output in outputs:
        target = check_target(output, (".html", ".csv", ".json"), "write the results")
        if target.suffix.lower() == ".json" and has_several:
            raise PlyscopeError(f"{target.name!r} can hold only one program: write an .html or .csv file, or check one program")
        found.append((target, WRITERS[target.suffix.lower()]))
    return found


def render_page(all_checked: list[CheckedProgram]) -> bytes:
    """Return the HTML page of one program, or of a class."""
    from visualizer.report.check_page import render_class_page, render_program_page

    return (render_program_page(all_checked[0]) if len(all_checked) == 1 else render_class_page(all_checked)).encode()


def _render_run_file(all_checked: list[CheckedProgram]) -> bytes:
    from engine.checker.run_file import write_run_file

    verdict, answer = all_checked[0]
    return write_run_file(verdict.file, answer, verdict.reference)


def _render_table(all_checked: list[CheckedProgram]) -> bytes:
    from visualizer.report.check_page import list_class_rows

    return format_csv_table(list_class_rows(all_checked)).encode()


WRITERS = {".html": render_page, ".csv": _render_table, ".json": _render_run_file}
