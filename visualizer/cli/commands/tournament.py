"""The command `plyscope tournament`: plays a tournament and shows the results."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from click import Abort
from rich.columns import Columns
from rich.console import Group
from rich.progress import MofNCompleteColumn, TimeRemainingColumn
from rich.style import Style
from rich.table import Table
from rich.text import Text

from engine.core.atomic_files import write_chunks
from engine.core.errors import PlyscopeError
from engine.matches.executors import play_on_cluster, play_on_cores
from engine.matches.game_store import GameStore
from engine.matches.tournament import CellResult, Tournament
from engine.matches.tournament_grid import Grid
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

MAX_BAR_CHARS = 30  # characters
NO_SOLVER_NOTE = "Only Connect boards with the rule `first` have a solver."
MISTAKES_NOTE = "A mistake gives a win or a draw away. Judged is what is solved in half a second a move; random moves are not."


class TournamentInterrupted(Abort):
    """Ctrl-C, with a message."""


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
        raise PlyscopeError("--resume goes on with a store: name it with --store FILE")
    targets = [check_target(output, FILE_RENDERERS, "write a tournament") for output in outputs]
    tournament = Tournament(grid)  # says what is wrong with the grid before a file is made
    kept = None if store is None else GameStore(store, resume)
    try:
        if kept is not None:
            tournament = Tournament(grid, kept)
            if resume:
                said = f"{len(tournament.played):,} of {len(tournament.fixtures):,} games are in {store} already"
                PlainConsole(stderr=True).print(sanitize_line(said))
        runner = partial(play_on_cluster, address=scheduler) if scheduler else partial(play_on_cores, jobs=jobs)
        with game_progress(tournament) as on_game:
            tournament.run(runner, on_game)
    except KeyboardInterrupt:
        if not as_json:
            show_tournament(grid, tournament.cells())
        raise TournamentInterrupted(describe_interruption(tournament, store, command)) from None
    finally:
        if kept is not None:
            kept.close()
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
        return f"{done}: with --store FILE they would have been kept, to go on with later"
    again = command if "--resume" in command.split() else f"{command} --resume"
    return f"{done}, which are kept; go on with: {again}"


@contextmanager
def game_progress(tournament: Tournament) -> Iterator[Callable[[Any], None]]:
    """Show a progress bar with the time left, on stderr."""
    with ProgressBar(MofNCompleteColumn(), make_text_column("games,"), TimeRemainingColumn(), make_text_column("left")) as bar:
        bar.show(description="playing", total=len(tournament.fixtures), completed=len(tournament.played))
        yield lambda played: bar.show(advance=1)


# ---- on the terminal


def show_tournament(grid: Grid, cells: Sequence[CellResult]) -> None:
    """Show a heat map for each board, the draws as bars, and notes."""
    console = PlainConsole()
    shown = tournament_heatmap.build_panels(cells)
    if not shown:
        return
    console.print(Text(tournament_title(grid), style="bold"))
    for line in ("Rows: how deep player 1 (MAX) looks. Columns: player 2 (MIN).", tournament_heatmap.CELL_LEGEND):
        console.print(Text(line, style="dim"))
    console.print()
    console.print(Columns([_heatmap_table(panel) for panel in shown], padding=(0, 4)))
    console.print(Text("Draws", style="bold"))
    most = max(panel.games for panel in shown)
    bars = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for panel in shown:
        bar = Text("█" * round(MAX_BAR_CHARS * panel.draws / most), style="bright_black")
        bars.add_row(Text(sanitize_line(panel.title)), f"{panel.draws} of {panel.games}", bar)
    console.print(bars)
    for note in list_tournament_notes(grid, cells):
        console.print(Text(sanitize_line(note), style="dim"))


def judge_players(cells: Sequence[CellResult]) -> "list[PlayerMistakes]":
    """Return the mistakes of all players, by the solver. Shows a progress bar."""
    from engine.matches.blunders import count_mistakes

    with ProgressBar(MofNCompleteColumn(), make_text_column("games"), TimeRemainingColumn(), make_text_column("left")) as bar:
        return count_mistakes(cells, on_progress=lambda done, games: bar.show(description="solving", completed=done, total=games))


def show_mistakes(judged: "Sequence[PlayerMistakes]") -> None:
    """Show how many wins and draws each player gave away, by the solver."""
    console = PlainConsole()
    console.print(Text("Mistakes by truth", style="bold"))
    if not judged:
        console.print(Text(NO_SOLVER_NOTE, style="dim"))
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("board", "player"):
        table.add_column(name)
    for name in ("games", "moves judged", "mistakes", "a game"):
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
    for depth2 in panel.columns:
        table.add_column(str(depth2), justify="center")
    for depth1 in panel.rows:
        texts = []
        for depth2 in panel.columns:
            cell = panel.cells.get((depth1, depth2))
            if cell is None:
                texts.append(Text(""))
                continue
            style = Style(color=LIGHT.text, bgcolor=colours[level_name(tournament_heatmap.heat_level(cell))])
            texts.append(Text(f" {tournament_heatmap.format_cell(cell)} ", style=style))
        table.add_row(str(depth1), *texts)
    return Group(Text(sanitize_line(panel.title), style="bold"), table, Text(""))
