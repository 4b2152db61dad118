"""The command `plyscope tournament`: runs it, shows it, writes it to files."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from click import Abort
from rich.columns import Columns
from rich.console import Console, Group
from rich.progress import MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.style import Style
from rich.table import Table
from rich.text import Text

from engine.catalogue import read_game
from engine.errors import PlyscopeError
from engine.files import write_chunks
from engine.grid import Grid
from engine.players import SearchPlayer, played_by
from engine.runners import on_cluster, on_cores
from engine.store import Store
from engine.tournament import Cell, CellGame, Tournament
from visualizer import heatmap, sketch
from visualizer.caption import counted
from visualizer.escapes import csv_table, plain
from visualizer.exporters import check_target
from visualizer.progress import Bar
from visualizer.theme import LIGHT, level_colours, level_name
from visualizer.tournament_notes import notes
from visualizer.written import write_all

BAR = 30  # characters


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
                Console(stderr=True).print(plain(said), markup=False, highlight=False)
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
    if as_json:
        print(json.dumps(summary(grid, cells)))
    else:
        show(grid, cells)
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
    with Bar(MofNCompleteColumn(), TextColumn("games,"), TimeRemainingColumn(), TextColumn("left")) as bar:
        bar.show(description="playing", total=len(tournament.fixtures), completed=len(tournament.played))
        yield lambda played: bar.show(advance=1)


# ---- on the terminal


def show(grid: Grid, cells: Sequence[Cell]) -> None:
    """A heat map for each board, the draws as bars, and notes."""
    console = Console(highlight=False)
    shown = heatmap.panels(cells)
    if not shown:
        return
    console.print(Text(_title(grid), style="bold"))
    for line in ("Rows: how deep player 1 (MAX) looks. Columns: player 2 (MIN).", heatmap.LEGEND):
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


def _title(grid: Grid) -> str:
    opened = f", after {grid.openings} random moves (seed {grid.seed})" if grid.openings else ""
    return plain(f"{grid.game[:60]}: {counted(grid.games, 'game')} a cell{opened}")


def _heat_map(panel: heatmap.Panel) -> Group:
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
            style = Style(color=LIGHT.text, bgcolor=colours[level_name(heatmap.level(cell))])
            texts.append(Text(f" {heatmap.cell_text(cell)} ", style=style))
        table.add_row(str(depth1), *texts)
    return Group(Text(plain(panel.title), style="bold"), table, Text(""))


# ---- as data and files


def summary(grid: Grid, cells: Sequence[Cell]) -> dict[str, Any]:
    """The result as the JSON of `plyscope tournament`."""
    return {
        "game": grid.game,
        "games": grid.games,
        "openings": grid.openings,
        "seed": grid.seed,
        "prefer_faster_win": grid.prefer_faster_win,
        "cells": [row(cell) | {"positions": [_position(game) for game in cell.games]} for cell in cells],
        "draws": [{"board": panel.title, "draws": panel.draws, "games": panel.games} for panel in heatmap.panels(cells)],
        "notes": notes(grid, cells),
    }


def _position(game: CellGame) -> dict[str, Any]:
    fixture = game.fixture
    return {"first": fixture.first, "opening": fixture.opening, "moves": game.moves, "winner": game.winner, "times": game.times}


def row(cell: Cell) -> dict[str, Any]:
    """A cell in plain values."""
    game = read_game(cell.game)
    evaluations = [
        getattr(played_by(SearchPlayer(1, evaluation=chosen), game), "evaluation", None) if hasattr(game, "rule") else None
        for chosen in (cell.evaluation1, cell.evaluation2)
    ]
    return {
        "size": cell.size,
        "depth1": cell.depth1,
        "depth2": cell.depth2,
        "wins1": cell.wins1,
        "wins2": cell.wins2,
        "draws": cell.draws,
        "game": cell.game,
        "evaluation1": evaluations[0],
        "evaluation2": evaluations[1],
        "algorithm": cell.algorithm,
        "starts": cell.starts,
        "played": len(cell.games),
        "repeated": cell.repeated,
    }


def to_csv(grid: Grid, cells: Sequence[Cell]) -> bytes:
    """One row per cell."""
    rows = [row(cell) for cell in cells]
    return csv_table([list(rows[0]), *(list(cells.values()) for cells in rows)] if rows else []).encode()


def to_json(grid: Grid, cells: Sequence[Cell]) -> bytes:
    return (json.dumps(summary(grid, cells), indent=1) + "\n").encode()


def to_svg(grid: Grid, cells: Sequence[Cell]) -> bytes:
    """Heat maps and bars, light and dark."""
    return sketch.to_svg(heatmap.sketch(cells, _title(grid), notes(grid, cells))).encode()


def to_picture(grid: Grid, cells: Sequence[Cell], kind: str) -> bytes:
    """The same, drawn by Graphviz."""
    return sketch.to_picture(heatmap.sketch(cells, _title(grid), notes(grid, cells)), kind)


FILES: dict[str, Callable[[Grid, Sequence[Cell]], bytes]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".svg": to_svg,
    ".png": partial(to_picture, kind="png"),
    ".pdf": partial(to_picture, kind="pdf"),
}
