"""Agreement of searches with the solver: evaluations and depths on the same solved positions."""

from collections.abc import Callable, Container, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from engine.algorithms.spec import MAX_DEPTH
from engine.core.errors import BadLimit, PlyscopeError
from engine.core.parsing import is_whole
from engine.core.stop_reason import StopReason
from engine.games.capabilities import declared_name, evaluation_name, kernel_board
from engine.games.connect.evaluations import EVALUATIONS, FOUR_IN_ROW_EVALUATIONS
from engine.games.registry import GAME_TYPES, game_text, read_game, replace_options
from engine.question import Question
from engine.searcher import search_uninterrupted
from engine.solver.solver import Solution, Solver, slots_per_megabytes

DEFAULT_POSITIONS = 200
MAX_POSITIONS = 100_000
TABLE_MB = 64
TRIES_PER_POSITION = 100  # random positions to try for each that is used
MAX_SOLVER_NODES = 20_000_000  # of the solver, per position; harder positions are left out
RANDOM_MOVE = "a random move"  # in the place of an evaluation: agreement by chance
NO_DEPTH = 0  # of a random move

OnProgress = Callable[[str, int, int], object]  # the activity, the number done, the total


class Agreement(NamedTuple):
    """The agreement of an evaluation at a depth, on all positions."""

    evaluation: str
    depth: int
    positions: int
    best: int | float  # positions with a best move: the fastest win or the slowest loss; for a random move the expected number
    kept: int | float  # positions whose outcome the move kept: a won position stays won, a drawn one drawn


class PositionSample(NamedTuple):
    """A sample of positions. Equal samples are the same positions."""

    game: str
    number: int
    seed: int

    def __str__(self) -> str:
        return f"{self.game}, {self.number} positions, seed {self.seed}"


class Agreements(NamedTuple):
    """The agreement of evaluations at depths, on the same positions."""

    sample: PositionSample
    rows: tuple[Agreement, ...]  # by evaluation, then by depth
    chance: Agreement  # of a random move

    @property
    def evaluations(self) -> list[str]:
        return list(dict.fromkeys(row.evaluation for row in self.rows))

    @property
    def depths(self) -> list[int]:
        return sorted({row.depth for row in self.rows})

    def share(self, evaluation: str, depth: int, measure: str) -> float | None:
        """Return the share of the positions, from 0 to 1; None if it was not measured."""
        for row in self.rows:
            if (row.evaluation, row.depth) == (evaluation, depth):
                return getattr(row, measure) / row.positions
        return None


