"""Review a game with the solver: the true value of each move, and the moves that gave something away."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

from engine.games.protocol import move_from_code
from engine.matches.match import Hint, Match, PositionTruth, search_hints
from engine.matches.players import OnProgress
from engine.searcher import MAX_NODES
from engine.solver.scores import moves_to_end, short_outcome
from engine.solver.solvable import why_not_solvable
from engine.solver.solver import Solution
from engine.solver.timed_solver import SOLVE_SECONDS, TimedSolver


def solve_hints(
    match: Match,
    depth: int | None = 4,
    on_progress: OnProgress = None,
    max_nodes: int = MAX_NODES,
    seconds: float = SOLVE_SECONDS,
) -> list[Hint]:
    """Return the true outcome of every move if the solver finds it within `seconds`, else the hints of a search, with an
    empty `truth`.
    """
    solution = None if why_not_solvable(match.game) else TimedSolver(match.game, seconds).of(match.state, on_progress)
    if solution is None:
        return search_hints(match, depth, on_progress=on_progress, max_nodes=max_nodes)
    best = solution.best_moves
    return [
        Hint(move, match.legal_move_name(move), None, move in best, solution.column_words(move), position_truth(solution, move))
        for move in match.legal_moves
    ]


def solve_position(match: Match, on_progress: OnProgress = None, seconds: float = SOLVE_SECONDS) -> PositionTruth | None:
    """Return what the position of a match comes to; None if that is not found within `seconds`."""
    solution = TimedSolver(match.game, seconds).of(match.state, on_progress, columns=False)
    return None if solution is None else position_truth(solution)


def position_truth(solution: Solution, move: int | None = None) -> PositionTruth:
    """Return what a solved position comes to, after best play or after a move and best play."""
    score = (solution.score if move is None else solution.columns[move]) or 0
    if score == 0:
        return PositionTruth(0, None, 0)
    moves = None if solution.weak else moves_to_end(score, solution.stand)
    own = score if solution.game.maximizing(solution.state) else -score
    return PositionTruth(own, moves, moves_to_end(_sign_of(score), solution.stand))


class ReviewedMove(NamedTuple):
    """A move of a finished or current game, and its true outcome."""

    ply: int  # moves before it
    side: str
    move: int
    score: int  # after it, for MAX
    words: str  # what it brings the side that made it
    best: list[int]  # what would have been best
    best_words: str
    mistake: bool  # a win given away, or a draw
    before: PositionTruth  # of the position in which it was made


def review_moves(
    match: Match, seconds: float = SOLVE_SECONDS, on_progress: OnProgress = None, *, together: bool = False
) -> Iterator[ReviewedMove]:
    """Yield the moves of a match with their true outcomes, from the last to the first, until one takes more than `seconds`
    to solve.
    """
    truth, ends = TimedSolver(match.game, seconds), perf_counter() + seconds
    states = _replay_states(match)
    for ply in reversed(range(len(match.moves))):
        if together:
            truth.seconds = ends - perf_counter()
        solution = truth.of(states[ply], on_progress)
        if solution is None or solution.weak:
            return
        yield _review_move(match, ply, solution)


def _replay_states(match: Match) -> list[Any]:
    """Return the states of the match, from the start to the current one."""
    state = Match(match.game, first=match.first).state
    states = [state]
    for move in match.moves:
        state = match.game.play(state, move_from_code(match.game, state, move))
        states.append(state)
    return states


def _review_move(match: Match, ply: int, solution: Solution) -> ReviewedMove:
    """Return the review of the move at this ply, given the solution of the position before it."""
    side = "max" if match.game.maximizing(solution.state) else "min"
    move = match.moves[ply]
    score, best = solution.columns[move], max(solution.columns.values())
    return ReviewedMove(
        ply,
        side,
        move,
        score if side == "max" else -score,
        solution.column_words(move),
        solution.best_moves,
        short_outcome(best, solution.stand),
        _sign_of(score) < _sign_of(best),
        position_truth(solution),
    )


def _sign_of(number: int) -> int:
    return (number > 0) - (number < 0)
