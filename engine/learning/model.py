"""What an exercise is, what a grade says, and what the rest of the project needs to know of a kind of exercise.

An answer is a mapping from parts to what was given for them. A part is a node (its row in the tree of minimax, as text) or a
name. Each kind declares itself in its own module; `KINDS` in exercise.py lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from engine.core.errors import PlyscopeError
from engine.learning.row_mapping import rows_in
from engine.learning.seeded_random import Lots
from engine.question import Question
from engine.searcher import search
from engine.tree.tree import SearchTree

Answer = Mapping[str, Any]
DIFFICULTIES = range(1, 6)
MOST_SEED = 999_999_999


class BadAnswer(PlyscopeError):
    """An answer that no learner could have given on the page, or an exercise that does not exist."""


@dataclass(frozen=True)
class Exercise:
    """One question to a learner. The same kind, seed and difficulty make the same exercise everywhere."""

    kind: str
    seed: int
    difficulty: int
    question: Question  # the search that the answer is about, done right
    wrong: str = ""  # the mistake of the search that is shown, if it is not the right one
    node: int = 0  # where something is asked, if that is at one node only
    own: bool = False  # about a tree that somebody has brought: seed and difficulty mean nothing then

    @cached_property
    def searched(self) -> SearchTree:
        """The right search."""
        return search(self.question)

    @cached_property
    def whole(self) -> SearchTree:
        """All nodes there are; parts of answers are rows of this tree."""
        return search(self.question.replace(algorithm="minimax"))

    @cached_property
    def visited(self) -> dict[int, int]:
        """By row of the whole tree, the row of the right search there; what it did not visit is missing."""
        return {place: row for row, place in enumerate(rows_in(self.whole, self.searched))}

    @property
    def cut_on_equal(self) -> bool:
        return self.searched.cut_on_equal


class Item(NamedTuple):
    """One part of an answer, judged. The reason is a step of the right search: `Trace(exercise.searched)[step]`."""

    part: str
    given: Any  # None: nothing
    wanted: Any  # None: nothing should be there
    right: bool
    step: int | None = None


class Grade(NamedTuple):
    """What an answer is worth."""

    right: int  # points
    total: int
    items: tuple[Item, ...]
    thought: Thought | None = None  # that explains the whole answer

    @property
    def solved(self) -> bool:
        return self.right == self.total


class Help(NamedTuple):
    """The next help: the rule, then where to look, then what is right there."""

    grade: int  # 1 to 3
    text: str  # the rule
    item: Item | None = None  # from grade 2 on: the first part that is not right yet


@dataclass(frozen=True)
class Thought:
    """What a learner probably thought: `fits` says whether somebody who thinks so gives just this answer."""

    name: str
    text: str
    fits: Callable[[Exercise, Answer], bool]


def thinking(name: str, text: str, answer: Callable[[Exercise], Answer | None]) -> Thought:
    """A thought whose whole answer can be worked out."""
    worked_out = lru_cache(maxsize=64)(answer)
    return Thought(name, text, lambda exercise, given: given == worked_out(exercise))


def _equal(exercise: Exercise, part: str, given: Any, wanted: Any) -> bool:
    return bool(given == wanted)


@dataclass(frozen=True)
class ExerciseKind:
    """One kind of exercise. `prompt` may name {rule}, the rule for cutoffs, and {side}, who moves at the root."""

    name: str  # in links and files
    title: str
    prompt: str
    how: str  # one part is answered: number, window, mark, child, order, count, call, reply
    rule: str  # the first hint
    build: Callable[[Lots, int], dict[str, Any] | None]  # what an Exercise needs besides; None: not worth asking, draw again
    key: Callable[[Exercise], dict[str, Any]]  # the right answer
    read: Callable[[Exercise, str, Any], Any]  # what was given for one part, checked; None: nothing
    step: Callable[[Exercise, str], int | None]  # of the right search, which is the reason for a part
    thoughts: tuple[Thought, ...] = ()
    searched_by: str = ""  # what searches a tree that somebody has brought; empty: this kind draws its trees itself
    parts: Callable[[Exercise], Collection[str]] | None = None  # that may be answered; None: those of the key
    same: Callable[[Exercise, str, Any, Any], bool] = _equal  # whether what was given is as good as what is wanted
    points: Callable[[Exercise, Answer, tuple[Item, ...]], tuple[int, int]] | None = None  # None: one for each part
    judge: Callable[[Exercise, Answer], tuple[Item, ...]] | None = None  # None: part by part

    def allowed(self, exercise: Exercise) -> Collection[str]:
        """The parts that an answer may have."""
        return (self.parts or self.key)(exercise)

    def items(self, exercise: Exercise, given: Answer) -> tuple[Item, ...]:
        """Every part that is wanted or given, judged."""
        if self.judge is not None:
            return self.judge(exercise, given)
        key = self.key(exercise)
        judged = []
        for part in self.allowed(exercise):
            if part in key or part in given:
                here, wanted = given.get(part), key.get(part)
                right = here is not None and wanted is not None and self.same(exercise, part, here, wanted)
                judged.append(Item(part, here, wanted, right, self.step(exercise, part)))
        return tuple(judged)
