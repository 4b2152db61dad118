"""The perfect player: it solves the position, and only where that takes too long it searches like others."""

from typing import Any

from engine.games.capabilities import kernel_board
from engine.matches.players import Choice, OnProgress, SearchPlayer, deepest_choice
from engine.question import Question
from engine.record.recorder import says_stop
from engine.solver.solver import centre_first
from engine.solver.timed_solver import Truth

SECONDS = 10.0  # for a move; from a dozen discs on it takes a part of one
UNTIL_SOLVED = SearchPlayer(8, prefer_faster_win=True)


def perfect_choice(question: Question, state: Any, on_progress: OnProgress = None, max_nodes: int = 0) -> Choice | None:
    """The best move in truth, the nearest to the centre among several; None if `on_progress` stopped it."""
    stopped = False

    def heard(nodes: int) -> object:
        nonlocal stopped
        answer = None if on_progress is None else on_progress(nodes)
        stopped = stopped or says_stop(answer)
        return answer

    solution = Truth(question.game, SECONDS).of(state, heard)
    if stopped:
        return None
    if solution is None:
        return deepest_choice(UNTIL_SOLVED, question, state, on_progress, max_nodes)
    move = min(solution.best_moves, key=centre_first(kernel_board(question.game).cols).index)
    return Choice(move, None, None, truth=solution.column_words(move))
