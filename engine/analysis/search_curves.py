"""The course of a search in iterations: how often each move of the root was tried, how good it looked, and how good it is.

All numbers follow from the log. The exact value of a move comes from a solver, where one finds it in time. The simple regret of
a moment is what the most visited move loses against the best one.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.algorithms.monte_carlo.outcomes import POINTS
from engine.core.errors import PlyscopeError
from engine.games.capabilities import has_leaf_values_only, value_range
from engine.games.chance_outcomes import chance_outcomes, has_chance
from engine.games.positions import read_position
from engine.question import Question
from engine.record.columns import NONE, ROOT
from engine.record.iteration_record import MAX_OUTCOME
from engine.searcher import search
from engine.solver.exhaustive_solver import ExhaustiveSolver
from engine.solver.solvable import why_not_solvable
from engine.solver.timed_solver import TimedSolver
from engine.tree.tree import SearchTree

MAX_MOMENTS = 400  # moments of a curve
MAX_EXACT_NODES = 200_000  # of a tree of numbers that is searched to its end
SOLVE_SECONDS = 2.0
REGRET_DIGITS = 12  # values that differ by less are equal: with chance they are sums of fractions
OnProgress = Callable[[int], object] | None


class MoveCurve(NamedTuple):
    """A move of the root over time. Arrays have one entry for each moment."""

    row: int
    move: int
    name: str
    visits: np.ndarray
    share: np.ndarray  # of all visits of the root
    mean: np.ndarray  # for the side to move at the root; nan before the first visit
    exact: float | None  # the value with perfect play, on the same scale; None if it was not found


class SearchCurves(NamedTuple):
    """All curves of a search."""

    iterations: np.ndarray  # the moments, as numbers of iterations
    moves: tuple[MoveCurve, ...]  # in the order in which they were added
    best: np.ndarray  # index of the most visited move in `moves`; -1 before the first visit of a move
    depth: np.ndarray  # of the deepest node
    regret: np.ndarray  # the best exact value minus that of the most visited move; nan where one is unknown
    changes: tuple[int, ...]  # iterations after which another move was the most visited one

    @property
    def is_solved(self) -> bool:
        """Return True if the exact values of the moves are known."""
        return all(curve.exact is not None for curve in self.moves)


def choose_moments(iterations: int, most: int = MAX_MOMENTS) -> np.ndarray:
    """Return the moments of the curves: all iterations, or if these are too many, powers of ten and even steps between them.

    Steps are even on a logarithmic scale.

    >>> choose_moments(5).tolist(), choose_moments(1000, 6).tolist()
    ([1, 2, 3, 4, 5], [1, 4, 10, 16, 63, 100, 251, 1000])
    """
    if iterations <= most:
        return np.arange(1, iterations + 1)
    powers = 10 ** np.arange(len(str(iterations)))
    return np.union1d(np.geomspace(1, iterations, most).round().astype(np.int64), powers)


def has_curves(tree: SearchTree) -> bool:
    """Return True for a search in iterations in which a side moves at the root."""
    return tree.has_iterations and tree.iterations > 0 and tree.root.turn != "chance" and bool(tree.root.children)


def trace_search(tree: SearchTree, exact: dict[int, float] | None = None) -> SearchCurves:
    """Return the curves of a search in iterations. `exact` has the exact value of every move (see find_exact_values).

    >>> from engine import literal
    >>> curves = trace_search(search(literal([1, 3]), algorithm="mcts", iterations=50), {0: 0.0, 1: 1.0})
    >>> [int(curve.visits[-1]) for curve in curves.moves], float(curves.regret[-1])
    ([46, 4], 0.0)
    """
    if not has_curves(tree):
        problem = "there is no move at its root" if tree.has_iterations else "it does not run in iterations, as mcts does"
        raise PlyscopeError(f"this search has no curves: {problem}")
    moments = choose_moments(tree.iterations)
    known = exact or {}
    moves = tuple(_trace_move(tree, row, moments, known) for row in tree.child_rows(ROOT))
    index_of = {curve.row: index for index, curve in enumerate(moves)}
    best = np.array([index_of.get(row, NONE) for row in tree.timeline.best_moves[moments - 1].tolist()])
    values = np.array([math.nan if curve.exact is None else curve.exact for curve in moves])
    best_value = max(known.values(), default=math.nan)  # perhaps of a move that the search has not tried
    deepest = np.zeros(tree.iterations + 1, np.int64)
    np.maximum.at(deepest, tree.born, tree.columns.depth)
    return SearchCurves(
        iterations=moments,
        moves=moves,
        best=best,
        depth=np.maximum.accumulate(deepest)[moments],
        regret=np.where(best == NONE, math.nan, np.round(best_value - values[best], REGRET_DIGITS)),
        changes=tuple(tree.timeline.mind_changes),
    )


def _trace_move(tree: SearchTree, row: int, moments: np.ndarray, exact: dict[int, float]) -> MoveCurve:
    history, node = tree.replay.history(row), tree[row]
    visits = np.searchsorted(history.iterations, moments, side="right")
    total = np.where(visits > 0, history.totals[np.maximum(visits, 1) - 1] if len(history.totals) else 0, 0)
    points = total if tree.root.maximizing else MAX_OUTCOME * visits - total
    mean = np.full(len(moments), math.nan)
    np.divide(points, MAX_OUTCOME * visits, out=mean, where=visits > 0)
    return MoveCurve(row, node.move, node.move_name, visits, visits / moments, mean, exact.get(node.move))


def find_exact_values(question: Question, seconds: float = SOLVE_SECONDS, on_progress: OnProgress = None) -> dict[int, float]:
    """Return the value of each move of a position with perfect play, by its code, for the side to move: from 0 to 1.

    The result is empty if no solver finds it in time. Connect boards and other games are solved to the winner. A tree of numbers
    is searched to its end.

    >>> from engine import tictactoe
    >>> find_exact_values(Question(tictactoe(), "01"))
    {2: 0.5, 3: 1.0, 4: 1.0, 5: 0.5, 6: 1.0, 7: 0.5, 8: 0.5}
    """
    game = question.game
    state = read_position(game, question.position, question.first)
    if game.is_over(state) or chance_outcomes(game, state):
        return {}
    side = 1 if game.maximizing(state) else -1
    if has_leaf_values_only(game):
        return _search_to_the_end(question, side, on_progress)
    if has_chance(game) or value_range(game) is not None:
        return {}
    if not why_not_solvable(game):
        solution = TimedSolver(game, seconds).of(state, on_progress)
        return {} if solution is None else {move: _point_share(score) for move, score in solution.columns.items()}
    results = ExhaustiveSolver(game, seconds).solve_moves(state, on_progress)
    return {} if results is None else {move: _point_share(side * result) for move, result in results.items()}


def _point_share(score: int) -> float:
    """Return 1 for a win, 1/2 for a draw, 0 for a loss."""
    winner = "max" if score > 0 else "min" if score < 0 else ""
    return POINTS[winner] / MAX_OUTCOME


def _search_to_the_end(question: Question, side: int, on_progress: OnProgress) -> dict[int, float]:
    bounds = value_range(question.game)
    algorithm = "expectiminimax" if has_chance(question.game) else "minimax"
    whole = search(question.replace(algorithm=algorithm), max_nodes=MAX_EXACT_NODES, on_progress=on_progress)
    if bounds is None or not whole.complete:
        return {}
    low, high = bounds
    shares = {child.move: (child.value - low) / (high - low) if low < high else 0.5 for child in whole.root.children}
    return {move: share if side > 0 else 1 - share for move, share in shares.items()}
