"""Count how often each player of a tournament gave a win or a draw away, according to the solver."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.games.registry import read_game
from engine.matches.game_review import review_moves
from engine.matches.tournament import CellGame, CellResult, make_match
from engine.solver.solvable import why_not_solvable

SECONDS_PER_POSITION = 0.5  # per position; a game is solved backwards from its end until a position takes longer


class PlayerMistakes(NamedTuple):
    """The mistakes of a player in all its games, on both sides. A repeated game is judged once and counts as often as in
    its cell.
    """

    game: str
    player: str
    games: int
    moves: int  # judged moves: without random openings and unsolved positions
    mistakes: int  # judged moves that gave away a win or a draw


def count_mistakes(
    cells: Sequence[CellResult], seconds: float = SECONDS_PER_POSITION, on_progress: Callable[[int, int], object] | None = None
) -> list[PlayerMistakes]:
    """Return the mistakes of every player of a tournament, in the order in which they appear. Boards without a solver have
    none.
    """
    played = [(cell.game, game) for cell in cells if not why_not_solvable(read_game(cell.game)) for game in cell.games]
    found: dict[tuple[str, str], PlayerMistakes] = {}
    for done, (board, game) in enumerate(played, start=1):
        for side, moves, wrong in _judge_game(game, seconds):
            key = board, getattr(game.fixture, f"{side}_player")
            before = found.get(key, PlayerMistakes(*key, 0, 0, 0))
            found[key] = before._replace(
                games=before.games + game.times,
                moves=before.moves + game.times * moves,
                mistakes=before.mistakes + game.times * wrong,
            )
        if on_progress is not None:
            on_progress(done, len(played))
    return list(found.values())


def _judge_game(game: CellGame, seconds: float) -> list[tuple[str, int, int]]:
    """Return for each side how many of its own moves were judged, and how many of them were mistakes."""
    match = make_match(game.fixture, game.moves)
    opening = len(make_match(game.fixture, game.fixture.opening).moves)
    line = []
    for after in review_moves(match, seconds):
        if after.ply < opening:
            break
        line.append(after)
    return [
        (side, sum(after.side == side for after in line), sum(after.side == side and after.mistake for after in line))
        for side in ("max", "min")
    ]
