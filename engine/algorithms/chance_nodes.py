"""Chance nodes as expectiminimax, Star1 and Star2 share them: turns, outcomes, and leaves inside the range of values."""

from typing import Any

from engine.core.errors import BadEvaluation, short_repr
from engine.games.chance_outcomes import read_chances
from engine.games.protocol import Game, is_max_to_move, move_codes, static_value
from engine.record.columns import CHANCE

CodedOutcome = tuple[int, Any, float]  # recorded code, what play() takes, probability


def turn_and_outcomes(game: Game, state: Any, over: bool) -> tuple[int, list[CodedOutcome]]:
    """Return who moves in a state, and the outcomes if that is chance. At the end of the game chance is not asked."""
    outcomes, weights = ([], []) if over else read_chances(game, state)
    if not outcomes:
        return is_max_to_move(game, state), []
    return CHANCE, list(zip(move_codes(outcomes), outcomes, weights, strict=True))


def value_in_range(game: Game, state: Any, record: Any, low: float, high: float) -> float:
    """Return the static value of a leaf. Raise BadEvaluation if it lies outside the range that the game declares."""
    value = static_value(game, state, record)
    if not low <= value <= high:
        raise BadEvaluation(
            f"evaluate() returned {value:g} in state {short_repr(state)}, but value_range is ({low:g}, {high:g}): "
            "declare a wider range"
        )
    return value


def sums_after(weights: list[float], numbers: list[float]) -> list[float]:
    """Return for each outcome the sum of weight x number over the outcomes after it, added from the last to the first."""
    sums = [0.0] * len(weights)
    for index in range(len(weights) - 2, -1, -1):
        sums[index] = sums[index + 1] + weights[index + 1] * numbers[index + 1]
    return sums


def sum_of_others(weights: list[float], numbers: list[float], left_out: int) -> float:
    """Return the sum of weight x number over all outcomes but one."""
    total = 0.0
    for index, (weight, number) in enumerate(zip(weights, numbers, strict=True)):
        if index != left_out:
            total += weight * number
    return total
