"""Find out who wins a position of any game, by searching to the end of the game.

It serves small games and late positions. Connect boards have a faster solver, which also knows how soon a side wins.

>>> from engine import tictactoe
>>> game = tictactoe()
>>> ExhaustiveSolver(game, seconds=60).solve_moves(game.state("01"))
{2: 0, 3: 1, 4: 1, 5: 0, 6: 1, 7: 0, 8: 0}
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

from engine.games.capabilities import game_outcome, has_leaf_values_only, table_key
from engine.games.chance_outcomes import has_chance
from engine.games.protocol import MovesByCode, legal_moves, play_move
from engine.record.recorder import is_stop_request

RESULTS = {"max": 1, "": 0, "min": -1}  # by the winner
MAX_PLIES = 200  # of the rest of a game
MAX_STORED_POSITIONS = 300_000
POSITIONS_PER_REPORT = 128


class _NotSolved(Exception):
    """The time is up, the caller stopped the search, or the game is too long."""


class ExhaustiveSolver:
    """Finds out who wins positions of one game, within `seconds` each. A solved position is not searched again."""

    def __init__(self, game: Any, seconds: float):
        self.game, self.seconds = game, seconds
        self._known: dict[Any, int] = {}

    def solve_moves(self, state: Any, on_progress: Callable[[int], object] | None = None) -> dict[int, int] | None:
        """Return the result of each move with best play: 1 if MAX wins, 0 for a draw, -1 if MIN wins. Return None if the time is
        too short.
        """
        self._searched, self._ends, self._on_progress = 0, perf_counter() + self.seconds, on_progress
        moves = MovesByCode(self.game, state).moves
        try:
            return {code: self._find_result(play_move(self.game, state, move), 1) for code, move in moves.items()}
        except _NotSolved:
            return None

    def _find_result(self, state: Any, plies: int) -> int:
        """Return the result of a position for MAX. A move that wins for the side to move ends the search."""
        if self.game.is_over(state):
            return RESULTS[game_outcome(self.game, state).winner]
        key = table_key(self.game, state, ())
        if (known := self._known.get(key)) is not None:
            return known
        self._report(plies)
        best_of, win = (max, 1) if self.game.maximizing(state) else (min, -1)
        result = -win
        for move in legal_moves(self.game, state):
            result = best_of(result, self._find_result(play_move(self.game, state, move), plies + 1))
            if result == win:
                break
        if len(self._known) < MAX_STORED_POSITIONS:
            self._known[key] = result
        return result

    def _report(self, plies: int) -> None:
        """Count a position. Raise _NotSolved at a limit."""
        self._searched += 1
        if plies > MAX_PLIES:
            raise _NotSolved
        if self._searched % POSITIONS_PER_REPORT == 1:
            stopped = self._on_progress is not None and is_stop_request(self._on_progress(self._searched))
            if stopped or perf_counter() > self._ends:
                raise _NotSolved


def why_no_results(game: Any) -> str:
    """Return the reason why the best moves do not decide who wins a game, or an empty text."""
    if has_chance(game):
        return "the result also depends on chance"
    return "a tree has values instead of a winner" if has_leaf_values_only(game) else ""
