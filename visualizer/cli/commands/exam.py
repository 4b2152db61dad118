"""The command `plyscope exam`: writes sheets and keys to files."""

from typing import Any

from visualizer.cli.output.output_files import write_files
from visualizer.exams.files import check_target, check_title_letters, is_key_file, write_exam
from visualizer.exams.sheet import DEFAULT_KINDS, BadExam, Exam


def write_exams(outputs: tuple[str, ...], keys: tuple[str, ...], kinds: tuple[str, ...], **chosen: Any) -> None:
    """Make the exam once and write every file. Files of `keys`, and files with key in their name, have the solutions."""
    if not outputs and not keys:
        raise BadExam("there is nothing to write: give -o exam.pdf for the sheets and -o key.pdf for the solutions")
    targets = {check_target(path): True for path in keys} | {path: is_key_file(path) for path in map(check_target, outputs)}
    exam = Exam(kinds=kinds or DEFAULT_KINDS, **chosen)
    for target in targets:
        check_title_letters(exam.title, target.suffix.lower())
    write_files(targets, lambda target: write_exam(exam, target, targets[target]), quiet=False)
