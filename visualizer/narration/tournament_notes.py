"""Notes on the results of a tournament, the same in the terminal, in files and on the page."""

from collections import Counter
from collections.abc import Sequence

from engine.analysis.published_figures import cell_winner, explain_equal_depths, published_winner
from engine.games.chance_outcomes import has_chance
from engine.games.registry import read_game
from engine.matches.players import read_player
from engine.matches.tournament import CellResult, Tournament, explain_repeated_games
from engine.matches.tournament_grid import Grid
from visualizer.narration.numbers import format_count
from visualizer.narration.player_messages import player_title


def list_tournament_notes(grid: Grid, cells: Sequence[CellResult]) -> list[str]:
    """Return notes on who moves first, starred cells, players of equal depth, and the comparison with the published figures."""
    starts = [describe_starts(grid.starts[0])] if len(grid.starts) == 1 else []  # else each heat map says it
    published = [cell for cell in cells if published_winner(cell) is not None]
    same = sum(cell_winner(cell) == published_winner(cell) for cell in published)
    source = "the published heat maps, which are in the student report on the program connect-m"
    others = f" The other {len(published) - same:,} have another winner here." if same < len(published) else ""
    if grid.players:
        return [*starts, *_explain_repeats(grid, cells), *_summarize_players(cells)]
    compared = [f"{same} of {len(published)} cells have the same winner as {source}.{others}", explain_equal_depths()]
    return [*starts, *_explain_repeats(grid, cells), *(compared if published else _summarize_equal_depths(cells))]


def describe_starts(starts: str) -> str:
    """Say which side moves first in the games of a tournament.

    >>> describe_starts("min")
    'MIN moves first in every game.'
    """
    if starts == "random":
        return "Which side moves first is drawn at random for each game of a cell, for all cells alike."
    return f"{starts.upper()} moves first in every game."


def describe_unfinished(tournament: Tournament) -> str:
    """Say how many games of a stopped tournament are played, and how many of them the finished cells show.

    >>> tournament = Tournament(Grid("connect-m", sizes=(3,), depths=(1, 2))).run(on_game=lambda played: False)
    >>> describe_unfinished(tournament)
    '1 of 4 different games is played. The finished cells show 1 of them.'
    """
    played, shown = len(tournament.played), {game.fixture for cell in tournament.cells() for game in cell.games}
    done = f"{played:,} of {len(tournament.fixtures):,} different games {'is' if played == 1 else 'are'} played."
    if not shown:
        return f"{done} No cell is finished yet."
    if len(shown) == played:
        return f"{done} The finished cells show {'all' if played > 1 else f'{played:,}'} of them."
    rest = played - len(shown)
    others = f"the other {rest:,} belong to cells" if rest > 1 else "the other one belongs to a cell"
    return f"{done} The finished cells show {len(shown):,} of them; {others} with games still to play."


def _explain_repeats(grid: Grid, cells: Sequence[CellResult]) -> list[str]:
    if not any(cell.has_repeated_games for cell in cells):
        return []
    if grid.openings or "random" in grid.starts or has_chance(read_game(grid.game)):
        different, counted = sum(len(cell.games) for cell in cells), grid.games * len(cells)
        return [
            f"* Some games occur more than once: the cells count {counted:,} games, and {different:,} of them are different. "
            "Each different game is played once."
        ]
    return [f"* {explain_repeated_games(grid.games)} Random opening moves (--openings) make the games of a cell different."]


def _summarize_players(cells: Sequence[CellResult]) -> list[str]:
    """Return how many games each player wins against the others, on both sides. The best one comes first."""
    won: Counter[str] = Counter()
    played: Counter[str] = Counter()
    for cell in cells:
        if cell.player1 == cell.player2:
            continue
        won.update({cell.player1: cell.wins1, cell.player2: cell.wins2})
        played.update(dict.fromkeys((cell.player1, cell.player2), cell.wins1 + cell.wins2 + cell.draws))
    ranked = sorted(played, key=lambda player: (-won[player] / played[player], player_title(read_player(player))))
    shares = (f"{player_title(read_player(player))}: {won[player]:,} of {played[player]:,}" for player in ranked)
    return [f"Games won against the other players, as MAX and as MIN: {'; '.join(shares)}."] if ranked else []


def _summarize_equal_depths(cells: Sequence[CellResult]) -> list[str]:
    equal = [cell for cell in cells if cell.depth1 == cell.depth2]
    if not equal:
        return []
    wins1, wins2, draws = (sum(getattr(cell, name) for cell in equal) for name in ("wins1", "wins2", "draws"))
    won = f"player 1 (MAX) wins {format_count(wins1, 'game')}, player 2 (MIN) wins {format_count(wins2, 'game')}"
    return [f"Between players of equal depth, {won}, and {format_count(draws, 'game is a draw', 'games are draws')}."]
