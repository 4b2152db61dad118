"""The exercises of an exam as questions that a course server grades: a prompt, a picture, and a field for each node."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from engine.learning.exercise import EXERCISE_TYPES, answer_key
from engine.learning.exercise_types.mistake import ANSWER_PART as FIRST_WRONG
from engine.learning.model import Exercise
from visualizer.drawing.scene import to_svg
from visualizer.exams.exercise_drawing import draw_exercise_tree, find_selected_row, node_letter
from visualizer.exams.sheet import BadExam, Exam, ExamTask, name_on_paper
from visualizer.narration.exercise_messages import fill_prompt

INFINITY_TEXTS = {np.inf: ("inf", "+inf", "∞", "+∞", "infinity"), -np.inf: ("-inf", "−inf", "-∞", "−∞", "-infinity")}
VISITED, PRUNED = "visited", "never visited"
QUIZ_PROMPTS = {
    "values": "{side} is to move at the root. What is the value of each inner node, from MAX's point of view?",
    "expectation": "{side} is to move at the root. At the circles, chance moves with the probabilities at the lines. What is the "
    "value of each inner node, from MAX's point of view? Write decimals, such as 2.5.",
    "window": "Alpha-beta searches this tree from left to right. It never visits the nodes that are crossed out. With which "
    "α and β does it enter the nodes below? Write inf or -inf for infinity. {rule}",
    "pruned": "Alpha-beta searches this tree from left to right. Which nodes does it visit? {rule}",
    "mistake": "A program with a mistake has searched this tree. Each call shows its window and, below it, the value that it "
    "returned. At leaves, α and β are below the value. The program did not visit the nodes that are crossed out. Which call is "
    "the first wrong one? {rule}",
    "chance-cut": "{side} is to move at the root, and at the circles chance moves with the probabilities at the lines. Star1 "
    "searches this tree from left to right. It knows that every leaf is worth from {low} to {high}. Which outcomes of chance "
    "nodes does it visit?",
    "ucb": EXERCISE_TYPES["ucb"].prompt,
    "backup": EXERCISE_TYPES["backup"].prompt,
}


class QuizField(NamedTuple):
    """One field to fill in: a number, or one of some choices."""

    label: str
    number: float | None = None
    right: str = ""
    choices: tuple[str, ...] = ()  # with the right one


class QuizQuestion(NamedTuple):
    """One question."""

    name: str
    prompt: str
    picture: str  # SVG
    fields: list[QuizField]
    remark: str


def check_quiz(exam: Exam) -> None:
    """Raise BadExam if the exam has exercises that a course server cannot grade field by field."""
    if missing := [kind for kind in exam.kinds if kind not in QUIZ_PROMPTS]:
        raise BadExam(
            f"a quiz cannot grade the exercise {missing[0]!r}, because it has several right answers: "
            f"choose {', '.join(QUIZ_PROMPTS)}, or write a .pdf file"
        )


def iterate_questions(exam: Exam) -> Iterator[QuizQuestion]:
    """Yield the questions of all variants."""
    check_quiz(exam)
    for variant, tasks in enumerate(exam.sheets, start=1):
        for task in tasks:
            yield _make_question(exam, variant, task)


def _make_question(exam: Exam, variant: int, task: ExamTask) -> QuizQuestion:
    exercise = task.exercise
    prompt = fill_prompt(exercise, QUIZ_PROMPTS[exercise.kind], name_on_paper)
    fields = list(FIELD_BUILDERS[exercise.kind](exercise))
    picture = to_svg(draw_exercise_tree(exercise, False))
    return QuizQuestion(f"{exam.title} {variant:02}-{task.number}", prompt, picture, fields, task.remark)


def _value_fields(exercise: Exercise) -> Iterator[QuizField]:
    for part, value in answer_key(exercise).items():
        yield QuizField(node_letter(int(part)), float(value))


def _make_pair_fields(signs: tuple[str, str]) -> Callable[[Exercise], Iterator[QuizField]]:
    """Return a function that gives two fields for each node, with these signs."""

    def make_fields(exercise: Exercise) -> Iterator[QuizField]:
        for part, pair in answer_key(exercise).items():
            for sign, value in zip(signs, pair, strict=True):
                yield QuizField(f"{node_letter(int(part))} {sign}", float(value))

    return make_fields


def _pruned_fields(exercise: Exercise) -> Iterator[QuizField]:
    pruned = {int(part) for part in answer_key(exercise)}
    for row in map(int, EXERCISE_TYPES[exercise.kind].allowed_parts(exercise)):
        yield QuizField(node_letter(row), right=PRUNED if row in pruned else VISITED, choices=(VISITED, PRUNED))


def _mistake_fields(exercise: Exercise) -> Iterator[QuizField]:
    letters = tuple(node_letter(row) for row in range(len(exercise.full_tree)))
    yield QuizField("First wrong call", right=node_letter(answer_key(exercise)[FIRST_WRONG]), choices=letters)


def _ucb_fields(exercise: Exercise) -> Iterator[QuizField]:
    letters = tuple(node_letter(row) for row in exercise.full_tree.child_rows(0))
    yield QuizField("Selected child", right=node_letter(find_selected_row(exercise)), choices=letters)


FIELD_BUILDERS: dict[str, Callable[[Exercise], Iterator[QuizField]]] = {
    "values": _value_fields,
    "expectation": _value_fields,
    "window": _make_pair_fields(("α", "β")),
    "pruned": _pruned_fields,
    "chance-cut": _pruned_fields,
    "mistake": _mistake_fields,
    "ucb": _ucb_fields,
    "backup": _make_pair_fields(("visits", "mean")),
}
