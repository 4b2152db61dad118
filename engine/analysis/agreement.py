"""How often a search agrees with the truth: evaluations and depths on the same solved positions."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from engine.errors import BadLimit, PlyscopeError
from engine.games.connect_evaluations import EVALUATIONS
from engine.games.declarations import name_of
from engine.games.registry import with_options
from engine.question import Question
from engine.searcher import search_to_the_end
from engine.solver.solving import Solution, Solver, slots_in
from engine.whole_numbers import is_whole

POSITIONS = 200
MOST_POSITIONS = 100_000
TABLE_MB = 64
TRIES = 100  # random positions looked at for one that is taken

OnProgress = Callable[[str, int, int], object]  # what is done, how many of them, of how many


class Agreement(NamedTuple):
    """An evaluation at a depth, on all positions."""

    evaluation: str
    depth: int
    positions: int
    best: int  # in so many the search chose a best move: the fastest win, or the slowest loss
    kept: int  # in so many its move gave nothing away: a won position stays won, a drawn one drawn


def solved_positions(game: Any, number: int = POSITIONS, seed: int = 0, on_progress: OnProgress | None = None) -> list[Solution]:
    """Positions in which it matters what is played: random ones with two fifths to two thirds of the cells filled, in which
    nobody wins at once, and some moves keep what others give away."""
    if not is_whole(number) or not 1 <= number <= MOST_POSITIONS:
        raise BadLimit(f"{number!r} positions: a whole number from 1 to {MOST_POSITIONS:,} is needed")
    solver, chance = Solver(game, slots_in(TABLE_MB)), Random(seed)  # noqa: S311 - no secret
    found: dict[Any, Solution] = {}
    for _ in range(TRIES * number):
        discs = chance.randint(solver.cells * 2 // 5, solver.cells * 2 // 3)
        state = _random_state(game, discs, chance)
        if state is None or state in found:
            continue
        solution = solver.solve(state)
        if solution.stopped:
            raise KeyboardInterrupt
        if solution.score != solution.stand.most and len({_sign(score) for score in solution.columns.values()}) > 1:
            found[state] = solution
            if on_progress is not None:
                on_progress("solving positions", len(found), number)
            if len(found) == number:
                return list(found.values())
    raise BadLimit(f"{number} positions of {name_of(game)} in which it matters what is played were not found: ask for fewer")


def _random_state(game: Any, discs: int, chance: Random) -> Any:
    state = game.start()
    for _ in range(discs):
        state = game.play(state, chance.choice(game.moves(state)))
        if game.is_over(state):
            return None
    return state


def agreement(
    game: Any,
    evaluations: list[str],
    depths: list[int],
    positions: list[Solution],
    on_progress: OnProgress | None = None,
) -> Iterator[Agreement]:
    """How often the best move of a search to each depth, under each evaluation, is true."""
    for evaluation in evaluations:
        judged = with_options(game, {"evaluation": evaluation})
        for depth in depths:
            best = kept = 0
            for done, solution in enumerate(positions, start=1):
                move = search_to_the_end(Question(judged, solution.state, depth)).root.best_move
                best += move in solution.best_moves
                kept += _sign(solution.columns[move]) == _sign(solution.score or 0)
                if on_progress is not None:
                    on_progress(f"{evaluation}, K={depth}", done, len(positions))
            yield Agreement(evaluation, depth, len(positions), best, kept)


def usual_evaluations(game: Any) -> list[str]:
    """Those that the board has."""
    listed = []
    for name in EVALUATIONS:
        try:
            with_options(game, {"evaluation": name})
        except PlyscopeError:
            continue
        listed.append(name)
    return listed


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
