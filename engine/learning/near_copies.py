"""Find summaries with the same wrong answers: facts for a teacher to look at, never an accusation.

Right answers prove nothing, because there is only one of each. Two learners rarely share a wrong answer by chance, unless it
comes from a typical misconception (`Grade.misconception`). Such answers alone are not enough to name two files that differ
elsewhere. Only exercises in both files are compared, each by its first answer.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from engine.learning.summary import CheckedSummary, RegradedExercise

MIN_SAME_SHARE = 0.8  # of the exercises in both files
MIN_SHARED_WRONG = 2  # wrong answers, in files that differ


class NearCopy(NamedTuple):
    """Two summaries (by index) with the number of answers that they share."""

    first: int
    second: int
    answers: int  # exercises in both
    same: int  # of these, with the same answer
    wrong: int  # of these, wrong
    common: int  # of these, explained by a typical misconception


def find_near_copies(summaries: Sequence[CheckedSummary]) -> list[NearCopy]:
    """Return the pairs that a teacher should look at. Those that share the most wrong answers come first."""
    answers = [{_exercise_key(regraded): regraded for regraded in summary.first_answers} for summary in summaries]
    found = (_compare(first, second, answers[first], answers[second]) for first, second in _pairs_with_a_wrong_answer(answers))
    return sorted((pair for pair in found if pair is not None), key=lambda pair: (-pair.wrong, -pair.same, pair))


def _pairs_with_a_wrong_answer(answers: Sequence[dict[Any, RegradedExercise]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs that share a wrong answer. They are few even in a large class."""
    summaries_by_answer: dict[Any, list[int]] = defaultdict(list)
    for index, regraded_by_exercise in enumerate(answers):
        for exercise, regraded in regraded_by_exercise.items():
            if _is_wrong(regraded):
                summaries_by_answer[exercise, _graded_answer(regraded)].append(index)
    yield from {pair for indexes in summaries_by_answer.values() for pair in combinations(indexes, 2)}


def _compare(first: int, second: int, mine: dict[Any, RegradedExercise], theirs: dict[Any, RegradedExercise]) -> NearCopy | None:
    both = mine.keys() & theirs.keys()
    same = [mine[exercise] for exercise in both if _graded_answer(mine[exercise]) == _graded_answer(theirs[exercise])]
    wrong = [regraded for regraded in same if _is_wrong(regraded)]
    common = sum(regraded.grade is not None and regraded.grade.misconception is not None for regraded in wrong)
    is_copy = len(same) == len(both) and len(mine.keys() ^ theirs.keys()) <= 1
    is_similar = len(wrong) >= MIN_SHARED_WRONG and common < len(wrong) and len(same) >= MIN_SAME_SHARE * len(both)
    return NearCopy(first, second, len(both), len(same), len(wrong), common) if is_copy or is_similar else None


def _exercise_key(regraded: RegradedExercise) -> tuple[str, int, int]:
    return regraded.answered.kind, regraded.answered.seed, regraded.answered.difficulty


def _graded_answer(regraded: RegradedExercise) -> frozenset[tuple[str, str]]:
    """Return the answer as it was graded. Numbers and texts, and all orders of the parts, give the same result."""
    items = regraded.grade.items if regraded.grade is not None else ()
    return frozenset((item.part, repr(item.answer)) for item in items if item.answer is not None)


def _is_wrong(regraded: RegradedExercise) -> bool:
    """Return True if the answer is wrong and not empty."""
    return regraded.grade is not None and not regraded.grade.solved and bool(_graded_answer(regraded))
