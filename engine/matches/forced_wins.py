"""Review the first moves of a game, whose exact results take too long to find: which wins can a side force soon?

A short search without an evaluation finds every win that a side can force within PLIES. All other results are open.
"""

from collections.abc import Iterator
from itertools import count
from typing import Any

from engine.games.capabilities import wins_only_game
from engine.games.protocol import legal_moves, move_codes
from engine.matches.game_review import ReviewedMove, replay_states
from engine.matches.match import Match, PositionTruth
from engine.matches.move_marks import find_early_mark, sign_of
from engine.matches.players import OnProgress
from engine.record.recorder import is_stop_request
from engine.searcher import search_unrecorded
from engine.solver.scores import DiscCount, moves_to_end, score_of_end, short_outcome
from engine.solver.solvable import count_empty_cells, why_not_solvable

PLIES = 10  # of a short search, the judged move included: 5 moves of each side


def review_early_moves(match: Match, moves: int, on_progress: OnProgress = None) -> Iterator[ReviewedMove]:
    """Yield the first `moves` moves of a match on a Connect board, from the last to the first, as far as short searches tell."""
    if why_not_solvable(match.game):
        return
    states = replay_states(match)
    for done, ply in enumerate(reversed(range(moves))):
        if on_progress is not None and is_stop_request(on_progress(done)):
            return
        yield _review_move(match, ply, states[ply], find_forced_ends(match.game, states[ply]))


def find_forced_ends(game: Any, state: Any) -> dict[int, int]:
    """Return for each move how many plies it takes to the win that a side can then force, the move included.

    It is positive if the side to move wins, negative if the other side does, and 0 if nobody can within PLIES.
    """
    plain, ends = wins_only_game(game), {}
    own = 1 if game.maximizing(state) else -1
    moves = legal_moves(game, state)
    for code, move in zip(move_codes(moves), moves, strict=True):
        after = plain.play(state, move)
        value = search_unrecorded(plain, after, PLIES - 1).value  # 1 if MAX can force a win, -1 if MIN can
        winner = own * sign_of(int(value))
        ends[code] = winner * _count_plies(plain, after, value, 1 if winner > 0 else 2) if winner else 0
    return ends


def _count_plies(game: Any, after: Any, value: float, fewest: int) -> int:
    """Return the plies to a forced win: an odd number for the side that has just moved."""
    return next(plies for plies in count(fewest, 2) if search_unrecorded(game, after, plies - 1).value == value)


def _review_move(match: Match, ply: int, state: Any, ends: dict[int, int]) -> ReviewedMove:
    game, move = match.game, match.moves[ply]
    side, sign = ("max", 1) if game.maximizing(state) else ("min", -1)
    empty = count_empty_cells(game, state)
    disc_count = DiscCount(empty + ply, ply // 2, ply - ply // 2)
    scores = {code: end and score_of_end(sign_of(end), (abs(end) + 1) // 2, disc_count) for code, end in ends.items()}
    best = max(scores.values())
    truth = PositionTruth(sign * best, moves_to_end(best, disc_count), moves_to_end(sign_of(best), disc_count))
    return ReviewedMove(
        ply,
        side,
        move,
        sign * scores[move],
        _describe(scores[move], disc_count),
        [code for code, score in scores.items() if score == best],
        _describe(best, disc_count),
        scores[move] < 0 < best,
        truth if best else None,
        find_early_mark(scores, move, disc_count, PLIES // 2),
        PLIES // 2,
    )


def _describe(score: int, disc_count: DiscCount) -> str:
    return short_outcome(score, disc_count) if score else ""
