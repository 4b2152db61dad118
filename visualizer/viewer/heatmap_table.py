"""The heat maps of a tournament as a Streamlit component."""

from collections.abc import Sequence
from typing import Any

from engine.matches.tournament import CellResult
from visualizer.drawing import tournament_heatmap
from visualizer.drawing.theme import DARK, LIGHT, level_colours, level_name
from visualizer.viewer.bundle import create_component, ignore_trigger, read_sent_number


def needs_stars(cells: Sequence[CellResult]) -> bool:
    """Return True if a star tells some cells from others: not if every cell repeats its games."""
    return not all(cell.has_repeated_games for cell in cells)


def show_heatmaps(cells: Sequence[CellResult], selected: int | None, key: str, locked: bool = False) -> int | None:
    """Show the cells that have been played. Return the number of the cell that was clicked, or None. `locked`: none can be."""
    light, dark = level_colours(LIGHT), level_colours(DARK)
    starred = needs_stars(cells)
    numbers = {id(cell): number for number, cell in enumerate(cells)}

    def cell_json(cell: CellResult) -> dict[str, Any]:
        level = level_name(tournament_heatmap.heat_level(cell))
        return {
            "number": numbers[id(cell)],
            "text": tournament_heatmap.label_cell(cell, starred),
            "colour": f"light-dark({light[level]}, {dark[level]})",  # follows the theme of the page at once
            "words": tournament_heatmap.describe_cell(cell),
        }

    panels = [
        {
            "title": panel.title,
            "rows": panel.row_labels,
            "columns": panel.column_labels,
            "cells": [[cell and cell_json(cell) for cell in row] for row in panel.lines],
        }
        for panel in tournament_heatmap.build_panels(cells)
    ]
    answer = create_component("heatmap_table")(
        key=f"heat {key}", data={"panels": panels, "selected": selected, "locked": locked}, on_cell_change=ignore_trigger
    )
    return read_sent_number(answer, "cell", len(cells))
