"""Review a game with the solver: the exact result of each move, and the moves that gave away a win or a draw."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

from engine.games.protocol import move_from_code
from engine.matches.match import Hint, Match, PositionTruth, search_hints
from engine.matches.move_effects import find_effects
from engine.matches.move_marks import find_mark, sign_of
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
    """Return the exact result of the position of a match; None if it is not solved within `seconds`."""
    solution = TimedSolver(match.game, seconds).of(match.state, on_progress, columns=False)
    return None if solution is None else position_truth(solution)


def position_truth(solution: Solution, move: int | None = None) -> PositionTruth:
    """Return the exact result of a solved position, or of a move there, with best play afterwards."""
    score = (solution.score if move is None else solution.columns[move]) or 0
    if score == 0:
        return PositionTruth(0, None, 0)
    moves = None if solution.weak else moves_to_end(score, solution.disc_count)
    own = score if solution.game.maximizing(solution.state) else -score
    return PositionTruth(own, moves, moves_to_end(sign_of(score), solution.disc_count))


class ReviewedMove(NamedTuple):
    """A move of a finished or current game, and its true outcome."""

    ply: int  # number of moves before it
    side: str
    move: int
    score: int  # of the position after it, for MAX
    words: str  # its outcome for the side that made it
    best: list[int]  # the best moves instead
    best_words: str
    mistake: bool  # gave away a win or a draw
    before: PositionTruth  # of the position in which it was made
    mark: str = ""  # ??, ?, ! or nothing, by the rules of move_marks.py


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
        short_outcome(best, solution.disc_count),
        sign_of(score) < sign_of(best),
        position_truth(solution),
        find_mark(solution.columns, move, solution.disc_count, find_effects(match.game, solution.state, move)),
    )
