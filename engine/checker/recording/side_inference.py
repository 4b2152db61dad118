"""Infer the side to move in each call of a recorded search, and its score from MAX's side."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np

from engine.checker.recording.argument_roles import ArgumentRoles, ScorePath, list_children, read_side_flag
from engine.checker.recording.call_recorder import NO_ROW, RecordedCalls


class RowSides(NamedTuple):
    """For each row: is MAX to move, the value for MAX (nan if there is none), and the window for MAX."""

    negamax: bool
    maximizing: np.ndarray
    value: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray


def infer_sides(
    calls: RecordedCalls, roles: list[ArgumentRoles], score: ScorePath | None, tested: Mapping[int, bool] | None = None
) -> RowSides:
    """Infer the sides from the score of each group of calls: the largest below, the smallest, or the largest negated one.

    A flag such as `is_max` comes before the scores: those of a faulty search may follow another rule. `tested` are rows whose
    side was seen by giving them other scores. They decide where the record has too few scores.
    """
    found = score or ScorePath()
    scores = [found.read_score(result) for result in calls.results]
    kinds = _group_calls(calls, roles)
    votes, negated, plain = _count_votes(calls, kinds, scores)
    negamax = negated > plain
    flags = _read_flags(calls, roles, kinds)
    seen = {kinds[row]: is_max for row, is_max in (tested or {}).items()}
    maximizing = _sides_by_turns(calls, roles, kinds, flags) if negamax else _choose_sides(kinds, flags, votes, seen)
    sign = np.where(maximizing, 1.0, -1.0) if negamax else np.ones(len(calls))
    value = np.array([_to_float(number) for number in scores], np.float64) * sign
    low, high = (_read_role_column(calls, roles, role) for role in ("alpha", "beta"))
    alpha = np.where(sign < 0, -high, low)
    beta = np.where(sign < 0, -low, high)
    return RowSides(negamax, maximizing, value, np.nan_to_num(alpha, nan=-np.inf, posinf=np.inf, neginf=-np.inf),
                 np.nan_to_num(beta, nan=np.inf, posinf=np.inf, neginf=-np.inf))  # fmt: skip


def _group_calls(calls: RecordedCalls, roles: list[ArgumentRoles]) -> list[Hashable]:
    """Return the group of each call. Calls of a group have the same side.

    They have the same function and the same side argument. Without one, every other ply is a group.
    """
    sides = [
        NO_ROW if roles[number].side is None else function.arguments.index(str(roles[number].side))
        for number, function in enumerate(calls.functions)
    ]
    alone = len(set(calls.function)) == 1

    def group_of(row: int, number: int) -> Hashable:
        if sides[number] != NO_ROW:
            return number, repr(calls.arguments[row][sides[number]])
        return (number, calls.depth[row] % 2) if alone else (number,)

    return [group_of(row, number) for row, number in enumerate(calls.function)]


def _count_votes(
    calls: RecordedCalls, kinds: list[Hashable], scores: list[Any]
) -> tuple[Counter[tuple[Hashable, bool]], int, int]:
    """Count how often each group takes the largest or the smallest score, and how often scores are negated or not."""
    votes: Counter[tuple[Hashable, bool]] = Counter()
    negated = plain = 0
    for row, below in enumerate(list_children(calls)):
        numbers = [scores[child] for child in below if scores[child] is not None]
        value = scores[row]
        if value is None or len(set(numbers)) < 2:
            continue
        largest, smallest = value == max(numbers), value == min(numbers)
        negated += value == -min(numbers)
        plain += largest or smallest
        if largest != smallest:
            votes[kinds[row], largest] += 1
    return votes, negated, plain


def _read_flags(calls: RecordedCalls, roles: list[ArgumentRoles], kinds: list[Hashable]) -> dict[Hashable, bool]:
    """Return the side of each group whose calls name it by a flag."""
    found: dict[Hashable, bool] = {}
    for row, kind in enumerate(kinds):
        number = calls.function[row]
        name = roles[number].side
        if name is None or kind in found:
            continue
        is_max = read_side_flag(name, calls.arguments[row][calls.functions[number].arguments.index(name)])
        if is_max is not None:
            found[kind] = is_max
    return found


def _choose_sides(
    kinds: list[Hashable], flags: dict[Hashable, bool], votes: Counter[tuple[Hashable, bool]], tested: dict[Hashable, bool]
) -> np.ndarray:
    """Return the side of each call by its flag, else by the scores, else by tests, else in turn."""
    voted = {kind: votes[kind, True] > votes[kind, False] for kind in set(kinds) if votes[kind, True] != votes[kind, False]}
    decided = tested | voted | flags
    guess = not any(decided.values()) if decided else True
    for kind in kinds:  # in the order of calls: an undecided root is MAX
        if kind not in decided:
            decided[kind], guess = guess, not guess
    return np.array([decided[kind] for kind in kinds], np.bool_)


def _sides_by_turns(
    calls: RecordedCalls, roles: list[ArgumentRoles], kinds: list[Hashable], flags: dict[Hashable, bool]
) -> np.ndarray:
    if roles[calls.function[0]].side is not None:
        return np.array([kind == kinds[0] for kind in kinds], np.bool_) == flags.get(kinds[0], True)
    return np.array([depth % 2 == 0 for depth in calls.depth], np.bool_)


def _read_role_column(calls: RecordedCalls, roles: list[ArgumentRoles], role: str) -> np.ndarray:
    """Return the argument in a role for each row, nan where there is none."""
    places = [
        NO_ROW if getattr(roles[number], role) is None else function.arguments.index(getattr(roles[number], role))
        for number, function in enumerate(calls.functions)
    ]
    numbers = (
        calls.arguments[row][places[number]] if places[number] != NO_ROW else None for row, number in enumerate(calls.function)
    )
    return np.array([_to_float(number) for number in numbers], np.float64)


def _to_float(number: Any) -> float:
    """Convert a number of any size to a float, and anything else to nan."""
    if not isinstance(number, (int, float)):
        return math.nan
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
