"""The command `plyscope autograder`: writes what Gradescope and PrairieLearn need to grade programs."""

from pathlib import Path

import click

from engine.core.atomic_files import check_folder, write_chunks
from engine.core.errors import PlyscopeError
from visualizer.cli import options
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.output_files import format_size
from visualizer.narration.escapes import sanitize_line

rubric_option = click.option(
    "--rubric", type=click.Path(), help="Points, a TOML file. [default: as `plyscope autograder rubric` prints]"
)
wheel_option = click.option("--wheel", type=click.Path(), help="Wheel of Plyscope to install. [default: the installed version]")


@click.group(
    "autograder",
    epilog=options.examples(
        "plyscope autograder rubric > rubric.toml",
        "plyscope autograder gradescope -o autograder.zip --rubric rubric.toml",
        "plyscope autograder prairielearn -o questions/minimax",
    ),
)
def autograder_command() -> None:
    """Grade programs on Gradescope and PrairieLearn.

    The autograder runs `plyscope check` on every submission and gives points by a rubric. Only certain findings cost points.
    """


@autograder_command.command("rubric")
def print_rubric() -> None:
    """Print a rubric to change."""
    from visualizer.grading.rubric import read_rubric_template

    click.echo(read_rubric_template(), nl=False)


@autograder_command.command("gradescope")
@rubric_option
@wheel_option
@click.option("-o", "--output", required=True, type=click.Path(), help="Zip file to upload: autograder.zip.")
def write_gradescope(rubric: str | None, wheel: str | None, output: str) -> None:
    """Write the zip file that Gradescope takes."""
    from visualizer.exporters import check_target
    from visualizer.grading.autograder import build_gradescope_files, pack_zip
    from visualizer.grading.wheel import read_wheel

    target = check_target(output, (".zip",), "write the autograder")
    size = write_chunks(target, [pack_zip(build_gradescope_files(_read_rubric_text(rubric), read_wheel(wheel)))])
    _report_file(target, size)


@autograder_command.command("prairielearn")
@rubric_option
@wheel_option
@click.option("--file-name", default="search.py", show_default=True, help="Name of the file that students hand in.")
@click.option("--title", default="A minimax or alpha-beta search", show_default=True, help="Title of the question.")
@click.option("--image", help="Docker image with Plyscope. [default: a plain one that installs Plyscope for every submission]")
@click.option("-o", "--output", required=True, type=click.Path(), help="Folder of the question. It must not exist yet.")
def write_prairielearn(rubric: str | None, wheel: str | None, file_name: str, title: str, image: str | None, output: str) -> None:
    """Write a question folder for PrairieLearn."""
    from visualizer.grading.autograder import build_prairielearn_files, find_mode
    from visualizer.grading.wheel import read_wheel

    folder = check_folder(output)
    if folder.exists():
        raise PlyscopeError(f"{str(output)!r} exists: name a new folder")
    content = build_prairielearn_files(_read_rubric_text(rubric), read_wheel(wheel), file_name, title, image)
    for name, data in content.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_chunks(target, [data])
        target.chmod(find_mode(name))
    _report_file(folder, sum(map(len, content.values())))


def _read_rubric_text(path: str | None) -> bytes:
    """Return the text of a rubric that was checked."""
    from visualizer.grading.rubric import read_rubric, read_rubric_template

    read_rubric(path)
    return read_rubric_template().encode() if path is None else Path(path).read_bytes()


def _report_file(target: Path, size: int) -> None:
    PlainConsole().print(f"wrote {sanitize_line(str(target))} ({format_size(size)})", soft_wrap=True)
