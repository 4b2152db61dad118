"""Whose turn it is in each call of a watched search, and what its score is worth to MAX."""

import math
from collections import Counter
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from engine.checker.recording.argument_roles import Roles, Score, children_of
from engine.checker.recording.call_recorder import NOTHING, Calls


class Sides(NamedTuple):
    """By row: whether MAX is to move, the value for MAX (nan where there is none), the window for MAX."""

    negamax: bool
    maximizing: np.ndarray
    value: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray


def sides_of(calls: Calls, roles: list[Roles], score: Score | None) -> Sides:
    """The sides, by what each kind of call makes of those below it: the largest, the smallest, the largest of the opposites."""
    found = score or Score()
    scores = [found.of(result) for result in calls.results]
    kinds = _kinds(calls, roles)
    votes, negated, plain = _votes(calls, kinds, scores)
    negamax = negated > plain
    maximizing = _alternating(calls, roles, kinds) if negamax else _by_votes(kinds, votes)
    sign = np.where(maximizing, 1.0, -1.0) if negamax else np.ones(len(calls))
    value = np.array([_as_float(number) for number in scores], np.float64) * sign
    low, high = (_column(calls, roles, role) for role in ("alpha", "beta"))
    alpha = np.where(sign < 0, -high, low)
    beta = np.where(sign < 0, -low, high)
    return Sides(negamax, maximizing, value, np.nan_to_num(alpha, nan=-np.inf, posinf=np.inf, neginf=-np.inf),
                 np.nan_to_num(beta, nan=np.inf, posinf=np.inf, neginf=-np.inf))  # fmt: skip


def _kinds(calls: Calls, roles: list[Roles]) -> list[Hashable]:
    """Calls of one kind have the same side: the same function, the same side argument; else every other ply."""
    sides = [
        NOTHING if roles[number].side is None else function.arguments.index(str(roles[number].side))
        for number, function in enumerate(calls.functions)
    ]
    alone = len(set(calls.function)) == 1

    def kind(row: int, number: int) -> Hashable:
        if sides[number] != NOTHING:
            return number, repr(calls.arguments[row][sides[number]])
        return (number, calls.depth[row] % 2) if alone else (number,)

    return [kind(row, number) for row, number in enumerate(calls.function)]


def _votes(calls: Calls, kinds: list[Hashable], scores: list[Any]) -> tuple[Counter[tuple[Hashable, bool]], int, int]:
    votes: Counter[tuple[Hashable, bool]] = Counter()
    negated = plain = 0
    for row, below in enumerate(children_of(calls)):
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


def _by_votes(kinds: list[Hashable], votes: Counter[tuple[Hashable, bool]]) -> np.ndarray:
    decided = {kind: votes[kind, True] > votes[kind, False] for kind in set(kinds) if votes[kind, True] != votes[kind, False]}
    guess = not any(decided.values()) if decided else True
    for kind in kinds:  # in the order of calls: the root is MAX where nothing says otherwise
        if kind not in decided:
            decided[kind], guess = guess, not guess
    return np.array([decided[kind] for kind in kinds], np.bool_)


def _alternating(calls: Calls, roles: list[Roles], kinds: list[Hashable]) -> np.ndarray:
    if roles[calls.function[0]].side is not None:
        return np.array([kind == kinds[0] for kind in kinds], np.bool_)
    return np.array([depth % 2 == 0 for depth in calls.depth], np.bool_)


def _column(calls: Calls, roles: list[Roles], role: str) -> np.ndarray:
    """The argument that plays a role, by row; nan where none does."""
    places = [
        NOTHING if getattr(roles[number], role) is None else function.arguments.index(getattr(roles[number], role))
        for number, function in enumerate(calls.functions)
    ]
    numbers = (
        calls.arguments[row][places[number]] if places[number] != NOTHING else None for row, number in enumerate(calls.function)
    )
    return np.array([_as_float(number) for number in numbers], np.float64)


def _as_float(number: Any) -> float:
    """A number of the program, however large; nan for anything else."""
    if not isinstance(number, (int, float)):
        return math.nan
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
