"""The command `plyscope compare`: compares algorithms at several depths."""

from pathlib import Path
from typing import Any

import click

from visualizer.cli import options as shared
from visualizer.cli.exit_codes import exit_if_stopped


@click.command(
    "compare",
    cls=shared.SearchCommand,
    epilog=shared.examples(
        "plyscope compare k-tables --moves 3 --depths 1-6",
        "plyscope compare connect4 --depths 1-8 --algorithms alphabeta,pvs,mtdf",
        "plyscope compare tictactoe --depths 1-4 -o report.html -o chart.svg",
        "plyscope compare connect4 --depths 4 -o pair.html --interactive",
    ),
)
@shared.position_options
@click.option("--depths", default=None, help="Depth limits: 1-6, 4, 2,4,6 or end. [default: 1-6; trees: to the end]")
@click.option(
    "--algorithms",
    help="Algorithms, separated by commas. Options follow a colon: alphabeta:order=killer:strict. "
    "[default: minimax,alphabeta; with chance: expectiminimax,star1,star2]",
)
@click.option("--repeat", type=int, default=3, show_default=True, help="Time each search this many times.")
@shared.evaluation_option
@click.option(  # not from the memory: reports of different machines should have the same rows
    "--max-nodes",
    type=int,
    default=50_000_000,
    show_default=True,
    help="Node limit of one search. A larger minimax tree is estimated, not searched.",
)
@shared.json_option
@shared.output_option(
    "File to write, for example report.html. Data: .csv .json. Charts: .svg .png .pdf. Reports: .md .html .tex."
)
@shared.interactive_options("Make .html a page with the trees of two algorithms over each other.")
def compare_command(
    game: str,
    moves: str | None,
    first: str | None,
    depths: str | None,
    algorithms: str | None,
    repeat: int,
    evaluation: str | None,
    max_nodes: int,
    as_json: bool,
    outputs: tuple[str, ...],
    interactive: bool,
    title: str,
    options: dict[str, Any],
) -> None:
    """Compare algorithms at several depths.

    Shows nodes, times, and how much each algorithm saves over the one before it. Ctrl-C keeps the finished rows.
    """
    from engine import compare
    from engine.analysis.comparison import plan_comparison
    from engine.core.atomic_files import write_chunks
    from visualizer import report
    from visualizer.cli.game_argument import read_game_argument
    from visualizer.cli.output import compare_output
    from visualizer.cli.output.output_files import check_interactive, is_page, write_files
    from visualizer.cli.user_algorithms import read_algorithms_argument
    from visualizer.exporters.text import discarding_writer
    from visualizer.viewer.interactive.pair_page import write_pair

    targets = [report.check_target(output) for output in outputs]
    check_interactive(outputs, interactive, title)
    settings = {"first": first, "max_nodes": max_nodes, **options}
    played = read_game_argument(game, evaluation)
    chosen = None if algorithms is None else read_algorithms_argument(algorithms)
    compare_output.warn_if_slow(plan_comparison(played, moves, depths, chosen, repeat, **settings))
    with compare_output.comparison_progress() as on_progress, discarding_writer() as write:
        comparison = compare(
            played,
            moves,
            depths,
            chosen,
            repeat,
            write=write,
            on_progress=on_progress,
            keep_nodes=report.MAX_FIGURE_NODES,
            **settings,
        )
    if comparison.rows:
        compare_output.show_comparison(comparison, as_json)

        def write_target(target: Path) -> int:
            if interactive and is_page(target):
                return write_chunks(target, [write_pair(comparison, title)])
            return report.write_comparison(comparison, target)

        write_files(targets, write_target, quiet=as_json)
    if comparison.stopped:
        finished = f"kept the {len(comparison.rows)} finished rows" if comparison.rows else "no row was finished"
        click.echo(f"plyscope: {comparison.stopped}: {finished}", err=True)
    exit_if_stopped(comparison.stopped)
