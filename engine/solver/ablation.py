"""Solve a position repeatedly, each time with one more idea.

One call of negamax is one node. A child that wins at once is not a node, since its parent sees the win. The published counts for
these steps use this definition, with an empty table for each (TABLE_MB holds 8,388,593 slots, as there).
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from engine.compiled.solver_kernel import SolverIdeas
from engine.core.stop_reason import StopReason
from engine.games.capabilities import kernel_board
from engine.games.positions import read_position
from engine.solver.solver import ALL_IDEAS, Solver, check_limit, order_from_centre

MAX_RUNG_NODES = 20_000_000


class Rung(NamedTuple):
    """One version of the solver."""

    name: str
    ideas: SolverIdeas
    from_centre: bool  # False: columns are tried from the left
    line: str  # describes the added idea


NO_IDEAS = SolverIdeas(*(False for _ in SolverIdeas._fields))
BOUNDS = NO_IDEAS._replace(pruning=True)
TABLE = BOUNDS._replace(table=True)
HALVING = TABLE._replace(halving=True)
SAFE = HALVING._replace(safe=True)
THREATS = SAFE._replace(threats=True)

RUNGS = (
    Rung("minimax", NO_IDEAS, False, "tries every move"),
    Rung("alpha-beta", BOUNDS, False, "skips moves that cannot matter"),
    Rung("centre first", BOUNDS, True, "middle columns first"),
    Rung("table", TABLE, True, "remembers upper bounds"),
    Rung("halving", HALVING, True, "asks “more than x?” and bisects"),
    Rung("no losing moves", SAFE, True, "skips moves that lose at once"),
    Rung("threat order", THREATS, True, "most threats first"),
    Rung("lower bounds", ALL_IDEAS, True, "also remembers lower bounds"),
)


class RungResult(NamedTuple):
    """The result and cost of one rung."""

    rung: Rung
    score: int | None  # None: it was stopped before the score was known
    nodes: int
    seconds: float
    stopped: StopReason


def solve_by_rungs(
    game: Any,
    position: Any = None,
    *,
    first: str | None = None,
    limit_nodes: int = MAX_RUNG_NODES,
    on_progress: Callable[[str, int], object] | None = None,
) -> Iterator[RungResult]:
    """Solve a position on every rung, each within `limit_nodes`. `on_progress` gets the rung and its nodes, and
    stops it by returning False.

    >>> from engine import connect
    >>> [done.nodes for done in solve_by_rungs(connect(), "45212203154361012431144325502435666000")]
    [35, 10, 10, 10, 14, 9, 9, 9]
    """
    check_limit(limit_nodes)
    state = read_position(game, position, first)
    for rung in RUNGS:
        report = None if on_progress is None else lambda nodes, name=rung.name: on_progress(name, nodes)
        yield solve_by_rung(rung, game, state, limit_nodes, report)


def solve_by_rung(
    rung: Rung, game: Any, state: Any, limit_nodes: int | None = None, on_progress: Callable[[int], object] | None = None
) -> RungResult:
    """Solve a state on one rung. Ctrl-C is passed on to the caller."""
    columns = kernel_board(game).cols if kernel_board(game) else 0
    solver = Solver(game, ideas=rung.ideas, order=order_from_centre(columns) if rung.from_centre else list(range(columns)))
    done = solver.solve(state, columns=False, limit_nodes=limit_nodes, on_progress=on_progress)
    if done.stopped == StopReason.INTERRUPTED:
        raise KeyboardInterrupt
    return RungResult(rung, done.score, done.nodes, done.seconds, done.stopped)


def halving_note(steps: list[RungResult]) -> str:
    """Return a note if halving costs more than it saves, else an empty text."""
    nodes = {step.rung.name: step.nodes for step in steps if not step.stopped}
    if nodes.get("halving", 0) <= nodes.get("table", nodes.get("halving", 0)):
        return ""
    return (
        "Here halving visits more positions than the table alone: near the end of a game few scores are possible, and every "
        "“more than x?” starts a new search. In the middle of a game halving is far better."
    )
