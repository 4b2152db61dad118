"""Notes for the reader of a tournament, the same for the terminal, the files and the page."""

from collections.abc import Sequence

from engine.analysis.published_figures import cell_winner, explain_equal_depths, published_winner
from engine.matches.tournament import CellResult, explain_repeated_games
from engine.matches.tournament_grid import Grid
from visualizer.narration.numbers import format_count


def list_tournament_notes(grid: Grid, cells: Sequence[CellResult]) -> list[str]:
    """Return notes on starred cells, on players of equal depth, and on the comparison with the published figures."""
    published = [cell for cell in cells if published_winner(cell) is not None]
    same = sum(cell_winner(cell) == published_winner(cell) for cell in published)
    compared = [f"{same} of {len(published)} cells come out as in the published heat maps of connect-m.", explain_equal_depths()]
    return [*_explain_repeats(grid, cells), *(compared if published else _summarize_equal_depths(cells))]


def _explain_repeats(grid: Grid, cells: Sequence[CellResult]) -> list[str]:
    if not any(cell.has_repeated_games for cell in cells):
        return []
    if grid.openings or "random" in grid.starts:
        different, counted = sum(len(cell.games) for cell in cells), grid.games * len(cells)
        return [
            f"* Some games came up more than once: {counted:,} games are {different:,} different ones, "
            "and each of those is played once. More opening moves make more of them."
        ]
    return [f"* {explain_repeated_games(grid.games)} Random opening moves (--openings) make the games of a cell different."]


def _summarize_equal_depths(cells: Sequence[CellResult]) -> list[str]:
    equal = [cell for cell in cells if cell.depth1 == cell.depth2]
    if not equal:
        return []
    wins1, wins2, draws = (sum(getattr(cell, name) for cell in equal) for name in ("wins1", "wins2", "draws"))
    won = f"player 1 (MAX) wins {format_count(wins1, 'game')}, player 2 (MIN) wins {format_count(wins2, 'game')}"
    return [f"Between players of equal depth, {won}, and {format_count(draws, 'game is a draw', 'games are draws')}."]
