"""The data model of exercises: an exercise, a grade, and the declaration of an exercise type.

An answer maps parts to what was given for them. A part is a node (its row in the tree of minimax, as text) or a name. Each type
declares itself in its own module; `EXERCISE_TYPES` in exercise.py lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from engine.core.errors import PlyscopeError
from engine.learning.row_mapping import map_rows
from engine.learning.seeded_random import SeededRandom
from engine.question import Question
from engine.searcher import search
from engine.tree.tree import SearchTree

Answer = Mapping[str, Any]
DIFFICULTIES = range(1, 6)
MAX_SEED = 999_999_999


class BadAnswer(PlyscopeError):
    """An answer that no learner could have given on the page, or an exercise that does not exist."""


@dataclass(frozen=True)
class Exercise:
    """One exercise. The same type, seed and difficulty make the same exercise everywhere."""

    kind: str
    seed: int
    difficulty: int
    question: Question  # the search that the answer is about, done right
    wrong: str = ""  # the mistake of the search that is shown, if it is not the right one
    node: int = 0  # where something is asked, if that is at one node only
    own: bool = False  # about a tree that somebody has brought: seed and difficulty mean nothing then

    @cached_property
    def search_tree(self) -> SearchTree:
        """Return the right search."""
        return search(self.question)

    @cached_property
    def full_tree(self) -> SearchTree:
        """Return the full tree, with all nodes. Parts of answers are rows of this tree."""
        return search(self.question.replace(algorithm="minimax"))

    @cached_property
    def visited_rows(self) -> dict[int, int]:
        """Return the row of the right search for each row of the full tree. Rows that it did not visit are missing."""
        return {place: row for row, place in enumerate(map_rows(self.full_tree, self.search_tree))}

    @property
    def cut_on_equal(self) -> bool:
        return self.search_tree.cut_on_equal


class GradedItem(NamedTuple):
    """One graded part of an answer. The reason is a step of the right search: `Trace(exercise.search_tree)[step]`."""

    part: str
    given: Any  # None: nothing
    wanted: Any  # None: nothing should be there
    right: bool
    step: int | None = None


class Grade(NamedTuple):
    """The grade of an answer."""

    right: int  # points
    total: int
    items: tuple[GradedItem, ...]
    thought: Misconception | None = None  # that explains the whole answer

    @property
    def solved(self) -> bool:
        return self.right == self.total


class ExerciseHint(NamedTuple):
    """The next hint: the rule, then the place to look at, then the right answer there."""

    grade: int  # 1 to 3
    text: str  # the rule
    item: GradedItem | None = None  # from grade 2 on: the first part that is not right yet


@dataclass(frozen=True)
class Misconception:
    """A misconception that a learner may have. `fits` tells if somebody who has it would give exactly this answer."""

    name: str
    text: str
    fits: Callable[[Exercise, Answer], bool]


def make_misconception(name: str, text: str, answer: Callable[[Exercise], Answer | None]) -> Misconception:
    """Return a misconception for which the whole wrong answer can be computed."""
    worked_out = lru_cache(maxsize=64)(answer)
    return Misconception(name, text, lambda exercise, given: given == worked_out(exercise))


def _is_equal(exercise: Exercise, part: str, given: Any, wanted: Any) -> bool:
    return bool(given == wanted)


@dataclass(frozen=True)
class ExerciseType:
    """An exercise type. `prompt` may contain {rule}, the rule for cutoffs, and {side}, the side to move at the root."""

    name: str  # in links and files
    title: str
    prompt: str
    how: str  # one part is answered: number, window, mark, child, order, count, call, reply
    rule: str  # the first hint
    build: Callable[
        [SeededRandom, int], dict[str, Any] | None
    ]  # what an Exercise needs besides; None: not worth asking, draw again
    key: Callable[[Exercise], dict[str, Any]]  # the right answer
    read: Callable[[Exercise, str, Any], Any]  # what was given for one part, checked; None: nothing
    step: Callable[[Exercise, str], int | None]  # of the right search, which is the reason for a part
    thoughts: tuple[Misconception, ...] = ()
    searched_by: str = ""  # what searches a tree that somebody has brought; empty: this kind draws its trees itself
    parts: Callable[[Exercise], Collection[str]] | None = None  # that may be answered; None: those of the key
    same: Callable[[Exercise, str, Any, Any], bool] = _is_equal  # whether what was given is as good as what is wanted
    points: Callable[[Exercise, Answer, tuple[GradedItem, ...]], tuple[int, int]] | None = None  # None: one for each part
    judge: Callable[[Exercise, Answer], tuple[GradedItem, ...]] | None = None  # None: part by part

    def allowed_parts(self, exercise: Exercise) -> Collection[str]:
        """Return the parts that an answer may have."""
        return (self.parts or self.key)(exercise)

    def grade_items(self, exercise: Exercise, given: Answer) -> tuple[GradedItem, ...]:
        """Grade every part that is wanted or given."""
        if self.judge is not None:
            return self.judge(exercise, given)
        key = self.key(exercise)
        judged = []
        for part in self.allowed_parts(exercise):
            if part in key or part in given:
                here, wanted = given.get(part), key.get(part)
                right = here is not None and wanted is not None and self.same(exercise, part, here, wanted)
                judged.append(GradedItem(part, here, wanted, right, self.step(exercise, part)))
        return tuple(judged)
