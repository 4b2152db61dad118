"""What is true, as far as a budget of time allows: first who wins, then how soon."""

from functools import cached_property
from time import perf_counter
from typing import Any

from engine.record.recorder import INTERRUPTED, says_stop
from engine.solver.solvable import empty_cells, why_not_solvable
from engine.solver.solver import OnProgress, Solution, Solver, slots_in

SECONDS = 1.0
TABLE_MB = 16  # many may ask at once
MOST_EMPTY = 34  # cells: with more of them nothing is solved in a second, so it is not tried


def is_too_early(game: Any, state: Any) -> bool:
    """Whether solving a state is not even tried; a game that is over has its truth at any time."""
    return empty_cells(game, state) > MOST_EMPTY and not game.is_over(state)


class Truth:
    """Positions of one game, solved within `seconds` each; one table serves them all."""

    def __init__(self, game: Any, seconds: float = SECONDS, table_mb: int = TABLE_MB):
        self.game, self.seconds, self.table_mb = game, seconds, table_mb
        self._solvable = not why_not_solvable(game)

    @cached_property
    def _solver(self) -> Solver:
        return Solver(self.game, slots_in(self.table_mb))

    def of(self, state: Any, on_progress: OnProgress = None, columns: bool = True) -> Solution | None:
        """What is known of a state when the time is over: of all its columns, or nothing. `weak` says that only the winner is."""
        if not self._solvable or is_too_early(self.game, state):
            return None
        solver, ends = self._solver, perf_counter() + self.seconds

        def go_on(nodes: int) -> bool:
            return perf_counter() < ends and not (on_progress is not None and says_stop(on_progress(nodes)))

        found = None
        for weak in (True, False):
            solution = solver.solve(state, columns=columns, weak=weak, on_progress=go_on)
            if not solution.complete:
                break
            found = solution
        if solution.stopped == INTERRUPTED:
            raise KeyboardInterrupt
        return found
