"""The content of an exam: the exercises of each variant, their prompts on paper, and the keys."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.core.errors import PlyscopeError, UnknownName
from engine.learning.exercise import EXERCISE_TYPES, answer_key, grade_answer, make_exercise
from engine.learning.exercise_types.mistake import ANSWER_PART as FIRST_WRONG
from engine.learning.exercise_types.order import minimal_node_count
from engine.learning.model import DIFFICULTIES, Exercise
from visualizer.drawing.paper import PAPERS
from visualizer.drawing.scene import POINTS_PER_PIXEL
from visualizer.exams.exercise_drawing import MARK_BUILDERS, draw_exercise_tree, find_selected_row, node_letter
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.exercise_messages import explain_solution, explain_sums, fill_prompt
from visualizer.narration.numbers import format_count, format_number

MAX_TREES, MAX_VARIANTS, MAX_SEED, MAX_POINTS = 12, 200, 9_999, 1000
MAX_TITLE_CHARS = 80
DEFAULT_KINDS = ("values", "window", "pruned")
PAGE_MARGIN = 76  # pixels around the text of a page: 20 mm

PROMPTS = {  # the task on paper, by type of exercise
    "values": "{side} is to move at the root. Write the value of each inner node, from MAX's point of view, into its box.",
    "expectation": "{side} is to move at the root. At the circles, chance moves with the probabilities at the lines. Write the "
    "value of each inner node, from MAX's point of view, into its box.",
    "window": "Alpha-beta searches this tree from left to right. It never visits the nodes that are crossed out. With which α "
    "and β does it enter the nodes with boxes? {rule}",
    "pruned": "Alpha-beta searches this tree from left to right. Cross out every node that it never visits, inner nodes and "
    "leaves. {rule}",
    "order": "In which order should alpha-beta try the children of each node, so that it visits as few nodes as possible? Number "
    "the children of each node in their boxes. The search tries number 1 first. {rule}",
    "mistake": "A program with a mistake has searched this tree. Each call shows its window and, below it, the value that it "
    "returned. At leaves, α and β are below the value. The program did not visit the nodes that are crossed out. Circle the "
    "first wrong call, and explain why it is wrong. {rule}",
    "chance-cut": "{side} is to move at the root, and at the circles chance moves with the probabilities at the lines. Star1 "
    "searches this tree from left to right. It knows that every leaf is worth from {low} to {high}. Cross out every outcome of a "
    "chance node that it never visits.",
    "ucb": "This is the tree of MCTS with c = {c} after {iterations} iterations. {side} is to move at the root. Each node has "
    "its visits n and, below them, its mean for the side that moved into it. Circle the child of the root that the next "
    "iteration selects: the one with the largest sum of its mean and c · √(ln N / n), where N is n of the root.",
    "backup": "This is the tree of MCTS after {iterations} iterations. {side} is to move at the root. Each node has its visits n "
    "and, below them, its mean for the side that moved into it; at the root, for the side that is not to move. The next "
    "iteration {event}. Write visits n and mean m of the nodes on its path then into their boxes. Round means to two decimals.",
}


def name_on_paper(exercise: Exercise, row: int) -> str:
    """Return the name of a node in a sentence on paper."""
    return f"node {node_letter(row)}"


class BadExam(PlyscopeError):
    """An exam that cannot be made."""


class ExamTask(NamedTuple):
    """One exercise of a sheet."""

    number: int
    exercise: Exercise
    points: int

    @property
    def title(self) -> str:
        return f"{self.number}. {EXERCISE_TYPES[self.exercise.kind].title} ({format_count(self.points, 'point')})"

    @property
    def prompt(self) -> str:
        return fill_prompt(self.exercise, PROMPTS[self.exercise.kind], name_on_paper)

    @property
    def lines(self) -> list[str]:
        """Return the labels of the lines below the tree that students fill in."""
        return ["First wrong call:", "It is wrong because"] if self.exercise.kind == "mistake" else []

    @property
    def key(self) -> str:
        """Return the answer in one line. Nodes are named by their letters."""
        return KEY_FORMATTERS[self.exercise.kind](self.exercise)

    @property
    def remark(self) -> str:
        """Return a remark for the grader."""
        if self.exercise.kind == "order":
            minimum, original = minimal_node_count(self.exercise.difficulty), len(self.exercise.search_tree)
            return (
                f"Other orders are also right if alpha-beta visits only {minimum} nodes. In the order shown it visits {original}."
            )
        if self.exercise.kind == "ucb":
            return explain_sums(self.exercise, [node_letter(row) for row in self.exercise.full_tree.child_rows(0)])
        if self.exercise.kind == "mistake":
            return explain_solution(self.exercise, grade_answer(self.exercise, answer_key(self.exercise)).items[0])
        return ""


@dataclass(frozen=True)
class Exam:
    """The settings of an exam, from which sheets and keys are made. The same settings give the same trees everywhere."""

    seed: int = 0
    trees: int = 3
    kinds: tuple[str, ...] = DEFAULT_KINDS  # in turn, starting again after the last
    difficulty: int = 2
    variants: int = 1
    points: int = 10  # for each tree
    paper: str = "a4"
    title: str = "Game trees"

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", " ".join(sanitize_line(self.title).split()))  # in all formats
        for name, minimum, maximum in (
            ("seed", 0, MAX_SEED),
            ("trees", 1, MAX_TREES),
            ("variants", 1, MAX_VARIANTS),
            ("points", 1, MAX_POINTS),
            ("difficulty", DIFFICULTIES[0], DIFFICULTIES[-1]),
        ):
            if not minimum <= getattr(self, name) <= maximum:
                raise BadExam(f"{name} {getattr(self, name)} is not possible: choose {minimum} to {maximum}")
        for kind in self.kinds:
            if kind not in PROMPTS:
                raise UnknownName("kind of exercise on paper", kind, PROMPTS)
        if not self.kinds:
            raise BadExam(f"there is no kind of exercise: choose one or more of {', '.join(PROMPTS)}")
        if self.paper not in PAPERS:
            raise BadExam(f"there is no paper {self.paper!r}: choose {' or '.join(PAPERS)}")
        if len(self.title) > MAX_TITLE_CHARS:
            raise BadExam(f"the title has {len(self.title)} characters: use at most {MAX_TITLE_CHARS}")

    @cached_property
    def sheets(self) -> list[list[ExamTask]]:
        """Return the tasks of each variant."""
        return [
            [self._make_task(variant, number) for number in range(1, self.trees + 1)] for variant in range(1, self.variants + 1)
        ]

    def _make_task(self, variant: int, number: int) -> ExamTask:
        kind = self.kinds[(number - 1) % len(self.kinds)]
        return ExamTask(number, make_exercise(kind, exercise_seed(self.seed, variant, number), self.difficulty), self.points)

    @cached_property
    def is_landscape(self) -> bool:
        """Return True if the pages are landscape, because a tree would be too wide otherwise."""
        max_width = PAPERS[self.paper].width / POINTS_PER_PIXEL - 2 * PAGE_MARGIN
        return any(draw_exercise_tree(task.exercise, False).width > max_width for tasks in self.sheets for task in tasks)

    @property
    def size(self) -> tuple[float, float]:
        """Return width and height of a page in points."""
        return PAPERS[self.paper].page_size(self.is_landscape)

    @property
    def total(self) -> int:
        return self.trees * self.points

    @property
    def command(self) -> str:
        """Return the command that makes the same sheets again, quoted for a shell."""
        words = ["plyscope", "exam", "--seed", str(self.seed), "--trees", str(self.trees)]
        words += [word for kind in self.kinds for word in ("--kind", kind)]
        words += ["--difficulty", str(self.difficulty), "--variants", str(self.variants), "--points", str(self.points)]
        return shlex.join([*words, "--paper", self.paper, "--title", self.title])

    def heading(self, variant: int, solved: bool) -> str:
        title = f"{self.title}: key" if solved else self.title
        return f"{title}, variant {variant}" if self.variants > 1 else title


def exercise_seed(seed: int, variant: int, number: int) -> int:
    """Return the seed of one exercise. All seeds of an exam differ."""
    return seed * 100_000 + variant * 100 + number


# ---- keys


def _format_orders(exercise: Exercise) -> str:
    def children(part: str, order: list[int]) -> str:
        rows = exercise.full_tree.child_rows(int(part))
        return " ".join(node_letter(rows[index]) for index in order)

    return "; ".join(f"{node_letter(int(part))}: {children(part, order)}" for part, order in answer_key(exercise).items())


def _format_numbers(exercise: Exercise) -> str:
    return ", ".join(f"{node_letter(int(part))} {format_number(value)}" for part, value in answer_key(exercise).items())


def _format_windows(exercise: Exercise) -> str:
    return ", ".join(
        f"{node_letter(int(part))} {format_number(alpha)} to {format_number(beta)}"
        for part, (alpha, beta) in answer_key(exercise).items()
    )


KEY_FORMATTERS: dict[str, Callable[[Exercise], str]] = {
    "values": _format_numbers,
    "expectation": _format_numbers,
    "window": _format_windows,
    "pruned": lambda exercise: " ".join(node_letter(int(part)) for part in answer_key(exercise)),
    "chance-cut": lambda exercise: " ".join(node_letter(int(part)) for part in answer_key(exercise)),
    "order": _format_orders,
    "mistake": lambda exercise: node_letter(answer_key(exercise)[FIRST_WRONG]),
    "backup": lambda exercise: ", ".join(
        f"{node_letter(int(part))} n {format_number(visits)} m {format_number(mean)}"
        for part, (visits, mean) in answer_key(exercise).items()
    ),
    "ucb": lambda exercise: node_letter(find_selected_row(exercise)),
}
assert KEY_FORMATTERS.keys() == PROMPTS.keys() == MARK_BUILDERS.keys()  # noqa: S101 - each kind on paper needs all three
