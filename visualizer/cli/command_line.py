"""The commands: each reads its arguments, calls the engine and prints.

Heavy imports are made inside the commands that need them.
"""

import json
import shlex
import sys
from functools import partial
from typing import Any

import click

from visualizer.cli import options as shared
from visualizer.cli.exit_codes import EXIT_FAILED, exit_if_stopped


class DefaultAppGroup(click.Group):
    """The group of commands. `plyscope` alone runs `plyscope app`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["app"])


@click.group(cls=DefaultAppGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="plyscope", prog_name="plyscope")
def plyscope() -> None:
    """See what minimax and alpha-beta did.

    GAME is a preset (k-tables, full-depth, connect-m, long-state, threats) or one of connect4,
    connect:rows=4,cols=5,connect=4,rule=first, tictactoe, nim:3,4,5, tree:[[3,12,8],[2,4,6],[14,5,2]];
    or a file: a tree (.tree .txt .json .dot), or a class of your own, as my_game.py:Game.
    `plyscope list` tells more.
    """


@plyscope.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the server.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@shared.server_access_options
@shared.server_limit_options
def app(
    port: int | None, host: str, no_browser: bool, allowed_hosts: tuple[str, ...], embedded_in: tuple[str, ...], **limits: Any
) -> None:
    """Open the visualizer in the browser.

    Searches, comparisons and tournaments of all visitors run in processes of their own, in turns.
    """
    from visualizer.app.request_guard import Access
    from visualizer.app.server import serve
    from visualizer.pool.limits import Limits

    given = {name: value for name, value in limits.items() if value is not None}
    serve(host, port, not no_browser, limits=Limits(**given), access=Access(host, allowed_hosts, embedded_in))


@plyscope.command(cls=shared.SearchCommand)
@shared.position_options
@click.option("--depth", "-k", type=int, help="K, the depth limit in plies. [default: 4; k-tables 3; trees to the end]")
@shared.algorithm_option
@shared.evaluation_option
@shared.max_nodes_option("Stop after this many nodes.")
@shared.max_memory_option
@shared.json_option
@shared.tree_file_options
def search(
    game: str,
    moves: str | None,
    first: str | None,
    depth: int | None,
    algorithm: str,
    evaluation: str | None,
    max_nodes: int,
    max_memory: int | None,
    as_json: bool,
    options: dict[str, Any],
    **files: Any,
) -> None:
    """Search a position, show what was expanded, and write the tree to files.

    Exit code 0: the search is complete; 3: a limit stopped it; 130: Ctrl-C did. Result and files are then those so far.
    """
    from engine import Question
    from engine import search as run_search
    from engine.games.capabilities import default_depth
    from visualizer.cli.game_argument import read_game_argument
    from visualizer.cli.output import search_output
    from visualizer.cli.output.output_files import OutputFiles
    from visualizer.cli.output.progress import search_progress

    targets = OutputFiles(**files)
    played = read_game_argument(game, evaluation)
    K = depth if depth is not None else default_depth(played)
    question = Question(played, moves, K, algorithm, first=first, **options)
    if told := search_output.describe_table_memory(question):
        click.echo(f"plyscope: {told}", err=True)
    with search_progress(question, max_nodes) as on_progress:
        tree = run_search(question, max_nodes=max_nodes, max_memory=max_memory, on_progress=on_progress)
    if not tree.complete:  # said at once: the counts of a large tree take a moment, and files longer
        reached = f"stopped ({tree.stopped}) after {tree.expanded:,} nodes"
        click.echo(f"plyscope: {reached}: the tree is not complete, and neither are value and counts", err=True)
    if as_json:
        click.echo(json.dumps(search_output.search_summary(tree), allow_nan=False))
    else:
        search_output.show_search(tree)
    targets.write_tree(tree, quiet=as_json)
    exit_if_stopped(tree.stopped)


@plyscope.command(cls=shared.SearchCommand)
@shared.position_options
@click.option("--depths", default=None, help="Depth limits: 1-6, 4, 2,4,6 or end. [default: 1-6; trees to the end]")
@click.option(
    "--algorithms",
    default="minimax,alphabeta",
    show_default=True,
    help="With commas between them; one with options of its own: alphabeta:strict. See plyscope list.",
)
@click.option("--repeat", type=int, default=3, show_default=True, help="How often each search is timed.")
@shared.evaluation_option
@shared.max_nodes_option("Nodes of a search; minimax beyond is not run.")
@shared.json_option
@shared.output_option("File to write: .csv .json, charts .svg .png .pdf, reports .md .html .tex.")
def compare(
    game: str,
    moves: str | None,
    first: str | None,
    depths: str | None,
    algorithms: str,
    repeat: int,
    evaluation: str | None,
    max_nodes: int,
    as_json: bool,
    outputs: tuple[str, ...],
    options: dict[str, Any],
) -> None:
    """Compare algorithms per depth, show counts, times and what each saves over the one before, write tables, charts, reports."""
    from engine import compare as run_comparison
    from engine.analysis.comparison import plan_comparison
    from visualizer import report
    from visualizer.cli.game_argument import read_game_argument
    from visualizer.cli.output import compare_output
    from visualizer.cli.output.output_files import write_files
    from visualizer.exporters.text import discarding_writer

    targets = [report.check_target(output) for output in outputs]
    asked = {"first": first, "max_nodes": max_nodes, **options}
    played = read_game_argument(game, evaluation)
    compare_output.warn_if_slow(plan_comparison(played, moves, depths, algorithms, repeat, **asked))
    with compare_output.comparison_progress() as on_progress, discarding_writer() as write:
        comparison = run_comparison(
            played,
            moves,
            depths,
            algorithms,
            repeat,
            write=write,
            on_progress=on_progress,
            keep_nodes=report.MAX_FIGURE_NODES,
            **asked,
        )
    if comparison.rows:
        compare_output.show_comparison(comparison, as_json)
        write_files(targets, partial(report.write_comparison, comparison), quiet=as_json)
    if comparison.stopped:
        kept = f"the {len(comparison.rows)} rows that were done are kept" if comparison.rows else "no row was done"
        click.echo(f"plyscope: {comparison.stopped}: {kept}", err=True)
    exit_if_stopped(comparison.stopped)


@plyscope.command()
@shared.position_options
@click.option("--columns", is_flag=True, help="The score of every column, too: takes longer. --json always has them.")
@click.option("--weak", is_flag=True, help="Only who wins, not how soon: faster.")
@click.option("--table-mb", type=int, default=64, show_default=True, help="Memory of the table of positions, in MB.")
@click.option("--max-nodes", type=int, help="Stop after this many positions. [default: no limit; 20 million on a rung]")
@click.option("--rungs", is_flag=True, help="Solve it from minimax to the solver, each time with one idea more.")
@shared.json_option
def solve(game: str, moves: str | None, first: str | None, as_json: bool, rungs: bool, **chosen: Any) -> None:
    """Say what is true of a Connect position: who wins, and in how many moves.

    A search finds the same score and can be stepped through where few cells are empty; --rungs says how to type it:
    plyscope search connect4:evaluation=score,order=centre --moves … --depth CELLS
    """
    from visualizer.cli.commands.solve import rungs_command, solve_command

    if rungs:
        rungs_command(game, moves, first, as_json, chosen["max_nodes"])
    else:
        exit_if_stopped(solve_command(game, moves, first, as_json, **chosen).stopped)


@plyscope.command()
@click.argument("game")
@click.option("--evaluations", help="With commas between them. [default: all that the board has]")
@click.option("--depths", default="1-6", show_default=True, help="Search depths, as 1-6 or 2,4.")
@click.option("--positions", type=int, default=200, show_default=True, help="How many solved positions.")
@shared.seed_option
@click.option("--store", type=click.Path(), help="File that keeps what was found, so that it is not searched again.")
@shared.json_option
@shared.output_option("File to write: .csv .json, a chart .svg .png .pdf, a report .md .html.")
def evaluate(game: str, **chosen: Any) -> None:
    """Say how often the best move of a search is true, for every evaluation and depth, on the same solved positions."""
    from visualizer.cli.commands.evaluate import evaluate_command

    evaluate_command(game, **chosen)


@plyscope.command()
@click.argument("tree_file", type=click.Path())
@click.option("--game", help="The GAME that it is of, if that is one of your own: my_game.py:Game.")
@shared.tree_file_options
def export(tree_file: str, game: str | None, **files: Any) -> None:
    """Write a saved tree (.parquet) to other files."""
    from visualizer.cli.output.output_files import OutputFiles

    targets = OutputFiles(**files)
    if not files["outputs"]:
        raise click.UsageError("nothing to write: name a file with -o")
    from engine.tree.parquet_file import load
    from visualizer.cli.game_argument import read_game_argument

    targets.write_tree(load(tree_file, None if game is None else read_game_argument(game)), quiet=False)


@plyscope.command()
@click.argument("preset", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array and nothing else.")
def reproduce(preset: str | None, as_json: bool) -> None:
    """Measure every published figure of the five reports, or of one PRESET."""
    from engine.analysis.published_figures import reproduce_figures as measure
    from visualizer.cli.output import search_output
    from visualizer.cli.output.progress import figure_progress

    with figure_progress() as on_figure:
        figures = measure(preset, on_figure)
    if as_json:
        click.echo(json.dumps([{**figure._asdict(), "equal": figure.equal} for figure in figures]))
    else:
        search_output.show_figures(figures, preset)
    if not all(figure.equal for figure in figures):
        raise SystemExit(EXIT_FAILED)


@plyscope.command("list")
def list_everything() -> None:
    """List games, evaluations and algorithms."""
    from visualizer.cli.output import search_output

    search_output.show_choices()


@plyscope.command()
@click.argument("game")
@click.option("--sizes", help="Square boards, as 3-6 or 3,5. [default: the board of the game; connect-m 3-6]")
@click.option("--depths", help="Search depths of either player. [default: 1-4; trees to the end]")
@click.option("--games", type=int, default=3, show_default=True, help="Games in a cell.")
@click.option("--connect", help="How many in a line, as 3 or 3-4. [default: as the game has it]")
@click.option("--evaluation", help="Evaluations, with commas; each plays against each.")
@click.option("--algorithm", default="alphabeta", show_default=True, help="How to search, or several with commas.")
@click.option(
    "--starts", help="Who starts: max (player 1), min (player 2), random; or several. [default: max; in a tree: its root]"
)
@click.option("--openings", type=int, default=0, help="Random moves before the players take over, so that games differ.")
@shared.seed_option
@click.option("--prefer-faster-win", is_flag=True, help="To the players a win counts more the sooner it comes.")
@click.option("--jobs", type=click.IntRange(1, 1024), help="Processes. [default: one for each core]")
@click.option("--scheduler", help="Play on a dask cluster: the address of its scheduler, tcp://host:8786.")
@click.option("--store", help="File that keeps every finished game.")
@click.option("--resume", is_flag=True, help="Go on with the games that the store holds.")
@click.option("--truth", is_flag=True, help="Count how often each player gave a win or a draw away, by the solver.")
@shared.json_option
@shared.output_option("File to write: .csv, .json, .svg, .png or .pdf.")
def tournament(
    game: str,
    sizes: str | None,
    depths: str | None,
    connect: str | None,
    evaluation: str | None,
    algorithm: str,
    starts: str | None,
    jobs: int | None,
    **chosen: Any,
) -> None:
    """Let search depths play against each other on a grid of boards."""
    from engine.core.parsing import read_numbers, read_words
    from engine.games.registry import game_text
    from engine.matches.match import default_starting_side
    from engine.matches.tournament_grid import Grid, default_sizes, default_tournament_depths
    from visualizer.cli.commands import tournament
    from visualizer.cli.game_argument import choose_jobs, read_game_argument

    played = read_game_argument(game)
    of_grid = {name: chosen.pop(name) for name in ("games", "openings", "seed", "prefer_faster_win")}
    grid = Grid(
        game_text(played),
        read_numbers(default_sizes(played) or None if sizes is None else sizes, "sizes"),
        read_numbers(default_tournament_depths(played) if depths is None else depths, "depths"),
        connect=read_numbers(connect, "lengths of a line"),
        evaluations=read_words(evaluation, "evaluations"),
        algorithms=read_words(algorithm, "algorithms"),
        starts=read_words(starts or default_starting_side(played), "starting sides"),
        **of_grid,
    )
    tournament.run_tournament(grid, jobs=choose_jobs(played, jobs, chosen["scheduler"]), command=_typed_command(), **chosen)


@plyscope.command("new-game")
@click.argument("name")
@click.option("--like", default="sticks", show_default=True, help="The example to begin with: sticks, or othello.")
def new_game(name: str, like: str) -> None:
    """Write a game of your own to begin with, to NAME.py: six methods, explained, and a test."""
    from visualizer.cli.examples import write_new_game as write

    target = write(name, like)
    click.echo(f"{target} is there: plyscope search {target}:Game --depth 4, or pytest {target}")


@plyscope.command(cls=shared.SearchCommand)
@click.argument("game")
@click.option("--depth", "-k", type=int, help="How deep the computer looks. [default: 4; k-tables 3; trees to the end]")
@shared.algorithm_option
@shared.evaluation_option
@click.option("--prefer-faster-win", is_flag=True, help="To the computer a win counts more the sooner it comes.")
@click.option("--you", type=click.Choice(["max", "min"]), help="Your side. [default: that of the person in the preset]")
@click.option(
    "--starts", "--first", type=click.Choice(["max", "min", "random"]), help="Who starts. [default: you; in a tree: its root]"
)
@click.option("--against", type=click.Choice(["search", "perfect", "random", "human"]), default="search", show_default=True)
@shared.seed_option
@click.option("--moves", default="", help="Begin after these moves.")
def play(game: str, **chosen: Any) -> None:
    """Play against the search, in the terminal."""
    from visualizer.cli.commands.play import play_command

    play_command(game, **chosen)


@plyscope.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--call", help="How the search is called: 'minimax(board, 4, -inf, inf, True)'. [default: as the program does it]")
@click.option("--function", help="The function that searches, if another one was taken for it.")
@click.option(
    "--map", "mapped", multiple=True, help="What an argument means, role=name: alpha=a. Roles: state, depth, alpha, beta, side."
)
@click.option("--game", help="Compare with our own search of this GAME.")
@click.option("--moves", default=None, help="With --game: the position, as the moves from the start.")
@click.option("--first", type=click.Choice(["max", "min"]), help="The side that made the first of them.")
@click.option("--prints", is_flag=True, help="Show what the program printed.")
@click.option("--seconds", type=click.FloatRange(1, 3600), default=60.0, show_default=True, help="How long a program may run.")
@click.option("--open", "opens", is_flag=True, help="Open the result in the browser.")
@shared.json_option
@shared.output_option("File to write: report.html, run.json for the app; of many programs class.html.")
def check(files: tuple[str, ...], **chosen: Any) -> None:
    """Watch the search in a program of yours, unchanged, and say what is wrong with it.

    The program runs in a process of its own, with limits: no network, a temporary folder, 1 GB. They are for mistakes, not for
    malice, and a verdict is no proof. Exit code 0: nothing is certainly wrong; 1: something is; 2: it could not be run.
    """
    from visualizer.cli.commands.check import check_files

    if code := check_files(files, **chosen):
        raise SystemExit(code)


@plyscope.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@shared.json_option
@shared.output_option("File to write: grades.csv.")
def grade(files: tuple[str, ...], **chosen: Any) -> None:
    """Check summaries that learners have downloaded from the page Learn, and grade every answer in them again.

    Exit code 0: all is as it was downloaded; 1: a file was changed, or says other points than its answers are worth; 2: a
    file is no summary, and the others were graded.
    """
    from visualizer.cli.commands.grade import grade_files

    if code := grade_files(files, **chosen):
        raise SystemExit(code)


@plyscope.command()
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed makes the same trees; 0 to 9999.")
@click.option("--trees", type=int, default=3, show_default=True, help="Exercises on a sheet.")
@click.option(
    "--kind", "kinds", multiple=True, help="values, window, pruned, order or mistake; several in turn. [default: the first three]"
)
@click.option("--difficulty", type=int, default=2, show_default=True, help="1 to 5.")
@click.option("--variants", type=int, default=1, show_default=True, help="Sheets with different trees: one for each student.")
@click.option("--points", type=int, default=10, show_default=True, help="For each tree.")
@click.option("--paper", default="a4", show_default=True, help="a4 or letter.")
@click.option("--title", default="Game trees", show_default=True, help="Above each sheet.")
@click.option("--key", "keys", multiple=True, help="File for the solutions, whatever it is called.")
@shared.output_option("File to write: .pdf, .html or .tex. One with key in its name (key.pdf) gets the solutions.")
def exam(**chosen: Any) -> None:
    """Make exam sheets, blank and solved: the same trees in both."""
    from visualizer.cli.commands.exam import write_exams

    write_exams(**chosen)


def _typed_command() -> str:
    """Return the command as it was typed."""
    return shlex.join(["plyscope", *sys.argv[1:]])
