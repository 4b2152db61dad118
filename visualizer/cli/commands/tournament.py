"""The command `plyscope tournament`: plays a tournament and shows the results."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from rich.columns import Columns
from rich.console import Group
from rich.progress import MofNCompleteColumn, TimeRemainingColumn
from rich.style import Style
from rich.table import Table
from rich.text import Text

from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.core.parsing import read_numbers, read_words
from engine.games.registry import game_text
from engine.matches.executors import play_on_cluster, play_on_cores
from engine.matches.game_store import GameStore
from engine.matches.match import default_starting_side
from engine.matches.tournament import CellResult, Tournament
from engine.matches.tournament_grid import Grid, default_sizes, default_tournament_algorithm, default_tournament_depths
from visualizer.cli import options
from visualizer.cli.game_argument import choose_jobs, read_game_argument
from visualizer.cli.output.console import PlainConsole, make_text_column
from visualizer.cli.output.output_files import write_files
from visualizer.cli.output.progress import ProgressBar
from visualizer.drawing import tournament_heatmap
from visualizer.drawing.theme import LIGHT, level_colours, level_name
from visualizer.exporters import check_target
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.tournament_notes import list_tournament_notes
from visualizer.report.tournament_files import FILE_RENDERERS, summarize_tournament, tournament_title

if TYPE_CHECKING:
    from engine.matches.blunders import PlayerMistakes

MAX_BAR_CHARS = 30
NO_SOLVER_NOTE = "Only Connect boards with the rule `first` have a solver."
MISTAKES_NOTE = (
    "A mistake loses a win or a draw. Only moves that are solved within half a second are judged; random moves are not."
)


class TournamentInterrupted(click.Abort):
    """Ctrl-C, with a message."""


@click.command(
    "tournament",
    epilog=options.examples(
        "plyscope tournament connect-m --sizes 3-4",
        "plyscope tournament connect4 --depths 1-4 --games 20 --openings 6 -o grid.svg",
        "plyscope tournament connect4 --depths 4 --games 1000 --openings 8 --store games.db --resume",
        "plyscope tournament pig --player policy:hold=3 --player policy:hold=5 --player random --games 100",
    ),
)
@click.argument("game")
@click.option("--sizes", help="Sizes of square boards: 3-6 or 3,5. [default: the board of the game; connect-m: 3-6]")
@click.option("--depths", help="Search depths of both players: 1-4 or 2,4. [default: 1-4; trees: to the end]")
@click.option("--games", type=int, default=3, show_default=True, help="Games for each pair of players.")
@click.option("--connect", help="Discs in a row that win: 3 or 3-4. [default: as in the game]")
@click.option("--evaluation", help="Evaluation functions, separated by commas: chains,threats. Each plays against each.")
@click.option(
    "--algorithm",
    help="Algorithm of both players, or several: alphabeta,pvs. [default: alphabeta; with chance: expectiminimax]",
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="PLAYER",
    help="Name players instead of depths: policy:hold=5, random, mcts:iterations=200. Each plays against each. Can be repeated.",
)
@click.option(
    "--starts",
    help="Side that moves first: max (player 1), min (player 2), random, or several: max,min. "
    "[default: max; trees: the side at the root]",
)
@click.option(
    "--openings", type=int, default=0, show_default=True, help="Random moves before the players begin, so that games differ."
)
@options.seed_option
@click.option("--prefer-faster-win", is_flag=True, help="Players prefer a faster win to a slower one.")
@click.option("--jobs", type=click.IntRange(1, 1024), help="Number of processes. [default: one per core]")
@click.option("--scheduler", help="Play on the dask cluster of this scheduler, for example tcp://host:8786.")
@click.option("--store", help="File that saves every finished game, for example games.db.")
@click.option("--resume", is_flag=True, help="Continue with the games in the store.")
@click.option("--truth", is_flag=True, help="Count the moves of each player that lost a win or a draw, by the solver.")
@options.json_option
@options.output_option("File to write, for example grid.svg. Data: .csv .json. Heat maps: .svg .png .pdf.")
def tournament_command(
    game: str,
    sizes: str | None,
    depths: str | None,
    connect: str | None,
    evaluation: str | None,
    algorithm: str | None,
    players: tuple[str, ...],
    starts: str | None,
    jobs: int | None,
    scheduler: str | None,
    games: int,
    openings: int,
    seed: int,
    prefer_faster_win: bool,
    **settings: Any,
) -> None:
    """Let searches of different depths, or named players, compete.

    Dice and other chance follow from --seed. They are the same for all pairs of players.
    """
    played = read_game_argument(game)
    if players and (depths or evaluation or algorithm or prefer_faster_win):
        raise PlyscopeError(
            "a named player has its own settings, such as search:depth=3,evaluation=lines,faster: leave out --depths, "
            "--evaluation, --algorithm and --prefer-faster-win"
        )
    grid = Grid(
        game_text(played),
        read_numbers(default_sizes(played) or None if sizes is None else sizes, "sizes"),
        read_numbers(default_tournament_depths(played) if depths is None else depths, "depths"),
        connect=read_numbers(connect, "lengths of a line"),
        evaluations=read_words(evaluation, "evaluations"),
        algorithms=read_words(algorithm or default_tournament_algorithm(played), "algorithms"),
        starts=read_words(starts or default_starting_side(played), "starting sides"),
        games=games,
        openings=openings,
        seed=seed,
        prefer_faster_win=prefer_faster_win,
        players=players,
    )
    command = shlex.join(["plyscope", *sys.argv[1:]])
    run_tournament(grid, jobs=choose_jobs(played, jobs, scheduler), scheduler=scheduler, command=command, **settings)


def run_tournament(
    grid: Grid,
    outputs: Sequence[str],
    as_json: bool,
    jobs: int,
    scheduler: str | None,
    store: str | None,
    resume: bool,
    truth: bool,
    command: str,
) -> None:
    """Play the grid and show the results. `command` is the typed command, to continue with after Ctrl-C."""
    if resume and store is None:
        raise PlyscopeError("--resume needs a store: add --store FILE")
    targets = [check_target(output, FILE_RENDERERS, "write a tournament") for output in outputs]
    tournament = Tournament(grid)  # checks the grid before a file is created
    game_store = None if store is None else GameStore(store, resume)
    try:
        if game_store is not None:
            tournament = Tournament(grid, game_store)
            if resume:
                note = f"{store} already has {len(tournament.played):,} of {len(tournament.fixtures):,} games"
                PlainConsole(stderr=True).print(sanitize_line(note))
        runner = partial(play_on_cluster, address=scheduler) if scheduler else partial(play_on_cores, jobs=jobs)
        with game_progress(tournament) as on_game:
            tournament.run(runner, on_game)
    except KeyboardInterrupt:
        if not as_json:
            show_tournament(grid, tournament.cells())
        raise TournamentInterrupted(describe_interruption(tournament, store, command)) from None
    finally:
        if game_store is not None:
            game_store.close()
    cells = tournament.cells()
    judged = judge_players(cells) if truth else []
    if as_json:
        print(
            json.dumps(
                summarize_tournament(grid, cells) | ({"mistakes": [player._asdict() for player in judged]} if truth else {})
            )
        )
    else:
        show_tournament(grid, cells)
        if truth:
            show_mistakes(judged)
    write_files(targets, lambda target: write_chunks(target, [FILE_RENDERERS[target.suffix.lower()](grid, cells)]), quiet=as_json)


def describe_interruption(tournament: Tournament, store: str | None, command: str) -> str:
    """Return a message for Ctrl-C: the games that were played, and how to continue."""
    done = f"interrupted after {len(tournament.played):,} of {len(tournament.fixtures):,} games"
    if store is None:
        return f"{done}, which are not saved; with --store FILE they are, and --resume continues"
    again = command if "--resume" in command.split() else f"{command} --resume"
    return f"{done}, which are saved; continue with: {again}"


@contextmanager
def game_progress(tournament: Tournament) -> Iterator[Callable[[Any], None]]:
    """Show a progress bar with the time left, on stderr."""
    with ProgressBar(MofNCompleteColumn(), make_text_column("games,"), TimeRemainingColumn(), make_text_column("left")) as bar:
        bar.show(description="playing", total=len(tournament.fixtures), completed=len(tournament.played))
        yield lambda played: bar.show(advance=1)


# ---- output


def show_tournament(grid: Grid, cells: Sequence[CellResult]) -> None:
    """Show a heat map for each board, the draws as bars, and notes."""
    console = PlainConsole()
    panels = tournament_heatmap.build_panels(cells)
    if not panels:
        return
    console.print(Text(tournament_title(grid), style="bold"))
    what = "player" if grid.players else "search depth of player"
    for line in (f"Rows: {what} 1 (MAX). Columns: {what} 2 (MIN).", tournament_heatmap.CELL_LEGEND):
        console.print(Text(line, style="dim"))
    console.print()
    console.print(Columns([_heatmap_table(panel) for panel in panels], padding=(0, 4)))
    console.print(Text("Draws", style="bold"))
    max_games = max(panel.games for panel in panels)
    bars = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for panel in panels:
        bar = Text("█" * round(MAX_BAR_CHARS * panel.draws / max_games), style="bright_black")
        bars.add_row(Text(sanitize_line(panel.title)), f"{panel.draws} of {panel.games}", bar)
    console.print(bars)
    for note in list_tournament_notes(grid, cells):
        console.print(Text(sanitize_line(note), style="dim"))


def judge_players(cells: Sequence[CellResult]) -> "list[PlayerMistakes]":
    """Return the mistakes of all players, by the solver. Show a progress bar meanwhile."""
    from engine.matches.blunders import count_mistakes

    with ProgressBar(MofNCompleteColumn(), make_text_column("games"), TimeRemainingColumn(), make_text_column("left")) as bar:
        return count_mistakes(cells, on_progress=lambda done, games: bar.show(description="solving", completed=done, total=games))


def show_mistakes(judged: "Sequence[PlayerMistakes]") -> None:
    """Show how many wins and draws each player gave away, by the solver."""
    console = PlainConsole()
    console.print(Text("Mistakes, by the solver", style="bold"))
    if not judged:
        console.print(Text(NO_SOLVER_NOTE, style="dim"))
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("board", "player"):
        table.add_column(name)
    for name in ("games", "moves judged", "mistakes", "per game"):
        table.add_column(name, justify="right")
    for player in judged:
        counts = (player.games, player.moves, player.mistakes)
        share = f"{player.mistakes / player.games:.2f}"
        table.add_row(
            Text(sanitize_line(player.game)), Text(sanitize_line(player.player)), *(f"{count:,}" for count in counts), share
        )
    console.print(table)
    console.print(Text(MISTAKES_NOTE, style="dim"))


def _heatmap_table(panel: tournament_heatmap.Panel) -> Group:
    colours = level_colours(LIGHT)
    table = Table(box=None, padding=(0, 1), show_edge=False)
    table.add_column("", justify="right")
    for label in panel.column_labels:
        table.add_column(label, justify="center")
    for one, label in zip(panel.rows, panel.row_labels, strict=True):
        texts = []
        for two in panel.columns:
            cell = panel.cells.get((one, two))
            if cell is None:
                texts.append(Text(""))
                continue
            style = Style(color=LIGHT.text, bgcolor=colours[level_name(tournament_heatmap.heat_level(cell))])
            texts.append(Text(f" {tournament_heatmap.format_cell(cell)} ", style=style))
        table.add_row(Text(sanitize_line(label)), *texts)
    return Group(Text(sanitize_line(panel.title), style="bold"), table, Text(""))
