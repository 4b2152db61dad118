"""The command `plyscope exam`: writes sheets and keys to files."""

from typing import Any

import click

from visualizer.cli import options
from visualizer.cli.output.output_files import write_files
from visualizer.exams.files import check_kinds, check_target, check_title_letters, is_key_file, write_exam
from visualizer.exams.sheet import DEFAULT_KINDS, PROMPTS, BadExam, Exam


@click.command(
    "exam",
    epilog=options.examples(
        "plyscope exam --seed 7 -o exam.pdf -o key.pdf",
        "plyscope exam --kind values --kind pruned --variants 30 -o exam.pdf -o key.pdf",
        "plyscope exam --variants 30 -o quiz.xml",
    ),
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed, 0 to 9999. The same seed gives the same trees.")
@click.option("--trees", type=int, default=3, show_default=True, help="Exercises on each sheet.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    help=f"Type of exercise: {', '.join(PROMPTS)}. Can be repeated. [default: {', '.join(DEFAULT_KINDS)}]",
)
@click.option("--difficulty", type=int, default=2, show_default=True, help="1 (easy) to 5 (hard).")
@click.option(
    "--variants", type=int, default=1, show_default=True, help="Number of sheets with different trees, one per student."
)
@click.option("--points", type=int, default=10, show_default=True, help="Points for each exercise.")
@click.option("--paper", default="a4", show_default=True, help="Paper size: a4 or letter.")
@click.option("--title", default="Game trees", show_default=True, help="Title of each sheet.")
@click.option("--key", "keys", multiple=True, help="File for the solutions, for example solutions.pdf. Can be repeated.")
@options.output_option(
    "File to write: .pdf, .html or .tex. A file with key in its name (key.pdf) gets the solutions. Quiz: .xml (Moodle), .gift."
)
def exam_command(**settings: Any) -> None:
    """Make exam sheets and their solutions.

    The sheets and the solutions show the same trees.
    """
    write_exams(**settings)


def write_exams(outputs: tuple[str, ...], keys: tuple[str, ...], kinds: tuple[str, ...], **settings: Any) -> None:
    """Make the exam once and write every file. Files of `keys`, and files with key in their name, have the solutions."""
    if not outputs and not keys:
        raise BadExam("no output file: give -o exam.pdf for the sheets and -o key.pdf for the solutions")
    targets = {check_target(path): True for path in keys} | {path: is_key_file(path) for path in map(check_target, outputs)}
    exam = Exam(kinds=kinds or DEFAULT_KINDS, **settings)
    for target in targets:
        check_title_letters(exam.title, target.suffix.lower())
        check_kinds(exam, target.suffix.lower())
    write_files(targets, lambda target: write_exam(exam, target, targets[target]), quiet=False)
