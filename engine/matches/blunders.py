"""Mistakes of a tournament by truth: how often each player gave a win or a draw away."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.games.registry import read_game
from engine.matches.game_review import true_line
from engine.matches.tournament import Cell, CellGame, match_of
from engine.solver.solvable import why_not_solvable

SECONDS = 0.5  # for a position; those of a game are solved from its end, as far back as that is enough


class Mistakes(NamedTuple):
    """A player in all its games, on both sides. A repeated game is judged once and counts as often as it does in its cell."""

    game: str
    player: str
    games: int
    moves: int  # that were judged: random openings and what is not solved in time are not
    mistakes: int  # moves among them that gave a win or a draw away


def mistakes(
    cells: Sequence[Cell], seconds: float = SECONDS, on_progress: Callable[[int, int], object] | None = None
) -> list[Mistakes]:
    """Of every player of a tournament, in the order they come up; none for boards that have no solver."""
    played = [(cell.game, game) for cell in cells if not why_not_solvable(read_game(cell.game)) for game in cell.games]
    found: dict[tuple[str, str], Mistakes] = {}
    for done, (board, game) in enumerate(played, start=1):
        for side, moves, wrong in _judged(game, seconds):
            key = board, getattr(game.fixture, f"{side}_player")
            before = found.get(key, Mistakes(*key, 0, 0, 0))
            found[key] = before._replace(
                games=before.games + game.times,
                moves=before.moves + game.times * moves,
                mistakes=before.mistakes + game.times * wrong,
            )
        if on_progress is not None:
            on_progress(done, len(played))
    return list(found.values())


def _judged(game: CellGame, seconds: float) -> list[tuple[str, int, int]]:
    """For each side: how many of its own moves were judged, and how many of them were mistakes."""
    match = match_of(game.fixture, game.moves)
    opening = len(match_of(game.fixture, game.fixture.opening).moves)
    line = []
    for after in true_line(match, seconds):
        if after.ply < opening:
            break
        line.append(after)
    return [
        (side, sum(after.side == side for after in line), sum(after.side == side and after.mistake for after in line))
        for side in ("max", "min")
    ]
