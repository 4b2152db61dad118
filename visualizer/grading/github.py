"""Workflow commands of GitHub Actions: annotations at the lines of a program."""

from pathlib import Path

from visualizer.grading.grade import GradedResult, ProgramGrade, ResultStatus, format_points
from visualizer.narration.escapes import sanitize_line

LEVELS = {ResultStatus.PASSED: "notice", ResultStatus.FAILED: "error", ResultStatus.UNSURE: "warning"}
MAX_PARENTS = 20


def render_annotations(grades: list[ProgramGrade]) -> str:
    """Return a line for each result that did not pass, and one for each program."""
    return "".join(_render_program(grade) for grade in grades)


def _render_program(grade: ProgramGrade) -> str:
    lines = [_render_result(result, grade) for result in grade.results if result.status != ResultStatus.PASSED]
    summary = f"{grade.headline} ({format_points(grade)} points)"
    return "".join([*lines, f"::notice file={escape_property(grade.file)},title=Plyscope::{escape_message(summary)}\n"])


def _render_result(result: GradedResult, grade: ProgramGrade) -> str:
    finding = result.finding
    file = grade.file if finding is None or not finding.file else find_repository_path(grade.file, finding.file)
    line = f",line={finding.line}" if finding is not None and finding.line else ""
    head = f"::{LEVELS[result.status]} file={escape_property(file)}{line},title={escape_property(result.name)}"
    return f"{head}::{escape_message(result.output)}\n"


def find_repository_path(checked: str, file: str) -> str:
    """Return the path of a finding's file from here. The checked path is a file or a folder of its project."""
    for folder in [Path(checked), *Path(checked).parents][:MAX_PARENTS]:
        if (folder / file).is_file():
            return (folder / file).as_posix()
    return checked


def escape_message(text: str) -> str:
    r"""Escape a message: no text of a program can begin a command of its own.

    >>> escape_message("50%\n::error::x")
    '50%25%0A::error::x'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape the value of a property.

    >>> escape_property("a:b,c")
    'a%3Ab%2Cc'
    """
    return escape_message(sanitize_line(text)).replace(":", "%3A").replace(",", "%2C")
