"""What stands on an exam sheet: which exercises, for which variant, what is asked on paper, and the keys."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.core.errors import PlyscopeError, UnknownName
from engine.learning.exercise import KINDS, grade, key, make
from engine.learning.exercise_types.mistake import PART as FIRST_WRONG
from engine.learning.exercise_types.order import least_of
from engine.learning.model import DIFFICULTIES, Exercise
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.scene import POINT
from visualizer.exams.exercise_drawing import MARKS, letter, tree_sketch
from visualizer.narration.escapes import plain
from visualizer.narration.exercise_messages import RULES, reason
from visualizer.narration.numbers import number

MOST_TREES, MOST_VARIANTS, MOST_SEED, MOST_POINTS = 12, 200, 9_999, 1000
LONGEST_TITLE = 80
USUAL_KINDS = ("values", "window", "pruned")
MARGIN = 76  # pixels around the text of a page: 20 mm

PROMPTS = {  # what is to be done on paper
    "values": "{side} is to move at the root. Write the value of each inner node into the frame beside it, from MAX's side.",
    "window": "Alpha-beta searches this tree from left to right and never visits what is crossed out. With which α and β does it "
    "enter the nodes with frames? {rule}",
    "pruned": "Alpha-beta searches this tree from left to right. Cross out every node that it never visits, inner nodes and "
    "leaves. {rule}",
    "order": "In which order should alpha-beta try the children of each node, so that it visits as few nodes as possible? Number "
    "the children of each node in their frames: 1 is tried first. {rule}",
    "mistake": "A program with a mistake has searched this tree. Each call shows its window when it was entered, and below that "
    "the value that it gave back; at leaves α and β stand below. What is crossed out was not visited. Ring the first call that "
    "is wrong, and say why. {rule}",
}


class BadExam(PlyscopeError):
    """An exam that cannot be made."""


class ExamTask(NamedTuple):
    """One exercise of a sheet."""

    number: int
    exercise: Exercise
    points: int

    @property
    def title(self) -> str:
        return f"{self.number}. {KINDS[self.exercise.kind].title} ({self.points} points)"

    @property
    def prompt(self) -> str:
        exercise = self.exercise
        side = "MAX" if exercise.whole[0].maximizing else "MIN"
        return PROMPTS[exercise.kind].format(rule=RULES[exercise.cut_on_equal], side=side)

    @property
    def lines(self) -> list[str]:
        """What is to be written below the tree."""
        return ["First wrong call:", "It is wrong because"] if self.exercise.kind == "mistake" else []

    @property
    def key(self) -> str:
        """The answer in one line: nodes by their letters."""
        return KEYS[self.exercise.kind](self.exercise)

    @property
    def remark(self) -> str:
        """What who marks it should know."""
        if self.exercise.kind == "order":
            least = least_of(self.exercise.difficulty)
            shown = len(self.exercise.searched)
            return f"Other orders are right, too, if alpha-beta then visits {least} nodes; as shown it visits {shown}."
        if self.exercise.kind == "mistake":
            return reason(self.exercise, grade(self.exercise, key(self.exercise)).items[0])
        return ""


@dataclass(frozen=True)
class Exam:
    """All that a file with sheets or keys needs. The same exam has the same trees everywhere."""

    seed: int = 0
    trees: int = 3
    kinds: tuple[str, ...] = USUAL_KINDS  # tree after tree, and again from the first
    difficulty: int = 2
    variants: int = 1
    points: int = 10  # for each tree: the same in all variants
    paper: str = "a4"
    title: str = "Game trees"

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", " ".join(plain(self.title).split()))  # as every format shows it
        for name, least, most in (
            ("seed", 0, MOST_SEED),
            ("trees", 1, MOST_TREES),
            ("variants", 1, MOST_VARIANTS),
            ("points", 1, MOST_POINTS),
            ("difficulty", DIFFICULTIES[0], DIFFICULTIES[-1]),
        ):
            if not least <= getattr(self, name) <= most:
                raise BadExam(f"{name} {getattr(self, name)} is not possible: give {least} to {most}")
        for kind in self.kinds:
            if kind not in PROMPTS:
                raise UnknownName("kind of exercise on paper", kind, PROMPTS)
        if not self.kinds or self.paper not in PAPERS:
            raise BadExam(f"paper {self.paper!r} and {len(self.kinds)} kinds: give a4 or letter, and one kind or more")
        if len(self.title) > LONGEST_TITLE:
            raise BadExam(f"a title of {len(self.title)} characters: give at most {LONGEST_TITLE}")

    @cached_property
    def sheets(self) -> list[list[ExamTask]]:
        """The tasks of each variant."""
        return [[self._task(variant, place) for place in range(1, self.trees + 1)] for variant in range(1, self.variants + 1)]

    def _task(self, variant: int, place: int) -> ExamTask:
        kind = self.kinds[(place - 1) % len(self.kinds)]
        return ExamTask(place, make(kind, exercise_seed(self.seed, variant, place), self.difficulty), self.points)

    @cached_property
    def turned(self) -> bool:
        """Whether the paper lies on its side: a tree is too wide for it otherwise."""
        most = PAPERS[self.paper].width / POINT - 2 * MARGIN
        return any(tree_sketch(task.exercise, False).width > most for tasks in self.sheets for task in tasks)

    @property
    def size(self) -> tuple[float, float]:
        """Of a page, in points."""
        return PAPERS[self.paper].sides(self.turned)

    @property
    def total(self) -> int:
        return self.trees * self.points

    @property
    def command(self) -> str:
        """The command that makes the same sheets again, quoted for a shell."""
        words = ["plyscope", "exam", "--seed", str(self.seed), "--trees", str(self.trees)]
        words += [word for kind in self.kinds for word in ("--kind", kind)]
        words += ["--difficulty", str(self.difficulty), "--variants", str(self.variants), "--points", str(self.points)]
        return shlex.join([*words, "--paper", self.paper, "--title", self.title])

    def heading(self, variant: int, solved: bool) -> str:
        title = f"{self.title}: key" if solved else self.title
        return f"{title}, variant {variant}" if self.variants > 1 else title


def exercise_seed(seed: int, variant: int, place: int) -> int:
    """The seed of one exercise: no two of an exam are the same."""
    return seed * 100_000 + variant * 100 + place


# ---- keys


def _orders(exercise: Exercise) -> str:
    def children(part: str, order: list[int]) -> str:
        rows = exercise.whole.child_rows(int(part))
        return " ".join(letter(rows[place]) for place in order)

    return "; ".join(f"{letter(int(part))}: {children(part, order)}" for part, order in key(exercise).items())


def _numbers(exercise: Exercise) -> str:
    return ", ".join(f"{letter(int(part))} {number(value)}" for part, value in key(exercise).items())


def _windows(exercise: Exercise) -> str:
    return ", ".join(f"{letter(int(part))} {number(low)} to {number(high)}" for part, (low, high) in key(exercise).items())


KEYS: dict[str, Callable[[Exercise], str]] = {
    "values": _numbers,
    "window": _windows,
    "pruned": lambda exercise: " ".join(letter(int(part)) for part in key(exercise)),
    "order": _orders,
    "mistake": lambda exercise: letter(key(exercise)[FIRST_WRONG]),
}
assert KEYS.keys() == PROMPTS.keys() == MARKS.keys()  # noqa: S101 - a kind on paper is known in all three places
