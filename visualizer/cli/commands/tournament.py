"""The command `plyscope tournament`: runs it, shows it."""

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
from engine.matches.executors import on_cluster, on_cores
from engine.matches.game_store import Store
from engine.matches.tournament import Cell, Tournament
from engine.matches.tournament_grid import Grid
from visualizer.cli.output.console import PlainConsole, text_column
from visualizer.cli.output.output_files import write_all
from visualizer.cli.output.progress import Bar
from visualizer.drawing import tournament_heatmap
from visualizer.drawing.theme import LIGHT, level_colours, level_name
from visualizer.exporters import check_target
from visualizer.narration.escapes import plain
from visualizer.narration.tournament_notes import notes
from visualizer.report.tournament_files import FILES, summary, title

if TYPE_CHECKING:
    from engine.matches.blunders import Mistakes

BAR = 30  # characters
NO_TRUTH = "Only Connect boards with the rule `first` have a solver."
MISTAKES_NOTE = "A mistake gives a win or a draw away. Judged is what is solved in half a second a move; random moves are not."


class Interrupted(Abort):
    """Ctrl-C, with what there is to say about it."""


def run(
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
    """Play the grid and tell what came out; `command` is what was typed, for going on after Ctrl-C."""
    if resume and store is None:
        raise PlyscopeError("--resume goes on with a store: name it with --store FILE")
    targets = [check_target(output, FILES, "write a tournament") for output in outputs]
    tournament = Tournament(grid)  # says what is wrong with the grid before a file is made
    kept = None if store is None else Store(store, resume)
    try:
        if kept is not None:
            tournament = Tournament(grid, kept)
            if resume:
                said = f"{len(tournament.played):,} of {len(tournament.fixtures):,} games are in {store} already"
                PlainConsole(stderr=True).print(plain(said))
        runner = partial(on_cluster, address=scheduler) if scheduler else partial(on_cores, jobs=jobs)
        with game_progress(tournament) as on_game:
            tournament.run(runner, on_game)
    except KeyboardInterrupt:
        if not as_json:
            show(grid, tournament.cells())
        raise Interrupted(how_to_go_on(tournament, store, command)) from None
    finally:
        if kept is not None:
            kept.close()
    cells = tournament.cells()
    judged = judged_by_truth(cells) if truth else []
    if as_json:
        print(json.dumps(summary(grid, cells) | ({"mistakes": [player._asdict() for player in judged]} if truth else {})))
    else:
        show(grid, cells)
        if truth:
            show_mistakes(judged)
    write_all(targets, lambda target: write_chunks(target, [FILES[target.suffix.lower()](grid, cells)]), quiet=as_json)


def how_to_go_on(tournament: Tournament, store: str | None, command: str) -> str:
    """What Ctrl-C leaves behind."""
    done = f"interrupted after {len(tournament.played):,} of {len(tournament.fixtures):,} games"
    if store is None:
        return f"{done}: with --store FILE they would have been kept, to go on with later"
    again = command if "--resume" in command.split() else f"{command} --resume"
    return f"{done}, which are kept; go on with: {again}"


@contextmanager
def game_progress(tournament: Tournament) -> Iterator[Callable[[Any], None]]:
    """A progress bar with the time left, on stderr."""
    with Bar(MofNCompleteColumn(), text_column("games,"), TimeRemainingColumn(), text_column("left")) as bar:
        bar.show(description="playing", total=len(tournament.fixtures), completed=len(tournament.played))
        yield lambda played: bar.show(advance=1)


# ---- on the terminal


def show(grid: Grid, cells: Sequence[Cell]) -> None:
    """A heat map for each board, the draws as bars, and notes."""
    console = PlainConsole()
    shown = tournament_heatmap.panels(cells)
    if not shown:
        return
    console.print(Text(title(grid), style="bold"))
    for line in ("Rows: how deep player 1 (MAX) looks. Columns: player 2 (MIN).", tournament_heatmap.LEGEND):
        console.print(Text(line, style="dim"))
    console.print()
    console.print(Columns([_heat_map(panel) for panel in shown], padding=(0, 4)))
    console.print(Text("Draws", style="bold"))
    most = max(panel.games for panel in shown)
    bars = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    for panel in shown:
        bar = Text("█" * round(BAR * panel.draws / most), style="bright_black")
        bars.add_row(Text(plain(panel.title)), f"{panel.draws} of {panel.games}", bar)
    console.print(bars)
    for note in notes(grid, cells):
        console.print(Text(plain(note), style="dim"))


def judged_by_truth(cells: Sequence[Cell]) -> "list[Mistakes]":
    """The mistakes of all players, with a progress bar."""
    from engine.matches.blunders import mistakes

    with Bar(MofNCompleteColumn(), text_column("games"), TimeRemainingColumn(), text_column("left")) as bar:
        return mistakes(cells, on_progress=lambda done, games: bar.show(description="solving", completed=done, total=games))


def show_mistakes(judged: "Sequence[Mistakes]") -> None:
    """How many wins and draws each player gave away, by truth."""
    console = PlainConsole()
    console.print(Text("Mistakes by truth", style="bold"))
    if not judged:
        console.print(Text(NO_TRUTH, style="dim"))
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in ("board", "player"):
        table.add_column(name)
    for name in ("games", "moves judged", "mistakes", "a game"):
        table.add_column(name, justify="right")
    for player in judged:
        counts = (player.games, player.moves, player.mistakes)
        share = f"{player.mistakes / player.games:.2f}"
        table.add_row(Text(plain(player.game)), Text(plain(player.player)), *(f"{count:,}" for count in counts), share)
    console.print(table)
    console.print(Text(MISTAKES_NOTE, style="dim"))


def _heat_map(panel: tournament_heatmap.Panel) -> Group:
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
            style = Style(color=LIGHT.text, bgcolor=colours[level_name(tournament_heatmap.level(cell))])
            texts.append(Text(f" {tournament_heatmap.cell_text(cell)} ", style=style))
        table.add_row(str(depth1), *texts)
    return Group(Text(plain(panel.title), style="bold"), table, Text(""))
