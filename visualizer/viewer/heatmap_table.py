"""The heat maps of a tournament as a Streamlit component."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from engine.matches.tournament import Cell
from visualizer.drawing import tournament_heatmap
from visualizer.drawing.theme import DARK, LIGHT, level_colours, level_name
from visualizer.viewer.bundle import component, heard, nothing


def heat(cells: Sequence[Cell], selected: int | None, key: str) -> int | None:
    """Show the cells that have been played; the number of the one that was clicked, or None."""
    colours = level_colours(DARK if st.context.theme.type == "dark" else LIGHT)
    numbers = {id(cell): number for number, cell in enumerate(cells)}

    def told(cell: Cell) -> dict[str, Any]:
        return {
            "number": numbers[id(cell)],
            "text": tournament_heatmap.cell_text(cell),
            "colour": colours[level_name(tournament_heatmap.level(cell))],
            "words": tournament_heatmap.cell_words(cell),
        }

    panels = [
        {
            "title": panel.title,
            "rows": panel.rows,
            "columns": panel.columns,
            "cells": {f"{one} {two}": told(cell) for (one, two), cell in panel.cells.items()},
        }
        for panel in tournament_heatmap.panels(cells)
    ]
    answer = component("heatmap_table")(key=f"heat {key}", data={"panels": panels, "selected": selected}, on_cell_change=nothing)
    return heard(answer, "cell", len(cells))
