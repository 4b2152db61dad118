"""The command `plyscope exam`: sheets and keys as files."""

from typing import Any

from visualizer.cli.output.output_files import write_all
from visualizer.exams.files import check_letters, check_target, is_key, write_exam
from visualizer.exams.sheet import USUAL_KINDS, BadExam, Exam


def write_exams(outputs: tuple[str, ...], keys: tuple[str, ...], kinds: tuple[str, ...], **chosen: Any) -> None:
    """Make the exam once and write every file: those of `keys`, and those whose name says key, have the solutions."""
    if not outputs and not keys:
        raise BadExam("there is nothing to write: give -o exam.pdf for the sheets and -o key.pdf for the solutions")
    targets = {check_target(path): True for path in keys} | {path: is_key(path) for path in map(check_target, outputs)}
    exam = Exam(kinds=kinds or USUAL_KINDS, **chosen)
    for target in targets:
        check_letters(exam.title, target.suffix.lower())
    write_all(targets, lambda target: write_exam(exam, target, targets[target]), quiet=False)
