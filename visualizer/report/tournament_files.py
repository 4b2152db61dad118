"""A tournament as data and as files."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engine.games.capabilities import evaluation_name
from engine.games.registry import read_game
from engine.matches.players import SearchPlayer, played_by
from engine.matches.tournament import Cell, CellGame
from engine.matches.tournament_grid import Grid
from visualizer.drawing import scene, tournament_heatmap
from visualizer.narration.escapes import csv_table, plain
from visualizer.narration.numbers import counted
from visualizer.narration.tournament_notes import notes


def title(grid: Grid) -> str:
    opened = f", after {grid.openings} random moves (seed {grid.seed})" if grid.openings else ""
    return plain(f"{grid.game[:60]}: {counted(grid.games, 'game')} a cell{opened}")


def summary(grid: Grid, cells: Sequence[Cell]) -> dict[str, Any]:
    """The result as the JSON of `plyscope tournament`."""
    return {
        "game": grid.game,
        "games": grid.games,
        "openings": grid.openings,
        "seed": grid.seed,
        "prefer_faster_win": grid.prefer_faster_win,
        "cells": [row(cell) | {"positions": [_position(game) for game in cell.games]} for cell in cells],
        "draws": [
            {"board": panel.title, "draws": panel.draws, "games": panel.games} for panel in tournament_heatmap.panels(cells)
        ],
        "notes": notes(grid, cells),
    }


def _position(game: CellGame) -> dict[str, Any]:
    fixture = game.fixture
    return {"first": fixture.first, "opening": fixture.opening, "moves": game.moves, "winner": game.winner, "times": game.times}


def row(cell: Cell) -> dict[str, Any]:
    """A cell in plain values."""
    game = read_game(cell.game)
    evaluations = [
        evaluation_name(played_by(SearchPlayer(1, evaluation=chosen), game)) for chosen in (cell.evaluation1, cell.evaluation2)
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
    return scene.to_svg(tournament_heatmap.sketch(cells, title(grid), notes(grid, cells))).encode()


def to_picture(grid: Grid, cells: Sequence[Cell], kind: str) -> bytes:
    """The same, drawn by Graphviz."""
    return scene.to_picture(tournament_heatmap.sketch(cells, title(grid), notes(grid, cells)), kind)


FILES: dict[str, Callable[[Grid, Sequence[Cell]], bytes]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".svg": to_svg,
    ".png": partial(to_picture, kind="png"),
    ".pdf": partial(to_picture, kind="pdf"),
}
