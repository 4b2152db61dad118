"""Summaries with the same wrong answers: facts for a teacher to look at, never an accusation.

Right answers prove nothing, because there is one of each. A wrong answer can be given in many ways, so that two learners rarely
share one by chance, unless a classic misunderstanding leads to it (`Grade.thought`): such an answer alone is no reason to name
two files that differ elsewhere. Only exercises that both have answered are compared, each as it was answered first.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from engine.learning.summary import CheckedSummary, RegradedExercise

SAME_SHARE = 0.8  # of the exercises in both files, at least
MIN_WRONG = 2  # shared wrong answers in files that differ


class NearCopy(NamedTuple):
    """Two summaries, by their places in the list, and what they share."""

    first: int
    second: int
    answers: int  # exercises in both
    same: int  # of these with the same answer
    wrong: int  # of these wrong
    common: int  # of these as a classic misunderstanding has it


def find_near_copies(summaries: Sequence[CheckedSummary]) -> list[NearCopy]:
    """Return the pairs worth a look, those that share the most wrong answers first."""
    answers = [{_exercise(regraded): regraded for regraded in summary.first_answers} for summary in summaries]
    found = (_compare(first, second, answers[first], answers[second]) for first, second in _pairs_with_a_wrong_answer(answers))
    return sorted((pair for pair in found if pair is not None), key=lambda pair: (-pair.wrong, -pair.same, pair))


def _pairs_with_a_wrong_answer(answers: Sequence[dict[Any, RegradedExercise]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that share a wrong answer, which are few even in a large class."""
    giving: dict[Any, list[int]] = defaultdict(list)
    for place, answered in enumerate(answers):
        for exercise, regraded in answered.items():
            if _is_wrong(regraded):
                giving[exercise, _given(regraded)].append(place)
    yield from {pair for places in giving.values() for pair in combinations(places, 2)}


def _compare(first: int, second: int, mine: dict[Any, RegradedExercise], theirs: dict[Any, RegradedExercise]) -> NearCopy | None:
    both = mine.keys() & theirs.keys()
    same = [mine[exercise] for exercise in both if _given(mine[exercise]) == _given(theirs[exercise])]
    wrong = [regraded for regraded in same if _is_wrong(regraded)]
    common = sum(regraded.grade is not None and regraded.grade.thought is not None for regraded in wrong)
    whole = len(same) == len(both) and len(mine.keys() ^ theirs.keys()) <= 1
    telling = len(wrong) >= MIN_WRONG and common < len(wrong) and len(same) >= SAME_SHARE * len(both)
    return NearCopy(first, second, len(both), len(same), len(wrong), common) if whole or telling else None


def _exercise(regraded: RegradedExercise) -> tuple[str, int, int]:
    return regraded.done.kind, regraded.done.seed, regraded.done.difficulty


def _given(regraded: RegradedExercise) -> frozenset[tuple[str, str]]:
    """Return the answer as it was graded: the same whether it was sent as a number or as text, and in any order."""
    items = regraded.grade.items if regraded.grade is not None else ()
    return frozenset((item.part, repr(item.given)) for item in items if item.given is not None)


def _is_wrong(regraded: RegradedExercise) -> bool:
    """Return whether something was answered, and not all of it right. An empty answer is nobody's idea."""
    return regraded.grade is not None and not regraded.grade.solved and bool(_given(regraded))
