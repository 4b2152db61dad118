"""The perfect player. It solves the position, and searches only if solving takes too long."""

from typing import Any

from engine.games.capabilities import kernel_board
from engine.matches.move_choice import Choice, deepest_choice
from engine.matches.players import OnProgress, SearchPlayer
from engine.question import Question
from engine.record.recorder import is_stop_request
from engine.solver.solver import order_from_centre
from engine.solver.timed_solver import TimedSolver

SECONDS_PER_MOVE = 10.0  # per move; with a dozen discs or more it takes less than a second
FALLBACK_PLAYER = SearchPlayer(8, prefer_faster_win=True)


def choose_perfect_move(question: Question, state: Any, on_progress: OnProgress = None, max_nodes: int = 0) -> Choice | None:
    """Return the best move by the solver, the nearest to the centre if there are several; None if `on_progress` stopped it."""
    stopped = False

    def report_progress(nodes: int) -> object:
        nonlocal stopped
        answer = None if on_progress is None else on_progress(nodes)
        stopped = stopped or is_stop_request(answer)
        return answer

    solution = TimedSolver(question.game, SECONDS_PER_MOVE).of(state, report_progress)
    if stopped:
        return None
    if solution is None:
        return deepest_choice(FALLBACK_PLAYER, question, state, on_progress, max_nodes)
    move = min(solution.best_moves, key=order_from_centre(kernel_board(question.game).cols).index)
    return Choice(move, None, None, truth=solution.column_words(move))
