"""A tournament as data and as files."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from engine.games.capabilities import evaluation_name
from engine.games.chance_outcomes import has_chance
from engine.games.registry import read_game
from engine.matches.players import SearchPlayer, game_for_player
from engine.matches.tournament import CellGame, CellResult
from engine.matches.tournament_grid import Grid
from visualizer.drawing import scene, tournament_heatmap
from visualizer.drawing.pdf_pages import scene_to_pdf
from visualizer.narration.escapes import format_csv_table, sanitize_line
from visualizer.narration.numbers import format_count
from visualizer.narration.tournament_notes import list_tournament_notes


def tournament_title(grid: Grid) -> str:
    opened = f", after {grid.openings} random moves (seed {grid.seed})" if grid.openings else ""
    dice = f", dice from seed {grid.seed}" if has_chance(read_game(grid.game)) else ""
    return sanitize_line(f"{grid.game[:60]}: {format_count(grid.games, 'game')} a cell{opened}{dice}")


def summarize_tournament(grid: Grid, cells: Sequence[CellResult]) -> dict[str, Any]:
    """Return the result as the JSON of `plyscope tournament`."""
    return {
        "game": grid.game,
        "games": grid.games,
        "openings": grid.openings,
        "seed": grid.seed,
        "prefer_faster_win": grid.prefer_faster_win,
        "cells": [cell_record(cell) | {"positions": [_game_record(game) for game in cell.games]} for cell in cells],
        "draws": [
            {"board": panel.title, "draws": panel.draws, "games": panel.games} for panel in tournament_heatmap.build_panels(cells)
        ],
        "notes": list_tournament_notes(grid, cells),
    }


def _game_record(game: CellGame) -> dict[str, Any]:
    fixture = game.fixture
    record = {"first": fixture.first, "opening": fixture.opening, "moves": game.moves, "winner": game.winner, "times": game.times}
    return record | {"dice": fixture.dice} if has_chance(read_game(fixture.game)) else record


def cell_record(cell: CellResult) -> dict[str, Any]:
    """Return a cell as plain values."""
    game = read_game(cell.game)
    evaluations = [
        evaluation_name(game_for_player(SearchPlayer(1, evaluation=chosen), game))
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
        "player1": cell.player1,
        "player2": cell.player2,
        "played": len(cell.games),
        "repeated": cell.has_repeated_games,
    }


def to_csv(grid: Grid, cells: Sequence[CellResult]) -> bytes:
    """Return a table with one row per cell."""
    rows = [cell_record(cell) for cell in cells]
    return format_csv_table([list(rows[0]), *(list(cells.values()) for cells in rows)] if rows else []).encode()


def to_json(grid: Grid, cells: Sequence[CellResult]) -> bytes:
    return (json.dumps(summarize_tournament(grid, cells), indent=1) + "\n").encode()


def to_svg(grid: Grid, cells: Sequence[CellResult]) -> bytes:
    return scene.to_svg(_draw_charts(grid, cells)).encode()


def to_png(grid: Grid, cells: Sequence[CellResult]) -> bytes:
    return scene.to_png(_draw_charts(grid, cells))


def to_pdf(grid: Grid, cells: Sequence[CellResult]) -> bytes:
    return scene_to_pdf(_draw_charts(grid, cells))


def _draw_charts(grid: Grid, cells: Sequence[CellResult]) -> scene.Scene:
    """Draw the heat maps and bars."""
    return tournament_heatmap.draw_heatmaps(cells, tournament_title(grid), list_tournament_notes(grid, cells))


FILE_RENDERERS: dict[str, Callable[[Grid, Sequence[CellResult]], bytes]] = {
    ".csv": to_csv,
    ".json": to_json,
    ".svg": to_svg,
    ".png": to_png,
    ".pdf": to_pdf,
}
