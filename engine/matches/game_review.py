"""A game and the truth: what each move is worth in fact, and which moves gave something away."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

from engine.games.protocol import move_of
from engine.matches.match import Hint, Match, PositionTruth, hints
from engine.matches.players import OnProgress
from engine.searcher import MAX_NODES
from engine.solver.scores import moves_to_end, short_words
from engine.solver.solvable import why_not_solvable
from engine.solver.solver import Solution
from engine.solver.timed_solver import SECONDS, Truth


def true_hints(
    match: Match,
    depth: int | None = 4,
    on_progress: OnProgress = None,
    max_nodes: int = MAX_NODES,
    seconds: float = SECONDS,
) -> list[Hint]:
    """What every move brings in truth, where that is found within `seconds`; else what a search believes (`truth` is empty)."""
    solution = None if why_not_solvable(match.game) else Truth(match.game, seconds).of(match.state, on_progress)
    if solution is None:
        return hints(match, depth, on_progress=on_progress, max_nodes=max_nodes)
    best = solution.best_moves
    return [
        Hint(move, match.name_of(move), None, move in best, solution.column_words(move), position_truth(solution, move))
        for move in match.legal
    ]


def solve_position(match: Match, on_progress: OnProgress = None, seconds: float = SECONDS) -> PositionTruth | None:
    """Return what the position of a match comes to; None if that is not found within `seconds`."""
    solution = Truth(match.game, seconds).of(match.state, on_progress, columns=False)
    return None if solution is None else position_truth(solution)


def position_truth(solution: Solution, move: int | None = None) -> PositionTruth:
    """Return what a solved position comes to, after best play or after a move and best play."""
    score = (solution.score if move is None else solution.columns[move]) or 0
    if score == 0:
        return PositionTruth(0, None, 0)
    moves = None if solution.weak else moves_to_end(score, solution.stand)
    own = score if solution.game.maximizing(solution.state) else -score
    return PositionTruth(own, moves, moves_to_end(_sign(score), solution.stand))


class TruthAfter(NamedTuple):
    """A move of a game that was played, and what it brought."""

    ply: int  # moves before it
    side: str
    move: int
    score: int  # after it, for MAX
    words: str  # what it brings the side that made it
    best: list[int]  # what would have been best
    best_words: str
    mistake: bool  # a win given away, or a draw
    before: PositionTruth  # of the position in which it was made


def true_line(
    match: Match, seconds: float = SECONDS, on_progress: OnProgress = None, *, together: bool = False
) -> Iterator[TruthAfter]:
    """The moves of a match from the last to the first, each with its truth, as far back as it is found in `seconds`: for each
    position, or for all of them `together`."""
    truth, ends = Truth(match.game, seconds), perf_counter() + seconds
    states = _states(match)
    for ply in reversed(range(len(match.moves))):
        if together:
            truth.seconds = ends - perf_counter()
        solution = truth.of(states[ply], on_progress)
        if solution is None or solution.weak:
            return
        yield _judged(match, ply, solution)


def _states(match: Match) -> list[Any]:
    state = Match(match.game, first=match.first).state
    states = [state]
    for move in match.moves:
        state = match.game.play(state, move_of(match.game, state, move))
        states.append(state)
    return states


def _judged(match: Match, ply: int, solution: Solution) -> TruthAfter:
    side = "max" if match.game.maximizing(solution.state) else "min"
    move = match.moves[ply]
    score, best = solution.columns[move], max(solution.columns.values())
    return TruthAfter(
        ply,
        side,
        move,
        score if side == "max" else -score,
        solution.column_words(move),
        solution.best_moves,
        short_words(best, solution.stand),
        _sign(score) < _sign(best),
        position_truth(solution),
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