def find_solved_positions(
    game: Any, number: int = DEFAULT_POSITIONS, seed: int = 0, on_progress: OnProgress | None = None
) -> list[Solution]:
    """Return solved positions in which the choice of move matters.

    They are random, with two fifths to two thirds of the cells filled. Nobody wins at once, and some moves keep the outcome
    while others give it away.
    """
    if not is_whole(number) or not 1 <= number <= MAX_POSITIONS:
        raise BadLimit(f"{number!r} positions: a whole number from 1 to {MAX_POSITIONS:,} is needed")
    solver, chance = Solver(game, slots_per_megabytes(TABLE_MB)), Random(seed)  # noqa: S311 - no secret
    found: dict[Any, Solution] = {}
    unsolved, patience = 0, 10 + number // 10
    for _ in range(TRIES_PER_POSITION * number):
        discs = chance.randint(solver.cells * 2 // 5, solver.cells * 2 // 3)
        state = _draw_random_state(game, discs, chance)
        if state is None or state in found:
            continue
        report = None if on_progress is None else lambda _: on_progress("solving positions", len(found), number)
        solution = solver.solve(state, limit_nodes=MAX_SOLVER_NODES, on_progress=report)
        if solution.stopped == StopReason.NODE_LIMIT and unsolved < patience:
            unsolved += 1
            continue
        if solution.stopped == StopReason.NODE_LIMIT:
            raise BadLimit(
                f"positions of {declared_name(game)} take more than {MAX_SOLVER_NODES:,} nodes to solve: choose a smaller board"
            )
        if solution.stopped:
            raise KeyboardInterrupt
        if solution.score != solution.disc_count.max_score and len({_sign_of(score) for score in solution.columns.values()}) > 1:
            found[state] = solution
            if len(found) == number:
                return list(found.values())
    if not found:
        raise BadLimit(f"found no position of {declared_name(game)} in which the choice of move matters: choose a larger board")
    raise BadLimit(
        f"found only {len(found)} positions of {declared_name(game)} in which the choice of move matters, not {number}: "
        "ask for fewer"
    )


def _draw_random_state(game: Any, discs: int, chance: Random) -> Any:
    """Play `discs` random moves and return the state; None if the game ends earlier."""
    state = game.start()
    for _ in range(discs):
        state = game.play(state, chance.choice(game.moves(state)))
        if game.is_over(state):
            return None
    return state


def measure_agreement(
    game: Any,
    evaluations: list[str],
    depths: list[int],
    positions: list[Solution],
    on_progress: OnProgress | None = None,
) -> Iterator[Agreement]:
    """Yield how often the search's move agrees with the solver, for each evaluation and depth."""
    for evaluation in evaluations:
        judged = replace_options(game, {"evaluation": evaluation})
        for depth in depths:
            best = kept = 0
            for done, solution in enumerate(positions, start=1):
                is_best, is_kept = count_agreement(
                    solution, search_uninterrupted(Question(judged, solution.state, depth)).root.best_move
                )
                best, kept = best + is_best, kept + is_kept
                if on_progress is not None:
                    on_progress(f"{evaluation}, K={depth}", done, len(positions))
            yield Agreement(evaluation, depth, len(positions), best, kept)


def count_agreement(solution: Solution, move: int) -> tuple[bool, bool]:
    """Return whether a move is among the best, and whether it keeps the outcome of the position."""
    return move in solution.best_moves, _sign_of(solution.columns[move]) == _sign_of(solution.score or 0)


def measure_random_move(positions: list[Solution]) -> Agreement:
    """Return the average agreement of a random move: each legal column is equally likely."""
    best = sum(len(solution.best_moves) / len(solution.columns) for solution in positions)
    kept = sum(_count_keeping_columns(solution) / len(solution.columns) for solution in positions)
    return Agreement(RANDOM_MOVE, NO_DEPTH, len(positions), round(best, 6), round(kept, 6))


def _count_keeping_columns(solution: Solution) -> int:
    """Return the number of columns that give nothing away."""
    return sum(_sign_of(score) == _sign_of(solution.score or 0) for score in solution.columns.values())


def measure_missing_agreements(
    sample: PositionSample,
    wanted: list[tuple[str, int]],
    known: Container[tuple[str, int]],
    on_progress: OnProgress | None = None,
) -> Iterator[Agreement]:
    """Yield the wanted agreements that are not known, one by one; that of a random move comes first."""
    missing = [pair for pair in [(RANDOM_MOVE, NO_DEPTH), *wanted] if pair not in known]
    if not missing:
        return
    game = read_game(sample.game)
    positions = find_solved_positions(game, sample.number, sample.seed, on_progress)
    for evaluation, depth in missing:
        if evaluation == RANDOM_MOVE:
            yield measure_random_move(positions)
        else:
            yield from measure_agreement(game, [evaluation], [depth], positions, on_progress)


def check_depths(depths: Iterable[int]) -> None:
    """Raise BadLimit for a depth that chooses no move or that no search reaches."""
    for depth in depths:
        if not 1 <= depth <= MAX_DEPTH:
            raise BadLimit(f"K = {depth}: a search needs 1 to {MAX_DEPTH} plies to choose a move")


def check_evaluations(game: Any, names: Iterable[str]) -> None:
    """Raise an error for a name that is not an evaluation of this board."""
    for name in names:
        read_game(game_text(game), name)


def find_counting_evaluations() -> set[str]:
    """Return the evaluations of reports in which play continues until the board is full. The solver does not know this rule."""
    games = [read_game(name) for name, kind in GAME_TYPES.items() if kind.published]
    return {evaluation_name(game) or "" for game in games if kernel_board(game).rule == "count"}


def find_blind_evaluations(sample: PositionSample) -> list[str]:
    """Return the evaluations that look for four in a line, if another number wins on this board."""
    return list(FOUR_IN_ROW_EVALUATIONS) if kernel_board(read_game(sample.game)).connect != 4 else []


def list_evaluations(game: Any) -> list[str]:
    """Return the evaluations that the board has."""
    listed = []
    for name in EVALUATIONS:
        try:
            replace_options(game, {"evaluation": name})
        except PlyscopeError:
            continue
        listed.append(name)
    return listed


def _sign_of(number: int) -> int:
    return (number > 0) - (number < 0)
