"""What a reader of a tournament should know, in sentences; for the terminal, the files and the page alike."""

from collections.abc import Sequence

from engine.analysis.published_figures import equal_depths, published_winner, winner
from engine.matches.tournament import Cell, why_repeated
from engine.matches.tournament_grid import Grid
from visualizer.narration.numbers import counted


def notes(grid: Grid, cells: Sequence[Cell]) -> list[str]:
    """Why cells are starred, how equal depths do, and how the figures compare with the published ones."""
    published = [cell for cell in cells if published_winner(cell) is not None]
    same = sum(winner(cell) == published_winner(cell) for cell in published)
    compared = [f"{same} of {len(published)} cells come out as in the published heat maps of connect-m.", equal_depths()]
    return [*_repeats(grid, cells), *(compared if published else _equal(cells))]


def _repeats(grid: Grid, cells: Sequence[Cell]) -> list[str]:
    if not any(cell.repeated for cell in cells):
        return []
    if grid.openings or "random" in grid.starts:
        different, counted = sum(len(cell.games) for cell in cells), grid.games * len(cells)
        return [
            f"* Some games came up more than once: {counted:,} games are {different:,} different ones, "
            "and each of those is played once. More opening moves make more of them."
        ]
    return [f"* {why_repeated(grid.games)} Random opening moves (--openings) make the games of a cell different."]


def _equal(cells: Sequence[Cell]) -> list[str]:
    equal = [cell for cell in cells if cell.depth1 == cell.depth2]
    if not equal:
        return []
    wins1, wins2, draws = (sum(getattr(cell, name) for cell in equal) for name in ("wins1", "wins2", "draws"))
    won = f"player 1 (MAX) wins {counted(wins1, 'game')}, player 2 (MIN) wins {counted(wins2, 'game')}"
    return [f"Between players of equal depth, {won}, and {counted(draws, 'game is a draw', 'games are draws')}."]
