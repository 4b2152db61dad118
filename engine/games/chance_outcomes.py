"""Chance in a game: the outcomes that may be drawn in a state, and their probabilities.

A game with chance declares `chances(state)`: the outcomes and their probabilities where chance moves, an empty list elsewhere.
There, `moves` and `maximizing` are not called, and `play(state, outcome)` applies an outcome. `outcome_name(outcome)` is
optional. `value_range` is the least and the greatest value of a state, which Star1 and Star2 need.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Real
from typing import Any, NamedTuple

from engine.core.errors import BadGame, PlyscopeError, short_repr

SUM_TOLERANCE = 1e-9
MAX_SHOWN_DENOMINATOR = 1000


class ChanceOutcome(NamedTuple):
    """Something that chance may bring."""

    move: Any  # what play() takes
    probability: float


def has_chance(game: Any) -> bool:
    """Return True if chance moves in some states of the game."""
    return callable(getattr(game, "chances", None)) and bool(getattr(game, "has_chance", True))


def chance_outcomes(game: Any, state: Any) -> list[ChanceOutcome]:
    """Return what chance may bring in a state; empty if a side is to move. Raise BadGame unless the probabilities add up to 1."""
    return list(map(ChanceOutcome, *read_chances(game, state)))


def read_chances(game: Any, state: Any) -> tuple[list[Any], list[float]]:
    """Return the outcomes of a state and their probabilities, as `chance_outcomes` does; both empty if a side is to move."""
    chances = getattr(game, "chances", None)
    if not callable(chances) or not (declared := chances(state)):
        return [], []
    outcomes: list[Any] = []
    weights: list[float] = []
    try:
        for outcome, probability in declared:
            if type(probability) is not float or not probability > 0:
                probability = _read_probability(outcome, probability, state)
            outcomes.append(outcome)
            weights.append(probability)
    except (TypeError, ValueError) as error:
        if isinstance(error, BadGame):
            raise
        raise BadGame(
            f"chances() returned {short_repr(declared)} in state {short_repr(state)}: return a list of (outcome, probability)"
        ) from None
    if not abs(math.fsum(weights) - 1) <= SUM_TOLERANCE:
        total = sum_probabilities([probability for _, probability in declared])
        raise BadGame(
            f"the probabilities in state {short_repr(state)} add up to {format_probability(total)}: chances() must return "
            "probabilities that add up to 1"
        )
    return outcomes, weights


def _read_probability(outcome: Any, given: Any, state: Any) -> float:
    """Return a probability as a float. Raise BadGame unless it is a number greater than 0."""
    if isinstance(given, bool) or not isinstance(given, Real) or not float(given) > 0:
        raise BadGame(
            f"chances() gives the outcome {short_repr(outcome)} the probability {short_repr(given)} in "
            f"state {short_repr(state)}: use a number greater than 0"
        )
    return float(given)


def sum_probabilities(probabilities: Sequence[Any]) -> Any:
    """Return the sum; exact if all of them are fractions or whole numbers."""
    if all(isinstance(probability, (int, Fraction)) for probability in probabilities):
        return sum(map(Fraction, probabilities))
    return math.fsum(map(float, probabilities))


def format_probability(probability: Any) -> str:
    """Return a probability as a fraction if that is short and as exact as a float, else with at most 10 digits.

    >>> format_probability(1 / 6), format_probability(0.5), format_probability(0.123456789)
    ('1/6', '1/2', '0.123456789')
    """
    near = Fraction(probability).limit_denominator(MAX_SHOWN_DENOMINATOR)
    return str(near) if abs(float(near) - float(probability)) <= 1e-12 else f"{float(probability):.10g}"


def outcome_name(game: Any, outcome: Any) -> str:
    """Return the name of an outcome."""
    name = getattr(game, "outcome_name", None) or getattr(game, "move_name", None) or str
    return str(name(outcome))


def needed_range(game: Any) -> tuple[float, float]:
    """Return the least and the greatest value that the game declares. Raise PlyscopeError if it declares none."""
    declared = declared_range(game)
    if declared is None:
        raise PlyscopeError(
            f"Star1 and Star2 need the least and the greatest value of `{getattr(game, 'name', type(game).__name__)}`: declare "
            "value_range = (low, high), or use expectiminimax"
        )
    return declared


def declared_range(game: Any) -> tuple[float, float] | None:
    """Return the least and the greatest value that the game declares; None if it declares none. Raise BadGame if it is wrong."""
    declared = getattr(game, "value_range", None)
    if declared is None:
        return None
    try:
        low, high = map(float, declared)
    except (TypeError, ValueError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise BadGame(f"value_range = {short_repr(declared)}: two finite numbers are needed, the lower one first")
    return low, high
