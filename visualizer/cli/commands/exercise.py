"""The command `plyscope exercise`: writes an exercise to a file that grades the answer itself."""

from pathlib import Path

import click

from visualizer.cli import options


@click.command(
    "exercise",
    epilog=options.examples(
        "plyscope exercise pruned --seed 7 -o exercise.html",
        'plyscope exercise values --difficulty 3 --title "Homework 2" -o homework.html',
    ),
)
@click.argument("kind")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed. The same seed gives the same tree.")
@click.option("--difficulty", type=int, default=1, show_default=True, help="1 (easy) to 5 (hard).")
@click.option("--title", default="", help="Title of the page. [default: that of the exercise]")
@options.output_option("File to write, for example exercise.html. Can be repeated.")
def exercise_command(kind: str, seed: int, difficulty: int, title: str, outputs: tuple[str, ...]) -> None:
    """Write an exercise as a page that grades the answer.

    The page is one HTML file, so a course page can host it without a server. KIND is values, window, pruned, move, count,
    mistake or cut. Hints and typical mistakes are on the page Learn only.
    """
    from engine.core.atomic_files import write_chunks
    from engine.learning.exercise import make_exercise
    from engine.learning.model import BadAnswer
    from visualizer.cli.output.output_files import write_files
    from visualizer.exporters import check_target
    from visualizer.viewer.interactive.exercise_page import write_exercise

    if not outputs:
        raise BadAnswer("no output file: give, for example, -o exercise.html")
    targets = [check_target(output, [".html"], "write an exercise") for output in outputs]
    page = write_exercise(make_exercise(kind, seed, difficulty), title)

    def write_target(target: Path) -> int:
        return write_chunks(target, [page])

    write_files(targets, write_target, quiet=False)
