"""The data model of exercises: an exercise, a grade, and the declaration of an exercise type.

An answer maps parts to values. A part is a node (its row in the full tree, as text) or a name. Each type declares itself in its
own module; `EXERCISE_TYPES` in exercise.py lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from engine.core.errors import PlyscopeError
from engine.games.chance_outcomes import has_chance
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
    question: Question  # the right search, which decides the answer
    mistake: str = ""  # the mistake of the search that is shown, if a faulty one is shown
    node: int = 0  # the row that the exercise is about, if it is about one node of the right search
    is_user_tree: bool = False  # about the user's own tree: seed and difficulty have no meaning then

    @cached_property
    def search_tree(self) -> SearchTree:
        """Return the right search."""
        return search(self.question)

    @cached_property
    def full_tree(self) -> SearchTree:
        """Return the full tree, with all nodes. Parts of answers are rows of this tree.

        For a search in iterations it is the tree before the last iteration, which the exercise is about.
        """
        if iterations := self.question.options.get("iterations"):
            return search(self.question.replace(iterations=iterations - 1))
        algorithm = "expectiminimax" if has_chance(self.question.game) else "minimax"
        return search(self.question.replace(algorithm=algorithm))

    @cached_property
    def visited_rows(self) -> dict[int, int]:
        """Return the row of the right search for each row of the full tree. Rows that it did not visit are missing."""
        return {full_row: row for row, full_row in enumerate(map_rows(self.full_tree, self.search_tree))}

    @property
    def cut_on_equal(self) -> bool:
        return self.search_tree.cut_on_equal


class GradedItem(NamedTuple):
    """One graded part of an answer. The reason is a step of the right search: `Trace(exercise.search_tree)[step]`."""

    part: str
    answer: Any  # None: not answered
    expected: Any  # None: nothing should be answered
    right: bool
    step: int | None = None


class Grade(NamedTuple):
    """The grade of an answer."""

    right: int  # points
    total: int  # maximum points
    items: tuple[GradedItem, ...]
    misconception: Misconception | None = None  # explains the whole answer

    @property
    def solved(self) -> bool:
        return self.right == self.total


class ExerciseHint(NamedTuple):
    """A hint: 1 is the rule, 2 the part to look at, 3 its right answer."""

    number: int  # 1 to 3
    rule: str
    item: GradedItem | None = None  # in hints 2 and 3: the first part that is not right yet


@dataclass(frozen=True)
class Misconception:
    """A typical wrong idea. `fits` returns True if a learner with this idea would give exactly this answer."""

    name: str
    text: str
    fits: Callable[[Exercise, Answer], bool]


def make_misconception(name: str, text: str, find_answer: Callable[[Exercise], Answer | None]) -> Misconception:
    """Return a misconception whose complete wrong answer can be computed. None: it leads to no wrong answer here."""
    cached_answer = lru_cache(maxsize=64)(find_answer)
    return Misconception(name, text, lambda exercise, answer: answer == cached_answer(exercise))


def _is_equal(exercise: Exercise, part: str, answer: Any, expected: Any) -> bool:
    return bool(answer == expected)


@dataclass(frozen=True)
class ExerciseType:
    """An exercise type. `prompt` may contain fields such as {rule}, the rule for cutoffs: see fill_prompt."""

    name: str  # in links and files
    title: str
    prompt: str
    answer_format: str  # of one part: number, window, mark, child, order, count, call, reply, visits
    rule: str  # the first hint
    draw: Callable[[SeededRandom, int], dict[str, Any] | None]  # the other fields of an Exercise. None: draw again
    answer_key: Callable[[Exercise], dict[str, Any]]
    read_part: Callable[[Exercise, str, Any], Any]  # checks the answer to one part. None: empty
    find_step: Callable[[Exercise, str], int | None]  # the step of the right search that is the reason for a part
    misconceptions: tuple[Misconception, ...] = ()
    user_tree_algorithm: str = ""  # searches the user's own tree. Empty: this type always draws its trees
    list_parts: Callable[[Exercise], Collection[str]] | None = None  # parts that may be answered. None: those of the key
    is_equivalent: Callable[[Exercise, str, Any, Any], bool] = _is_equal  # answer and expected answer are equally good
    score_answer: Callable[[Exercise, Answer, tuple[GradedItem, ...]], tuple[int, int]] | None = None  # None: one point per part
    grade_parts: Callable[[Exercise, Answer], tuple[GradedItem, ...]] | None = None  # None: each part on its own

    def allowed_parts(self, exercise: Exercise) -> Collection[str]:
        """Return the parts that an answer may have."""
        return (self.list_parts or self.answer_key)(exercise)

    def grade_items(self, exercise: Exercise, answer: Answer) -> tuple[GradedItem, ...]:
        """Grade every part that is expected or answered."""
        if self.grade_parts is not None:
            return self.grade_parts(exercise, answer)
        key = self.answer_key(exercise)
        items = []
        for part in self.allowed_parts(exercise):
            if part in key or part in answer:
                value, expected = answer.get(part), key.get(part)
                right = value is not None and expected is not None and self.is_equivalent(exercise, part, value, expected)
                items.append(GradedItem(part, value, expected, right, self.find_step(exercise, part)))
        return tuple(items)
