"""The interface between algorithms that search in passes and the search that runs a pass.

A pass is one complete alpha-beta search from the root. Iterative deepening, aspiration search and MTD(f) choose depths and
windows, and ask a `PassRunner` for one pass after another. There are two: `AlphaBetaSearch` (alphabeta_core.py) is the readable
one, `LadderKernelSearch` (engine/compiled/ladder_driver.py) the compiled one. Both record the same rows.
"""

from typing import Any, NamedTuple, Protocol

from engine.record.columns import INFINITY

Window = tuple[float, float]
FULL_WINDOW: Window = (-INFINITY, INFINITY)
Path = tuple[int, ...]  # the recorded moves from the root


class Additions(NamedTuple):
    """The additions to plain alpha-beta in the passes of a search."""

    table: bool = False  # a transposition table
    scout: bool = False  # probe later moves with a null window
    hash_move: bool = True  # try the move of a table entry first


class PassRunner(Protocol):
    """Runs the passes of one search and records them. The table and the learnt move order live as long as the runner."""

    principal: Path  # without a table: the line that the next pass tries first

    def run_pass(self, root: Any, plies: int, window: Window = FULL_WINDOW, why: str = "") -> float:
        """Run one pass and return its value, fail-soft. `why` is its reason; a search of a single pass has none."""
        ...

    @property
    def best_line(self) -> Path:
        """Return the best line of the last pass."""
        ...

    def count_evaluations(self, positions: int) -> None:
        """Count evaluations that are not nodes: to guess the value."""
        ...


def run_single_pass(runner: PassRunner, game: Any, state: Any, plies: int, options: Any) -> float:
    """Run one pass with the full window, as `Algorithm.run_passes`."""
    return runner.run_pass(state, plies)
