"""The command `plyscope export`: converts a saved tree to other formats."""

from typing import Any

import click

from visualizer.cli import options


@click.command(
    "export",
    epilog=options.examples(
        "plyscope export tree.parquet -o tree.svg",
        "plyscope export tree.parquet -o top.pdf --to-depth 2",
        "plyscope export mcts.parquet --curves curves.csv",
    ),
)
@click.argument("tree_file", type=click.Path())
@click.option("--game", help="The game of the tree, if it is your own: my_game.py:Game.")
@options.curves_option
@options.tree_file_options
def export_command(tree_file: str, game: str | None, curves: tuple[str, ...], **files: Any) -> None:
    """Convert a saved tree (.parquet) to other formats.

    `plyscope search GAME -o tree.parquet` saves a tree.
    """
    from visualizer.cli.output.curve_output import CurveFiles
    from visualizer.cli.output.output_files import OutputFiles

    output_files, curve_files = OutputFiles(**files), CurveFiles(curves)
    if not files["outputs"] and not curves:
        raise click.UsageError("There is nothing to write: name a file, for example -o tree.svg.")
    from visualizer.cli.game_argument import read_game_argument
    from visualizer.cli.output.progress import load_with_progress

    tree = load_with_progress(tree_file, None if game is None else read_game_argument(game))
    curve_files.check_search(tree.algorithm, tree.has_iterations)
    output_files.write_tree(tree, quiet=False)
    curve_files.write(tree, quiet=False)
