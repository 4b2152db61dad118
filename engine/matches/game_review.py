"""Review a game: the exact result of each move, and the moves that gave away a win or a draw.

The solver judges Connect boards. Other games are searched to their end, which tells who wins, but not how soon.
"""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

from engine.games.protocol import move_from_code
from engine.matches.match import Hint, Match, PositionTruth, search_hints
from engine.matches.move_effects import find_effects
from engine.matches.move_marks import find_mark, find_result_mark, sign_of
from engine.matches.players import OnProgress
from engine.searcher import MAX_NODES
from engine.solver.exhaustive_solver import ExhaustiveSolver, why_no_results
from engine.solver.scores import moves_to_end, result_word, short_outcome
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
    score: int  # of the position after it, for MAX; 1, 0 or -1 if the solver does not know the game
    words: str  # its outcome for the side that made it; empty if it is open
    best: list[int]  # the best moves instead
    best_words: str
    mistake: bool  # gave away a win or a draw
    before: PositionTruth | None  # of the position in which it was made; None if it is open
    mark: str = ""  # ??, ?, ! or nothing, by the rules of move_marks.py
    moves_ahead: int = 0  # moves of each side in which forced wins were searched, all else being open; 0: the result is exact


def review_moves(
    match: Match, seconds: float = SOLVE_SECONDS, on_progress: OnProgress = None, *, together: bool = False
) -> Iterator[ReviewedMove]:
    """Yield the moves of a match with their true outcomes, from the last to the first, until one takes more than `seconds`
    to solve. `together`: the seconds are for all moves. `review_early_moves` reviews the moves before.
    """
    if why_no_results(match.game):
        return
    judge_type = _SearchJudge if why_not_solvable(match.game) else _SolverJudge
    judge, ends = judge_type(match, seconds), perf_counter() + seconds
    states = replay_states(match)
    for ply in reversed(range(len(match.moves))):
        if together:
            judge.solver.seconds = ends - perf_counter()
        after = judge.review_move(ply, states[ply], on_progress)
        if after is None:
            return
        yield after


def replay_states(match: Match) -> list[Any]:
    """Return the states of the match, from the start to the current one."""
    state = Match(match.game, first=match.first).state
    states = [state]
    for move in match.moves:
        state = match.game.play(state, move_from_code(match.game, state, move))
        states.append(state)
    return states


class _SolverJudge:
    """Judges moves on Connect boards by the solver: who wins, and how soon."""

    def __init__(self, match: Match, seconds: float):
        self.match, self.solver = match, TimedSolver(match.game, seconds)

    def review_move(self, ply: int, state: Any, on_progress: OnProgress) -> ReviewedMove | None:
        """Return the review of the move at this ply, made in `state`; None if the time is too short."""
        solution = self.solver.of(state, on_progress)
        if solution is None or solution.weak:
            return None
        side = "max" if self.match.game.maximizing(state) else "min"
        move = self.match.moves[ply]
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
            find_mark(solution.columns, move, solution.disc_count, find_effects(self.match.game, state, move)),
        )


class _SearchJudge:
    """Judges moves of any game by searching to its end: who wins."""

    def __init__(self, match: Match, seconds: float):
        self.match, self.solver = match, ExhaustiveSolver(match.game, seconds)

    def review_move(self, ply: int, state: Any, on_progress: OnProgress) -> ReviewedMove | None:
        """Return the review of the move at this ply, made in `state`; None if the time is too short."""
        results = self.solver.solve_moves(state, on_progress)
        if results is None:
            return None
        side, sign = ("max", 1) if self.match.game.maximizing(state) else ("min", -1)
        move = self.match.moves[ply]
        own = {code: sign * result for code, result in results.items()}
        best = max(own.values())
        return ReviewedMove(
            ply,
            side,
            move,
            results[move],
            result_word(own[move]),
            sorted((code for code, result in own.items() if result == best), key=lambda code: not self._ends_game(state, code)),
            result_word(best),
            own[move] < best,
            PositionTruth(sign * best, None, 0),
            find_result_mark(own, move, find_effects(self.match.game, state, move)),
        )

    def _ends_game(self, state: Any, move: int) -> bool:
        game = self.match.game
        return bool(game.is_over(game.play(state, move_from_code(game, state, move))))
