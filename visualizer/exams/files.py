"""Exams as files: sheets and keys, by the extension. The modules are imported when they are asked for."""

import os
from importlib import import_module
from pathlib import Path

from engine.core.atomic_files import write_chunks
from engine.core.errors import shortened
from visualizer import exporters
from visualizer.exams.sheet import BadExam, Exam

FORMATS = {
    ".pdf": ("pdf", "exam_pdf", "application/pdf", "to be printed"),
    ".html": ("html", "exam_html", "text/html", "one page that loads nothing, to be printed by a browser"),
    ".tex": ("latex", "exam_latex", "text/x-tex", "for pdflatex, with tikz: texts can be changed"),
}
KEY = "key"  # in the name of a file: it gets the solutions


def check_target(path: str | os.PathLike[str]) -> Path:
    """The path, if an exam can be written there; to be called before any work is done."""
    return exporters.check_target(path, FORMATS, "write an exam")


def is_key(path: Path) -> bool:
    """Whether a file is to have the solutions: its name says key.

    >>> is_key(Path("exam-key.pdf")), is_key(Path("exam.pdf")), is_key(Path("monkeys/exam.pdf"))
    (True, False, False)
    """
    return KEY in path.stem.lower()


def check_letters(title: str, extension: str) -> None:
    """Refuse a title that files of this format cannot show; to be called before any work is done, too."""
    able = {other: import_module(f"visualizer.exams.{FORMATS[other][0]}").letters_lacking(title) for other in FORMATS}
    if lacking := able[extension]:
        others = " or ".join(other for other, missing in able.items() if not missing)
        raise BadExam(f"a {extension} cannot show {shortened(lacking)} of the title: leave that out, or write {others}")


def render_exam(exam: Exam, extension: str, solved: bool) -> bytes:
    """The file of this format."""
    check_letters(exam.title, extension)
    module, function, *_ = FORMATS[extension]
    made = getattr(import_module(f"visualizer.exams.{module}"), function)(exam, solved)
    return made.encode() if isinstance(made, str) else bytes(made)


def write_exam(exam: Exam, path: Path, solved: bool) -> int:
    """Write the sheets or the key to a file, all or nothing; its size in bytes."""
    return write_chunks(path, [render_exam(exam, path.suffix.lower(), solved)])
