"""How often a search agrees with the truth: evaluations and depths on the same solved positions."""

from collections.abc import Callable, Container, Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from engine.algorithms.spec import MAX_DEPTH
from engine.core.errors import BadLimit, PlyscopeError
from engine.core.parsing import is_whole
from engine.games.capabilities import evaluation_name, kernel_board, name_of
from engine.games.connect.evaluations import EVALUATIONS, OF_FOURS
from engine.games.registry import KINDS, game_text, read_game, with_options
from engine.question import Question
from engine.record.recorder import NODE_LIMIT
from engine.searcher import search_to_the_end
from engine.solver.solver import Solution, Solver, slots_in

POSITIONS = 200
MOST_POSITIONS = 100_000
TABLE_MB = 64
TRIES = 100  # random positions looked at for one that is taken
NODES = 20_000_000  # of the solver, for a position: what takes more is left out
RANDOM = "a random move"  # what agrees by chance, in the place of an evaluation
NO_DEPTH = 0  # of it

OnProgress = Callable[[str, int, int], object]  # what is done, how many of them, of how many


class Agreement(NamedTuple):
    """An evaluation at a depth, on all positions."""

    evaluation: str
    depth: int
    positions: int
    best: int | float  # in so many the search chose a best move: the fastest win, or the slowest loss; by chance: on average
    kept: int | float  # in so many its move gave nothing away: a won position stays won, a drawn one drawn


class PositionSample(NamedTuple):
    """The positions, which are the same for the same words."""

    game: str
    number: int
    seed: int

    def __str__(self) -> str:
        return f"{self.game}, {self.number} positions, seed {self.seed}"


class Agreements(NamedTuple):
    """Evaluations at depths, on the same positions."""

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
        """The share of the positions, from 0 to 1; None if it was not measured."""
        for row in self.rows:
            if (row.evaluation, row.depth) == (evaluation, depth):
                return getattr(row, measure) / row.positions
        return None


def solved_positions(game: Any, number: int = POSITIONS, seed: int = 0, on_progress: OnProgress | None = None) -> list[Solution]:
    """Positions in which it matters what is played: random ones with two fifths to two thirds of the cells filled, in which
    nobody wins at once, and some moves keep what others give away."""
    if not is_whole(number) or not 1 <= number <= MOST_POSITIONS:
        raise BadLimit(f"{number!r} positions: a whole number from 1 to {MOST_POSITIONS:,} is needed")
    solver, chance = Solver(game, slots_in(TABLE_MB)), Random(seed)  # noqa: S311 - no secret
    found: dict[Any, Solution] = {}
    unsolved, patience = 0, 10 + number // 10
    for _ in range(TRIES * number):
        discs = chance.randint(solver.cells * 2 // 5, solver.cells * 2 // 3)
        state = _random_state(game, discs, chance)
        if state is None or state in found:
            continue
        told = None if on_progress is None else lambda _: on_progress("solving positions", len(found), number)
        solution = solver.solve(state, limit_nodes=NODES, on_progress=told)
        if solution.stopped == NODE_LIMIT and unsolved < patience:
            unsolved += 1
            continue
        if solution.stopped == NODE_LIMIT:
            raise BadLimit(f"positions of {name_of(game)} take more than {NODES:,} nodes to solve: take a smaller board")
        if solution.stopped:
            raise KeyboardInterrupt
        if solution.score != solution.stand.most and len({_sign(score) for score in solution.columns.values()}) > 1:
            found[state] = solution
            if len(found) == number:
                return list(found.values())
    if not found:
        raise BadLimit(f"no position of {name_of(game)} was found in which it matters what is played: take a larger board")
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


def by_chance(positions: list[Solution]) -> Agreement:
    """What a random move would get, on average: each legal column as often as any other."""
    best = sum(len(solution.best_moves) / len(solution.columns) for solution in positions)
    kept = sum(_keeping(solution) / len(solution.columns) for solution in positions)
    return Agreement(RANDOM, NO_DEPTH, len(positions), round(best, 6), round(kept, 6))


def _keeping(solution: Solution) -> int:
    """How many columns give nothing away."""
    return sum(_sign(score) == _sign(solution.score or 0) for score in solution.columns.values())


def missing_agreements(
    sample: PositionSample,
    wanted: list[tuple[str, int]],
    known: Container[tuple[str, int]],
    on_progress: OnProgress | None = None,
) -> Iterator[Agreement]:
    """What is wanted and not known of evaluations at depths, one after the other; that of a random move comes first."""
    missing = [pair for pair in [(RANDOM, NO_DEPTH), *wanted] if pair not in known]
    if not missing:
        return
    game = read_game(sample.game)
    positions = solved_positions(game, sample.number, sample.seed, on_progress)
    for evaluation, depth in missing:
        if evaluation == RANDOM:
            yield by_chance(positions)
        else:
            yield from agreement(game, [evaluation], [depth], positions, on_progress)


def check_depths(depths: Iterable[int]) -> None:
    """Refuse what chooses no move, and what no search reaches."""
    for depth in depths:
        if not 1 <= depth <= MAX_DEPTH:
            raise BadLimit(f"K = {depth} chooses no move that could be judged: give 1 to {MAX_DEPTH}")


def check_evaluations(game: Any, names: Iterable[str]) -> None:
    """Refuse what is no evaluation of this board."""
    for name in names:
        read_game(game_text(game), name)


def made_for_counting() -> set[str]:
    """Evaluations of reports in which the game goes on until the board is full: those that the solver does not know."""
    games = [read_game(name) for name, kind in KINDS.items() if kind.published]
    return {evaluation_name(game) or "" for game in games if kernel_board(game).rule == "count"}


def blind_to_lines(sample: PositionSample) -> list[str]:
    """Evaluations that look for four in a line on a board where another number wins."""
    return list(OF_FOURS) if kernel_board(read_game(sample.game)).connect != 4 else []


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
