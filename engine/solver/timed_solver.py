"""Solve positions within a time limit: first who wins, then how soon."""

from functools import cached_property
from time import perf_counter
from typing import Any

from engine.core.stop_reason import StopReason
from engine.record.recorder import is_stop_request
from engine.solver.solvable import count_empty_cells, why_not_solvable
from engine.solver.solver import OnProgress, Solution, Solver, slots_per_megabytes

SOLVE_SECONDS = 1.0
TABLE_MB = 16  # small, because many users may solve at once
MAX_EMPTY_CELLS = 34  # positions with more are not solved in a second


def is_too_early(game: Any, state: Any) -> bool:
    """Return True if a state has too many empty cells to be tried. A finished game is never too early."""
    return count_moves_too_early(game, state) > 0


def count_moves_too_early(game: Any, state: Any) -> int:
    """Return after how many more moves the solver tries; 0 if it tries this state."""
    return 0 if game.is_over(state) else max(0, count_empty_cells(game, state) - MAX_EMPTY_CELLS)


class TimedSolver:
    """Solves positions of one game within `seconds` each. One table serves them all."""

    def __init__(self, game: Any, seconds: float = SOLVE_SECONDS, table_mb: int = TABLE_MB):
        self.game, self.seconds, self.table_mb = game, seconds, table_mb
        self._solvable = not why_not_solvable(game)

    @cached_property
    def _solver(self) -> Solver:
        return Solver(self.game, slots_per_megabytes(self.table_mb))

    def of(self, state: Any, on_progress: OnProgress = None, columns: bool = True) -> Solution | None:
        """Return the solution of a state and its columns; None if the time was too short. Only the winner is known if it is
        `weak`.
        """
        if not self._solvable or is_too_early(self.game, state):
            return None
        solver, ends = self._solver, perf_counter() + self.seconds

        def go_on(nodes: int) -> bool:
            return perf_counter() < ends and not (on_progress is not None and is_stop_request(on_progress(nodes)))

        found = None
        for weak in (True, False):
            solution = solver.solve(state, columns=columns, weak=weak, on_progress=go_on)
            if not solution.complete:
                break
            found = solution
        if solution.stopped == StopReason.INTERRUPTED:
            raise KeyboardInterrupt
        return found
