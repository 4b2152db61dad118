"""Exams as files: sheets and keys, by the extension. The modules of the formats are imported when they are needed."""

import os
from importlib import import_module
from pathlib import Path

from engine.core.atomic_files import write_chunks
from engine.core.errors import short_repr
from visualizer import exporters
from visualizer.exams.quiz import check_quiz
from visualizer.exams.sheet import BadExam, Exam

FORMATS = {
    ".pdf": ("pdf", "exam_pdf", "application/pdf", "for printing"),
    ".html": ("html", "exam_html", "text/html", "a page without external files, to print from a browser"),
    ".tex": ("latex", "exam_latex", "text/x-tex", "for pdflatex with TikZ, with text that you can edit"),
}
QUIZ_FORMATS = {  # they have the answers, too
    ".xml": ("moodle", "exam_moodle", "application/xml", "Moodle XML, with pictures and a field for each node"),
    ".gift": ("gift", "exam_gift", "text/plain", "GIFT for Moodle and others, with a line for each node"),
}
ALL_FORMATS = FORMATS | QUIZ_FORMATS
KEY_WORD = "key"  # in the name of a file: it gets the solutions


def check_target(path: str | os.PathLike[str]) -> Path:
    """Return the path if an exam can be written there. Call this before any work is done."""
    return exporters.check_target(path, ALL_FORMATS, "write an exam")


def is_key_file(path: Path) -> bool:
    """Return True if a file gets the solutions: its name contains "key".

    >>> is_key_file(Path("exam-key.pdf")), is_key_file(Path("exam.pdf")), is_key_file(Path("monkeys/exam.pdf"))
    (True, False, False)
    """
    return KEY_WORD in path.stem.lower()


def check_title_letters(title: str, extension: str) -> None:
    """Raise BadExam if files of this format cannot show the title. Call this before any work is done, too."""
    modules = {other: import_module(f"visualizer.exams.{ALL_FORMATS[other][0]}") for other in ALL_FORMATS}
    unsupported = {other: module.find_unsupported_letters(title) for other, module in modules.items()}
    if letters := unsupported[extension]:
        others = " or ".join(other for other in FORMATS if not unsupported[other])
        raise BadExam(
            f"a {extension} file cannot show {short_repr(letters)} in the title: remove these letters, or write {others}"
        )


def check_kinds(exam: Exam, extension: str) -> None:
    """Raise BadExam if files of this format cannot have the exercises. Call this before any work is done, too."""
    if extension in QUIZ_FORMATS:
        check_quiz(exam)


def render_exam(exam: Exam, extension: str, solved: bool) -> bytes:
    """Return the sheets or the key as a file of this format."""
    check_title_letters(exam.title, extension)
    check_kinds(exam, extension)
    module, function, *_ = ALL_FORMATS[extension]
    made = getattr(import_module(f"visualizer.exams.{module}"), function)(exam, solved)
    return made.encode() if isinstance(made, str) else bytes(made)


def write_exam(exam: Exam, path: Path, solved: bool) -> int:
    """Write the sheets or the key to a file, all or nothing. Return its size in bytes."""
    return write_chunks(path, [render_exam(exam, path.suffix.lower(), solved)])
