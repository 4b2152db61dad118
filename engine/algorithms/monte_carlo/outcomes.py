"""The outcome of an iteration, in half points for MAX: 0 if MIN wins, 1 for a draw, 2 if MAX wins, or a number between them.

Where a game has a winner, outcomes are whole. A game that declares `value_range = (low, high)`, as trees of numbers do, has
outcomes 2 (value - low) / (high - low). Without playouts, a position that is not over has 1 + value / (|value| + scale).
"""

from collections.abc import Mapping
from typing import Any

from engine.core.errors import BadDepth, BadEvaluation, short_repr
from engine.core.random_numbers import RandomNumbers
from engine.games.capabilities import game_winner, value_range
from engine.games.chance_outcomes import chance_outcomes
from engine.games.protocol import Game, legal_moves, play_move, static_value
from engine.record.iteration_record import MAX_OUTCOME

MAX_PLAYOUT_PLIES = 2**16 - 1  # the log stores them in 16 bits
POINTS = {"max": MAX_OUTCOME, "": MAX_OUTCOME // 2, "min": 0}  # by the winner
RANDOM, NO_PLAYOUT = "random", "none"


def has_whole_outcomes(game: Any, options: Mapping[str, Any]) -> bool:
    """Return True if every outcome is 0, 1 or 2."""
    return options["playout"] == RANDOM and value_range(game) is None


def simulate(game: Game, state: Any, numbers: RandomNumbers, options: Mapping[str, Any]) -> tuple[float, int]:
    """Return the outcome of a position and the plies played to find it."""
    plies = 0
    while not game.is_over(state):
        if options["playout"] == NO_PLAYOUT:
            return static_outcome(game, state, options["scale"]), 0
        if plies == MAX_PLAYOUT_PLIES:
            raise BadDepth(f"a playout goes on beyond {MAX_PLAYOUT_PLIES:,} plies: use playout=none, or a game that ends")
        state = play_randomly(game, state, numbers)
        plies += 1
    return final_outcome(game, state), plies


def play_randomly(game: Game, state: Any, numbers: RandomNumbers) -> Any:
    """Return the state after a random move, or after an outcome that chance draws by its probability."""
    outcomes = chance_outcomes(game, state)
    if outcomes:
        index = numbers.draw_weighted([outcome.probability for outcome in outcomes])
        return play_move(game, state, outcomes[index].move)
    moves = legal_moves(game, state)
    return play_move(game, state, moves[numbers.draw(len(moves))])


def final_outcome(game: Any, state: Any) -> float:
    """Return the outcome of a state that is over."""
    bounds = value_range(game)
    return POINTS[game_winner(game, state)] if bounds is None else _scale_linearly(game, state, bounds)


def static_outcome(game: Any, state: Any, scale: float) -> float:
    """Return the outcome that the evaluation of a state stands for."""
    bounds = value_range(game)
    if bounds is not None:
        return _scale_linearly(game, state, bounds)
    value = static_value(game, state)
    return 1 + value / (abs(value) + scale)


def _scale_linearly(game: Any, state: Any, bounds: tuple[float, float]) -> float:
    value, (low, high) = static_value(game, state), bounds
    if not low <= value <= high:
        raise BadEvaluation(f"evaluate() returned {value:g} in state {short_repr(state)}, but value_range is ({low:g}, {high:g})")
    return MAX_OUTCOME * (value - low) / (high - low) if low < high else MAX_OUTCOME / 2
