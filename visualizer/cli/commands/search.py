"""The command `plyscope search`: searches one position, shows the result and writes the tree."""

import json
from typing import Any

import click

from visualizer.cli import options as shared
from visualizer.cli.exit_codes import exit_if_stopped


@click.command(
    "search",
    cls=shared.AnySearchCommand,
    epilog=shared.examples(
        "plyscope search connect4 --depth 6",
        "plyscope search k-tables --moves 3 -o tree.svg -o tree.parquet",
        "plyscope search k-tables --moves 3 -o search.gif --steps 0-80",
        "plyscope search connect4 --algorithm mcts --iterations 10000 --seed 7 -o tree.svg --min-visits 100",
        "plyscope search connect4 --moves 33333322222 --algorithm mcts --curves curves.csv --curves curves.svg",
        "plyscope search my-expectimax.test",
        'plyscope search "tree:[[3,12,8],[2,4,6],[14,5,2]]" --algorithm minimax',
    ),
)
@shared.position_options
@shared.depth_option("Depth limit K in plies, for example 6.")
@shared.algorithm_option
@shared.evaluation_option
@shared.max_nodes_option
@shared.max_memory_option
@shared.json_option
@shared.curves_option
@shared.tree_file_options
def search_command(
    game: str,
    moves: str | None,
    first: str | None,
    depth: int | None,
    algorithm: str | None,
    evaluation: str | None,
    max_nodes: int | None,
    max_memory: int | None,
    as_json: bool,
    options: dict[str, Any],
    curves: tuple[str, ...],
    **files: Any,
) -> None:
    """Search a position, show the counts and write the tree to files.

    Ctrl-C stops the search and shows the result so far.

    Exit code 0: the search is complete. 3: a limit stopped it. 130: Ctrl-C stopped it.
    """
    from engine import Question, search
    from engine.algorithms import ITERATIVE_ALGORITHMS
    from engine.games.capabilities import default_depth
    from engine.searcher import default_algorithm
    from visualizer.cli.game_argument import read_game_argument
    from visualizer.cli.output import search_output
    from visualizer.cli.output.curve_output import CurveFiles
    from visualizer.cli.output.output_files import OutputFiles
    from visualizer.cli.output.progress import search_progress
    from visualizer.cli.user_algorithms import read_algorithm_argument

    output_files, curve_files = OutputFiles(**files), CurveFiles(curves)
    played = read_game_argument(game, evaluation)
    chosen, usual = default_algorithm(played) if algorithm is None else (read_algorithm_argument(algorithm), {})
    K = depth if depth is not None or chosen in ITERATIVE_ALGORITHMS else default_depth(played)
    for written in (output_files, curve_files):
        written.check_search(chosen, chosen in ITERATIVE_ALGORITHMS)
    question = Question(played, moves, K, chosen, first=first, **{**usual, **options})
    if note := search_output.describe_table_memory(question):
        click.echo(f"plyscope: {note}", err=True)
    limit = shared.choose_max_nodes(max_nodes, max_memory)
    with search_progress(question, limit) as on_progress:
        tree = search(question, max_nodes=limit, max_memory=max_memory, on_progress=on_progress)
    if not tree.complete:  # before the counts, which take a moment for a large tree, and before the files
        reached = f"stopped ({tree.stopped}) after {tree.expanded:,} nodes"
        click.echo(f"plyscope: {reached}: the tree, its value and its counts are incomplete", err=True)
    if as_json:
        click.echo(json.dumps(search_output.search_summary(tree), allow_nan=False))
    else:
        search_output.show_search(tree)
    output_files.write_tree(tree, quiet=as_json)
    curve_files.write(tree, quiet=as_json)
    exit_if_stopped(tree.stopped)
